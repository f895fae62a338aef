import { withTimeout } from '../withTimeout.ts';
import type { BatchEvent, ServiceRequest } from './requests.ts';

export interface ServiceReply {
  readonly status: number;
  readonly json?: unknown;
}
/** Carries a request out; may reject. */
export type Transport = (request: ServiceRequest) => Promise<ServiceReply>;

const DEADLINE_MS = 5_000;
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000];

export type Wait = (ms: number) => Promise<void>;
export const waitFor: Wait = (ms) => new Promise((done) => void setTimeout(done, ms));

/**
 * Carries a request out, up to six times with growing waits between, each within 5 s (specification sections 7 and 9).
 * @returns null if nothing helped
 */
export async function persist(transport: Transport, request: ServiceRequest, wait: Wait): Promise<ServiceReply | null> {
  for (let attempt = 0; ; attempt++) {
    try {
      const reply = await withTimeout(transport(request), DEADLINE_MS);
      if (reply.status >= 200 && reply.status < 300) return reply;
    } catch {
      // Tried again below.
    }
    const pause = WAITS_MS[attempt];
    if (pause === undefined) return null;
    await wait(pause);
  }
}

export interface BatchOptions {
  /** A batch is sent when it holds so many, 1 to 5000. */
  readonly eventsPerRequest?: number | undefined;
  /** Or so many seconds after its first one. */
  readonly requestTimeInterval?: number | undefined;
  readonly flushCallback?: ((error: Error | null, sent: readonly BatchEvent[]) => void) | undefined;
}
const MOST_EVENTS = 5_000;
export const isBatchOptions = ({
  eventsPerRequest: count,
  requestTimeInterval: seconds,
  flushCallback,
}: BatchOptions) =>
  ((typeof count === 'number' && count > 0 && count <= MOST_EVENTS) || (typeof seconds === 'number' && seconds >= 1)) &&
  (!flushCallback || typeof flushCallback === 'function');

export interface Queue {
  readonly add: (event: BatchEvent) => void;
  /** Sends what is there. @returns whether it arrived; null if there was nothing */
  readonly flush: () => Promise<boolean | null>;
}

/** Collects events, until there are enough or it is time. */
export function queueOf(options: BatchOptions, send: (events: readonly BatchEvent[]) => Promise<unknown>): Queue {
  const { eventsPerRequest = 100, requestTimeInterval = 600, flushCallback } = options;
  let events: BatchEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = events;
    events = [];
    if (batch.length === 0) return null;
    const isSent = Boolean(await send(batch));
    flushCallback?.(isSent ? null : new Error('The events did not arrive.'), batch);
    return isSent;
  };
  return {
    flush,
    add: (event) => {
      events.push(event);
      timer ??= setTimeout(() => void flush(), requestTimeInterval * 1000);
      if (events.length === eventsPerRequest) void flush();
    },
  };
}
