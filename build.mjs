// Builds every bundle (hosts/* x country/*) with esbuild: `node build.mjs --help` lists the flags.
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import zlib from 'node:zlib';

const HELP = `node build.mjs [--country NAME] [--host NAME] [--hosts-dir FOLDER] [--out FOLDER] [--base PATH] [--force] [--watch] [--serve]
  --country    only this country; any name of the specification, whatever the case (in, India, sl, bangla ...)
  --host       only this host (a folder name in hosts/); asked for by name, it is built for countries that do not list it
  --hosts-dir  a further folder of host folders
  --out        where to put the bundles instead of dist/
  --base       write this mount point into the pages, for a static file host (default: the server fills it in)
  --force      build even when nothing changed
  --weights    list what the first-load script is made of
  --watch      build again on every change;  --serve  run the server beside it`;

const root = import.meta.dirname ?? process.cwd();
/** Stands for the mount point in a page's <base> and boot data until the server (or --base) fills it in; all else is relative to it. */
const BASE_TOKEN = '/-base-';
/** The pages of a bundle; the screen of each loads beside the joined first script, on its page only. */
const PAGES = [
  { name: 'index', path: '/', screen: 'src/screens/home/HomeScreen.tsx' },
  { name: 'menu', path: '/menu', screen: 'src/screens/menu/MenuScreen.tsx' },
  { name: 'app', path: null, screen: null },
];

function stop(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 && !(major === 22 && minor >= 18)) {
  stop(`This needs Node 24, and ${process.execPath} is ${process.version}.\n`
    + 'On Linux and Windows `npm ci` installs Node 24 into node_modules; start through npm (`npm start`, `npm run build`).\n'
    + 'If `npm ci` was run with --omit=optional, or on macOS, install Node 24 first.');
}

const { values: flags } = parseArgs({
  options: {
    country: { type: 'string' }, host: { type: 'string' }, 'hosts-dir': { type: 'string' }, out: { type: 'string' }, base: { type: 'string' },
    force: { type: 'boolean' }, weights: { type: 'boolean' }, watch: { type: 'boolean' }, serve: { type: 'boolean' }, help: { type: 'boolean' },
  },
});
const dist = flags.out === undefined ? path.join(root, 'dist') : path.resolve(flags.out);
if (flags.help) { console.log(HELP); process.exit(0); }
process.env.NODE_ENV ??= 'production';

const esbuild = await import('esbuild').catch(() => stop('The packages are not installed: run `npm ci` first.'));
const { countries, countryConfig } = await import('./country/index.ts');

const hash = (...parts) => parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest('hex');
const shortHash = (content) => hash(content).slice(0, 8).toUpperCase();
const escapeHtml = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

async function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name)).sort();
}

// ---- what there is to build -------------------------------------------------------------------------------------------

/** Countries that a host names itself, in its half on the server. */
async function countriesOf(folder) {
  const file = path.join(folder, 'server.ts');
  return existsSync(file) ? (await import(pathToFileURL(file).href)).partner.countries ?? [] : [];
}

/** Bundles = host folders x countries; a country lists its hosts by giving each an API key, or a host its countries. */
async function bundlesAsked() {
  const hosts = [];
  for (const folder of [path.join(root, 'hosts'), ...(flags['hosts-dir'] ? [path.resolve(flags['hosts-dir'])] : [])]) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => stop(`There is no folder ${folder}.`));
    for (const entry of entries) {
      if (entry.isDirectory() && existsSync(path.join(folder, entry.name, 'main.tsx'))) hosts.push({ name: entry.name, folder: path.join(folder, entry.name), countries: await countriesOf(path.join(folder, entry.name)) });
    }
  }
  let asked = countries;
  if (flags.country !== undefined) {
    try { asked = [countryConfig(flags.country)]; } catch (error) {
      stop(`${error.message}\nNames: ${countries.map((country) => country.names.join(', ')).join('; ')}.`);
    }
  }
  if (flags.host !== undefined && !hosts.some((host) => host.name === flags.host)) {
    stop(`There is no host ${flags.host}. Hosts: ${hosts.map((host) => host.name).join(', ')}.`);
  }
  // A host asked for by name is built where it is listed, and where a country was named or no country lists it, all the same.
  const isListed = (country, host) => host.name in country.api.keys || host.countries.includes(country.COUNTRY_CODE);
  const isAsked = (country, host) => (flags.host === undefined ? isListed(country, host) : host.name === flags.host
    && (flags.country !== undefined || isListed(country, host) || !asked.some((one) => isListed(one, host))));
  const bundles = asked.flatMap((country) => hosts.filter((host) => isAsked(country, host))
    .map((host) => ({ country, host, cc: country.COUNTRY_CODE.toLowerCase(), hostNames: hosts.map((one) => one.name) })));
  if (flags.country !== undefined && bundles.some(({ country, host }) => !isListed(country, host))) {
    console.log(`${asked[0].label} is no country of ${flags.host}: the calls of this bundle will be refused.`);
  }
  return bundles;
}

/** Everything a bundle can depend on, in one hash; an unlisted input cannot exist, since whole folders are read. */
async function inputsHash() {
  const folders = ['src', 'hosts', 'country'].map((folder) => path.join(root, folder));
  if (flags['hosts-dir']) folders.push(path.resolve(flags['hosts-dir']));
  const files = [...(await Promise.all(folders.map(filesBelow))).flat(),
    ...['build.mjs', 'package-lock.json', 'tsconfig.json'].map((name) => path.join(root, name))];
  const sums = await Promise.all(files.map(async (file) => `${file} ${hash(await readFile(file))}`));
  return hash(sums.join('\n'), JSON.stringify([flags.base ?? null, process.version]));
}

