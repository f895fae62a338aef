import { sql, type RawBuilder } from 'kysely';
import './consents.ts';
import './group.ts';
import { bringBackOf } from './archive.ts';
import { transact, type Db, type Tables, type Tx } from './db.ts';
import { newId } from './ids.ts';
import type { OrderSnapshot } from './orders.ts';
import { newUser } from './sessions.ts';
import {
  NAMELESS,
  nameless,
  ordersOf,
  PERSONAL,
  type Column,
  type PersonWithOrders,
  type Personal,
  type PersonKeys,
} from './personal.ts';

export interface DeletionRow {
  user_id: string;
  asked_at: number;
  due_at: number;
  /** The id that the books belong to afterwards. */
  nobody: string;
}
declare module './db.ts' {
  interface Tables {
    account_deletions: DeletionRow;
  }
}

/** Everybody that this account was before: guests that logged in, and accounts without a number that joined it. */
export async function formerSelves(db: Db, userId: string): Promise<string[]> {
  const found = [userId];
  for (let from = 0; from < found.length;) {
    const next = found.slice(from);
    from = found.length;
    const rows = await db.selectFrom('users').select('id').where('became', 'in', next).execute();
    found.push(...rows.map(({ id }) => id).filter((id) => !found.includes(id)));
  }
  return found;
}

/** @param dialPrefix of the account's country, as '+91' */
export async function whoIs(
  db: Db,
  user: { readonly id: string; readonly country: string; readonly mobile: string | null },
  dialPrefix: string,
  nobody = '',
): Promise<PersonKeys> {
  return {
    userIds: await formerSelves(db, user.id),
    country: user.country,
    mobile: user.mobile,
    international: user.mobile === null ? null : dialPrefix + user.mobile,
    nobody,
  };
}

/** The person with the orders that are theirs at this moment; those that were put away are back then. */
export async function withOrders(db: Db, who: PersonKeys): Promise<PersonWithOrders> {
  for (const id of who.userIds) await bringBackOf(db, id);
  const { rows } = await sql<{ id: string }>`${ordersOf(who)}`.execute(db);
  return { ...who, orderIds: rows.map(({ id }) => id) };
}

/** A guest of somebody's group order stands with a name in that order, too. */
async function leaveOthersBills(tx: Tx, { userIds }: PersonKeys): Promise<void> {
  const rows = await tx
    .selectFrom('group_people')
    .innerJoin('group_orders', 'group_orders.id', 'group_people.group_id')
    .select(['group_orders.order_id as id', 'group_people.id as personId'])
    .where('group_people.user_id', 'in', userIds)
    .where('group_orders.order_id', 'is not', null)
    .unionAll(
      tx.selectFrom('bill_people').select(['order_id as id', 'person_id as personId']).where('user_id', 'in', userIds),
    )
    .execute();
  for (const { id, personId } of rows) {
    // Read one by one: somebody may stand twice on one bill.
    const order = await tx.selectFrom('orders').select('snapshot').where('id', '=', id).executeTakeFirst();
    const snapshot = order && (JSON.parse(order.snapshot) as OrderSnapshot);
    if (snapshot?.group === undefined) continue;
    const people = snapshot.group.people.map((one) => (one.personId === personId ? { ...one, name: NAMELESS } : one));
    const lines = snapshot.lines.map((line) => nameless(line, personId));
    const set = { snapshot: JSON.stringify({ ...snapshot, lines, group: { ...snapshot.group, people } }) };
    await tx.updateTable('orders').set(set).where('id', '=', id).execute();
  }
}

const ROWS_AT_ONCE = 200;

