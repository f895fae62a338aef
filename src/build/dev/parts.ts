import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import * as esbuild from 'esbuild';
import type { OutputFile } from 'esbuild';
import { entryOf, folderOf } from '../bundle.ts';
import { nameOf, root, type BundleSelection, type Bundle } from '../bundles.ts';
import { clientOptions } from '../graph.ts';
import { buildSimulator } from '../simulator.ts';
import { compileTexts, speaking, writeMade } from '../texts.ts';
import { EDITED } from '../pictures/pictures.ts';
import type { Still, StillAnswer, StillAsked } from './devPage.ts';

/** Names of files, relative to the project and with `/`. */
export type Files = ReadonlySet<string>;

/** Something that `npm run dev` makes, and makes again when one of its sources is another. */
export interface Part {
  readonly name: string;
  isMadeFrom(changed: Files): boolean;
  /** @throws what is wrong with the sources; it then is made again at the next change, whatever that is */
  make(changed: Files): Promise<void>;
}

const some = (files: Files, test: (file: string) => boolean) => [...files].some(test);

/** The compiled sentences, by language. Bundles keep the map of their language, whose content changes. */
export type SpokenSentences = ReadonlyMap<string, Map<string, string>>;

/** Brings src/text/made and the bundles' sentences up to date. */
export function sentences(languages: readonly string[]): { part: Part; spoken: SpokenSentences } {
  const spoken: SpokenSentences = new Map(languages.map((language) => [language, new Map<string, string>()]));
  const part: Part = {
    name: 'sentences',
    isMadeFrom: (changed) => some(changed, (file) => /^src\/text\/.*\.json$/.test(file)),
    async make() {
      await writeMade(root);
      for (const [language, held] of spoken) {
        const texts = await compileTexts(root, { language, isDraft: true });
        held.clear();
        for (const [name, text] of texts) held.set(name, text);
      }
    },
  };
  return { part, spoken };
}

export interface Client extends Part {
  readonly bundle: Bundle;
  /** What the last build that went well has made. */
  files(): readonly OutputFile[];
}

/** The catalogue of a sentences' file, as esbuild names what the plugin gives it. */
const catalogueOf = (file: string) => file.replace(/^src\/text\/[^/]+\/(.*)\.json$/, 'texts:$1');

/**
 * A bundle's script and stylesheet. One script with everything, names as they were written, React as its package brings it: a
 * release's load units and its small names take longer than an edit may take.
 */
export async function client(bundle: Bundle, dist: string, spoken: SpokenSentences): Promise<Client> {
  let inputs: Files = new Set();
  let files: readonly OutputFile[] = [];
  const context = await esbuild.context({
    ...clientOptions(bundle, folderOf(dist, bundle), EDITED),
    entryPoints: [{ in: path.join(root, entryOf(bundle)), out: 'main' }],
    entryNames: '[name]',
    minifySyntax: false,
    minifyWhitespace: false,
    sourcemap: 'linked',
    plugins: [speaking(spoken.get(bundle.language) ?? new Map())],
  });
  return {
    name: `${bundle.cc}/${nameOf(bundle)}`,
    bundle,
    files: () => files,
    isMadeFrom: (changed) => some(changed, (file) => inputs.has(catalogueOf(file))),
    async make() {
      const result = await context.rebuild();
      inputs = new Set(Object.keys(result.metafile.inputs));
      files = result.outputFiles;
    },
  };
}

/** Pages, menu, pictures, icon and imitated host of all bundles, made in a thread of its own (devPage.ts). */
export function stills(asked: BundleSelection): { part: Part; stills: () => readonly Still[] } {
  let made: readonly Still[] = [];
  const part: Part = {
    name: 'pages',
    isMadeFrom: (changed) =>
      some(changed, (file) =>
        /^country\/|\/(?:index\.html|fake\.ts|manifest\.webmanifest)$|^hosts\/[^/]+\/fake\/|^hosts\/imitated\/|^src\/text\/.*\/page\.json$|^src\/server\/rules\/catalogue\/|^src\/ui\/food\/|^src\/build\/pictures\/pictures\.ts$|^src\/build\/dev\/page\.ts$/.test(
          file,
        ),
      ),
    async make() {
      made = await new Promise<StillAnswer>((resolve, reject) => {
        const worker = new Worker(new URL('devPage.ts', import.meta.url), {
          workerData: { asked } satisfies StillAsked,
        });
        worker.once('message', (answer: StillAnswer) => {
          resolve(answer);
          void worker.terminate();
        });
        worker.once('error', reject);
        worker.once('exit', (code) => reject(new Error(`The pages could not be made (${code}).`)));
      });
    },
  };
  return { part, stills: () => made };
}

/** The page with all phones. */
export function simulator(dist: string): Part {
  return {
    name: 'simulator',
    isMadeFrom: (changed) => some(changed, (file) => file.startsWith('src/simulator/')),
    make: () => buildSimulator(dist, 'dev'),
  };
}

/** The scripts among the server's sources that do not parse. @throws BuildFailure */
export async function checkSyntax(files: readonly string[]): Promise<void> {
  await Promise.all(
    files
      .filter((file) => file.endsWith('.ts'))
      .map(async (file) => {
        const text = await readFile(path.join(root, file), 'utf8').catch(() => '');
        await esbuild.transform(text, { loader: 'ts', sourcefile: file, logLevel: 'silent' });
      }),
  );
}
