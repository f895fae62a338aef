// Compiles the catalogues of sentences. `npm run texts` writes src/text/made, which types, tests and editors read, and lists what
// is not translated yet; a bundle gets its own language.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { compile, missingIn, type Sentences } from '../text/compile.ts';

/** The language that defines the keys: code is checked against it, and other languages too. */
export const REFERENCE = 'en';
const MADE = 'made';

/** Compiled modules by catalogue name. */
export type Texts = ReadonlyMap<string, string>;

/** Names of the folders in src/text that hold a language. */
export async function languagesIn(root: string): Promise<string[]> {
  const entries = await readdir(path.join(root, 'src/text'), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && entry.name !== MADE).map(({ name }) => name);
}

async function readLanguage(root: string, language: string): Promise<ReadonlyMap<string, Sentences>> {
  const folder = path.join(root, 'src/text', language);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const read = async (name: string) => {
    const text = await readFile(path.join(folder, name), 'utf8');
    try {
      return [name.replace('.json', ''), JSON.parse(text) as Sentences] as const;
    } catch (error) {
      throw new Error(`src/text/${language}/${name}: ${(error as Error).message}`, { cause: error });
    }
  };
  return new Map(await Promise.all(names.map(read)));
}

/** What a bundle speaks. */
interface Speech {
  readonly language: string;
  /** In development what is not translated yet is said in the reference language. */
  readonly isDraft?: boolean;
}

/** Compiles every catalogue of a language into a module. @throws Error that names all missing or wrong keys and files */
export async function compileTexts(root: string, { language, isDraft }: Speech, isTyped = false): Promise<Texts> {
  const reference = await readLanguage(root, REFERENCE);
  const own = language === REFERENCE ? reference : await readLanguage(root, language);
  const unknown = [...own.keys()].filter((name) => !reference.has(name));
  if (unknown.length > 0) throw new Error(`src/text/${language} has ${unknown.join(', ')}.json, and en has not`);
  const moduleOf = (name: string, sentences: Sentences) =>
    compile({ name, language, reference: sentences, sentences: own.get(name) ?? {}, isTyped, isDraft });
  return new Map([...reference].map(([name, sentences]) => [name, moduleOf(name, sentences)]));
}

/** One of these modules, loaded into the build itself. */
export async function spokenIn<C>(texts: Texts, name: string): Promise<C> {
  return (await import(`data:text/javascript,${encodeURIComponent(texts.get(name) ?? '')}`)) as C;
}

/** An esbuild plugin that answers imports of `#text/...` with these modules. */
export function speaking(texts: Texts): Plugin {
  return {
    name: 'texts',
    setup(build) {
      build.onResolve({ filter: /^#text\// }, ({ path: asked }) => ({
        path: path.basename(asked, '.ts'),
        namespace: 'texts',
        sideEffects: false,
      }));
      build.onLoad({ filter: /.*/, namespace: 'texts' }, ({ path: name }) => {
        const contents = texts.get(name);
        return contents === undefined ? { errors: [{ text: `There is no catalogue ${name}.` }] } : { contents };
      });
    },
  };
}

/** Brings src/text/made up to date. Files that are right already are not written, so that watchers stay quiet. */
export async function writeMade(root: string): Promise<void> {
  const folder = path.join(root, 'src/text', MADE);
  await mkdir(folder, { recursive: true });
  const modules = await compileTexts(root, { language: REFERENCE }, true);
  const made = new Map([...modules].map(([name, source]) => [`${name}.ts`, source]));
  for (const name of await readdir(folder)) if (!made.has(name)) await rm(path.join(folder, name));
  for (const [name, source] of made) {
    const before = await readFile(path.join(folder, name), 'utf8').catch(() => null);
    if (before !== source) await writeFile(path.join(folder, name), source);
  }
}

/** What no translator has said yet: 'hi/cart.json: tip, bag'. `npm run dev` says it in English, and a production's build refuses. */
async function untranslated(root: string): Promise<string[]> {
  const reference = await readLanguage(root, REFERENCE);
  const others = (await languagesIn(root)).filter((language) => language !== REFERENCE);
  const lacking = others.map(async (language) => {
    const own = await readLanguage(root, language);
    return [...reference].flatMap(([name, sentences]) => {
      const missing = missingIn(sentences, own.get(name) ?? {});
      const all = missing.length > 1 && missing.length === Object.keys(sentences).length;
      return missing.length === 0 ? [] : [`${language}/${name}.json: ${all ? 'all' : missing.join(', ')}`];
    });
  });
  return (await Promise.all(lacking)).flat();
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '../..');
  await writeMade(root);
  const lacking = await untranslated(root);
  if (lacking.length > 0) console.log(`Not translated yet:\n${lacking.join('\n')}`);
}
