import { readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from './db.ts';
import { newId } from './ids.ts';

declare module './db.ts' {
  interface Tables {
    probes: { id: string; at: number; filler: string };
  }
}

/** About what an order writes; less room than that is none. */
const FILLER = 'room'.repeat(8 * 1024);
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;

/** Writes as much as an order does, and takes it away again. @throws what an order's write would */
export async function tryWriting(db: Db): Promise<void> {
  const row = { id: newId('room'), at: Date.now(), filler: FILLER };
  await db.insertInto('probes').values(row).execute();
  // Those too that a process has left which ended in between.
  await db.deleteFrom('probes').where('at', '<=', row.at).execute();
}

/**
 * Whether nothing can be written at present, for want of room or because the database may only be read. What was to be
 * written is not there, and can be written later.
 */
export function isUnwritable(error: unknown): boolean {
  const { code, errcode, cause } = (error ?? {}) as { code?: unknown; errcode?: unknown; cause?: unknown };
  if (typeof errcode === 'number' && [SQLITE_FULL, SQLITE_IOERR].includes(errcode % 256)) return true;
  if (typeof code === 'string' && (/^(53...|58030|25006)$/.test(code) || ['ENOSPC', 'EDQUOT'].includes(code)))
    return true;
  return cause !== undefined && isUnwritable(cause);
}

/** How much of a folder's disk is free for us, of 1. */
export async function freeShare(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder);
  return bavail / blocks;
}

/** @returns how old the newest backup of a folder is, in ms; Infinity where there is none */
export async function newestBackupMs(folder: string): Promise<number> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.backup'));
  const written = await Promise.all(files.map(async (name) => (await stat(path.join(folder, name))).mtimeMs));
  return Date.now() - Math.max(...written, -Infinity);
}
