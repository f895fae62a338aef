import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import type { BuildFailure, BuildResult } from 'esbuild';
import { entryOf, folderOf } from './bundle.ts';
import { mountOf, namedIn, root, type Bundle } from './bundles.ts';
import { writeFolder, type Content } from './files.ts';
import { clientOptions } from './graph.ts';
import { icon, iconSvg } from './icons.ts';
import { BASE_TOKEN, page, PAGES, skeleton, takePolicy, type PageWords } from './pages.ts';
import { script } from './script.ts';
import { buildSimulator } from './simulator.ts';
import { compileTexts, speaking, spokenIn } from './texts.ts';

/** A script in every page of `npm run dev`: reloads the page after each build. */
const RELOAD = "new EventSource('changes').onmessage=()=>location.reload();";

/** All files but scripts and stylesheets, made once at the start: a change in these needs a new start. */
async function still(bundle: Bundle): Promise<{ files: Map<string, Content>; meta: object }> {
  const { country, host, cc } = bundle;
  const { defaultMenu } = await import('../server/rules/catalogue/menu.ts');
  const pwa = await country.pwa();
  const seo = await country.seo();
  const words = await spokenIn<PageWords>(await compileTexts(root, bundle.language), 'page');
  const { policy, rest: template } = takePolicy(await readFile(path.join(host.folder, 'index.html'), 'utf8'));
  const files = new Map<string, Content>([
    ['menu.json', JSON.stringify(defaultMenu(country))],
    ['icon.svg', iconSvg(icon(false, pwa.theme_color))],
    ['reload.js', RELOAD],
  ]);
  const fakeFile = path.join(host.folder, 'fake.ts');
  const fake = existsSync(fakeFile) ? 'fake.js' : null;
  if (fake !== null) files.set(fake, await script(fakeFile, bundle));
  for (const kind of PAGES) {
    const html = page({
      template,
      bundle,
      drawn: { html: skeleton(words), samples: '', title: seo.fallback.title, description: seo.fallback.description },
      kind: { ...kind, path: null },
      early: [],
      critical: '',
      stylesheets: ['main.css'],
      scripts: ['main.js'],
      preloads: [],
      boot: {
        base: BASE_TOKEN,
        menu: 'menu.json',
        version: 'dev',
        country: cc,
        host: host.name,
        path: null,
        styles: null,
        ...namedIn(bundle),
      },
      menuFile: 'menu.json',
      pwa,
      words,
    });
    files.set(`${kind.name}.html`, html.replace('</body>', '<script type="module" src="reload.js"></script>\n</body>'));
  }
  const mount = mountOf(bundle);
  return { files, meta: { country: cc, host: host.name, mount, fake, policy, pages: {}, changes: true } };
}

async function write(
  bundle: Bundle,
  dist: string,
  { files: made, meta }: Awaited<ReturnType<typeof still>>,
  result: BuildResult<{ write: false }>,
): Promise<void> {
  const files = new Map(made);
  for (const file of result.outputFiles) files.set(path.basename(file.path), Buffer.from(file.contents));
  const names = Object.fromEntries([...files.keys()].map((name) => [name, {}]));
  files.set('meta.json', JSON.stringify({ ...meta, files: names, built: Date.now() }));
  await writeFolder(folderOf(dist, bundle), files);
}

/** Watches a bundle's sources and builds on every change, without compression, minification or prerendering. Settles after the first build. */
async function follow(bundle: Bundle, dist: string, tell: (error: unknown) => Promise<void>): Promise<void> {
  const label = `${bundle.cc}/${bundle.host.name}`;
  const made = await still(bundle);
  let tellFirst = () => {};
  const isFirstDone = new Promise<void>((done) => {
    tellFirst = done;
  });
  const options = clientOptions(bundle, folderOf(dist, bundle));
  const context = await esbuild.context({
    ...options,
    entryPoints: [{ in: path.join(root, entryOf(bundle)), out: 'main' }],
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    splitting: true,
    minifySyntax: false,
    minifyWhitespace: false,
    sourcemap: 'inline',
    plugins: [
      ...options.plugins,
      speaking(await compileTexts(root, bundle.language)),
      {
        name: 'write',
        setup(build) {
          let startedAt = 0;
          build.onStart(() => {
            startedAt = performance.now();
          });
          build.onEnd(async (result) => {
            if (result.errors.length > 0) await tell({ errors: result.errors } satisfies Partial<BuildFailure>);
            else {
              await write(bundle, dist, made, result);
              console.log(`${label} built in ${Math.round(performance.now() - startedAt)} ms`);
            }
            tellFirst();
          });
        },
      },
    ],
  });
  await context.watch();
  await isFirstDone;
}

/** `npm run dev`: the server, and bundles that are rebuilt on every change. Ends when the server ends. */
export async function develop(
  bundles: readonly Bundle[],
  dist: string,
  tell: (error: unknown) => Promise<void>,
): Promise<void> {
  await buildSimulator(dist, 'dev');
  for (const bundle of bundles) await follow(bundle, dist, tell);
  const server = spawn(
    process.execPath,
    ['--watch', '--env-file-if-exists=.env', path.join(root, 'src/server/main.ts')],
    {
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'development' },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      server.kill(signal);
      process.exit(0);
    });
  server.on('exit', (code) => process.exit(code ?? 0));
}
