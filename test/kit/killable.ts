/**
 * The product's server, which a call can kill: with the header `x-test-kill: before` the process exits at once before the call's
 * first commit, with `after` when all is committed and nothing is answered, with `before:3` and `after:3` around its third
 * commit. The product does not know of this: the calls of the database drivers are wrapped here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import { StatementSync } from 'node:sqlite';
import pg from 'pg';

interface Death {
  readonly moment: 'before' | 'after';
  readonly commit: number;
  commits: number;
}
const dying = new AsyncLocalStorage<Death>();

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const emit = http.Server.prototype.emit as (this: http.Server, ...given: unknown[]) => boolean;
http.Server.prototype.emit = function (this: http.Server, name: unknown, ...rest: unknown[]) {
  const wish = name === 'request' ? (rest[0] as http.IncomingMessage).headers['x-test-kill'] : undefined;
  if (typeof wish !== 'string') return emit.call(this, name, ...rest);
  const [moment, commit] = wish.split(':');
  // A call with fewer commits than the number is answered as usual.
  if (commit === undefined) (rest[1] as http.ServerResponse).writeHead = die;
  const death: Death = {
    moment: moment === 'after' ? 'after' : 'before',
    commit: commit === undefined ? (moment === 'before' ? 1 : Infinity) : Number(commit),
    commits: 0,
  };
  return dying.run(death, () => emit.call(this, name, ...rest));
} as never;

/** Whether this statement commits something; follows the transaction that it is in. */
function isCommit(sql: string, transaction: { open: boolean }): boolean {
  if (/^\s*(begin|start transaction)/i.test(sql)) transaction.open = true;
  else if (/^\s*rollback\b(?!\s+to)/i.test(sql)) transaction.open = false;
  else if (/^\s*commit/i.test(sql)) {
    transaction.open = false;
    return true;
  }
  return !transaction.open && /^\s*(insert|update|delete|with)\b/i.test(sql);
}

/** Whether the current call is to be killed at this commit. */
function isDeadly(): Death | null {
  const death = dying.getStore();
  if (death === undefined) return null;
  death.commits += 1;
  return death.commits === death.commit ? death : null;
}

const sqlite = { open: false };
for (const name of ['run', 'all'] as const) {
  const own = StatementSync.prototype[name] as (this: StatementSync, ...given: unknown[]) => unknown;
  StatementSync.prototype[name] = function (this: StatementSync, ...given: unknown[]) {
    const death = isCommit(this.sourceSQL, sqlite) ? isDeadly() : null;
    if (death?.moment === 'before') die();
    const result = own.apply(this, given);
    return death === null ? result : die();
  } as never;
}

const transactions = new WeakMap<object, { open: boolean }>();
const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const transaction = transactions.get(this) ?? { open: false };
  transactions.set(this, transaction);
  const sql = typeof given[0] === 'string' ? given[0] : ((given[0] as { text?: string } | undefined)?.text ?? '');
  const death = isCommit(sql, transaction) ? isDeadly() : null;
  if (death?.moment === 'before') die();
  const result = query.apply(this, given);
  return death === null ? result : (result as Promise<unknown>).then(die);
} as never;

await import('./standalone.ts');
