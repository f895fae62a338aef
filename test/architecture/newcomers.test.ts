import { execSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { IS_ALL } from '../kit/matrix.ts';
import { projectWithNewcomers } from '../kit/newcomers.ts';
import { HOSTS } from '../hosts/stage.ts';
import { sentencesIn } from './sentences.ts';
import { read as readSource, root, sources } from './sources.ts';

/** Folders are further parts of a half that grew long. */
const filesIn = (folder: string) =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe.each(['sixpay', 'tarnpay'])('a new host, %s', (host) => {
  const FOLDER = `test/hosts/${host}`;
  const files = filesIn(FOLDER);
  it('is the files of a host and nothing else: no source of the product knows it [MINI-X01]', () => {
    expect(files.toSorted()).toEqual(filesIn('hosts/gpay').toSorted());
    const name = new RegExp(host, 'i');
    expect(sources.filter(({ file }) => name.test(read(file))).map(({ file }) => file)).toEqual([]);
  });

  it('keeps to the fence that every host keeps to', () => {
    const breaches = files
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) =>
        [...read(`${FOLDER}/${name}`).matchAll(/(?:from |import |import\()'([^']+)'/g)]
          .map(([, to = '']) => (to.startsWith('.') ? path.posix.join(FOLDER, to) : to))
          .filter(
            (to) =>
              !(
                to.startsWith(`${FOLDER}/`) ||
                /^src\/(bridge|contract|domain)\//.test(to) ||
                to === 'zod/mini' ||
                (name === 'main.tsx' &&
                  (to.startsWith('#country/') || /^src\/(shell\/|ui\/(base|tokens)\.css)/.test(to))) ||
                (name === 'fake.ts' && to === 'hosts/imitated/phone.ts') ||
                (name === 'server.ts' && to.startsWith('src/server/'))
              ),
          )
          .map((to) => `${name} imports ${to}`),
      );
    expect(breaches).toEqual([]);
  });
});

describe.each(['sixpay', 'tarnpay'])('what %s says and asks on the server', (host) => {
  it('is what every host may, so that a copy of it breaks no other test', () => {
    const own = readSource(`test/hosts/${host}/server.ts`);
    expect(sentencesIn({ ...own, file: `hosts/${host}/server.ts` })).toEqual([]);
  });
});

describe('a country and a host more', () => {
  // A whole compilation: only the full matrix pays for it.
  const whole = 'leave the types green, those of the tests too, and touch nothing but their folders';
  if (IS_ALL)
    it(whole, { timeout: 300_000 }, () => {
      const project = projectWithNewcomers();
      const said = (() => {
        try {
          return execSync('npm run --silent types', { cwd: project, encoding: 'utf8', stdio: 'pipe' });
        } catch (error) {
          return (error as { stdout: string }).stdout;
        }
      })();
      expect(said).toBe('');
      // They were judged, and not only taken for what an earlier check had found good.
      const judged = readFileSync(path.join(project, 'dist/.types/page.tsbuildinfo'), 'utf8');
      for (const newcomer of ['country/np/index.ts', 'hosts/eightpay/main.tsx', 'hosts/duskpay/main.tsx'])
        expect(judged).toContain(newcomer);
    });

  it('what is shipped is played by the one suite: a host without its row in test/hosts/stage.ts is named here', () => {
    const shipped = readdirSync(path.join(root, 'hosts')).filter((name) =>
      existsSync(path.join(root, 'hosts', name, 'main.tsx')),
    );
    expect(shipped.filter((name) => !(HOSTS as readonly string[]).includes(name))).toEqual([]);
  });
});
