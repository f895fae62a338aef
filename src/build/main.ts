import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { folderOf } from './bundle.ts';
import type { Meta } from './meta.ts';
import { bundlesAsked, nameOf, root, warnOfRefusal, type Bundle } from './bundles.ts';
import { develop } from './dev/dev.ts';
import { filesBelow, readJson } from './files.ts';
import { hash } from './hash.ts';
import { buildSimulator } from './simulator.ts';
import { buildOnThreads } from './threads.ts';
import { writeMade } from './texts.ts';
import { printTable, printWeights } from './weights.ts';

const HELP = `node build.mjs [--country NAME] [--host NAME] [--hosts-dir FOLDER] [--out FOLDER] [--base PATH] [--language NAME] [--environment NAME] [--force] [--weights] [--dev]
  --country    only this country; any name of the specification, whatever the case (in, India, sl, bangla ...)
  --host       only this host (a folder name in hosts/); asked for by name, it is built for countries that do not list it
  --hosts-dir  a further folder of host folders
  --out        where to put the bundles instead of dist/
  --base       write this mount point into the pages, for a static file host (default: the server fills it in)
  --language   what the bundles speak (a folder of src/text; default: the first language of their country that has one)
  --environment NAME  which of the country's sets of settings the bundles use: beta, uat, stage ... (default: production)
  --force      build even when nothing changed
  --weights    list what each load unit is made of, by package and file, and what it needs
  --dev        serve one bundle (in/browser, or the one asked for; --all: every one, in every language) and renew it on every change`;

/** @throws TypeError for an option that is not there */
const readFlags = () =>
  parseArgs({
    options: {
      country: { type: 'string' },
      host: { type: 'string' },
      'hosts-dir': { type: 'string' },
      out: { type: 'string' },
      base: { type: 'string' },
      language: { type: 'string' },
      environment: { type: 'string' },
      force: { type: 'boolean' },
      weights: { type: 'boolean' },
      dev: { type: 'boolean' },
      all: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  }).values;

function flagsOrHelp(): ReturnType<typeof readFlags> {
  try {
    return readFlags();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    process.exit(2);
  }
}
const flags = flagsOrHelp();
const dist = flags.out === undefined ? path.join(root, 'dist') : path.resolve(flags.out);

/** One digest of everything that a bundle can depend on, wherever the project lies. Whole folders are read, so that no input can be forgotten. */
async function inputsHash(): Promise<string> {
  const folders = ['src', 'hosts', 'country'].map((folder) => path.join(root, folder));
  if (flags['hosts-dir'] !== undefined) folders.push(path.resolve(flags['hosts-dir']));
  const files = [
    ...(await Promise.all(folders.map(filesBelow))).flat(),
    ...['build.mjs', 'package-lock.json', 'tsconfig.json'].map((name) => path.join(root, name)),
  ];
  const sums = await Promise.all(
    files.map(async (file) => `${path.relative(root, file)} ${hash(await readFile(file))}`),
  );
  return hash(
    sums.join('\n'),
    JSON.stringify([flags.base ?? null, flags.language ?? null, flags.environment ?? null, process.version]),
  );
}

/** The meta.json of a bundle that was built from the same inputs and is still complete; null where it has to be built. */
async function unchanged(folder: string, inputs: string): Promise<Meta | null> {
  if (flags.force) return null;
  const meta = await readJson<Meta>(path.join(folder, 'meta.json'));
  const isWhole =
    meta?.inputs === inputs && Object.keys(meta.files).every((name) => existsSync(path.join(folder, name)));
  return isWhole ? meta : null;
}

/** After a build of all bundles: removes those of hosts, countries and languages that no longer exist. */
async function removeOthers(bundles: readonly Bundle[]): Promise<void> {
  const wanted = new Set(bundles.map((bundle) => `${bundle.cc}/${nameOf(bundle)}`));
  for (const cc of await readdir(dist)) {
    if (cc.startsWith('.') || cc === 'simulator' || cc === 'data') continue;
    for (const host of await readdir(path.join(dist, cc)))
      if (!wanted.has(`${cc}/${host}`)) await rm(path.join(dist, cc, host), { recursive: true, force: true });
  }
}

async function buildAll(): Promise<void> {
  const started = performance.now();
  await writeMade(root);
  const inputs = await inputsHash();
  const bundles = await bundlesAsked(flags);
  if (flags.country !== undefined) warnOfRefusal(bundles);
  const held = await Promise.all(bundles.map((bundle) => unchanged(folderOf(dist, bundle), inputs)));
  const due = [...bundles.keys()].filter((at) => held[at] === null);
  const built = await buildOnThreads(bundles, due, { asked: { ...flags }, dist, inputs, base: flags.base });
  const metas = bundles.flatMap((_, at) => held[at] ?? built.get(at) ?? []);
  const isWhole = flags.country === undefined && flags.host === undefined && flags['hosts-dir'] === undefined;
  if (isWhole) await removeOthers(bundles);
  if (!(await unchanged(path.join(dist, 'simulator'), inputs))) await buildSimulator(dist, inputs);
  await rm(path.join(dist, '.cache'), { recursive: true, force: true });
  if (due.length > 0) printTable(metas);
  if (flags.weights) for (const meta of metas) printWeights(dist, meta);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    due.length === 0
      ? `Built already: ${metas.length} bundles, nothing changed.`
      : `Built ${due.length} of ${metas.length} bundles in ${seconds} s.`,
  );
}

/** What an error says; of several that esbuild found, each once, however many bundles fail by it. */
async function explained(error: unknown, isPlain = process.stderr.isTTY !== true): Promise<string> {
  const { errors } = error as Partial<esbuild.BuildFailure>;
  if (!errors) return (error as Error).stack ?? String(error);
  return (await esbuild.formatMessages(errors.slice(0, 15), { kind: 'error', color: !isPlain })).join('');
}

async function tell(error: unknown): Promise<void> {
  const { errors } = error as Partial<esbuild.BuildFailure>;
  console.error(`${await explained(error)}\nThe build failed${errors ? ` with ${errors.length} errors` : ''}.`);
}

if (flags.help) {
  console.log(HELP);
  process.exit(0);
}
if (flags.dev) {
  const isOne = flags.country === undefined && flags.host === undefined && !flags.all;
  // What an edit does is seen in one language; each further one would take as long again.
  const asked = isOne ? { ...flags, country: 'in', host: 'browser' } : flags;
  await develop({ ...asked, isOneLanguage: !flags.all }, dist, explained);
} else {
  await buildAll().catch(async (error: unknown) => {
    await tell(error);
    process.exit(1);
  });
  process.exit(0); // react-dom/server keeps a message port open, so the process would not end by itself
}