// ---- esbuild ----------------------------------------------------------------------------------------------------------

function clientOptions({ cc, host }, outdir) {
  return {
    absWorkingDir: root,
    entryPoints: [{ in: path.join(host.folder, 'main.tsx'), out: 'main' }],
    entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', assetNames: '[name]-[hash]',
    bundle: true, splitting: true, format: 'esm', platform: 'browser', target: 'es2020', minify: true, jsx: 'automatic',
    alias: {
      '#country': path.join(root, 'country', cc, 'index.ts'),
      // What wouter asks of this package for older Reacts is part of React itself.
      'use-sync-external-store/shim/index.js': 'react',
    },
    loader: { '.module.css': 'local-css', '.svg': 'file', '.png': 'file', '.webp': 'file' },
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfig: path.join(root, 'tsconfig.json'),
    nodePaths: [path.join(root, 'node_modules')],
    legalComments: 'none', charset: 'utf8', logLevel: 'silent',
    metafile: true, write: false, outdir,
  };
}

/** Outputs by file name, without the stylesheets of lazy chunks: the entry's stylesheet holds them all (esbuild issue 1590). */
function outputsOf(result) {
  const byName = new Map(result.outputFiles.map((file) => [path.basename(file.path), file]));
  const entry = [...byName.keys()].find((name) => /^main-[^.]*\.js$/.test(name));
  const cssBundle = Object.entries(result.metafile.outputs).find(([name]) => path.basename(name) === entry)?.[1].cssBundle;
  const css = cssBundle ? path.basename(cssBundle) : null;
  const files = [...byName].filter(([name]) => !name.endsWith('.css') || name === css);
  return { entry, css, files: new Map(files.map(([name, file]) => [name, Buffer.from(file.contents)])) };
}

/** A script with everything it imports statically. */
function closure(metafile, entry) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([name, output]) => [path.basename(name), output]));
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name) || !outputs.has(name)) return;
    seen.add(name);
    for (const one of outputs.get(name).imports) if (one.kind === 'import-statement') visit(path.basename(one.path));
  };
  visit(entry);
  return [...seen];
}

/** Loaded by so many screens, a chunk belongs to the file that they share. */
const SHARED_FROM = 3;

/**
 * What is loaded together, as lists of chunks: `first`, all script of the first pages; `second`, what makes the page alive,
 * with what the host's bridge needs; `shared`, what several screens import. esbuild's splitting cuts these into a chunk per set
 * of screens that share a module: hundreds of requests, with a header each, which on a slow line cost more than what is in them.
 */
function groupsOf(bundle, entry, screens, metafile) {
  const outputs = Object.entries(metafile.outputs).filter(([name]) => name.endsWith('.js'));
  const rootAt = (source) => outputs.filter(([, output]) => output.entryPoint === source).map(([name]) => path.basename(name));
  const own = (names, ...taken) => [...new Set(names)].filter((name) => taken.every((group) => !group.includes(name)));
  const all = (names) => names.flatMap((name) => closure(metafile, name));
  // What the first screens share with others is small: in the joined file it costs less than as files of its own.
  const first = own(all([entry, ...screens]), screens);
  const alive = rootAt('src/shell/alive.tsx');
  const bridge = rootAt(path.relative(root, path.join(bundle.host.folder, 'bridge.ts')).replaceAll(path.sep, '/'));
  const second = own([...all(alive), ...all(bridge).filter((name) => !bridge.includes(name))], first);
  const users = new Map();
  for (const lazy of outputs.filter(([, { entryPoint }]) => entryPoint).map(([name]) => path.basename(name))) {
    for (const name of own(closure(metafile, lazy), first, second, [lazy])) users.set(name, (users.get(name) ?? 0) + 1);
  }
  const shared = [...users].filter(([, count]) => count >= SHARED_FROM).map(([name]) => name);
  return [{ label: 'main', members: first, roots: [entry] }, { label: 'alive', members: second, roots: alive }, { label: 'shared', members: shared, roots: [] }];
}

/**
 * Joins each group into one file: its chunks are bundled once more, and the file exports what others import of them, beside all
 * of its roots. Other chunks are renamed, since their text changes with what they import. `beside`: by page, the chunk of its screen.
 */
