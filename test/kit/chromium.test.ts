import { describe, expect, it } from 'vitest';
import { findChromium, oldestAbsence, type Machine } from './chromium.ts';

/** A machine that has these files and no others. */
const machine = (platform: NodeJS.Platform, files: readonly string[], more: Partial<Machine> = {}): Machine => ({
  platform,
  arch: 'x64',
  home: platform === 'darwin' ? '/Users/asha' : '/home/asha',
  environment: {},
  exists: (file) => files.includes(file),
  ...more,
});
const WINDOWS = {
  environment: {
    ProgramFiles: 'C:\\Program Files',
    'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    LOCALAPPDATA: 'C:\\Users\\asha\\AppData\\Local',
  },
};
const CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const EDGE = '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge';

describe('the browser that tests run in', () => {
  it.each([
    ['a Mac with Chrome and Edge', machine('darwin', [EDGE, CHROME]), CHROME],
    [
      'Windows with Edge, as it comes',
      machine('win32', ['C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'], WINDOWS),
      'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    ],
    [
      'Linux on ARM with Chrome',
      machine('linux', ['/usr/bin/google-chrome-stable'], { arch: 'arm64' }),
      '/usr/bin/google-chrome-stable',
    ],
    ['Linux on ARM with a snap', machine('linux', ['/snap/bin/chromium'], { arch: 'arm64' }), '/snap/bin/chromium'],
  ])('on %s', (_, where, executablePath) => {
    expect(findChromium(where)).toEqual({ kind: 'installed', executablePath });
  });

  it('CHROMIUM_PATH comes first, and is not silently passed over when it names nothing', () => {
    const environment = { CHROMIUM_PATH: '/opt/mine' };
    expect(findChromium(machine('darwin', [CHROME, '/opt/mine'], { environment }))).toEqual({
      kind: 'installed',
      executablePath: '/opt/mine',
    });
    expect(findChromium(machine('linux', ['/usr/bin/chromium'], { environment }))).toMatchObject({
      kind: 'wrong',
      why: expect.stringContaining('/opt/mine'),
    });
  });

  it('the packaged one is for Linux x64, whatever is installed there; everywhere else it is said that there is none', () => {
    expect(findChromium(machine('linux', ['/usr/bin/chromium']))).toEqual({ kind: 'packaged' });
    for (const where of [
      machine('darwin', []),
      machine('win32', [], WINDOWS),
      machine('win32', []),
      machine('linux', [], { arch: 'arm64' }),
    ])
      expect(findChromium(where)).toMatchObject({ kind: 'none', why: expect.stringContaining('CHROMIUM_PATH') });
  });

  it('the oldest one is wanted on Linux x64, and missed with its reason everywhere else', () => {
    expect(oldestAbsence(machine('linux', []))).toBeNull();
    expect(oldestAbsence(machine('linux', [], { arch: 'arm64' }))).toContain('linux arm64');
    expect(oldestAbsence(machine('darwin', [CHROME]))).toContain('Linux x64');
  });
});
