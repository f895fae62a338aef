import type { IncomingMessage, ServerResponse } from 'node:http';

// When more is wanted than a process can do, those who look around wait, and those who order do not: they stand behind a few
// of these calls at most, and are refused after all of these. The proxy has the same line for all processes
// (.container/haproxy.cfg); this one holds without it.

/** The other half of a process's connections to the database is left to calls of orders. */
const BEGUN_AT_MOST = 8;
/** More than that would be given up by their customers before their turn. */
const WAITING_AT_MOST = 500;
const WAITING_AT_MOST_MS = 10_000;

const BROWSING = /^\/(?:content|catalog-service|locator-service)\//;
/** Whether a call reads what anybody may look at: menus, offers, places, stores. */
export const isBrowsing = ({ method, url = '' }: IncomingMessage): boolean => method === 'GET' && BROWSING.test(url);

interface WaitingCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly go: () => void;
  readonly since: number;
}

export interface BrowsingLine {
  /** Begins a call when its turn comes; false where too many wait. */
  enter(request: IncomingMessage, response: ServerResponse, go: () => void): boolean;
  /** The call has been worked on; nothing happens for a call that never stood here. */
  leave(request: IncomingMessage): void;
  /** Those that have waited too long, which are out of the line then. */
  late(): readonly Pick<WaitingCall, 'request' | 'response'>[];
}

export function browsingLine(): BrowsingLine {
  /** In the order in which they came. */
  const waiting = new Set<WaitingCall>();
  const begun = new Set<IncomingMessage>();
  /** One has begun in this turn of the event loop: what else has arrived in it comes first. */
  let hasBegun = false;

  function next(): void {
    const [first] = waiting;
    if (first === undefined || hasBegun || begun.size >= BEGUN_AT_MOST) return;
    waiting.delete(first);
    begun.add(first.request);
    hasBegun = true;
    setImmediate(() => {
      hasBegun = false;
      next();
    });
    first.go();
  }
  function leave(request: IncomingMessage): void {
    if (begun.delete(request)) next();
  }

  return {
    enter(request, response, go) {
      if (waiting.size >= WAITING_AT_MOST) return false;
      const call = { request, response, go, since: Date.now() };
      waiting.add(call);
      // Its caller has gone, or it was answered without any work.
      response.once('close', () => {
        waiting.delete(call);
        leave(request);
      });
      next();
      return true;
    },
    leave,
    late() {
      const found: WaitingCall[] = [];
      for (const call of waiting) {
        if (call.since > Date.now() - WAITING_AT_MOST_MS) break;
        waiting.delete(call);
        found.push(call);
      }
      return found;
    },
  };
}
