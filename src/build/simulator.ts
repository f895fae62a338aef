import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { root } from './bundles.ts';
import { withCompressed, writeFolder, type Content } from './files.ts';
import { clientOptions } from './graph.ts';
import { icon, iconSvg } from './pictures/icons.ts';
import { BASE_TOKEN, fill } from './pages.ts';

const GREEN = '#65ab0b';

/** Builds the page at the root: phones side by side that run the bundles. */
export async function buildSimulator(dist: string, inputs: string): Promise<void> {
  const source = path.join(root, 'src', 'simulator');
  const folder = path.join(dist, 'simulator');
  const result = await esbuild.build({
    ...clientOptions({ cc: 'in' }, folder),
    minify: true,
    splitting: true,
    entryPoints: [{ in: path.join(source, 'main.tsx'), out: 'main' }],
  });
  const files = new Map<string, Content>(
    result.outputFiles.map((file) => [path.basename(file.path), Buffer.from(file.contents)]),
  );
  const named = (pattern: RegExp) => [...files.keys()].find((name) => pattern.test(name)) ?? '';
  const [entry, css] = [named(/^main-[^.]*\.js$/), named(/^main-[^.]*\.css$/)];
  const page = fill(
    await readFile(path.join(source, 'index.html'), 'utf8'),
    {
      base: BASE_TOKEN,
      styles: `<link rel="stylesheet" href="simulator/${css}">`,
      scripts: `<script type="module" src="simulator/${entry}"></script>`,
    },
    'src/simulator/index.html',
  );
  files.set('index.html', page).set('icon.svg', iconSvg(icon(false, GREEN)));
  // A page as a partner would write it, so that it is served as it is written.
  files.set('partner.html', await readFile(path.join(source, 'partner.html')));
  const { sizes, all } = await withCompressed(files);
  all.set('meta.json', JSON.stringify({ inputs, files: sizes, entry, css }, null, 1));
  await writeFolder(folder, all);
}
