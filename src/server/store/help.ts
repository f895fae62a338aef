import { sql } from 'kysely';
import type { Issue, MoneyWay } from '../../contract/help.ts';
import { readWhole } from './archive.ts';
import type { Db, Tx } from './db.ts';

export interface TicketRow {
  id: string;
  order_id: string;
  user_id: string;
  issue: Issue;
  state: 'PERSON' | 'DONE';
  /** Why a person has it (domain/help.ts); null: the rules have answered. */
  reason: string | null;
  /** JSON of the contract's pieces: which dishes it is about. */
  pieces: string;
  comment: string | null;
  /** What its dishes or its order have cost, and what was given back; minor units. */
  worth: number;
  amount: number;
  way: MoneyWay;
  /** The answer, where it is more than money; in the customer's language. */
  answer: string | null;
  language: string;
  /** When the money is there at the latest. */
  money_by: number | null;
  created_at: number;
  answer_by: number | null;
  answered_at: number | null;
}

declare module './db.ts' {
  interface Tables {
    help_tickets: TicketRow;
    /** How many of each part of a line were named; the line `*` holds what is said of the whole order, once each. */
    help_parts: { order_id: string; line_id: string; part: string; taken: number };
    /**
     * What the rules gave a customer since the window began: by number, by id, and by hashes of the device, the door and
     * the way to pay, which say nothing without the server's secret.
     */
    help_customers: { who: string; since: number; claims: number; given: number };
  }
}

/** Names some of a part; false, and nothing has changed, when that would be more than there are. */
export async function takePart(
  tx: Tx,
  row: { order_id: string; line_id: string; part: string; quantity: number },
  most: number,
): Promise<boolean> {
  const { quantity, ...part } = row;
  if (quantity > most) return false;
  const done = await tx
    .insertInto('help_parts')
    .values({ ...part, taken: quantity })
    .onConflict((c) =>
      c
        .columns(['order_id', 'line_id', 'part'])
        .doUpdateSet({ taken: sql<number>`help_parts.taken + ${quantity}` })
        .where(sql<boolean>`help_parts.taken + ${quantity} <= ${most}`),
    )
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function takenParts(db: Db, orderId: string) {
  return await db.selectFrom('help_parts').selectAll().where('order_id', '=', orderId).execute();
}

/** What each of them got in the window that is open; nothing once it is over. */
export async function customerSums(
  db: Db,
  who: readonly string[],
  now: number,
  windowMs: number,
): Promise<{ who: string; given: number; claims: number }[]> {
  return await db
    .selectFrom('help_customers')
    .select(['who', 'given', 'claims'])
    .where('who', 'in', who)
    .where('since', '>', now - windowMs)
    .execute();
}

/**
 * Counts what a customer gets; a window that is over begins again. False, and nothing has changed, when it would be more
 * than the limits.
 */
export async function countForCustomer(
  tx: Tx,
  { who, amount, now, windowMs }: { who: string; amount: number; now: number; windowMs: number },
  limits: { given: number; claims: number },
): Promise<boolean> {
  if (amount > limits.given || limits.claims < 1) return false;
  const isOver = sql<boolean>`help_customers.since <= ${now - windowMs}`;
  const done = await tx
    .insertInto('help_customers')
    .values({ who, since: now, claims: 1, given: amount })
    .onConflict((c) =>
      c
        .column('who')
        .doUpdateSet({
          given: sql<number>`case when ${isOver} then ${amount} else help_customers.given + ${amount} end`,
          claims: sql<number>`case when ${isOver} then 1 else help_customers.claims + 1 end`,
          since: sql<number>`case when ${isOver} then ${now} else help_customers.since end`,
        })
        .where(
          sql<boolean>`${isOver} or (help_customers.given + ${amount} <= ${limits.given} and help_customers.claims < ${limits.claims})`,
        ),
    )
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function addTicket(tx: Tx, row: TicketRow): Promise<void> {
  await tx.insertInto('help_tickets').values(row).execute();
}

export async function ticketById(db: Db, id: string): Promise<TicketRow | undefined> {
  return await db.selectFrom('help_tickets').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Those that wait for a person, of which the first were to be answered first. */
export async function waitingTickets(db: Db, most: number): Promise<TicketRow[]> {
  return await db
    .selectFrom('help_tickets')
    .selectAll()
    .where('state', '=', 'PERSON')
    .orderBy('answer_by')
    .orderBy('id')
    .limit(most)
    .execute();
}

/** How many of a customer's tickets wait for a person. */
export async function countWaiting(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('help_tickets')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .where('state', '=', 'PERSON')
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** True for the one call that answered it. */
export async function answerTicket(
  tx: Tx,
  id: string,
  values: Pick<TicketRow, 'amount' | 'way' | 'answer' | 'money_by' | 'answered_at'>,
): Promise<boolean> {
  const done = await tx
    .updateTable('help_tickets')
    .set({ ...values, state: 'DONE' })
    .where('id', '=', id)
    .where('state', '=', 'PERSON')
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Newest first. */
export async function ticketsOfUser(db: Db, userId: string, most: number): Promise<TicketRow[]> {
  const query = db
    .selectFrom('help_tickets')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(most);
  return await readWhole(
    db,
    userId,
    () => query.execute(),
    (rows) => (rows.length === most ? null : { having: 'help_tickets', most }),
  );
}

/** Newest first. */
export async function ticketsOfOrders(db: Db, orderIds: readonly string[]): Promise<TicketRow[]> {
  if (orderIds.length === 0) return [];
  return await db
    .selectFrom('help_tickets')
    .selectAll()
    .where('order_id', 'in', orderIds)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function moveTickets(tx: Tx, fromUserId: string, toUserId: string): Promise<void> {
  await tx.updateTable('help_tickets').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
}
