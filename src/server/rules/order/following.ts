import { createHash } from 'node:crypto';
import { errors, inLanguage, languageAsked, t } from '../../call/language.ts';
import { isFinal } from '../../../domain/orders.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { refuse } from '../../call/refusal.ts';
import type { Access } from '../../call/caller.ts';
import type { OrderStreams, Sink } from '../../call/providers.ts';
import type { Log } from '../../call/services.ts';
import type { Root } from '../../store/db.ts';
import { movesOf } from '../../store/tracking.ts';
import { ordersByIds, type OrderRow } from '../../store/orders.ts';
import { endsOfAccess } from '../../store/sessions.ts';
import { now as clockNow } from '../../store/system.ts';
import { viewsOf } from './orderView.ts';
import { mapOf } from './tracking.ts';

/** How often the database is asked for new moves; they may come from any process. */
const LOOK_MS = 1_000;
/**
 * Position and time are sent this often. When they have not changed, a comment is sent to show that the connection is
 * alive.
 */
const RENEW_MS = 10_000;
/** A stream is closed at this age, or when its access token has run out; the caller then opens a new one. */
const AGE_AT_MOST_MS = 10 * MINUTE_MS;
const RETRY_MS = 3_000;
const STREAMS_AT_MOST = 12_000;
const STREAMS_OF_ONE = 6;
/** How many bytes may wait unread; with more, the stream is closed. */
const UNREAD_AT_MOST = 128 * 1024;
/** Orders whose moves are read at a time, and those that are read whole and told. Other calls go in between. */
const READ_AT_ONCE = 500;
const TOLD_AT_ONCE = 50;
/**
 * Within so many looks every stream is asked about: was its session ended, or its token replaced? At least `ASKED` of
 * them in one look.
 */
const ASKED_WITHIN = 4;
const ASKED = 200;

interface Stream {
  readonly orderId: string;
  readonly userId: string;
  readonly language: string;
  readonly access: Access;
  readonly sink: Sink;
  lastId: string;
  /** Epoch ms of this machine's clock. */
  readonly closesAt: number;
  wroteAt: number;
}

function* chunksOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
const othersFirst = () => new Promise<void>((done) => setImmediate(done));

