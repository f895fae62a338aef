import { sql } from 'kysely';
import { readWhole } from './archive.ts';
import type { Db, Tx } from './db.ts';

/** A stop of the passenger's journey, as the railway told it last. */
export interface KnownStop {
  readonly code: string;
  readonly name: string;
  readonly arrivesAt: number;
  readonly hasArrived: boolean;
  readonly isMissed: boolean;
}
/** Another station that the food could come to. */
export interface OtherStation {
  readonly station: string;
  readonly name: string;
  readonly storeId: string;
  readonly arrivesAt: number;
  readonly orderUntil: number;
}
export interface LackingStation {
  readonly station: string;
  readonly name: string;
  /** The dishes that its store does not have. */
  readonly dishes: readonly string[];
}
export interface OpenQuestion {
  readonly kind: 'LATE' | 'SKIPPED';
  /** The store can make it for the time at which the train is expected. */
  readonly mayWait: boolean;
  readonly others: readonly OtherStation[];
  /** Stations that would do, but whose store lacks some of the dishes; older questions have none. */
  readonly lacking?: readonly LackingStation[];
}

export interface TrainRow {
  id: string;
  user_id: string;
  country: string;
  /** Null while nothing is ordered. */
  order_id: string | null;
  store_id: string;
  station: string;
  run: string;
  train_number: string;
  train_name: string;
  /** Sealed (rules/trains/sealed.ts); null once the journey is over. */
  pnr: string | null;
  pnr_end: string | null;
  coach: string | null;
  berth: string | null;
  passenger_name: string | null;
  passenger_mobile: string | null;
  /** Of who orders, in the country's own digits; '' until it is given. */
  mobile: string;
  /** In which they were last here; messages are in it. */
  language: string;
  /** When a code showed that the number is theirs. */
  checked_at: number | null;
  /** JSON of the journey's stops from boarding to destination. */
  stops: string;
  /** Arrival by the timetable, as the passenger agreed to it, and as it is expected now. */
  scheduled_at: number;
  agreed_at: number;
  arrives_at: number;
  departs_at: number;
  platform: string | null;
  cutoff_minutes: number;
  /** When the railway said that the train has been there. */
  halted_at: number | null;
  /** JSON of the question that is open, and until when. */
  question: string | null;
  answer_by: number | null;
  code_tries: number;
  /** When the railway was last heard. */
  seen_at: number;
  forget_at: number;
  created_at: number;
}
export type NewsKind = 'LATE' | 'ON_TIME' | 'PLATFORM' | 'ASKED' | 'MOVED' | 'AGREED' | 'REFUNDED' | 'SEAT';
export interface TrainNews {
  train_id: string;
  seq: number;
  kind: NewsKind;
  /** JSON of what its sentence needs. */
  details: string;
  at: number;
}

declare module './db.ts' {
  interface Tables {
    train_orders: TrainRow;
    train_news: TrainNews;
  }
}

export const stopsOf = ({ stops }: Pick<TrainRow, 'stops'>): readonly KnownStop[] => JSON.parse(stops) as KnownStop[];
export const questionOf = ({ question }: Pick<TrainRow, 'question'>): OpenQuestion | null =>
  question === null ? null : (JSON.parse(question) as OpenQuestion);

export async function addTrain(db: Db, row: TrainRow): Promise<void> {
  await db.insertInto('train_orders').values(row).execute();
}

/** By its own id or its order's. */
export async function trainByEither(db: Db, id: string): Promise<TrainRow | undefined> {
  return await db
    .selectFrom('train_orders')
    .selectAll()
    .where((e) => e.or([e('id', '=', id), e('order_id', '=', id)]))
    .executeTakeFirst();
}

export async function trainsOfOrders(db: Db, orderIds: readonly string[]): Promise<TrainRow[]> {
  if (orderIds.length === 0) return [];
  return await db.selectFrom('train_orders').selectAll().where('order_id', 'in', orderIds).execute();
}

