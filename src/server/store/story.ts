import { bringBack } from './archive.ts';
import type { Db } from './db.ts';
import { creditsOf, eventsOf, type OrderRow } from './orders.ts';
import { paymentsOf, refundsOf } from './payments.ts';

/** Something that is known of an order. `at`: epoch ms of the shop's clock. */
interface Chapter {
  readonly at: number;
  readonly what: string;
  readonly more: Readonly<Record<string, unknown>>;
}

export interface Story {
  readonly order: OrderRow;
  readonly chapters: readonly Chapter[];
  /** What names the order in logs, ours and those of providers. */
  readonly names: readonly string[];
}

const NUMBER = /^(\d{4,6})@(\w+)$/;

/** The order that a name belongs to: its id, its trace, its number@store, a payment's id or reference, a refund's id. */
async function orderNamed(db: Db, name: string): Promise<OrderRow | undefined> {
  const [, number, store] = NUMBER.exec(name) ?? [];
  if (number !== undefined && store !== undefined)
    return await db
      .selectFrom('orders')
      .selectAll()
      .where('number', '=', number)
      .where('store_id', '=', store)
      .orderBy('submitted_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  const payment = await db
    .selectFrom('payments')
    .select('order_id')
    .where((e) => e.or([e('id', '=', name), e('reference', '=', name)]))
    .executeTakeFirst();
  const refund = await db.selectFrom('refunds').select('order_id').where('id', '=', name).executeTakeFirst();
  const id = payment?.order_id ?? refund?.order_id;
  return await db
    .selectFrom('orders')
    .selectAll()
    .where((e) => (id === undefined ? e.or([e('id', '=', name), e('trace', '=', name)]) : e('id', '=', id)))
    .executeTakeFirst();
}

/** Whether an order of this name was put away, which is back then. */
async function wasPutAway(db: Db, name: string): Promise<boolean> {
  let query = db.selectFrom('old_orders').select('id').orderBy('submitted_at', 'desc').limit(1);
  for (const word of NUMBER.exec(name)?.slice(1) ?? [name]) query = query.where('body', 'like', `%"${word}"%`);
  const found = await query.executeTakeFirst();
  if (found === undefined) return false;
  await bringBack(db, [found.id]);
  return true;
}

type Tell = (at: number | null, what: string, more?: Chapter['more']) => void;

/** Payments, what they brought, and what went back. @returns what names them */
async function tellMoney(db: Db, id: string, tell: Tell): Promise<{ ids: string[]; references: string[] }> {
  const payments = await paymentsOf(db, [id]);
  for (const { id: paymentId, reference, mode, amount, state, code, ...payment } of payments) {
    tell(payment.created_at, `payment ${payment.attempt} by ${mode}`, { amount, paymentId, reference });
    tell(payment.settled_at, `payment ${payment.attempt} ${state}`, { code });
    if (payment.settled_at === null)
      tell(payment.settle_by, `payment ${payment.attempt} is ${state}, and given up now`);
  }
  const captures = await db.selectFrom('captures').selectAll().where('order_id', '=', id).execute();
  for (const { id: capture, amount, at, pays } of captures)
    tell(at, pays === 1 ? 'money that pays' : 'money that does not pay', { amount, capture });
  const refunds = await refundsOf(db, [id]);
  for (const { id: refund, amount, reason, ...row } of refunds) {
    tell(row.created_at, 'refund', { amount, reason, refund });
    tell(row.paid_at, 'refund paid', { refund });
  }
  const references = payments.map(({ reference }) => reference);
  const notices = await db
    .selectFrom('notices')
    .selectAll()
    // An order has at least one payment.
    .where('reference', 'in', ['', ...references])
    .execute();
  for (const { reference, status, received_at: at, times } of notices)
    tell(at, 'a provider called back', { status, times, reference });
  const entries = await db.selectFrom('ledger_entries').selectAll().where('order_id', '=', id).execute();
  for (const { kind, amount, account_id: account, at } of entries) tell(at, `balance ${kind}`, { amount, account });
  const credits = await creditsOf(db, [id]);
  for (const { amount, way, at } of credits) tell(at, 'late: paid back', { amount, way });
  return { ids: [...payments, ...refunds].map((one) => one.id), references };
}

/** Messages to the order's store, and the order's jobs that are due or were given up. */
async function tellWork(db: Db, id: string, own: readonly string[], tell: Tell): Promise<void> {
  const outbox = await db.selectFrom('outbox').selectAll().where('order_id', '=', id).execute();
  for (const { kind, created_at: at, sent_at: sent } of outbox) {
    tell(at, `to be told: ${kind}`);
    tell(sent, `told: ${kind}`);
  }
  const jobs = await db
    .selectFrom('jobs')
    .selectAll()
    .where((e) => e.or([e('trace', 'like', `%${id}`), ...own.map((one) => e('payload', 'like', `%"${one}"%`))]))
    .execute();
  for (const { id: jobId, kind, state, attempts, error, run_at: at } of jobs)
    tell(at, `job ${kind} ${state === 'DEAD' ? 'GIVEN UP' : 'ahead'}`, { jobId, attempts, error });
}

/**
 * All that the database knows of an order, in the order of time; undefined where nothing has this name. Slow: it reads
 * tables from end to end.
 */
export async function storyOf(db: Db, name: string): Promise<Story | undefined> {
  const order = (await orderNamed(db, name)) ?? ((await wasPutAway(db, name)) ? await orderNamed(db, name) : undefined);
  if (order === undefined) return undefined;
  const { id, trace } = order;
  const chapters: Chapter[] = [];
  const tell: Tell = (at, what, more = {}) => {
    if (at !== null) chapters.push({ at: Number(at), what, more });
  };
  const { country, host, total, currency, store_id: store, delivery_type: delivery, number } = order;
  tell(order.submitted_at, 'order submitted', { number, store, delivery, total, currency, country, host });
  for (const { status, stage, actor, at } of await eventsOf(db, [id]))
    tell(at, `order ${status}${stage === null ? '' : ` (${stage})`}`, { by: actor });
  const { ids, references } = await tellMoney(db, id, tell);
  await tellWork(db, id, [id, ...ids], tell);
  return {
    order,
    chapters: chapters.sort((a, b) => a.at - b.at),
    names: [id, ...ids, ...references, ...(trace === null ? [] : [trace])],
  };
}
