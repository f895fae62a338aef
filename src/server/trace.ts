import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';

/**
 * What hangs together: a call and all that comes of it, here and at providers (W3C Trace Context). An order keeps the
 * trace that it was submitted in; its jobs, and what providers call back about it, go on in that one.
 */
export interface Trace {
  /** 32 hexadecimal digits, never all zero. */
  id: string;
  /** The caller named the trace, so it stays whatever order the call is about. */
  readonly isBrought: boolean;
  /** Two hexadecimal digits: whether the caller records. */
  readonly flags: string;
  /** The caller's own `tracestate`, passed on as it came. */
  readonly state: string;
  /** What names this call, or this try of a job, in the log. */
  readonly requestId: string;
  /** The order that it is about, once that is known. */
  order: string | null;
  /** About how many bytes it has written to the database. */
  wrote: number;
}

const running = new AsyncLocalStorage<Trace>();
const PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;
const STATE = /^[\x20-\x7e]{1,512}$/;
const RECORDED = '01';

const newTraceId = () => randomUUID().replaceAll('-', '');

/** The trace of a call: the one that `traceparent` names, or a new one. */
export function traceOfCall(header: (name: string) => string | undefined, requestId: string): Trace {
  const parent = header('traceparent');
  const [, version, id, flags = RECORDED, more] = (parent !== undefined && PARENT.exec(parent)) || [];
  // A later version may have more parts; of this one nothing may follow.
  if (id === undefined || (version === '00' && more !== undefined))
    return { id: newTraceId(), isBrought: false, flags: RECORDED, state: '', requestId, order: null, wrote: 0 };
  const state = header('tracestate') ?? '';
  return { id, isBrought: true, flags, state: STATE.test(state) ? state : '', requestId, order: null, wrote: 0 };
}

/** Runs `act` so that all it logs, asks of providers and leaves for later belongs to this trace, also after an `await`. */
export function inTrace<T>(trace: Trace, act: () => T): T {
  return running.run(trace, act);
}

/** The trace of what runs now; undefined between calls and jobs. */
export const currentTrace = (): Trace | undefined => running.getStore();

/** Counts what the running call has written. */
export function noteWritten(bytes: number): void {
  const trace = running.getStore();
  if (trace !== undefined) trace.wrote += bytes;
}

/** Says which order the running call is about. To be called only for an order that it may read. */
export function aboutOrder(order: { readonly id: string; readonly trace: string | null }): void {
  const trace = running.getStore();
  if (trace === undefined) return;
  trace.order = order.id;
  if (!trace.isBrought && order.trace !== null) trace.id = order.trace;
}

/** The headers by which a provider's log can be found from ours; none where nothing runs. */
export function traceHeaders(): Record<string, string> {
  const trace = running.getStore();
  if (trace === undefined) return {};
  const { id, flags, state, requestId } = trace;
  return {
    traceparent: `00-${id}-${randomBytes(8).toString('hex')}-${flags}`,
    ...(state === '' ? {} : { tracestate: state }),
    'x-request-id': requestId,
  };
}

/** What a job keeps of the trace in which it was asked for. */
export function traceToKeep(): string | null {
  const trace = running.getStore();
  return trace === undefined ? null : trace.order === null ? trace.id : `${trace.id} ${trace.order}`;
}

/** The trace in which a job runs. One of an older release kept none, and begins a new one. */
export function traceOfJob(kept: string | null, jobId: string): Trace {
  const [id = newTraceId(), order = null] = kept?.split(' ') ?? [];
  return { id, isBrought: false, flags: RECORDED, state: '', requestId: jobId, order, wrote: 0 };
}
