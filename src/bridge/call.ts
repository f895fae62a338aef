import { DEADLINE_MS } from './deadlines.ts';
import type { CallOptions, Diagnostic, Feature, HostId, Transport, Unsubscribe } from './hostBridge.ts';
import { HostError, type HostErrorCode, type HostErrorInit } from './hostError.ts';
import { plain } from './plain.ts';

export interface PendingCall<T> {
  readonly host: HostId;
  readonly feature: Feature | 'ready';
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly late?: HostErrorCode;
  start(reply: (value: T) => void, fail: (cause: unknown) => void): void;
  /** Called with a reply that came after the call was settled. */
  stray?(kind: 'late-reply' | 'extra-reply'): void;
}

/** Turns a callback into a promise: the first reply wins, and it always settles by the deadline. The only place that does so. */
export function settle<T>({
  host,
  feature,
  timeoutMs,
  signal,
  late = 'TIMEOUT',
  start,
  stray,
}: PendingCall<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let over: 'late-reply' | 'extra-reply' | undefined;
    const end = (kind: 'late-reply' | 'extra-reply', act: () => void): void => {
      if (over) {
        if (kind === 'extra-reply') stray?.(over);
        return;
      }
      over = kind;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      act();
    };
    const fail = (code: HostErrorCode, retryable: boolean, cause?: unknown) =>
      reject(cause instanceof HostError ? cause : new HostError(code, { host, feature, retryable, cause }));
    const abort = () => end('late-reply', () => fail('ABORTED', false));
    const timer = setTimeout(() => end('late-reply', () => fail(late, true)), timeoutMs);
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);
    const failed = (cause: unknown) => end('extra-reply', () => fail('HOST_FAILURE', true, cause));
    try {
      start((value) => end('extra-reply', () => resolve(value)), failed);
    } catch (cause) {
      failed(cause);
    }
  });
}

/** A list of listeners: one that throws does not keep the others from being called. `add` returns an idempotent unsubscribe. */
export function listeners<A extends unknown[]>() {
  const all = new Set<(...args: A) => void>();
  return {
    all,
    add(listener: (...args: A) => void): Unsubscribe {
      const own = (...args: A) => listener(...args);
      all.add(own);
      return () => void all.delete(own);
    },
    emit(...args: A): void {
      for (const listener of [...all]) {
        try {
          listener(...args);
        } catch (error) {
          setTimeout(() => {
            throw error;
          });
        }
      }
    },
  };
}

export interface AskOptions extends CallOptions {
  readonly timeoutMs: number;
  readonly stray?: () => void;
}

/** Calls of one host over its transport: readiness, deadlines, one sheet at a time, decoding. */
export function createCalls(transport: Transport) {
  const host = transport.id;
  const stopped = new AbortController();
  const arrived = listeners<[]>();
  const diagnostics = listeners<[Diagnostic]>();
  let there = false;
  let missed = false;
  let open: { since: number; readonly stop: AbortController } | undefined;
  let arrival: Promise<void> | undefined;
  let shared: Promise<void> | undefined;

  const error = (code: HostErrorCode, feature: Feature | 'ready', init?: Omit<HostErrorInit, 'host' | 'feature'>) =>
    new HostError(code, { host, feature, ...init });

  const appear = () => {
    if (there) return;
    there = true;
    arrived.emit();
  };

  const isThere = () => {
    if (!there && transport.hosted && transport.present()) appear();
    return there;
  };

  const arrive = () =>
    (arrival ??= transport
      .whenPresent(stopped.signal)
      .then(appear)
      .catch((cause: unknown) => {
        arrival = undefined;
        if (stopped.signal.aborted) throw error('ABORTED', 'ready');
        throw cause instanceof HostError ? cause : error('NOT_READY', 'ready', { retryable: true, cause });
      }));

  const wait = (signal: AbortSignal | undefined, timeoutMs: number, coming: () => Promise<void>) =>
    settle<void>({
      host,
      feature: 'ready',
      timeoutMs,
      signal,
      late: 'NOT_READY',
      start: (reply, fail) => void coming().then(reply, fail),
    });

  const ready = async ({ signal, timeoutMs = DEADLINE_MS.ready }: CallOptions = {}): Promise<void> => {
    if (isThere()) return;
    if (!transport.hosted) throw error('NOT_READY', 'ready');
    shared ??= wait(undefined, DEADLINE_MS.ready, arrive).catch((cause: unknown) => {
      missed = true;
      shared = undefined;
      throw cause;
    });
    const coming = shared;
    return signal || timeoutMs < DEADLINE_MS.ready ? wait(signal, timeoutMs, () => coming) : coming;
  };

  return {
    host,
    error,
    diagnostics,
    ready,
    isThere,
    onReady: arrived.add,

    /**
     * Calls the host and returns its raw reply. The first call waits for a bridge that is not there yet; if it does not come in
     * time, later calls fail at once until it is there. A bridge script that could not be fetched is fetched again.
     */
    async ask(
      feature: Feature,
      method: string,
      args: Readonly<Record<string, unknown>>,
      options: AskOptions,
    ): Promise<unknown> {
      const { timeoutMs, signal, stray } = options;
      if (stopped.signal.aborted) throw error('ABORTED', feature);
      if (!isThere() && missed && arrival) throw error('NOT_READY', feature, { retryable: true });
      await ready({ signal });
      if (transport.has(method) === false) throw error('UNSUPPORTED', feature);
      let stop = () => {};
      return settle({
        host,
        feature,
        timeoutMs,
        signal,
        start(reply, fail) {
          stop = () => fail(error('ABORTED', feature));
          stopped.signal.addEventListener('abort', stop);
          transport.call(method, args, (raw) => {
            let said: unknown;
            try {
              said = plain(raw);
            } catch {
              fail(error('MALFORMED_REPLY', feature, { retryable: true }));
              return;
            }
            reply(said);
          });
        },
        stray(kind) {
          if (stopped.signal.aborted) return;
          diagnostics.emit({ kind, feature, method });
          stray?.();
        },
      }).finally(() => stopped.signal.removeEventListener('abort', stop));
    },

    /**
     * Runs a call that opens a native sheet; `show` has to stop waiting when its signal aborts. Only one may be open: a second tap
     * while it opens rejects with BUSY. Later, or once the page was left and is back, a second one ends the wait for the first,
     * which rejects with ABORTED: an answer may never come.
     */
    async sheet<T>(feature: Feature, show: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (signal?.aborted) throw error('ABORTED', feature);
      if (open && !open.stop.signal.aborted && Math.abs(Date.now() - open.since) < DEADLINE_MS.opening)
        throw error('BUSY', feature, { retryable: true });
      open?.stop.abort();
      const own = { since: Date.now(), stop: new AbortController() };
      open = own;
      const abort = () => own.stop.abort();
      signal?.addEventListener('abort', abort);
      try {
        return await show(own.stop.signal);
      } finally {
        signal?.removeEventListener('abort', abort);
        if (open === own) open = undefined;
      }
    },

    /** The page is in front again, so no sheet lies over it. */
    returned() {
      if (open) open.since = -Infinity;
    },

    /** Aborts when the bridge is disposed of. */
    ended: stopped.signal,
    dispose: () => stopped.abort(),
  };
}

export type Calls = ReturnType<typeof createCalls>;