async function joinGroups(bundle, { entry, files }, metafile) {
  const chunkOf = (screen) => Object.entries(metafile.outputs).filter(([, output]) => screen !== null && output.entryPoint === screen).map(([name]) => path.basename(name));
  const screens = PAGES.flatMap(({ screen }) => chunkOf(screen));
  const groups = groupsOf(bundle, entry, screens, metafile).filter(({ members }) => members.length > 0);
  const owner = new Map(groups.flatMap((group) => group.members.map((name) => [name, group])));
  const version = shortHash([...groups.flatMap(({ members }) => members), esbuild.version].join());
  const nameOf = new Map([...files.keys()].filter((name) => name.endsWith('.js')).map((name) => {
    const group = owner.get(name);
    return [name, group ? `${group.label}-${shortHash(group.label + version)}.js` : name.replace(/[^-]*(?=\.js$)/, shortHash(name + version))];
  }));
  const rename = (text) => text.replace(/"\.\/([^"]+\.js)"/g, (whole, name) => (nameOf.has(name) ? `"./${nameOf.get(name)}"` : whole));

  // By chunk, what others take of it under which name: the same short name may come from two of the chunks.
  const wanted = new Map([...owner.keys()].map((name) => [name, new Map()]));
  const counts = new Map(groups.map((group) => [group, 0]));
  const exportName = (from, name) => {
    const names = wanted.get(from);
    const group = owner.get(from);
    const count = counts.get(group);
    if (!names.has(name)) {
      names.set(name, `$${count.toString(36)}`);
      counts.set(group, count + 1);
    }
    return names.get(name);
  };
  /** A chunk's text with what it takes from other groups under the names that these export it by. */
  const texts = new Map([...nameOf.keys()].map((name) => [name, files.get(name).toString().replace(/import(?:\{([^}]*)\}from)?"\.\/([^"]+)";/g, (whole, list, from) => {
    const group = owner.get(from);
    if (!group || group === owner.get(name)) return whole;
    const names = (list ?? '').split(',').filter(Boolean).map((one) => {
      const [exported, local = exported] = one.split(' as ');
      return `${exportName(from, exported)} as ${local}`;
    });
    return names.length === 0 ? `import"./${nameOf.get(from)}";` : `import{${names.join(',')}}from"./${nameOf.get(from)}";`;
  })]));

  const { entryPoints, entryNames, splitting, metafile: _, ...options } = clientOptions(bundle, path.join(dist, '.cache', `${bundle.cc}-${bundle.host.name}-joined`));
  await rm(options.outdir, { recursive: true, force: true });
  const joined = new Map();
  for (const group of groups) {
    const folder = path.join(options.outdir, group.label);
    await mkdir(folder, { recursive: true });
    // What is in the file anyway needs no loading: a dynamic import would make esbuild wrap every module into a function.
    await Promise.all(group.members.map((name) => {
      const here = new Map();
      const text = texts.get(name).replace(/\bimport\("\.\/([^"]+)"\)/g, (whole, other) => {
        if (owner.get(other) !== group) return whole;
        if (!here.has(other)) here.set(other, `joined$${here.size}`);
        return `Promise.resolve(${here.get(other)})`;
      });
      return writeFile(path.join(folder, name), [...here].map(([other, as]) => `import * as ${as} from "./${other}";`).join('') + text);
    }));
    await writeFile(path.join(folder, 'entry.js'), [...group.roots.map((name) => `${group.label === 'main' ? 'import' : 'export * from'} "./${name}";`),
      ...group.members.map((name) => (wanted.get(name).size === 0 ? ''
        : `export { ${[...wanted.get(name)].map(([one, as]) => `${one} as ${as}`).join(', ')} } from "./${name}";`))].join('\n'));
    const inside = new Set(group.members);
    const external = [...new Set([...nameOf].flatMap(([from, to]) => (inside.has(from) ? [] : [`./${from}`, `./${to}`])))];
    const result = await esbuild.build({ ...options, entryPoints: [path.join(folder, 'entry.js')], external });
    joined.set(nameOf.get(group.members[0]), rename(result.outputFiles[0].text));
  }
  for (const [name, text] of texts) if (!owner.has(name)) joined.set(nameOf.get(name), rename(text));
  for (const [name, content] of files) if (!name.endsWith('.js')) joined.set(name, content);
  const beside = Object.fromEntries(PAGES.map((one) => [one.name, chunkOf(one.screen).map((name) => nameOf.get(name))]));
  return { entry: nameOf.get(entry), files: joined, first: groups[0].members, screens, beside };
}

/**
 * Cuts the stylesheet in two: what the first pages can show, and the rest, which comes with the second script. esbuild lays
 * the files' rules one after the other, and says how long each is.
 */
function cutStyles({ css, files }, first, beside, metafile) {
  if (css === null) return { css, laterCss: null };
  const outputs = new Map(Object.entries(metafile.outputs).map(([name, output]) => [path.basename(name), output]));
  const early = new Set([...first, ...beside].flatMap((name) => Object.keys(outputs.get(name).inputs)));
  const whole = files.get(css);
  const parts = { now: [], later: [] };
  let at = 0;
  for (const [file, { bytesInOutput }] of Object.entries(outputs.get(css).inputs)) {
    parts[file.endsWith('.module.css') && !early.has(file) ? 'later' : 'now'].push(whole.subarray(at, at + bytesInOutput));
    at += bytesInOutput;
  }
  if (whole.subarray(at).toString().trim() !== '') throw new Error(`${css} has ${whole.length - at} bytes that no file gave it.`);
  files.delete(css);
  const [now, later] = [['main', parts.now], ['later', parts.later]].map(([name, texts]) => {
    if (texts.length === 0) return null;
    const content = Buffer.concat(texts);
    const file = `${name}-${shortHash(content)}.css`;
    files.set(file, content);
    return file;
  });
  return { css: now, laterCss: later };
}

/**
 * Runs the shell's prerender over the default menu. It is bundled a second time together with the same entry and the same
 * settings, because only so the shortened class names are those of the shipped stylesheet; that both are equal is checked.
 */
