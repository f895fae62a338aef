import { sql } from 'kysely';
import { newId } from './ids.ts';
import { afterCommit, engineOf } from './db.ts';
import type { Db, Tables } from './db.ts';
import { first, prepared } from './preparedStatement.ts';

declare module './db.ts' {
  interface Tables {
    /** `changes` grows with every change of what processes keep copies of: menus, stores, what is sold out. */
    system: { id: number; offset_ms: number; switches: string; changes: number };
    secrets: { name: string; value: string };
    jobs: {
      id: string;
      kind: string;
      lane: string;
      unique_key: string | null;
      run_at: number;
      payload: string;
      state: 'DUE' | 'RUN' | 'DEAD';
      attempts: number;
      lease_until: number;
      error: string | null;
      /** The trace that the job belongs to (call/trace.ts). */
      trace: string | null;
    };
    idempotency: {
      user_id: string;
      idempotency_key: string;
      fingerprint: string;
      state: 'COMMITTED' | 'DONE';
      ref: string;
      body: string | null;
      lease_until: number;
      created_at: number;
    };
    counters: { id: string; used: number; ends_at: number };
    inbox: { id: string; mobile: string; message: string; sent_at: number };
  }
}

export interface SystemRow {
  /** Epoch ms of the shop's clock: the real time plus what a developer has added. */
  readonly now: number;
  readonly offsetMs: number;
  /** JSON of contract/development.ts Switches, partly filled. */
  readonly switches: string;
  /** A copy that was made at the same number is still right. */
  readonly changes: number;
}

