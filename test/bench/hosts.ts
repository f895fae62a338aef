// The bridge of each host alone, beside the two best public ones of its kind, each bundled whole and in the same way.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import esbuild from 'esbuild';
import { pad, root } from './numbers.ts';

const PUBLISHED = { '@tma.js/bridge': '2.3.3', '@discord/embedded-app-sdk': '2.5.0' };
const FETCH_TIMEOUT_MS = 90_000;

/** Gzip bytes of a script with all it imports, what comes on a tap included. */
async function weigh(contents: string, folder: string): Promise<number> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: folder, loader: 'js' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    legalComments: 'none',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

/** Everything that a module exports. */
const wholeOf = (from: string): string => `import * as all from '${from}'; globalThis.kept = all;`;
/** Of a host only who somebody is, and paying. */
const twoOf = (host: string): string => `
  import { openHost } from './src/bridge/defineHost.ts';
  import { ${host} } from './hosts/${host}/host.ts';
  import { login, requestPayment } from './hosts/${host}/actions.ts';
  globalThis.kept = [openHost(${host}, { window }), login, requestPayment];`;

const line = (name: string, whole: number, ...rest: readonly string[]) =>
  console.log([`  ${pad(name, 28)}${String(whole).padStart(7)}`, ...rest].join(''));

/** Each host's bridge, without anything from outside. */
export async function benchBridges(): Promise<void> {
  console.log('\nThe bridge alone, gzip bytes: everything in it; login and payment only');
  // Beside the hosts stands what all of their fakes share.
  const hosts = readdirSync(path.join(root, 'hosts')).filter((name) =>
    existsSync(path.join(root, 'hosts', name, 'bridge.ts')),
  );
  for (const host of hosts) {
    const two = await weigh(twoOf(host), root);
    line(`hosts/${host}`, await weigh(wholeOf(`./hosts/${host}/bridge.ts`), root), String(two).padStart(7));
  }
}

const saidBy = (error: unknown): string =>
  (error as { stderr?: string }).stderr || (error instanceof Error ? error.message : String(error));

/** Into a folder of their own, never into ours. Null when there is no registry. */
async function fetched(): Promise<string | null> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pizza-bridges-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const wanted = Object.entries(PUBLISHED).map(([name, version]) => `${name}@${version}`);
  try {
    await promisify(execFile)(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, ...wanted],
      { timeout: FETCH_TIMEOUT_MS },
    );
    return folder;
  } catch (error) {
    console.log(
      `  ${wanted.join(' and ')} could not be fetched (${saidBy(error).split('\n')[0]}): FIGURES.md has what was measured before.`,
    );
    return null;
  }
}

export async function benchHosts(): Promise<void> {
  await benchBridges();
  const folder = await fetched();
  if (folder === null) return;
  for (const [name, version] of Object.entries(PUBLISHED))
    line(`${name} ${version}`, await weigh(wholeOf(name), folder));
}