export function following(db: Root, log: Log): OrderStreams {
  const streams = new Set<Stream>();
  const byOrder = new Map<string, Set<Stream>>();
  /** How many streams a customer has open, or is about to. */
  const byUser = new Map<string, number>();
  /** For each order: the number of the last move that was sent, and when it was sent. */
  const told = new Map<string, { seq: number; at: number }>();
  /** Those that are still to be asked about in this round. */
  let asking: Stream[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isStopped = false;

  function add(stream: Stream): void {
    streams.add(stream);
    byOrder.set(stream.orderId, (byOrder.get(stream.orderId) ?? new Set()).add(stream));
  }

  /** Counts before anything is waited for: calls that come together would all find room. */
  const takePlace = (userId: string) => byUser.set(userId, (byUser.get(userId) ?? 0) + 1);
  function leavePlace(userId: string): void {
    const left = (byUser.get(userId) ?? 1) - 1;
    if (left === 0) byUser.delete(userId);
    else byUser.set(userId, left);
  }

  function remove(stream: Stream): boolean {
    if (!streams.delete(stream)) return false;
    const { orderId, userId } = stream;
    const others = byOrder.get(orderId);
    others?.delete(stream);
    if (others?.size === 0) {
      byOrder.delete(orderId);
      told.delete(orderId);
    }
    leavePlace(userId);
    return true;
  }

  function write(stream: Stream, text: string): void {
    // A caller who does not read must not fill the memory. The page connects again by itself.
    if (stream.sink.unread() > UNREAD_AT_MOST) return end(stream);
    stream.sink.write(text);
    stream.wroteAt = Date.now();
  }

  function end(stream: Stream, event?: 'end' | 'bye'): void {
    if (!remove(stream)) return;
    if (event !== undefined) stream.sink.write(`event: ${event}\ndata: {}\n\n`);
    stream.sink.close();
  }

  /** Sends the state of these orders to those who follow them, each in its language. */
  async function tell(orderIds: readonly string[], at: number, seqs: ReadonlyMap<string, number>): Promise<void> {
    const rows = await ordersByIds(db, orderIds);
    const heard = (row: OrderRow) => [...(byOrder.get(row.id) ?? [])];
    for (const language of new Set(rows.flatMap((row) => heard(row).map((stream) => stream.language)))) {
      const own = rows.filter((row) => heard(row).some((stream) => stream.language === language));
      const events = await inLanguage(language, () => eventsOf(own, at, seqs));
      for (const [index, row] of own.entries())
        for (const stream of heard(row)) if (stream.language === language) send(stream, row, events[index]!);
    }
  }

  interface Event {
    readonly id: string;
    readonly text: string;
  }

  /** The state of orders, in the language of the call. */
  async function eventsOf(
    rows: readonly OrderRow[],
    at: number,
    seqs: ReadonlyMap<string, number>,
  ): Promise<readonly Event[]> {
    const views = await viewsOf(db, rows, at);
    return rows.map((row, index) => {
      const seq = seqs.get(row.id) ?? 0;
      const data = JSON.stringify({ order: views[index]!, map: mapOf(row, at) });
      // The time is not part of the id: a new time alone is no reason to send.
      const timed = `${data.slice(0, -1)},"now":${at}}`;
      const id = `${seq}-${createHash('sha256').update(data).digest('base64url').slice(0, 10)}`;
      if (byOrder.has(row.id)) told.set(row.id, { seq, at: Date.now() });
      return { id, text: `event: order\nid: ${id}\ndata: ${timed}\n\n` };
    });
  }

  function send(stream: Stream, row: OrderRow, { id, text }: Event): void {
    if (stream.lastId !== id) write(stream, text);
    stream.lastId = id;
    if (isFinal(row.status)) end(stream, 'end');
  }

  /** Ends the streams of sessions that were ended, and of tokens that were replaced, here or by another process. */
  async function endThoseOver(): Promise<void> {
    if (asking.length === 0) asking = [...streams];
    const some = asking.splice(0, Math.max(ASKED, Math.ceil(streams.size / ASKED_WITHIN)));
    const ends = await endsOfAccess(db, [...new Set(some.map(({ access }) => access.hash))]);
    const replaced = some.filter(({ access }) => (ends.get(access.hash) ?? access.endsAt) < access.endsAt);
    const at = replaced.length > 0 ? await clockNow(db) : 0;
    for (const stream of some) {
      const endsAt = ends.get(stream.access.hash);
      if (endsAt === undefined || (replaced.includes(stream) && endsAt <= at)) end(stream, 'bye');
    }
  }

  async function look(): Promise<void> {
    const wall = Date.now();
    for (const stream of [...streams]) if (wall >= stream.closesAt) end(stream, 'bye');
    await endThoseOver();
    for (const ids of chunksOf([...byOrder.keys()], READ_AT_ONCE)) {
      const seqs = await movesOf(db, ids);
      const due = ids.filter((id) => {
        const last = told.get(id);
        return last === undefined || last.seq !== seqs.get(id) || wall - last.at >= RENEW_MS;
      });
      for (const some of chunksOf(due, TOLD_AT_ONCE)) {
        await tell(some, await clockNow(db), seqs);
        await othersFirst();
      }
      await othersFirst();
    }
    for (const stream of [...streams]) if (wall - stream.wroteAt >= RENEW_MS) write(stream, ': here\n\n');
  }

  function plan(): void {
    if (timer !== undefined || isStopped || streams.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (isLooking) return plan();
      isLooking = true;
      look()
        .catch((error: unknown) => log.error({ error: String(error) }, 'orders that are followed could not be read'))
        .finally(() => {
          isLooking = false;
          plan();
        });
    }, LOOK_MS);
    timer.unref();
  }

  function follow(own: Stream): Stream {
    add(own);
    own.sink.onGone(() => remove(own));
    write(own, `retry: ${RETRY_MS}\n\n`);
    plan();
    return own;
  }

  /** What a new stream begins with. */
  async function firstOf(order: OrderRow) {
    const seqs = await movesOf(db, [order.id]);
    const [row = order] = await ordersByIds(db, [order.id]);
    const [first] = await eventsOf([row], await clockNow(db), seqs);
    return { row, first, seq: seqs.get(order.id) ?? 0 };
  }

  return {
    async open(order, access, lastEventId) {
      const left = access.endsAt - (await clockNow(db));
      if (isStopped || streams.size >= STREAMS_AT_MOST) return refuse(503, 'BUSY', errors.internalServerError);
      if ((byUser.get(order.user_id) ?? 0) >= STREAMS_OF_ONE) return refuse(429, 'TOO_MANY_STREAMS', t.tooManyRequests);
      takePlace(order.user_id);
      const { row, first, seq } = await firstOf(order).catch((error: unknown) => {
        leavePlace(order.user_id);
        throw error;
      });
      const language = languageAsked();
      // What the stream keeps of the call is what is named here: its row and its event are not held as long as it is.
      const { id: orderId, user_id: userId } = order;
      const closesAt = Date.now() + Math.min(AGE_AT_MOST_MS, left);
      const begin = { orderId, userId, language, access, lastId: lastEventId, closesAt, wroteAt: Date.now() };
      return (sink) => {
        const own = follow({ ...begin, sink });
        told.set(orderId, { seq, at: Date.now() });
        if (first !== undefined) send(own, row, first);
      };
    },
    get size() {
      return streams.size;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const stream of [...streams]) end(stream, 'bye');
    },
  };
}
