import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type LaunchOptions } from '@playwright/test';
import { findChromium } from './chromium.ts';
import { hasMemory } from './folder.ts';

/** For a machine without a network and a GPU. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Playwright lets a browser share memory through files of the disk, for containers that have no room for it: slower by a tenth. */
const SHARED: LaunchOptions = hasMemory() ? { ignoreDefaultArgs: ['--disable-dev-shm-usage'] } : {};

/** An npm package with a Chromium in it, and where the libraries and fonts lie that it brings. */
interface Packed {
  readonly name: string;
  readonly libraries: string;
  readonly fonts: string;
}
const PRESENT: Packed = { name: '@sparticuz/chromium', libraries: 'al2023/lib', fonts: 'fonts' };
const OLDEST: Packed = { name: 'chromium-87', libraries: 'aws/lib', fonts: 'aws/.fonts' };

/** A packaged Chromium, unpacked once per version and user. Workers may unpack it at the same time: the last step is a rename. */
function packagedChromium({ name, libraries, fonts }: Packed): { executablePath: string; env: Record<string, string> } {
  const { resolve } = createRequire(import.meta.url);
  const folder = path.resolve(path.dirname(resolve(name)), '..');
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const home = path.join(os.tmpdir(), `chromium-${version}-${process.getuid?.() ?? 'user'}`);
  const executablePath = path.join(home, 'chromium');
  if (!existsSync(executablePath)) {
    const staging = mkdtempSync(`${home}-`);
    const bin = path.join(folder, 'bin');
    // The package unpacks into TMPDIR and would use a half-written file: so it gets a folder of its own, which is then renamed.
    const script = `import { inflate } from '@sparticuz/chromium';
      for (const file of ${JSON.stringify(readdirSync(bin))}) await inflate(${JSON.stringify(bin + path.sep)} + file);`;
    try {
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: path.dirname(resolve(PRESENT.name)),
        env: { ...process.env, TMPDIR: staging },
        stdio: 'pipe',
      });
      writeFileSync(
        path.join(staging, 'fonts.conf'),
        `<?xml version="1.0"?><fontconfig><dir>${path.join(home, fonts)}</dir><cachedir>${home}/cache</cachedir></fontconfig>`,
      );
      renameSync(staging, home);
    } catch (error) {
      rmSync(staging, { recursive: true, force: true });
      if (!existsSync(executablePath)) throw error;
    }
  }
  const env: Record<string, string> = {};
  const missing = spawnSync('ldd', [executablePath], { encoding: 'utf8' }).stdout?.includes('not found') ?? true;
  if (missing)
    env['LD_LIBRARY_PATH'] = [path.join(home, libraries), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
  if (!existsSync('/etc/fonts/fonts.conf')) env['FONTCONFIG_FILE'] = path.join(home, 'fonts.conf');
  return { executablePath, env };
}

/** Without the setuid helper a packaged Chromium cannot make a sandbox in most containers. */
function packagedOptions(packed: Packed): LaunchOptions {
  const { executablePath, env } = packagedChromium(packed);
  return {
    executablePath,
    ...SHARED,
    args: [...ARGUMENTS, '--no-sandbox'],
    env: { ...(process.env as Record<string, string>), ...env },
  };
}

/** How to start the oldest Chromium that the app promises to work in (src/ADDING.md); only where `oldestAbsence` is null. */
export const oldestOptions = (): LaunchOptions => packagedOptions(OLDEST);

/** How to start the Chromium of this machine. @throws Error that says what to install where there is none */
export function chromiumOptions(): LaunchOptions {
  const found = findChromium();
  if (found.kind === 'none' || found.kind === 'wrong') throw new Error(`No browser to test in: ${found.why}.`);
  if (found.kind === 'installed') {
    const args = process.getuid?.() === 0 ? [...ARGUMENTS, '--no-sandbox'] : ARGUMENTS;
    return { executablePath: found.executablePath, ...SHARED, args };
  }
  return packagedOptions(PRESENT);
}

/**
 * The same for a page whose pictures nobody judges: to fetch and draw them is more than a quarter of what a page costs. It leaves
 * them alone as if they never came; what a script draws itself is there. With E2E_LOOK they are there for whoever looks.
 */
export function plainOptions(): LaunchOptions {
  const own = chromiumOptions();
  if (process.env['E2E_LOOK']) return own;
  return { ...own, args: [...(own.args ?? []), '--blink-settings=imagesEnabled=false'] };
}

export function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const own = chromiumOptions();
  return chromium.launch({ ...own, ...options, args: [...(own.args ?? []), ...(options.args ?? [])] });
}
