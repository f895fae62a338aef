import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What the search for a browser depends on; replaced in its tests. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  exists(file: string): boolean;
}

export type Found =
  | { readonly kind: 'installed'; readonly executablePath: string }
  /** The one in the npm package. */
  | { readonly kind: 'packaged' }
  | { readonly kind: 'none' | 'wrong'; readonly why: string };

const here: Machine = {
  platform: process.platform,
  arch: process.arch,
  home: os.homedir(),
  environment: process.env,
  exists: existsSync,
};

/** Where the installers put Chromium, Chrome and Edge. */
function usualPlaces({ platform, home, environment }: Machine): string[] {
  if (platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return ['/Applications', `${home}/Applications`].flatMap((folder) =>
      apps.map((app) => `${folder}/${app}.app/Contents/MacOS/${app}`),
    );
  }
  if (platform === 'win32') {
    const folders = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) => environment[name] ?? []);
    return [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ].flatMap((file) => folders.map((folder) => path.win32.join(folder, file)));
  }
  const names = [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'microsoft-edge',
    'microsoft-edge-stable',
  ];
  return [...names.map((name) => `/usr/bin/${name}`), '/opt/google/chrome/chrome', '/snap/bin/chromium'];
}

/**
 * The Chromium to test in: CHROMIUM_PATH, else, on Linux x64, the one in the npm package, which is the same on every machine and
 * has no windows to draw (a whole browser of Debian takes half as long again), else an installed one.
 */
export function findChromium(machine: Machine = here): Found {
  const named = machine.environment['CHROMIUM_PATH'];
  if (named)
    return machine.exists(named)
      ? { kind: 'installed', executablePath: named }
      : { kind: 'wrong', why: `CHROMIUM_PATH names ${named}, which does not exist` };
  if (machine.platform === 'linux' && machine.arch === 'x64') return { kind: 'packaged' };
  const installed = usualPlaces(machine).find((file) => machine.exists(file));
  if (installed !== undefined) return { kind: 'installed', executablePath: installed };
  return { kind: 'none', why: 'there is no Chrome, Edge or Chromium here; install one, or name it in CHROMIUM_PATH' };
}

/** Why the oldest Chromium cannot run here, or null where it must: its package holds one for Linux x64 alone. */
export function oldestAbsence({ platform, arch }: Pick<Machine, 'platform' | 'arch'> = here): string | null {
  return platform === 'linux' && arch === 'x64'
    ? null
    : `Chromium 87 is packaged for Linux x64, and this is ${platform} ${arch}`;
}
