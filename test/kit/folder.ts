import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A folder that is removed when the process ends. Not in browser.ts, which loads Playwright: that fails beside happy-dom. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const MEMORY = '/dev/shm';
/** Containers often have 64 MB there: less than a run of all tests may need. */
const ROOM_BYTES = 1_000_000_000;
const STALE_MS = 3_600_000;

function hasMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** Removes the folders of killed processes, which could not remove them themselves. */
function sweep(name: string): void {
  for (const one of readdirSync(MEMORY).filter((entry) => entry.startsWith(`${name}-`))) {
    const folder = path.join(MEMORY, one);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > STALE_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A folder for databases of tests, in memory where there is room (Linux), since each commit to a disk takes milliseconds. What a
 * killed process has written stays, as on a disk.
 */
export function memoryFolder(name: string): string {
  if (!hasMemory()) return temporaryFolder(name);
  sweep(name);
  const folder = mkdtempSync(path.join(MEMORY, `${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
