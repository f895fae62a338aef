import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folderOf } from '../bundle.ts';
import { bundlesAsked, root, warnOfRefusal, type BundleSelection } from '../bundles.ts';
import { writeFolder } from '../files.ts';
import { hash } from '../hash.ts';
import { client, sentences, simulator, stills, type Client, type Files, type Part } from './parts.ts';
import { server } from './server.ts';
import { REFERENCE } from '../texts.ts';
import { BUILT_TOKEN, type Still } from './devPage.ts';
import { watchFolders } from './watch.ts';

/** What follows from an error: lines for the terminal, in its colours, or for a page. */
export type Explain = (error: unknown, isPlain?: boolean) => Promise<string>;

/** Writes what changed of a bundle into its folder, each file in one step; meta.json, which pages follow, at the end. */
function writer(folder: string): (files: ReadonlyMap<string, string | Uint8Array>) => Promise<void> {
  const held = new Map<string, Buffer>();
  return async (files) => {
    const changed = [...files]
      .map(([name, content]) => [name, Buffer.from(content)] as const)
      .filter(([name, content]) => held.get(name)?.equals(content) !== true);
    // The first time: nothing of an earlier build stays.
    if (held.size === 0) await writeFolder(folder, new Map(changed));
    else
      for (const [name, content] of changed) {
        const file = path.join(folder, name);
        await writeFile(`${file}.new`, content);
        await rename(`${file}.new`, file);
      }
    for (const [name, content] of changed) held.set(name, content);
  };
}

/** The files of a bundle as they are served. `failed` says why the newest edit is not in them. */
function filesOf(one: Client, still: Still, built: number, failed: string | null): Map<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>(
    one.files().map((file) => [path.basename(file.path), file.contents]),
  );
  for (const [name, content] of still.files) files.set(name, content.replace(BUILT_TOKEN, String(built)));
  const names = Object.fromEntries([...files.keys()].map((name) => [name, {}]));
  return files.set('meta.json', JSON.stringify({ ...still.meta, files: names, changes: { built, failed } }));
}

/** The module that is made from a file of sentences in the reference language. */
const madeFrom = (file: string) =>
  file.startsWith(`src/text/${REFERENCE}/`) ? [`src/text/made/${path.basename(file, '.json')}.ts`] : [];

/** Whether a file is another one than when it was asked before: an editor's one edit is several events. */
function newcomers(): (file: string) => boolean {
  const digests = new Map<string, string>();
  return (file) => {
    let digest = '';
    try {
      digest = hash(readFileSync(path.join(root, file)));
    } catch {
      // It was removed.
    }
    const before = digests.get(file);
    digests.set(file, digest);
    return digest !== before;
  };
}

/** Folders whose files are sources, and files of the build itself, which only a new start reads. */
const FOLDERS = ['src', 'hosts', 'country'];
const isOfTheBuild = (file: string) => /^src\/build\/(?!dev\/page\.ts$)|^src\/text\/compile\.ts$/.test(file);

/**
 * `npm run dev`: the server, and bundles that are made anew on every change; their pages then load again by themselves. What is
 * wrong with an edit stands in the terminal and on the pages until the next one mends it. Ends by a signal, or when the server
 * cannot be started at the beginning.
 */
export async function develop(asked: BundleSelection, dist: string, explain: Explain): Promise<void> {
  await mkdir(dist, { recursive: true });
  const bundles = await bundlesAsked(asked);
  if (asked.country !== undefined) warnOfRefusal(bundles);
  const { part: texts, spoken } = sentences([...new Set(bundles.map(({ language }) => language))]);
  const { part: pages, stills: stillsNow } = stills(asked);
  const clients = await Promise.all(bundles.map((bundle) => client(bundle, dist, spoken)));
  const behind = server(dist);
  const writers = bundles.map((bundle) => writer(folderOf(dist, bundle)));
  const failures = new Map<string, unknown>();
  /** Edits that came while others were worked on. */
  const waiting = new Set<string>();
  const isNew = newcomers();
  let built = 0;
  let isWritten = false;

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      void behind.stop().finally(() => process.exit(0));
    });

  const make = async (part: Part, changed: Files) => {
    try {
      await part.make(changed);
      failures.delete(part.name);
    } catch (error) {
      failures.set(part.name, error);
      console.error(`${part.name}: ${await explain(error)}`);
    }
  };
  const isDue = (part: Part, changed: Files) => failures.has(part.name) || part.isMadeFrom(changed);
  const write = async () => {
    const failed = await Promise.all(
      [...failures].map(async ([name, error]) => `${name}: ${await explain(error, true)}`),
    );
    built = Math.max(built + 1, Date.now());
    isWritten = true;
    await Promise.all(
      clients.map(async (one, at) => {
        const still = stillsNow()[at];
        if (still) await writers[at]?.(filesOf(one, still, built, failed.length > 0 ? failed.join('\n') : null));
      }),
    );
  };
  const renew = async (edited: Files) => {
    const startedAt = performance.now();
    // The modules that the server imports are made from the sentences of the first part.
    const changed = new Set([...edited, ...[...edited].flatMap(madeFrom)]);
    const own = [...edited].filter(isOfTheBuild);
    if (edited.size === 0) return;
    if (own.length > 0) console.log(`${own.join(', ')} is part of the build: stop and start \`npm run dev\` again.`);
    const due = [texts, pages, simulator(dist), behind, ...clients].filter((part) => isDue(part, changed));
    if (due.length === 0) return;
    if (due.includes(texts)) await make(texts, changed);
    // A server reads the sentences of every language when it starts: with wrong ones the server of before goes on.
    const isSpoken = !failures.has(texts.name);
    const rest = due.filter((part) => part !== texts && (part !== behind || isSpoken));
    await Promise.all(rest.map((part) => make(part, changed)));
    isWritten = false;
    // Not while the next edit waits: its server would be started under the page that loads.
    if (waiting.size === 0) await write();
    console.log(`${due.map(({ name }) => name).join(', ')}: ${Math.round(performance.now() - startedAt)} ms`);
  };

  const none: Files = new Set();
  await make(texts, none);
  await Promise.all([pages, simulator(dist), ...clients].map((part) => make(part, none)));
  await write();
  let isBusy = true;
  const work = async () => {
    if (isBusy) return;
    isBusy = true;
    while (waiting.size > 0) {
      const changed = new Set(waiting);
      waiting.clear();
      await renew(new Set([...changed].filter(isNew)));
      if (!isWritten && waiting.size === 0) await write();
    }
    isBusy = false;
  };
  const folders = [...FOLDERS.map((name) => path.join(root, name)), asked['hosts-dir'] ?? []].flat();
  watchFolders(folders, (files) => {
    for (const file of files) {
      const name = path.relative(root, file).split(path.sep).join('/');
      // Made here, from sentences.
      if (!name.startsWith('src/text/made/')) waiting.add(name);
    }
    void work();
  });
  await make(behind, none);
  if (failures.has(behind.name)) process.exit(1);
  isBusy = false;
  await work();
}
