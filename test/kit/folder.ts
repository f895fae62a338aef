import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Where the folders of this run are made, in memory and on the disk (oneRun); by default they lie beside all others of the machine. */
const [IN_MEMORY, ON_DISK] = ['TEST_MEMORY_FOLDER', 'TEST_FOLDER'] as const;
/** What the names of the run's databases begin with (PostgreSQL). */
const DATABASES = 'TEST_DATABASES';
const MEMORY = '/dev/shm';
const RUN = 'pizza-run';
/** Containers often have 64 MB there: less than a run of all tests may need. */
const ROOM_BYTES = 1_000_000_000;
/** Longer than any run takes. */
const STALE_MS = 3 * 3_600_000;

const made = new Set<string>();
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

function folderIn(parent: string, name: string): string {
  const folder = mkdtempSync(path.join(parent, `${name}-`));
  if (made.size === 0) process.once('exit', () => made.forEach(remove));
  made.add(folder);
  return folder;
}

/** A folder that is removed when the process ends. Not in browser.ts, which loads Playwright: that fails beside happy-dom. */
export function temporaryFolder(name: string): string {
  return folderIn(process.env[ON_DISK] ?? os.tmpdir(), name);
}

/** What the names of this run's databases begin with; null outside a run, where nobody would drop them. */
export const runDatabases = (): string | null => process.env[DATABASES] ?? null;
export const isRun = (): boolean => process.env[ON_DISK] !== undefined;
/** Where this run's processes leave what later ones of it read. */
export const runFolder = (): string => process.env[ON_DISK] ?? os.tmpdir();

/** Whether shared memory has room (Linux). */
export function hasMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/**
 * A folder for databases of tests, in memory where there is room (Linux), since each commit to a disk takes milliseconds. What a
 * killed process has written stays, as on a disk.
 */
export function memoryFolder(name: string): string {
  return hasMemory() ? folderIn(process.env[IN_MEMORY] ?? MEMORY, name) : temporaryFolder(name);
}

/** Removes what runs have left that were killed as a whole. */
function sweep(parent: string): void {
  for (const one of readdirSync(parent).filter((entry) => entry.startsWith(`${RUN}-`))) {
    const folder = path.join(parent, one);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > STALE_MS) remove(folder);
  }
}

/** Whether a database is one of a run that began so long ago that it is over. */
function isStale(name: string): boolean {
  const [, began] = /^pizza_(\d+)_/.exec(name) ?? [];
  return began !== undefined && Date.now() - Number(began) > STALE_MS;
}

/**
 * For vitest and Playwright, which end their workers without asking (globalSetup): all folders of the run lie in two, and go with
 * it. Returns what removes them.
 */
export default function oneRun(): () => Promise<void> {
  const parents = { [ON_DISK]: os.tmpdir(), ...(hasMemory() ? { [IN_MEMORY]: MEMORY } : {}) };
  const folders = Object.entries(parents).map(([variable, parent]) => {
    sweep(parent);
    return (process.env[variable] = folderIn(parent, RUN));
  });
  const own = (process.env[DATABASES] = `pizza_${Date.now()}_${process.pid}`);
  return async () => {
    folders.forEach(remove);
    const { dropDatabases } = await import('./server.ts');
    await dropDatabases((name) => name.startsWith(`${own}_`) || isStale(name));
  };
}
