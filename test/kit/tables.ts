import { copyFileSync, existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadCatalogue } from '../../src/server/rules/catalogue/copies.ts';
import { openDb } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { isRun, memoryFolder, runFolder } from './folder.ts';

/** Tables and menus, and nothing else. @param target as DATABASE_URL says it */
export async function makeTables(target: string): Promise<void> {
  const opened = await openDb(target);
  await migrate(opened);
  await loadCatalogue(() => opened.db, console);
  await opened.db.destroy();
}
async function makeFile(file: string): Promise<void> {
  await makeTables(file);
  // The last connection of a file was one that only reads: what was written still lies beside it.
  const whole = new DatabaseSync(file);
  whole.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  whole.close();
}

let made: Promise<string> | undefined;
async function find(): Promise<string> {
  const own = path.join(memoryFolder('pizza-tables'), 'tables.db');
  // Outside a run the place is everybody's, and another day's tables may lie there.
  const kept = isRun() ? path.join(runFolder(), 'tables.db') : own;
  if (existsSync(kept)) return kept;
  await makeFile(own);
  if (kept === own) return own;
  const beside = `${kept}.${process.pid}`;
  copyFileSync(own, beside);
  renameSync(beside, kept);
  return kept;
}

/** Puts the tables into a new file, as a server finds them at its second start: to migrate costs more than a small test. */
export async function putTables(target: string): Promise<void> {
  copyFileSync(await (made ??= find()), target);
}
