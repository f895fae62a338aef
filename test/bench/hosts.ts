// The bridge of each host alone, beside the two best public ones of its kind, each bundled whole and in the same way.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import esbuild from 'esbuild';
import { pad, root } from './numbers.ts';

const PUBLISHED = { '@tma.js/bridge': '2.3.3', '@discord/embedded-app-sdk': '2.5.0' };
const FETCH_TIMEOUT_MS = 90_000;

/** Gzip bytes of everything a module exports, with all it imports, sheets that come on a tap included. */
async function weigh(from: string, folder: string): Promise<number> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `import * as all from '${from}'; globalThis.kept = all;`, resolveDir: folder, loader: 'js' },
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
  console.log('\nThe bridge alone, everything in it, gzip bytes');
  for (const host of readdirSync(path.join(root, 'hosts'), { withFileTypes: true })) {
    if (!host.isDirectory()) continue;
    const whole = await weigh('./bridge.ts', path.join(root, 'hosts', host.name));
    console.log(`  ${pad(`hosts/${host.name}`, 28)}${String(whole).padStart(7)}`);
  }
  const folder = await fetched();
  if (folder === null) return;
  for (const [name, version] of Object.entries(PUBLISHED))
    console.log(`  ${pad(`${name} ${version}`, 28)}${String(await weigh(name, folder)).padStart(7)}`);
}
