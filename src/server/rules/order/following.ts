import { createHash } from 'node:crypto';
import { errors, inLanguage, languageAsked, t } from '../../call/language.ts';
import { isFinal } from '../../../domain/orders.ts';
import { refuse } from '../../call/refusal.ts';
import type { Access } from '../../call/caller.ts';
import type { Following } from '../../call/providers.ts';
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
const AGE_AT_MOST_MS = 10 * 60_000;
const RETRY_MS = 3_000;
const STREAMS_AT_MOST = 1_000;
const STREAMS_OF_ONE = 6;
/** How many chunks may wait unread; with more, the stream is closed. */
const UNREAD_AT_MOST = 32;
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
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  lastId: string;
  /** Epoch ms of this machine's clock. */
  readonly closesAt: number;
  wroteAt: number;
}

const encoder = new TextEncoder();

export function following(db: Root, log: Log): Following {
  const streams = new Set<Stream>();
  /** For each order: the number of the last move that was sent, and when it was sent. */
  const told = new Map<string, { seq: number; at: number }>();
  /** Those that are still to be asked about in this round. */
  let asking: Stream[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isStopped = false;

  function write(stream: Stream, text: string): void {
    // A caller who does not read must not fill the memory. The page connects again by itself.
    if ((stream.controller.desiredSize ?? 0) < -UNREAD_AT_MOST) return end(stream);
    try {
      stream.controller.enqueue(encoder.encode(text));
      stream.wroteAt = Date.now();
    } catch {
      streams.delete(stream);
    }
  }

  function end(stream: Stream, event?: 'end' | 'bye'): void {
    if (!streams.delete(stream)) return;
    try {
      if (event !== undefined) stream.controller.enqueue(encoder.encode(`event: ${event}\ndata: {}\n\n`));
      stream.controller.close();
    } catch {
      // The stream is closed already.
    }
  }

  async function tell(orderIds: readonly string[], at: number, seqs: ReadonlyMap<string, number>): Promise<void> {
    const rows = await ordersByIds(db, orderIds);
    const heard = [...streams].filter((stream) => orderIds.includes(stream.orderId));
    for (const language of new Set(heard.map((stream) => stream.language))) {
      const listeners = heard.filter((stream) => stream.language === language);
      const own = rows.filter((row) => listeners.some((stream) => stream.orderId === row.id));
      await inLanguage(language, () => tellAlike(listeners, own, at, seqs));
    }
  }

  /** Sends the state of their orders to listeners who share a language. */
  async function tellAlike(
    listeners: readonly Stream[],
    rows: readonly OrderRow[],
    at: number,
    seqs: ReadonlyMap<string, number>,
  ): Promise<void> {
    const views = await viewsOf(db, rows, at);
    for (const [index, row] of rows.entries()) {
      const order = views[index]!;
      const seq = seqs.get(row.id) ?? 0;
      const data = JSON.stringify({ order, map: mapOf(row, at) });
      // The time is not part of the id: a new time alone is no reason to send.
      const timed = `${data.slice(0, -1)},"now":${at}}`;
      const id = `${seq}-${createHash('sha256').update(data).digest('base64url').slice(0, 10)}`;
      told.set(row.id, { seq, at: Date.now() });
      for (const stream of listeners) {
        if (stream.orderId !== row.id || !streams.has(stream)) continue;
        if (stream.lastId !== id) write(stream, `event: order\nid: ${id}\ndata: ${timed}\n\n`);
        stream.lastId = id;
        if (isFinal(row.status)) end(stream, 'end');
      }
    }
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
    const ids = [...new Set([...streams].map((stream) => stream.orderId))];
    for (const id of told.keys()) if (!ids.includes(id)) told.delete(id);
    if (ids.length === 0) return;
    const seqs = await movesOf(db, ids);
    const due = ids.filter((id) => {
      const last = told.get(id);
      return last === undefined || last.seq !== seqs.get(id) || wall - last.at >= RENEW_MS;
    });
    if (due.length > 0) await tell(due, await clockNow(db), seqs);
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

  return {
    async open(order, access, lastEventId) {
      const left = access.endsAt - (await clockNow(db));
      if (isStopped || streams.size >= STREAMS_AT_MOST) return refuse(503, 'BUSY', errors.internalServerError);
      if ([...streams].filter((stream) => stream.userId === order.user_id).length >= STREAMS_OF_ONE)
        return refuse(429, 'TOO_MANY_STREAMS', t.tooManyRequests);
      let own: Stream | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = {
            orderId: order.id,
            userId: order.user_id,
            language: languageAsked(),
            access,
            controller,
            lastId: lastEventId,
            closesAt: Date.now() + Math.min(AGE_AT_MOST_MS, left),
            wroteAt: Date.now(),
          };
          streams.add(own);
          write(own, `retry: ${RETRY_MS}\n\n`);
        },
        cancel() {
          if (own !== undefined) streams.delete(own);
        },
      });
      try {
        await tell([order.id], await clockNow(db), await movesOf(db, [order.id]));
      } catch (error) {
        if (own !== undefined) end(own);
        throw error;
      }
      plan();
      return body;
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