/** The row with the clock in it; see systemOfRow. */
export const systemSelect = (db: Db) =>
  db
    .selectFrom('system')
    .where('id', '=', 1)
    .select(['offset_ms', 'switches', 'changes'])
    // Processes on machines with different clocks must agree, so PostgreSQL's own time is used.
    .$if(engineOf(db) === 'postgres', (query) =>
      query.select(sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`.as('wall')),
    );
const row = prepared((db, _: object) => systemSelect(db));

async function fresh(db: Db): Promise<SystemRow> {
  return systemOfRow((await row(db, {})).rows[0]);
}

/** The row as of the moment in which it was read. @throws Error where there is none */
export function systemOfRow(
  found: (Omit<Tables['system'], 'id'> & { readonly wall?: number | undefined }) | undefined,
): SystemRow {
  if (found === undefined) throw new Error('There is no system row: the database is not migrated.');
  const { offset_ms, switches, changes, wall = Date.now() } = found;
  return { now: wall + offset_ms, offsetMs: offset_ms, switches, changes };
}

/** A process's copy of the system row, where the clock is never moved. Times are of `performance.now()`. */
interface SystemMemory {
  readonly forMs: number;
  row: SystemRow | null;
  /** The database's clock minus this machine's. */
  aheadMs: number;
  readAt: number;
  /** Grows with every change that this process makes, so that a read that began before it is not remembered. */
  changes: number;
}
/** By adapter, the one object that a database shares with its transactions, and with nothing else. */
const remembered = new WeakMap<object, SystemMemory>();
const memoryOf = (db: Db) => remembered.get(db.getExecutor().adapter);

/**
 * From now on this process may use a system row that is up to `forMs` old; its own changes hold at once. For production,
 * where nobody moves the clock or sets switches by a call: what another process changes is seen that much later.
 */
export function rememberSystem(db: Db, forMs: number): void {
  remembered.set(db.getExecutor().adapter, { forMs, row: null, aheadMs: 0, readAt: 0, changes: 0 });
}

/** The system row as of now, if what is remembered is young enough; asks nobody. */
export function systemInMemory(db: Db): SystemRow | null {
  const own = memoryOf(db);
  if (own === undefined || own.row === null || performance.now() - own.readAt > own.forMs) return null;
  return { ...own.row, now: Date.now() + own.aheadMs };
}

/** Reads the row, and remembers it where that is allowed. */
async function freshlyRead(db: Db): Promise<SystemRow> {
  const own = memoryOf(db);
  if (own === undefined) return await fresh(db);
  const { changes } = own;
  const readAt = performance.now();
  const row = await fresh(db);
  if (own.changes === changes) Object.assign(own, { row, readAt, aheadMs: row.now - Date.now() });
  return row;
}

/** What this process knows of the row is old: now, and again when the change is committed. */
function forget(db: Db): void {
  const own = memoryOf(db);
  if (own === undefined) return;
  const drop = () => {
    own.changes += 1;
    own.row = null;
  };
  drop();
  afterCommit(drop);
}

const reading = new WeakMap<Db, Promise<unknown>>();
const next = new WeakMap<Db, Promise<SystemRow>>();

/**
 * The clock, the switches and the count of changes, in one statement; without one where the row may be remembered. Calls
 * that come while a read is under way share the next one: nobody gets an answer older than the question, and many calls
 * cost one statement. A transaction always reads.
 */
export async function readSystem(db: Db): Promise<SystemRow> {
  if (db.isTransaction) return await fresh(db);
  const known = systemInMemory(db);
  if (known !== null) return known;
  const waiting = next.get(db);
  if (waiting !== undefined) return await waiting;
  const before = reading.get(db);
  const read = (before ?? Promise.resolve()).then(() => {
    next.delete(db);
    const started = freshlyRead(db);
    const ended = started
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        if (reading.get(db) === ended) reading.delete(db);
      });
    reading.set(db, ended);
    return started;
  });
  next.set(db, read);
  return await read;
}

/**
 * Tells all processes that their copies of menus, stores and what is sold out are old. To be called in the transaction
 * of the change.
 */
export async function noteChange(tx: Db): Promise<void> {
  await tx
    .updateTable('system')
    .set((e) => ({ changes: e('changes', '+', 1) }))
    .where('id', '=', 1)
    .execute();
  forget(tx);
}

const copies = new WeakMap<object, Map<string, { changes: number; value: unknown }>>();

/** Returns a copy as long as nothing has changed, and otherwise calls `read` for a new one. */
export async function copied<T>(db: Db, name: string, { changes }: SystemRow, read: () => Promise<T>): Promise<T> {
  const { adapter } = db.getExecutor();
  const own = copies.get(adapter) ?? new Map<string, { changes: number; value: unknown }>();
  copies.set(adapter, own);
  const known = own.get(name);
  if (known?.changes === changes) return known.value as T;
  const value = await read();
  const keep = () => own.set(name, { changes, value });
  // A transaction may have read what will never be: its own changes, or those of its group on SQLite.
  if (db.isTransaction) afterCommit(keep);
  else keep();
  return value;
}

/** @throws when the database cannot be reached now, whatever is remembered of it */
export async function reach(db: Db): Promise<void> {
  await fresh(db);
}

/** Epoch ms of the shop's clock. */
export async function now(db: Db): Promise<number> {
  return (await readSystem(db)).now;
}

/** The real time, without what a developer has added: for leases, which must not end when the clock is moved. */
export async function wallNow(db: Db): Promise<number> {
  const own = systemInMemory(db);
  if (own !== null) return own.now - own.offsetMs;
  const { now: at, offsetMs } = await readSystem(db);
  return at - offsetMs;
}

/** Moves the clock forward to an offset; never back. */
export async function raiseOffset(db: Db, offsetMs: number): Promise<void> {
  await db
    .updateTable('system')
    .set({ offset_ms: offsetMs })
    .where('id', '=', 1)
    .where('offset_ms', '<', offsetMs)
    .execute();
  forget(db);
}

/** Replaces the switches if they are still as `seen`; true if so. */
export async function replaceSwitches(db: Db, seen: string, next: string): Promise<boolean> {
  const done = await db
    .updateTable('system')
    .set({ switches: next })
    .where('id', '=', 1)
    .where('switches', '=', seen)
    .executeTakeFirst();
  forget(db);
  return done.numUpdatedRows === 1n;
}

const secrets = new WeakMap<object, Map<string, string>>();

/**
 * A secret that all processes on this database share; `make` makes it the first time. It never changes, so each process
 * reads it only once.
 */
export async function secret(db: Db, name: string, make: () => string | Promise<string>): Promise<string> {
  const { adapter } = db.getExecutor();
  const own = secrets.get(adapter) ?? new Map<string, string>();
  secrets.set(adapter, own);
  const held = own.get(name);
  if (held !== undefined) return held;
  const found = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  if (found !== undefined) {
    own.set(name, found.value);
    return found.value;
  }
  await db
    .insertInto('secrets')
    .values({ name, value: await make() })
    .onConflict((c) => c.doNothing())
    .execute();
  // Not remembered yet: a transaction around this may still be rolled back.
  return (await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()).value;
}

export async function hasSecret(db: Db, name: string): Promise<boolean> {
  return (await db.selectFrom('secrets').select('name').where('name', '=', name).executeTakeFirst()) !== undefined;
}

interface UseCount {
  /** Uses that the window has now. */
  readonly used: number;
  /** Epoch ms. */
  readonly endsAt: number;
}

const count = prepared((db, given: { id: string; by: number; at: number; ends: number; most?: number | undefined }) =>
  db
    .insertInto('counters')
    .values({ id: given.id, used: given.by, ends_at: given.ends })
    .onConflict((c) => {
      const { at, by, ends, most } = given;
      const update = c.column('id').doUpdateSet({
        used: sql<number>`CASE WHEN counters.ends_at <= ${at} THEN ${by} ELSE counters.used + ${by} END`,
        ends_at: sql<number>`CASE WHEN counters.ends_at <= ${at} THEN ${ends} ELSE counters.ends_at END`,
      });
      return most === undefined
        ? update
        : update.where((e) => e.or([e('counters.ends_at', '<=', at), e('counters.used', '<', most)]));
    })
    .returning(['used', 'ends_at']),
);

/** One statement, so that no parallel call is missed. @returns undefined: the window has `most` */
async function countInWindow(
  db: Db,
  { id, windowMs, at, by, most }: { id: string; windowMs: number; at: number; by: number; most?: number },
): Promise<UseCount | undefined> {
  const row = await first(count(db, { id, by, at, ends: at + windowMs, most }));
  return row && { used: row.used, endsAt: row.ends_at };
}

/** Counts one use of `id`, or several, in a window that opens with its first use. */
export async function countUse(db: Db, id: string, windowMs: number, at: number, by = 1): Promise<UseCount> {
  return (await countInWindow(db, { id, windowMs, at, by }))!;
}

/**
 * Counts one use of `id`, unless its window has `most` (at least 1). Parallel calls share what is left, and none sees the
 * use of another that is refused.
 */
export async function countWithin(
  db: Db,
  id: string,
  most: number,
  windowMs: number,
  at: number,
): Promise<UseCount & { readonly isCounted: boolean }> {
  const counted = await countInWindow(db, { id, windowMs, at, by: 1, most });
  if (counted !== undefined) return { ...counted, isCounted: true };
  return { used: most, endsAt: at, ...(await countsOf(db, [id], at)).get(id), isCounted: false };
}

/** Takes one use of `id` back. */
export async function takeBack(db: Db, id: string): Promise<void> {
  await db
    .updateTable('counters')
    .set((e) => ({ used: e('used', '-', 1) }))
    .where('id', '=', id)
    .where('used', '>', 0)
    .execute();
}

export async function addToInbox(db: Db, mobile: string, message: string, sentAt: number): Promise<void> {
  await db
    .insertInto('inbox')
    .values({ id: newId('sms'), mobile, message, sent_at: sentAt })
    .execute();
}

const INBOX_SHOWN = 100;
export async function inboxMessages(db: Db, mobile: string | undefined) {
  let query = db.selectFrom('inbox').selectAll().orderBy('sent_at', 'desc').orderBy('id', 'desc').limit(INBOX_SHOWN);
  if (mobile !== undefined) query = query.where('mobile', '=', mobile);
  return await query.execute();
}

const openCounts = prepared((db, given: { ids: readonly string[]; at: number }) =>
  db.selectFrom('counters').selectAll().where('id', 'in', given.ids).where('ends_at', '>', given.at),
);

/** The windows of these ids that are open now. */
export async function countsOf(db: Db, ids: readonly string[], at: number): Promise<ReadonlyMap<string, UseCount>> {
  if (ids.length === 0) return new Map();
  const { rows } = await openCounts(db, { ids, at });
  return new Map(rows.map((row) => [row.id, { used: row.used, endsAt: row.ends_at }]));
}

/** How often `id` was counted in its latest window; 0 when never. */
export async function usesOf(db: Db, id: string): Promise<number> {
  return (await db.selectFrom('counters').select('used').where('id', '=', id).executeTakeFirst())?.used ?? 0;
}