/** Writes into the rows that stay what stands in the person's place. */
export async function losePerson(
  tx: Tx,
  table: string,
  stand: Personal & { fate: 'stays' },
  who: PersonWithOrders,
): Promise<void> {
  const from = sql.table(table);
  if (stand.spare !== undefined) await sql`delete from ${from} where ${stand.spare(who)}`.execute(tx);
  const columns = Object.entries<Column>(stand.columns);
  const sets: RawBuilder<unknown>[] = columns.flatMap(([name, { becomes }]) =>
    becomes === undefined ? [] : [sql`${sql.ref(name)} = ${becomes(who)}`],
  );
  const texts = columns.flatMap(([name, { rewritten }]) => (rewritten === undefined ? [] : [{ name, rewritten }]));
  if (texts.length === 0) {
    if (sets.length > 0) await sql`update ${from} set ${sql.join(sets)} where ${stand.rows(who)}`.execute(tx);
    return;
  }
  for (let last = ''; ;) {
    const { rows } = await sql<Record<string, string>>`select id, ${sql.join(texts.map(({ name }) => sql.ref(name)))}
      from ${from} where ${stand.rows(who)} and id > ${last} order by id limit ${sql.lit(ROWS_AT_ONCE)}`.execute(tx);
    if (rows.length === 0) return;
    // As one statement: a customer of years has hundreds of orders, and each by itself would be a way to the database.
    const written = rows.map(
      (row) => sql`(${sql.join([row['id'], ...texts.map(({ name, rewritten }) => rewritten(row[name]!))])})`,
    );
    const news = texts.map(({ name }, at) => sql`${sql.ref(name)} = ${sql.ref(`news.column${at + 2}`)}`);
    await sql`update ${from} set ${sql.join([...sets, ...news])} from (values ${sql.join(written)}) as news
      where ${sql.ref(`${table}.id`)} = news.column1`.execute(tx);
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1)!['id']!;
    // SQLite answers within the same turn of the event loop: without this, no request would even be read.
    await new Promise((next) => setImmediate(next));
  }
}

/**
 * Does with every table what `personal.ts` says of it, all or nothing: afterwards no row knows the person, and the books
 * add up as before.
 * @param at epoch ms
 * @param without tables that are known to have nothing of the person
 */
export async function forgetPerson(
  db: Db,
  person: PersonKeys,
  at: number,
  without: ReadonlySet<keyof Tables> = new Set(),
): Promise<void> {
  await transact(db, async (tx) => {
    const who = await withOrders(tx, person);
    await tx
      .insertInto('users')
      .values(newUser('user', who.country, at, { id: who.nobody }))
      .onConflict((c) => c.doNothing())
      .execute();
    await leaveOthersBills(tx, who);
    for (const [table, stand] of Object.entries(PERSONAL) as [keyof Tables, Personal][]) {
      if (without.has(table)) continue;
      if (stand.fate === 'stays') await losePerson(tx, table, stand, who);
      if (stand.fate === 'goes') await sql`delete from ${sql.table(table)} where ${stand.rows(who)}`.execute(tx);
    }
  });
}

/** What the ids begin with that the books of deleted accounts belong to. */
export const NOBODY = 'nobody';
/** Whether this is who the books of a deleted account belong to. */
export const isNobody = (userId: string): boolean => userId.startsWith(`${NOBODY}_`);

/** Whether an account sleeps before its deletion or is gone: what is paid into what is its own would be lost with it. */
export async function isLeaving(db: Db, userId: string): Promise<boolean> {
  return isNobody(userId) || (await deletionOf(db, userId)) !== undefined;
}

export async function deletionOf(db: Db, userId: string): Promise<DeletionRow | undefined> {
  return await db.selectFrom('account_deletions').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

export async function addDeletion(tx: Tx, row: Omit<DeletionRow, 'nobody'>): Promise<void> {
  await tx
    .insertInto('account_deletions')
    .values({ ...row, nobody: newId(NOBODY) })
    .onConflict((c) => c.doNothing())
    .execute();
}

/** True for the one call that took it back. */
export async function dropDeletion(tx: Tx, userId: string): Promise<boolean> {
  const done = await tx.deleteFrom('account_deletions').where('user_id', '=', userId).executeTakeFirst();
  return done.numDeletedRows === 1n;
}

/** Orders that are not over, newest first. */
export async function openOrdersOf(db: Db, userId: string) {
  return await db
    .selectFrom('orders')
    .select(['id', 'number'])
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .orderBy('submitted_at', 'desc')
    .execute();
}

/**
 * Whether anything of theirs is under way that still needs them: an order, money that goes back, a question that waits
 * for a person's answer.
 * @param withGuests whether orders count that guests placed with the person's number, which proves nothing
 */
export async function isUnderWay(db: Db, who: PersonKeys, withGuests: boolean): Promise<boolean> {
  const orders = ordersOf(withGuests ? who : { ...who, mobile: null });
  const { rows } = await sql`select id from orders where id in (${orders}) and finished_at is null
    union all select r.id from refunds r where r.state = 'STARTED' and r.order_id in (${orders})
    union all select h.id from help_tickets h where h.state = 'PERSON' and h.order_id in (${orders})
    limit 1`.execute(db);
  return rows.length > 0;
}
