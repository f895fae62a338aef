import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Meta } from '../../src/build/meta.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { projectCopy } from '../kit/newcomers.ts';

let copy: string;
beforeAll(() => {
  copy = projectCopy('pizza-build');
});

const running = new Set<() => void>();
afterEach(() => {
  for (const kill of running) kill();
  running.clear();
});

/** Starts the build in the copy. `ended`: with which code, after having said what. */
function build(...flags: string[]) {
  const started = spawn(process.execPath, ['build.mjs', ...flags], { cwd: copy, env: { ...process.env, PORT: '0' } });
  let said = '';
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (data) => (said += String(data)));
  running.add(() => started.kill('SIGKILL'));
  const ended = new Promise<{ code: number | null; said: string }>((done) =>
    started.once('exit', (code) => done({ code, said })),
  );
  return { ended, kill: () => started.kill('SIGKILL') };
}
const metaIn = (folder: string): Meta | null => {
  const file = path.join(folder, 'meta.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Meta) : null;
};

test('a bundle that counts as built has all of its meta.json, whenever the build is killed', async () => {
  const out = temporaryFolder('pizza-killed');
  const { ended, kill } = build('--country', 'in', '--host', 'gpay', '--language', 'en', '--out', out);
  await expect.poll(() => metaIn(path.join(out, 'in/gpay')), { interval: 1, timeout: 170_000 }).not.toBeNull();
  kill();
  await ended;
  expect(metaIn(path.join(out, 'in/gpay'))?.libraries?.names ?? []).toContain('react');
});

test('a thread that ends in the middle of its work fails the build, which says so', async () => {
  const file = path.join(copy, 'src/build/thread.ts');
  const text = readFileSync(file, 'utf8');
  const what = 'const bundle = (await bundles)[at];';
  expect(text).toContain(what);
  writeFileSync(file, text.replace(what, 'if (at >= 0) process.exit(7);'));
  try {
    const { ended } = build('--country', 'in', '--host', 'gpay', '--out', temporaryFolder('pizza-ended'));
    const { code, said } = await ended;
    expect([code, said]).toEqual([1, expect.stringContaining('ended (7)')]);
  } finally {
    writeFileSync(file, text);
  }
});

test('the one bundle of development is of the environment that was asked for', async () => {
  const file = path.join(copy, 'country/in/config.ts');
  const uat = 'https://uat.golden-oven.example';
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('environments()', `environments({ uat: { API_HOST: '${uat}' } })`),
  );
  const folder = path.join(copy, 'dist/in/browser');
  rmSync(folder, { recursive: true, force: true });
  build('--dev', '--environment', 'uat');
  await expect.poll(() => metaIn(folder)?.policy['connect-src'] ?? []).toContain(uat);
});
