/**
 * Loaded before the product's server (`--import`): counts its statements and those commits that make something durable, and prints
 * `COUNTED statements commits` when it is sent SIGUSR2. The product does not know of this: the drivers' calls are wrapped here.
 */
import { StatementSync } from 'node:sqlite';
import pg from 'pg';

const counted = { statements: 0, commits: 0 };
interface Transaction {
  isOpen: boolean;
  hasWritten: boolean;
}

function count(sql: string, transaction: Transaction): void {
  // A savepoint is the group's own; nothing is asked.
  if (/^\s*(savepoint|release|rollback to)/i.test(sql)) return;
  counted.statements += 1;
  const isWrite = /^\s*(insert|update|delete|with)\b/i.test(sql);
  if (/^\s*begin/i.test(sql)) Object.assign(transaction, { isOpen: true, hasWritten: false });
  else if (/^\s*(commit|rollback)/i.test(sql)) {
    if (/^\s*commit/i.test(sql) && transaction.hasWritten) counted.commits += 1;
    transaction.isOpen = false;
  } else if (isWrite && transaction.isOpen) transaction.hasWritten = true;
  else if (isWrite) counted.commits += 1;
}

const sqlite: Transaction = { isOpen: false, hasWritten: false };
for (const name of ['run', 'all'] as const) {
  const own = StatementSync.prototype[name] as (this: StatementSync, ...given: unknown[]) => unknown;
  StatementSync.prototype[name] = function (this: StatementSync, ...given: unknown[]) {
    count(this.sourceSQL, sqlite);
    return own.apply(this, given);
  } as never;
}

const clients = new WeakMap<pg.Client, Transaction>();
const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const transaction = clients.get(this) ?? { isOpen: false, hasWritten: false };
  clients.set(this, transaction);
  const [asked] = given;
  count(typeof asked === 'string' ? asked : String((asked as { text?: unknown }).text), transaction);
  return query.apply(this, given);
} as never;

process.on('SIGUSR2', () => console.log(`COUNTED ${counted.statements} ${counted.commits}`));
