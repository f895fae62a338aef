import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
import { byFile, declarations } from '../../src/build/rewrite/declarations.ts';
import { temporaryFolder } from '../kit/folder.ts';

const folder = temporaryFolder('declarations');

/** Bundles files of a project, by place, with two screens that are loaded each for itself. */
async function bundled(files: Readonly<Record<string, string>>, define: Readonly<Record<string, string>> = {}) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: ['src/screens/one.ts', 'src/screens/two.ts'],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
    define,
    plugins: [declarations],
  });
  const texts = new Map(outputFiles.map((file) => [path.basename(file.path), file.text]));
  return { one: texts.get('one.js')!, two: texts.get('two.js')!, all: [...texts.values()].join('\n'), metafile };
}

test('a declaration lies with the screen that uses it, and one that nobody uses is nowhere', async () => {
  const { one, two, all, metafile } = await bundled({
    'src/state/trains.ts': `
      import type { Seat } from './seats.ts';
      import { label, secret } from '../domain/words.ts';
      export interface Train { readonly seat: Seat }
      const prefix = 'train-';
      export const nameOf = (id: string) => prefix + label(id);
      export const priceOf = (id: string) => 'price of ' + id;
      export const unused = () => secret;`,
    'src/domain/words.ts': `export const label = (text: string) => 'label ' + text; export const secret = 'nobody says this';`,
    'src/screens/one.ts': `import { nameOf } from '../state/trains.ts'; console.log(nameOf('a'));`,
    'src/screens/two.ts': `import * as trains from '../state/trains.ts'; console.log(trains.priceOf('b'));`,
  });
  expect([one.includes('train-'), one.includes('label '), one.includes('price of ')]).toEqual([true, true, false]);
  expect([two.includes('train-'), two.includes('label '), two.includes('price of ')]).toEqual([false, false, true]);
  expect(all).not.toContain('nobody says this');
  const sources = Object.values(byFile(metafile).outputs).map(({ inputs }) => Object.keys(inputs));
  expect(sources).toContainEqual(['src/state/trains.ts', 'src/screens/two.ts']);
});

test('what changes one variable, or needs one another, stays together; a file that does more than declare, or keeps a secret, stays whole', async () => {
  const { one, two, all } = await bundled({
    'src/state/count.ts': `
      let count = 0;
      export const more = (): number => (count += 1);
      export const read = () => count;
      export function even(n: number): boolean { return n === 0 || odd(n - 1); }
      export function odd(n: number): boolean { return n !== 0 && even(n - 1); }`,
    'src/state/registered.ts': `export const names = new Set<string>(); names.add('registered'); export const size = () => 'has size';`,
    'src/state/secrets.ts': `
      const kept = (config: object) => console.log(config);
      export const one = kept({ key: 'first secret', secret: true });
      export const two = kept({ key: 'second secret', secret: true });`,
    'src/screens/one.ts': `
      import { one } from '../state/secrets.ts';
      import { even, more } from '../state/count.ts'; import { names } from '../state/registered.ts';
      globalThis.one = [more(), even(2), [...names], one];`,
    'src/screens/two.ts': `
      import { odd, read } from '../state/count.ts'; import { size } from '../state/registered.ts';
      globalThis.two = [read(), odd(2), size()];`,
  });
  expect(all.match(/count \+= 1/g)).toHaveLength(1);
  expect(all.match(/names\.add/g)).toHaveLength(1);
  expect(all.match(/(?:first|second) secret/g)).toHaveLength(2);
  for (const text of [one, two]) expect(text).toMatch(/^import /m);
});

test('what a constant of the build cuts away brings nothing along, and lies with the screen that calls it', async () => {
  const files = {
    'src/state/hosts.ts': `
      export const logIn = () => 'asks the host';
      export const picked = () => 'picks in the host';
      export const typed = () => 'is typed';`,
    'src/ui/wait.ts': `import { picked } from '../state/hosts.ts'; export const wait = () => picked();`,
    'src/state/start.ts': `
      import { logIn, typed } from './hosts.ts';
      export const start = (now: boolean): string => {
        if (HOSTED && now) return logIn();
        if (!HOSTED) return typed(); else return logIn();
      };
      export const other = 1;`,
    'src/screens/one.ts': `
      import { start } from '../state/start.ts'; import { wait } from '../ui/wait.ts'; import { logIn } from '../state/hosts.ts';
      console.log(start(true), HOSTED && (wait() || logIn()), (FULL || HOSTED) ? 'ours' : wait());`,
    'src/screens/two.ts': `import { logIn } from '../state/hosts.ts'; import { wait } from '../ui/wait.ts'; console.log(logIn(), wait());`,
  };
  const ours = await bundled(files, { HOSTED: 'false', FULL: 'true' });
  expect([
    ours.one.includes('is typed'),
    /asks the host|picks in/.test(ours.one),
    ours.one.includes('import '),
  ]).toEqual([true, false, false]);
  expect([ours.two.includes('asks the host'), ours.two.includes('picks in the host')]).toEqual([true, true]);
  const theirs = await bundled(files, { HOSTED: 'true', FULL: 'false' });
  expect([theirs.one.includes('is typed'), /^import /m.test(theirs.one)]).toEqual([false, true]);
});
