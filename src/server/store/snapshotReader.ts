// A thread that reads a file of SQLite as of the moment at which it has begun (sqliteSnapshot): while it reads, the process packs
// what it has read. It is told the tables, and then each time that it may read some more rows.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { rowInSqlite } from './rowLines.ts';

const ROWS_AT_ONCE = 5_000;
const BUSY_AT_MOST_MS = 10_000;

/** Rows as `rowInSqlite` puts them together, of a table by its number. */
export interface ReadRows {
  readonly table: number;
  readonly rows: number;
  readonly lines: Uint8Array<ArrayBuffer>;
}

const db = new DatabaseSync(workerData as string, { readOnly: true, timeout: BUSY_AT_MOST_MS });
db.exec('BEGIN');
// The moment is that of the first read.
db.prepare('select count(*) from sqlite_master').get();

/** All rows of all tables, many at once, put together by SQLite: to make a row of ours of each takes far longer. */
function* read(tables: readonly string[]): Generator<ReadRows> {
  for (const [table, name] of tables.entries()) {
    const columns = db
      .prepare('select name from pragma_table_info(?)')
      .all(name)
      .map((column) => String(column['name']));
    const some = db.prepare(`select cast(group_concat(one, '') as blob) as lines, count(*) as rows, max(at) as last
      from (select ${rowInSqlite(columns)} as one, rowid as at from "${name}"
        where rowid > ? order by rowid limit ${ROWS_AT_ONCE})`);
    for (let last = Number.MIN_SAFE_INTEGER; ;) {
      const found = some.get(last) as unknown as ReadRows & { readonly last: number };
      if (found.rows === 0) break;
      yield { table, rows: found.rows, lines: found.lines };
      ({ last } = found);
    }
  }
}

let rest: Generator<ReadRows> | undefined;
parentPort!.on('message', (tables: readonly string[] | null) => {
  rest ??= read(tables ?? []);
  const { value } = rest.next() as { value?: ReadRows };
  parentPort!.postMessage(value ?? null, value === undefined ? [] : [value.lines.buffer]);
});
parentPort!.postMessage('begun');
