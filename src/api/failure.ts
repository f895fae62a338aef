import type { ApiError, FailedReply } from '../contract/reply.ts';
import { completeErrors } from '../domain/alerts.ts';

/**
 * offline: no network. timeout: no answer in time. expired: the session ended. unrefreshed: the session was refreshed
 * as often as allowed and the server still rejects it. refused: the server said no and gave a reason. broken: the
 * answer is unusable (not JSON, does not fit its schema, or a 5xx). aborted: the caller stopped waiting.
 */
export type FailureKind = 'offline' | 'timeout' | 'expired' | 'unrefreshed' | 'refused' | 'broken' | 'aborted';

/**
 * The only error that an API call throws. Recognised by its name, because hosts run the app in webviews and iframes.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  /** The errors that the server sent, in its order; empty when it sent none. */
  readonly errors: readonly ApiError[];
  readonly httpStatus: number;
  readonly requestId: string;
  constructor(
    kind: FailureKind,
    more: { errors?: readonly ApiError[]; httpStatus?: number; requestId?: string; cause?: unknown } = {},
  ) {
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

/** The failure that a reply tells of which is not a success. Its texts may be missing, or be null: then they are ours. */
export function failureOf(httpStatus: number, body: unknown, cause?: unknown): Failure {
  completeErrors(body);
  const { status, errors = [], requestId } = Object(body) as Partial<FailedReply>;
  const isTold = status === 'FAILED' || (status !== ('SUCCESS' as string) && errors.length > 0);
  const kind = httpStatus === 401 ? 'expired' : isTold && httpStatus < 500 ? 'refused' : 'broken';
  return new Failure(kind, isTold ? { errors, httpStatus, requestId: requestId ?? '' } : { httpStatus, cause });
}

/** The code of the server's first error; '' when the failure does not come from the server. */
export function codeOf(thrown: unknown): string {
  return isFailure(thrown) ? (thrown.errors[0]?.code ?? '') : '';
}

/** What was asked for does not exist, or not for this customer any more: what was known of it before is not true. */
export const isGone = (thrown: unknown): boolean => isFailure(thrown) && thrown.httpStatus === 404;