async function prerendered(bundle, menu, shippedCss) {
  const { country, host, cc } = bundle;
  const full = /routes\.full/.test(await readFile(path.join(host.folder, 'main.tsx'), 'utf8'));
  const outdir = path.join(dist, '.cache', `${cc}-${host.name}`);
  const local = (file) => JSON.stringify(path.join(root, file));
  const entryFile = path.join(dist, '.cache', `${cc}-${host.name}.ts`);
  await mkdir(path.dirname(entryFile), { recursive: true });
  await writeFile(entryFile, `export { prerender } from ${local('src/shell/prerender.tsx')};
    export { country } from '#country';
    export { face } from ${JSON.stringify(path.join(host.folder, 'face.ts'))};
    import { routes as own } from ${local('src/shell/routes.ts')};
    ${full ? `import { fullRoutes } from ${local('src/shell/routes.full.ts')};` : 'const fullRoutes = [];'}
    export const routes = [...own, ...fullRoutes];`);
  const options = clientOptions(bundle, outdir);
  // After the client's own entry: the order of entries decides which class gets which short name.
  const result = await esbuild.build({ ...options, entryPoints: [...options.entryPoints, { in: entryFile, out: 'prerender' }] });
  const outputs = outputsOf(result);
  if (outputs.css !== null && shippedCss !== null && !outputs.files.get(outputs.css).equals(shippedCss)) {
    throw new Error(`${cc}/${host.name}: src/shell/prerender.tsx reaches stylesheets that hosts/${host.name}/main.tsx does not, so class names would differ.`);
  }
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  await Promise.all([...outputs.files].map(([name, content]) => writeFile(path.join(outdir, name), content)));
  const entry = [...outputs.files.keys()].find((name) => /^prerender-[^.]*\.js$/.test(name));
  const { prerender, routes, face, country: own } = await import(pathToFileURL(path.join(outdir, entry)).href);
  const pages = {};
  for (const page of PAGES.filter((one) => one.path !== null)) {
    try {
      pages[page.name] = await prerender({ face, country: own, routes, path: page.path, menu, base: BASE_TOKEN });
    } catch (error) {
      throw new Error(`${cc}/${host.name}: ${page.path} cannot be prerendered: ${error.message}`, { cause: error });
    }
  }
  const seo = await country.seo();
  pages.app = { html: await skeleton(), title: seo.fallback.title, description: seo.fallback.description };
  return { pages, seo };
}