const LISTED_AT_MOST = 30;
/** Newest first. */
export async function trainsOfUser(db: Db, userId: string, country: string): Promise<TrainRow[]> {
  const query = db
    .selectFrom('train_orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('country', '=', country)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(LISTED_AT_MOST);
  return await readWhole(
    db,
    userId,
    () => query.execute(),
    (rows) => (rows.length === LISTED_AT_MOST ? null : { country, having: 'train_orders', most: LISTED_AT_MOST }),
  );
}

export async function setTrain(db: Db, id: string, values: Partial<TrainRow>): Promise<void> {
  await db.updateTable('train_orders').set(values).where('id', '=', id).execute();
}

/** Closes the question if it is still the one that is answered; false when somebody or the time was faster. */
export async function closeQuestion(tx: Tx, id: string, answerBy: number): Promise<boolean> {
  const done = await tx
    .updateTable('train_orders')
    .set({ question: null, answer_by: null })
    .where('id', '=', id)
    .where('answer_by', '=', answerBy)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Makes it the train of this order; false when it is another's already. */
export async function takeTrain(tx: Tx, id: string, orderId: string): Promise<boolean> {
  const done = await tx
    .updateTable('train_orders')
    .set({ order_id: orderId })
    .where('id', '=', id)
    .where('order_id', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Counts a try of the hand-over code before it is looked at; false when there is none left. */
export async function takeCodeTry(db: Db, id: string, most: number): Promise<boolean> {
  const done = await db
    .updateTable('train_orders')
    .set((e) => ({ code_tries: e('code_tries', '+', 1) }))
    .where('id', '=', id)
    .where('code_tries', '<', most)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Forgets what is only saved. */
export async function dropSaved(tx: Tx, id: string): Promise<boolean> {
  await tx.updateTable('carts').set({ train_order: null }).where('train_order', '=', id).execute();
  const done = await tx
    .deleteFrom('train_orders')
    .where('id', '=', id)
    .where('order_id', 'is', null)
    .executeTakeFirst();
  return done.numDeletedRows === 1n;
}

/** The cart is for this train from now on. @returns the one that it was for */
export async function setCartTrain(tx: Tx, cartId: string, id: string | null): Promise<string | null> {
  const before = await tx.selectFrom('carts').select('train_order').where('id', '=', cartId).executeTakeFirst();
  await tx.updateTable('carts').set({ train_order: id }).where('id', '=', cartId).execute();
  return before?.train_order ?? null;
}

/** Forgets the journey's number and whose seat it was; what the order itself says stays. */
export async function forgetJourney(tx: Tx, id: string): Promise<void> {
  await setTrain(tx, id, {
    pnr: null,
    pnr_end: null,
    coach: null,
    berth: null,
    passenger_name: null,
    passenger_mobile: null,
    mobile: '',
    stops: '[]',
  });
  await tx.deleteFrom('train_news').where('train_id', '=', id).where('kind', '=', 'SEAT').execute();
}

export async function addNews(tx: Tx, news: Omit<TrainNews, 'seq'>): Promise<void> {
  await tx
    .insertInto('train_news')
    .values((e) => ({
      ...news,
      seq: e
        .selectFrom('train_news')
        .where('train_id', '=', news.train_id)
        .select(sql<number>`coalesce(max(seq), 0) + 1`.as('seq')),
    }))
    .execute();
}

/** Newest first. */
export async function newsOf(db: Db, trainIds: readonly string[]): Promise<TrainNews[]> {
  if (trainIds.length === 0) return [];
  return await db
    .selectFrom('train_news')
    .selectAll()
    .where('train_id', 'in', trainIds)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .execute();
}

/** A guest's train orders move to the account; the account's cart is for what was saved last. */
export async function moveTrains(tx: Tx, fromUserId: string, toUserId: string, cartId: string): Promise<void> {
  const saved = await tx
    .selectFrom('train_orders')
    .select('id')
    .where('user_id', '=', fromUserId)
    .where('order_id', 'is', null)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  await tx.updateTable('train_orders').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
  if (saved === undefined) return;
  await tx.updateTable('carts').set({ train_order: null }).where('train_order', '=', saved.id).execute();
  await tx.updateTable('carts').set({ train_order: saved.id }).where('id', '=', cartId).execute();
}
