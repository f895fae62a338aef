import type { ApiError } from '../contract/reply.ts';

/**
 * offline: no network. timeout: no answer in time. expired: the session ended.
 * unrefreshed: the session was renewed as often as it may be, and still is not taken. refused: the server said no, with a reason.
 * broken: an answer that is none (not JSON, not its schema, a 5xx). aborted: the caller stopped waiting.
 */
export type FailureKind = 'offline' | 'timeout' | 'expired' | 'unrefreshed' | 'refused' | 'broken' | 'aborted';

/** The only thing a call throws. Recognised by name, since hosts run us in webviews and iframes. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  /** The server's own errors, first one first; empty unless refused. */
  readonly errors: readonly ApiError[];
  readonly httpStatus: number;
  readonly requestId: string;
  constructor(kind: FailureKind, more: { errors?: readonly ApiError[]; httpStatus?: number; requestId?: string; cause?: unknown } = {}) {
    super(more.errors?.[0]?.code ?? kind, { cause: more.cause });
    this.kind = kind;
    this.errors = more.errors ?? [];
    this.httpStatus = more.httpStatus ?? 0;
    this.requestId = more.requestId ?? '';
  }
}

export function isFailure(thrown: unknown): thrown is Failure {
  return (thrown as Failure | null)?.name === 'Failure';
}

/** The first error's code, '' when the failure is not the server's word. */
export function codeOf(thrown: unknown): string {
  return isFailure(thrown) ? thrown.errors[0]?.code ?? '' : '';
}