/** What a deep link shows until the script has run: quiet boxes, drawn by attributes alone since inline styles are refused. */
async function skeleton() {
  const boxes = [[0, 0, 360, 48, 0], [16, 68, 200, 20, 4], [16, 104, 328, 96, 8], [16, 216, 328, 96, 8], [16, 328, 328, 96, 8]]
    .map(([x, y, width, height, radius]) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`).join('');
  return `<svg viewBox="0 0 360 640" width="100%" role="img" aria-label="Loading" fill="#8883">${boxes}</svg>`;
}

// ---- pages ------------------------------------------------------------------------------------------------------------

/** The top-level rules of a stylesheet as [prelude, body]; a statement without a body has null. Minified text, so no comments. */
function rulesOf(css) {
  const rules = [];
  let start = 0;
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === ';') { rules.push([css.slice(start, at), null]); start = at + 1; continue; }
    if (css[at] === '"' || css[at] === "'") { at = endOfString(css, at); continue; }
    if (css[at] !== '{') continue;
    const open = at;
    for (let depth = 1; depth > 0;) {
      at += 1;
      if (at >= css.length) throw new Error('A stylesheet ends inside a rule.');
      if (css[at] === '"' || css[at] === "'") at = endOfString(css, at);
      else if (css[at] === '{') depth += 1;
      else if (css[at] === '}') depth -= 1;
    }
    rules.push([css.slice(start, open).trim(), css.slice(open + 1, at)]);
    start = at + 1;
  }
  return rules;
}

function endOfString(css, at) {
  let end = at + 1;
  while (css[end] !== css[at]) end += css[end] === '\\' ? 2 : 1;
  return end;
}

/** The rules that a page needs to be painted as it will stay: those all of whose classes it has, in their order. */
function criticalCss(css, html) {
  const used = new Set([...html.matchAll(/\sclass="([^"]*)"/g)].flatMap((match) => match[1].split(/\s+/)));
  const applies = (selector) => [...selector.replace(/:not\([^)]*\)/g, '').matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].every((match) => used.has(match[1]));
  const keep = (text) => rulesOf(text).map(([prelude, body]) => {
    if (body === null) return `${prelude};`;
    if (/^@(media|supports|layer|container|scope)\b/.test(prelude)) {
      const inner = keep(body);
      return inner === '' ? '' : `${prelude}{${inner}}`;
    }
    return prelude.startsWith('@') || applies(prelude) || prelude.split(',').some(applies) ? `${prelude}{${body}}` : '';
  }).join('');
  const kept = keep(css);
  // A page without an animation needs none of the frames.
  return kept.replace(/@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*\}/g, (whole, name) => (new RegExp(`animation[^;}]*\\b${name}\\b`).test(kept) ? whole : ''));
}

/** Style attributes of a page as the policy names them: only these exact ones are allowed, and none that somebody slips in. */
function styleHashes(html) {
  const values = new Set([...html.matchAll(/<[^>]*?\sstyle="([^"]*)"/g)].map((match) => match[1].replace(/&quot;/g, '"').replace(/&#x27;/g, "'").replace(/&amp;/g, '&')));
  return [...values].map(policyHash);
}

const policyHash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Fills {{places}}; a line all of whose places are empty is left out. */
function fill(template, places, where) {
  return template.split('\n').filter((line) => {
    const names = [...line.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]);
    for (const name of names) if (!(name in places)) throw new Error(`${where}: nobody fills {{${name}}}.`);
    return names.length === 0 || names.some((name) => places[name] !== '');
  }).map((line) => line.replace(/\{\{(\w+)\}\}/g, (_, name) => places[name])).join('\n');
}

/** `<meta name="csp" data-directive="script-src" content="https://...">` of a template: sources this host adds to its policy; an empty content takes the directive away. */
function takePolicy(template) {
  const policy = {};
  const rest = template.replace(/^.*<meta name="csp" data-directive="([\w-]+)" content="([^"]*)">.*\n/gm, (_, directive, sources) => {
    policy[directive] = [...(policy[directive] ?? []), ...sources.split(' ').filter(Boolean)];
    return '';
  });
  return { policy, rest };
}

/**
 * The page. On slow links every byte that shares the line with the first paint delays it (figures: npm run bench): so the
 * rules that the page needs are in it, the text follows, and the stylesheet of the first screens, the script and the menu are named at the
 * end of the body, where the reader already sees the screen. Two inline scripts in its head: src/shell/slowly.ts, before the
 * first picture is asked for, and src/shell/early.ts, before the first button can be tapped; the policy names them by their hashes.
 */
function page({ template, bundle, one, pageName, prerenderedPath, entry, beside, css, laterCss, critical, early, menuFile, version, pwa }) {
  const { country, host, cc } = bundle;
  const boot = JSON.stringify({
    base: BASE_TOKEN, menu: menuFile, version, country: cc, host: host.name, path: prerenderedPath, styles: laterCss,
  }).replace(/</g, '\\u003c');
  return fill(template, {
    lang: country.locale, title: escapeHtml(one.title), description: escapeHtml(one.description),
    themeColor: pwa.theme_color, appName: escapeHtml(pwa.short_name), base: BASE_TOKEN,
    verification: escapeHtml(country.GOOGLE_SITE_VERIFICATION_ID), helpDesk: escapeHtml(country.HELP_DESK_NO),
    styles: [...early.map((text) => `<script>${text}</script>`), ...(critical === '' ? [] : [`<style>${critical}</style>`])].join('\n'),
    head: one.head ?? '',
    path: prerenderedPath === null ? '' : ` data-path="${prerenderedPath}"`,
    app: one.html,
    boot: `<script type="application/json" id="boot">${boot}</script>`,
    scripts: [
      ...[css, prerenderedPath === null ? laterCss : null].filter((name) => name !== null).map((name) => `<link rel="stylesheet" href="${name}">`),
      `<script type="module" src="${entry}"></script>`,
      ...beside.map((name) => `<link rel="modulepreload" href="${name}">`),
      `<link rel="preload" as="fetch" crossorigin="anonymous" href="${menuFile}">`,
    ].join('\n'),
  }, `hosts/${host.name}/index.html (${pageName})`);
}

// ---- icons: one list of discs, written as SVG and as PNG --------------------------------------------------------------

function iconDiscs(maskable, background) {
  const scale = maskable ? 0.8 : 1;
  const disc = (x, y, r, colour) => [0.5 + (x - 0.5) * scale, 0.5 + (y - 0.5) * scale, r * scale, colour];
  return {
    background: maskable ? background : null,
    discs: [
      ...(maskable ? [] : [disc(0.5, 0.5, 0.5, background)]),
      disc(0.5, 0.5, 0.39, '#c98a3b'), disc(0.5, 0.5, 0.335, '#f7cf5f'),
      ...[[0.39, 0.36], [0.63, 0.34], [0.69, 0.57], [0.47, 0.66], [0.31, 0.55]].map(([x, y]) => disc(x, y, 0.068, '#dc4e41')),
      ...[[0.52, 0.27], [0.5, 0.5], [0.6, 0.7], [0.36, 0.71], [0.27, 0.42]].map(([x, y]) => disc(x, y, 0.022, '#3f6d07')),
    ],
  };
}

function iconSvg({ background, discs }) {
  const round = (value) => Number((value * 512).toFixed(1));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${background ? `<path fill="${background}" d="M0 0h512v512H0z"/>` : ''}`
    + `${discs.map(([x, y, r, colour]) => `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${colour}"/>`).join('')}</svg>`;
}

