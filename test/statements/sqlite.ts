import { DatabaseSync } from 'node:sqlite';
import { openDb } from '../../src/server/store/db.ts';
import { columnsOf, migrate } from '../../src/server/store/migrate.ts';
import { testDatabase } from '../kit/server.ts';

const EXPLAINED = /^\s*(?:select|insert|update|delete|with)\b/i;
/** An index of few rows, those with which something is still to be done: it may be read by all its entries. */
const OF_FEW = / (?:COVERING )?INDEX \w+_(?:open|revoked|due)$/;

/** Of these statements, those that read a table of ours whole, with the table: row by row, or by all entries of an index. */
export async function scannedOnSqlite(
  statements: readonly string[],
): Promise<{ readonly table: string; readonly statement: string }[]> {
  const database = await testDatabase('sqlite');
  const opened = await openDb(database.target);
  await migrate(opened);
  const tables = new Set((await columnsOf(opened.db)).keys());
  await opened.db.destroy();
  const db = new DatabaseSync(database.target, { readOnly: true });
  try {
    return statements
      .filter((statement) => EXPLAINED.test(statement))
      .flatMap((statement) =>
        (db.prepare(`explain query plan ${statement}`).all() as { detail: string }[]).flatMap(({ detail }) => {
          const name = /^SCAN (\w+)/.exec(detail)?.[1];
          if (name === undefined || OF_FEW.test(detail)) return [];
          const alias = new RegExp(String.raw`\b(\w+)"? (?:as )?"?${name}\b`, 'gi');
          const table = tables.has(name)
            ? name
            : [...statement.matchAll(alias)].map(([, one]) => one!).find((one) => tables.has(one));
          return table === undefined ? [] : [{ table, statement }];
        }),
      );
  } finally {
    db.close();
    await database.drop();
  }
}
