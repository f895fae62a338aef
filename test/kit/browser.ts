import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type LaunchOptions } from '@playwright/test';
import { findChromium } from './chromium.ts';

/** For a machine without a network and a GPU. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The Chromium in the npm package, unpacked once per version and user. Workers may unpack it at the same time: the last step is a rename. */
function packagedChromium(): { executablePath: string; env: Record<string, string> } {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const folder = path.resolve(path.dirname(main), '..');
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  const home = path.join(os.tmpdir(), `chromium-${version}-${process.getuid?.() ?? 'user'}`);
  const executablePath = path.join(home, 'chromium');
  if (!existsSync(executablePath)) {
    const staging = mkdtempSync(`${home}-`);
    // The package unpacks into TMPDIR and would use a half-written file: so it gets a folder of its own, which is then renamed.
    const script = `import chromium, { inflate } from '@sparticuz/chromium';
      await chromium.executablePath();
      await inflate(${JSON.stringify(path.join(folder, 'bin', 'al2023.tar.br'))});`;
    try {
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: folder,
        env: { ...process.env, TMPDIR: staging },
        stdio: 'pipe',
      });
      const fonts = path.join(home, 'fonts');
      writeFileSync(
        path.join(staging, 'fonts.conf'),
        `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${home}/cache</cachedir></fontconfig>`,
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
    env['LD_LIBRARY_PATH'] = [path.join(home, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']]
      .filter(Boolean)
      .join(':');
  if (!existsSync('/etc/fonts/fonts.conf')) env['FONTCONFIG_FILE'] = path.join(home, 'fonts.conf');
  return { executablePath, env };
}

/** How to start the Chromium of this machine. @throws Error that says what to install where there is none */
export function chromiumOptions(): LaunchOptions {
  const found = findChromium();
  if (found.kind === 'none' || found.kind === 'wrong') throw new Error(`No browser to test in: ${found.why}.`);
  if (found.kind === 'installed') {
    const args = process.getuid?.() === 0 ? [...ARGUMENTS, '--no-sandbox'] : ARGUMENTS;
    return { executablePath: found.executablePath, args };
  }
  const { executablePath, env } = packagedChromium();
  // Without the setuid helper a packaged Chromium cannot make a sandbox in most containers.
  return {
    executablePath,
    args: [...ARGUMENTS, '--no-sandbox'],
    env: { ...(process.env as Record<string, string>), ...env },
  };
}

export function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const own = chromiumOptions();
  return chromium.launch({ ...own, ...options, args: [...(own.args ?? []), ...(options.args ?? [])] });
}