function iconPng({ background, discs }, size) {
  const rgb = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const rows = Buffer.alloc(size * (size * 4 + 1));
  const layers = discs.map(([x, y, r, colour]) => [x * size, y * size, r * size, rgb(colour)]);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let [red, green, blue] = background ? rgb(background) : [0, 0, 0];
      let alpha = background ? 1 : 0;
      for (const [cx, cy, r, colour] of layers) {
        const cover = Math.min(1, Math.max(0, r + 0.5 - Math.hypot(x + 0.5 - cx, y + 0.5 - cy)));
        if (cover === 0) continue;
        const sum = cover + alpha * (1 - cover);
        [red, green, blue] = [red, green, blue].map((under, at) => (colour[at] * cover + under * alpha * (1 - cover)) / sum);
        alpha = sum;
      }
      rows.set([red, green, blue, alpha * 255].map(Math.round), y * (size * 4 + 1) + 1 + x * 4);
    }
  }
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(zlib.crc32(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', zlib.deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

// ---- compression ------------------------------------------------------------------------------------------------------

const COMPRESSIBLE = /\.(js|css|json|svg|webmanifest)$/;
const squeezed = new Map();

/** gzip and brotli at their best, once per content however many bundles share it. */
function squeeze(content) {
  const key = hash(content);
  if (!squeezed.has(key)) {
    squeezed.set(key, Promise.all([
      promisify(zlib.gzip)(content, { level: 9 }),
      promisify(zlib.brotliCompress)(content, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    ]).then(([gz, br]) => ({ gz, br })));
  }
  return squeezed.get(key);
}

/** Writes a folder whole: readers see the old one or the new one. */
async function writeFolder(folder, files) {
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await Promise.all([...files].map(([name, content]) => writeFile(path.join(fresh, name), content)));
  // Host folders never nest in one another, so the old one can go in one step.
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

async function withCompressed(files) {
  const sizes = {};
  const all = new Map(files);
  await Promise.all([...files].map(async ([name, content]) => {
    const buffer = Buffer.from(content);
    sizes[name] = { bytes: buffer.length, gzip: buffer.length, brotli: buffer.length };
    if (flags.watch || !COMPRESSIBLE.test(name) || name === 'meta.json' || name === 'metafile.json') return;
    const { gz, br } = await squeeze(buffer);
    Object.assign(sizes[name], { gzip: gz.length, brotli: br.length });
    all.set(`${name}.gz`, gz).set(`${name}.br`, br);
  }));
  return { sizes, all };
}

const sum = (sizes, names) => names.reduce((total, name) => ({
  bytes: total.bytes + sizes[name].bytes, gzip: total.gzip + sizes[name].gzip, brotli: total.brotli + sizes[name].brotli,
}), { bytes: 0, gzip: 0, brotli: 0 });

// ---- one bundle -------------------------------------------------------------------------------------------------------

async function buildBundle(bundle, inputs) {
  const { country, host, cc } = bundle;
  const folder = path.join(dist, cc, host.name);
  const { defaultMenu } = await import('./src/server/rules/menu.ts');
  const menu = defaultMenu(country);
  const menuJson = JSON.stringify(menu);
  const menuFile = `menu-${shortHash(menuJson)}.json`;
  const pwa = await country.pwa();

  const result = await esbuild.build(clientOptions(bundle, folder));
  const outputs = outputsOf(result);
  const { entry, files, first, screens, beside } = await joinGroups(bundle, outputs, result.metafile);
  const { pages, seo } = await prerendered(bundle, menu, outputs.css === null ? null : files.get(outputs.css));
  const { css, laterCss } = cutStyles({ css: outputs.css, files }, first, screens, result.metafile);
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js'));
  const pictures = [...files.keys()].filter((name) => /\.(svg|png|webp)$/.test(name));
  const version = shortHash(scripts.join() + css + laterCss + menuFile);
  files.set(menuFile, menuJson);

  const plain = iconDiscs(false, pwa.theme_color);
  const maskable = iconDiscs(true, pwa.theme_color);
  files.set('icon.svg', iconSvg(plain));

  const { policy, rest: template } = takePolicy(await readFile(path.join(host.folder, 'index.html'), 'utf8'));
  const apiHost = country.ENVIRONMENTS.production.API_HOST;
  if (apiHost) policy['connect-src'] = [...(policy['connect-src'] ?? []), new URL(apiHost).origin];
  const meta = { country: cc, host: host.name, mount: host.name === 'browser' ? `/${cc}` : `/${cc}/${host.name}`, version, inputs, entry, css, laterCss, menu: menuFile, fake: null, policy, pages: {} };
  const inline = async (name) => (await script(path.join(root, 'src', 'shell', name), bundle)).trim();
  const [slowly, taps] = [await inline('slowly.ts'), await inline('early.ts')];
  for (const { name, path: prerenderedPath } of PAGES) {
    const critical = css === null ? '' : criticalCss(files.get(css).toString().trim(), pages[name].html);
    const early = prerenderedPath === null ? [slowly] : [slowly, taps];
    const html = page({ template, bundle, one: pages[name], pageName: name, prerenderedPath, entry, beside: beside[name], css, laterCss, critical, early, menuFile, version, pwa });
    files.set(`${name}.html`, flags.base === undefined ? html : html.replaceAll(BASE_TOKEN, flags.base.replace(/\/+$/, '')));
    meta.pages[name] = { path: prerenderedPath, scripts: [entry, ...beside[name]], inline: critical === '' ? [] : [policyHash(critical)], early: early.map(policyHash), styles: styleHashes(html) };
  }
  if (template.includes('manifest.webmanifest')) {
    const sizes = [192, 512];
    for (const size of sizes) {
      files.set(`icon-${size}.png`, iconPng(plain, size));
      files.set(`icon-maskable-${size}.png`, iconPng(maskable, size));
    }
    files.set('icon-maskable.svg', iconSvg(maskable));
    files.set('apple-touch-icon.png', iconPng(maskable, 180));
    files.set('manifest.webmanifest', JSON.stringify(manifest(JSON.parse(await readFile(path.join(host.folder, 'manifest.webmanifest'), 'utf8')), pwa, sizes)));
    meta.seo = Object.fromEntries(Object.entries(seo.paths).map(([where, { title, description, canonical }]) => [where, { title, description, canonical }]));
  }
  if (existsSync(path.join(host.folder, 'fake.ts'))) {
    const built = await script(path.join(host.folder, 'fake.ts'), bundle);
    meta.fake = `fake-${shortHash(built)}.js`;
    files.set(meta.fake, built);
  }
  if (existsSync(path.join(host.folder, 'sw.ts'))) {
    const atOnce = new Set([entry, ...Object.values(beside).flat()]);
    files.set('sw.js', await script(path.join(host.folder, 'sw.ts'), bundle, {
      VERSION: version,
      FIRST: [...atOnce, ...(css ? [css] : []), ...pictures, menuFile, 'icon.svg'],
      LATER: [...scripts.filter((name) => !atOnce.has(name)), ...(laterCss ? [laterCss] : [])],
      OTHER_HOSTS: bundle.hostNames.filter((name) => name !== host.name),
    }));
  }

  const { sizes, all } = await withCompressed(files);
  for (const one of Object.values(meta.pages)) one.firstLoad = sum(sizes, one.scripts);
  // `chunks`: the names in metafile.json of what was joined into the entry.
  Object.assign(meta, { files: sizes, chunks: first, firstLoad: meta.pages.index.firstLoad, total: sum(sizes, scripts), styles: css ? sum(sizes, [css]) : sum(sizes, []) });
  all.set('meta.json', JSON.stringify(meta, null, 1));
  all.set('metafile.json', JSON.stringify(result.metafile));
  await writeFolder(folder, all);
  return meta;
}

/** One self-contained classic script: a host's fake, the service worker. */
async function script(file, bundle, constantsOfBuild = {}) {
  const { entryPoints, entryNames, chunkNames, splitting, ...options } = clientOptions(bundle, dist);
  const result = await esbuild.build({
    ...options, entryPoints: [file], format: 'iife', metafile: false,
    define: { ...options.define, ...Object.fromEntries(Object.entries(constantsOfBuild).map(([name, value]) => [name, JSON.stringify(value)])) },
  });
  return result.outputFiles[0].text;
}

/** The host's file gives what is the same everywhere, the country the rest; URLs are relative to the manifest, so any mount works. */
function manifest(common, pwa, sizes) {
  const { shortcuts, icons, ...own } = pwa;
  return {
    ...common, ...own,
    icons: [...icons, ...sizes.flatMap((size) => [['any', ''], ['maskable', 'maskable-']].map(([purpose, part]) => (
      { src: `icon-${part}${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose })))],
    shortcuts: shortcuts.map((one) => ({ ...one, url: `.${one.url}`, icons: [{ src: 'icon-192.png', sizes: '192x192', type: 'image/png' }] })),
  };
}

// ---- the simulator page -----------------------------------------------------------------------------------------------

async function buildSimulator(inputs) {
  const source = path.join(root, 'src', 'simulator');
  if (!existsSync(path.join(source, 'main.tsx'))) return;
  const folder = path.join(dist, 'simulator');
  const bundle = { cc: 'in', host: { name: 'simulator', folder: source } };
  const result = await esbuild.build(clientOptions(bundle, folder));
  const { entry, css, files } = outputsOf(result);
  const own = path.join(source, 'index.html');
  const template = existsSync(own) ? await readFile(own, 'utf8') : SIMULATOR_PAGE;
  files.set('index.html', fill(template, {
    base: BASE_TOKEN,
    styles: css === null ? '' : `<link rel="stylesheet" href="simulator/${css}">`,
    scripts: `<script type="module" src="simulator/${entry}"></script>`,
  }, 'src/simulator/index.html'));
  files.set('icon.svg', iconSvg(iconDiscs(false, '#65ab0b')));
  const { sizes, all } = await withCompressed(files);
  all.set('meta.json', JSON.stringify({ inputs, files: sizes, entry, css }, null, 1));
  await writeFolder(folder, all);
}

const SIMULATOR_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="{{base}}/">
<title>Pizza ordering: all five bundles, live</title>
<link rel="icon" href="simulator/icon.svg" type="image/svg+xml">
{{styles}}
</head>
<body>
<div id="app"></div>
{{scripts}}
</body>
</html>
`;

// ---- the limit: the libraries alone -----------------------------------------------------------------------------------

/** Libraries of chunks that no first screen has: what is beside the first load is not held against them. */
const LATER = new Set(['pigeon-maps', 'uqr']);

/** The libraries with exactly the names that a bundle's sources import from them, and nothing else, in one file. */
async function librariesAlone(bundle) {
  const metafile = JSON.parse(await readFile(path.join(dist, bundle.cc, bundle.host.name, 'metafile.json'), 'utf8'));
  const names = new Map();
  for (const input of Object.keys(metafile.inputs).filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))) {
    const text = await readFile(path.resolve(root, input), 'utf8');
    for (const [, type, clause, from] of text.matchAll(/^import\s+(type\s+)?([^;'"]+?)\s+from\s+'([^'.#/][^']*)'/gm)) {
      if (type || LATER.has(from)) continue;
      const used = names.get(from) ?? names.set(from, new Set()).get(from);
      const star = /\*\s+as\s+(\w+)/.exec(clause)?.[1];
      const list = /\{([^}]*)\}/.exec(clause)?.[1];
      if (star) for (const [, name] of text.matchAll(new RegExp(`\\b${star}\\.(\\w+)\\(`, 'g'))) used.add(name);
      for (const name of list?.split(',') ?? []) {
        const plain = name.trim().split(/\s+as\s+/)[0];
        if (plain && !plain.startsWith('type ')) used.add(plain);
      }
      if (/^\w+/.test(clause)) used.add('default');
    }
  }
  const libraries = [...names].filter(([, used]) => used.size > 0);
  const contents = ["import { jsx, jsxs, Fragment } from 'react/jsx-runtime'; globalThis.kept = [jsx, jsxs, Fragment];",
    ...libraries.map(([from, used], at) => {
      const list = [...used].map((name, index) => [name, `n${at}_${index}`]);
      return `import { ${list.map(([name, as]) => `${name} as ${as}`).join(', ')} } from '${from}'; globalThis.kept.push(${list.map(([, as]) => as).join(', ')});`;
    })].join('\n');
  const { entryPoints, splitting, ...options } = clientOptions(bundle, dist);
  const result = await esbuild.build({ ...options, stdin: { contents, resolveDir: root, loader: 'js' } });
  const { gz, br } = await squeeze(Buffer.from(result.outputFiles[0].contents));
  return { names: libraries.map(([from]) => from).sort(), bytes: result.outputFiles[0].contents.length, gzip: gz.length, brotli: br.length };
}

function printTable(metas, libraries) {
  const kb = (bytes) => (bytes / 1000).toFixed(1).padStart(7);
  const triple = (size) => `${kb(size.bytes)}${kb(size.gzip)}${kb(size.brotli)}`;
  console.log(`\nKB (1000 bytes)      first-load script     all scripts           stylesheet            libraries`);
  console.log(`bundle            raw   gzip     br     raw   gzip     br     raw   gzip     br   alone  ratio (gzip)`);
  metas.forEach((meta, at) => {
    const own = libraries[at];
    console.log(`${`${meta.country}/${meta.host}`.padEnd(14)}${triple(meta.firstLoad)} ${triple(meta.total)} ${triple(meta.styles)} ${kb(own.gzip)}${(meta.firstLoad.gzip / own.gzip).toFixed(2).padStart(7)}`);
  });
  if (libraries[0]) console.log(`libraries alone = ${libraries[0].names.join(', ')}, with the names this product imports`);
}

/** Minified bytes of each package and file in the first-load script. */
async function printWeights(meta) {
  const { outputs } = JSON.parse(await readFile(path.join(dist, meta.country, meta.host, 'metafile.json'), 'utf8'));
  const first = new Set(meta.chunks);
  const weights = new Map();
  for (const [name, output] of Object.entries(outputs)) {
    if (!first.has(path.basename(name))) continue;
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const key = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? input;
      weights.set(key, (weights.get(key) ?? 0) + bytesInOutput);
    }
  }
  console.log(`\n${meta.country}/${meta.host}: minified bytes on the first pages`);
  for (const [key, bytes] of [...weights].sort((a, b) => b[1] - a[1]).slice(0, 60)) console.log(`${String(bytes).padStart(8)}  ${key}`);
}

// ---- all of it --------------------------------------------------------------------------------------------------------

async function unchanged(folder, inputs) {
  if (flags.force || flags.watch) return null;
  const meta = await readFile(path.join(folder, 'meta.json'), 'utf8').then(JSON.parse).catch(() => null);
  return meta?.inputs === inputs && Object.keys(meta.files).every((name) => existsSync(path.join(folder, name))) ? meta : null;
}

/** A whole build leaves no bundle of a host or country that is gone. */
async function removeOthers(bundles) {
  const wanted = new Set(bundles.map(({ cc, host }) => `${cc}/${host.name}`));
  for (const cc of await readdir(dist)) {
    if (cc.startsWith('.') || cc === 'simulator') continue;
    for (const host of await readdir(path.join(dist, cc))) if (!wanted.has(`${cc}/${host}`)) await rm(path.join(dist, cc, host), { recursive: true, force: true });
  }
}

async function buildAll() {
  const started = performance.now();
  const inputs = await inputsHash();
  const bundles = await bundlesAsked();
  const metas = [];
  let built = 0;
  // One after another: each already keeps both cores busy, and compression runs beside the next graph.
  const jobs = [];
  for (const bundle of bundles) {
    const folder = path.join(dist, bundle.cc, bundle.host.name);
    const kept = await unchanged(folder, inputs);
    if (!kept) built += 1;
    jobs.push(kept ?? buildBundle(bundle, inputs));
  }
  metas.push(...await Promise.all(jobs));
  if (flags.country === undefined && flags.host === undefined && flags['hosts-dir'] === undefined) await removeOthers(bundles);
  if (!await unchanged(path.join(dist, 'simulator'), inputs)) await buildSimulator(inputs);
  await rm(path.join(dist, '.cache'), { recursive: true, force: true });
  if (built > 0 && !flags.watch) {
    for (const meta of metas) meta.libraries ??= await librariesAlone(bundles[metas.indexOf(meta)]);
    await Promise.all(metas.map((meta) => writeFile(path.join(dist, meta.country, meta.host, 'meta.json'), JSON.stringify(meta, null, 1))));
    printTable(metas, metas.map((meta) => meta.libraries));
  }
  if (flags.weights) for (const meta of metas) await printWeights(meta);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(built === 0 ? `Built already: ${metas.length} bundles, nothing changed.` : `Built ${built} of ${metas.length} bundles in ${seconds} s.`);
}

/** esbuild's errors once, however many bundles they stop. */
async function failed(error) {
  const lines = error.errors ? await esbuild.formatMessages(error.errors.slice(0, 15), { kind: 'error', color: Boolean(process.stderr.isTTY) }) : [error.stack];
  console.error(`${lines.join('')}\nThe build failed${error.errors ? ` with ${error.errors.length} errors` : ''}.`);
}

if (!flags.watch) {
  await buildAll().catch(async (error) => { await failed(error); process.exit(1); });
  if (!flags.serve) process.exit(0); // react-dom/server keeps a message port open
}
if (flags.watch) {
  await buildAll().catch(failed);
  let timer;
  let running = Promise.resolve();
  for (const folder of ['src', 'hosts', 'country', ...(flags['hosts-dir'] ? [path.resolve(flags['hosts-dir'])] : [])]) {
    watch(path.resolve(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => { running = running.then(buildAll).catch(failed); }, 150);
    });
  }
}
if (flags.serve) {
  const server = spawn(process.execPath, ['--watch', path.join(root, 'src/server/main.ts')], { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'development' } });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => { server.kill(signal); process.exit(0); });
  server.on('exit', (code) => process.exit(code ?? 0));
}
