import path from 'node:path';
import { HOUR_MS } from '../../domain/time.ts';
import type { Log } from '../call/services.ts';
import { withoutPassword, type databasesAsked } from '../environment.ts';
import { openDatabase, type Database } from '../store/databases.ts';
import { transact, type Root } from '../store/db.ts';
import { columnsOf, migrate } from '../store/migrate.ts';
import { hasSecret, readSystem, secret } from '../store/system.ts';

/** The mark in a database that development was served from. */
const DEVELOPED = 'development';

/**
 * Development moves a database's clock, shows its codes and puts published vouchers into it.
 * @throws Error that says what to do, where production is to use one
 */
async function checkUse(db: Root, development: boolean, name: string): Promise<void> {
  if (development) return void (await secret(db, DEVELOPED, () => 'yes'));
  if (!(await hasSecret(db, DEVELOPED))) return;
  const hours = Math.round((await readSystem(db)).offsetMs / HOUR_MS);
  throw new Error(
    `${name}: this database was used for development: its clock is ${hours} h ahead, and vouchers that everybody can read are in it. Give production a database of its own.`,
  );
}

/** The operator may have several databases: the error says which one fails (main.ts). */
async function naming({ name, target }: { name: string; target: string }, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw Object.assign(error as Error, { database: { name, target: withoutPassword(target) } });
  }
}

/**
 * Opens the databases and migrates them.
 * @throws when one cannot be used: none is migrated then, and all are closed
 */
export async function openDatabases(
  asked: ReturnType<typeof databasesAsked>,
  { development, isAlone, log }: { readonly development: boolean; readonly isAlone: boolean; readonly log: Log },
): Promise<readonly Database[]> {
  const onLost = (error: Error) => log.warn({ error }, 'a connection to the database was lost');
  const databases: Database[] = [];
  try {
    for (const one of asked)
      await naming(one, async () => {
        const opened = await openDatabase(one, onLost);
        databases.push(opened);
        await transact(opened.db, columnsOf);
        if (isAlone) await opened.serveAlone();
      });
    // Only now: one that cannot be used keeps all from being changed.
    for (const [index, one] of asked.entries())
      await naming(one, async () => {
        const { db, opened } = databases[index]!;
        await migrate(opened);
        await checkUse(db, development, one.name);
      });
    return databases;
  } catch (error) {
    await closeDatabases(databases);
    throw error;
  }
}

export async function closeDatabases(databases: readonly Database[]): Promise<void> {
  await Promise.all(databases.map((one) => one.close()));
}

/** Which disks of this machine the shop needs room on. */
export function foldersOf(asked: readonly { readonly target: string }[], backups: string | null) {
  const file = asked.find(({ target }) => !/^postgres(ql)?:|^:memory:$/.test(target))?.target;
  return {
    ...(file === undefined ? {} : { database: path.dirname(file) }),
    ...(backups === null ? {} : { backups }),
  };
}

/** The database of a country; without a country, the one for what belongs to none. */
export function databaseOf(all: readonly Database[], country?: string): Database {
  return all.find(({ countries: its }) => its.some((code) => code === country)) ?? all[0]!;
}
