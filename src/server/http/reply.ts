import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError, FailedReply } from '../../contract/reply.ts';
import { errors as errorText, t } from '../call/language.ts';
import { succeeded } from '../call/preparedReply.ts';
import { isUnwritable } from '../store/diskSpace.ts';
import { isConflict, isConnectionLoss } from '../store/postgres.ts';
import type { Readiness } from './readiness.ts';
import type { Refusal } from '../call/refusal.ts';
import type { Services } from '../call/services.ts';

const RETRY_AFTER_SECONDS: Readonly<Record<number, string>> = { 409: '2', 429: '30', 503: '2' };
/** JSON has one encoding: a charset says nothing of it. */
export const JSON_TYPE = 'application/json';

/** Headers that pages of other origins may read. */
const EXPOSED_HEADERS = ['x-request-id', 'retry-after', 'etag', 'date', 'idempotency-replayed', 'x-server-time'];

/** By these pages of other origins may read an answer; what it does not have is not named. */
export const sharedHeaders = (own: object) => ({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS.filter((name) => name === 'date' || name in own).join(','),
});

/** Headers of every API reply: do not cache, do not guess the content type, do not show in a frame. */
export const API_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Headers that keep an answer from being framed, taken for another type, or read by a page of another origin. */
const GUARDS = new Set(
  Object.keys({ ...API_HEADERS, ...sharedHeaders({}) }).filter((name) => name !== 'cache-control'),
);

/**
 * Whether a script of our own page asks: only it sees the answer, so that nothing is left to be guarded, and on a slow
 * line half of a small answer were these headers. No page can set these two itself. What caches share is for all.
 */
const isForOwnScript = ({ headers: asked }: IncomingMessage, headers: Reply['headers']) =>
  asked['sec-fetch-site'] === 'same-origin' &&
  asked['sec-fetch-dest'] === 'empty' &&
  headers['cache-control'] === 'no-store';

/** An answer as data. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
}

/** What a route returns that has answered by itself. */
export const alreadySent = (status = 200): Response =>
  new Response(null, { status, headers: { 'x-hono-already-sent': 'true' } });

/** Sends an answer as it is: a web Response would make a stream of its bytes. */
export function send(outgoing: ServerResponse, { status, headers, body }: Reply): Response {
  const all: Reply['headers'] = { ...headers, ...sharedHeaders(headers) };
  const { req: asked } = outgoing;
  // Our own script knows the id that it has given its request.
  const isKnown = (name: string, value: string) => name === 'x-request-id' && value === asked.headers['request-id'];
  outgoing.writeHead(status, {
    ...(isForOwnScript(asked, headers)
      ? Object.fromEntries(Object.entries(all).filter(([name, value]) => !GUARDS.has(name) && !isKnown(name, value)))
      : all),
    ...(body === null ? {} : { 'content-length': body.length }),
  });
  outgoing.end(body ?? undefined);
  return alreadySent(status);
}

export function jsonReply(
  status: number,
  json: string | Buffer,
  requestId: string,
  more: Record<string, string> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, ...API_HEADERS, 'x-request-id': requestId, ...more },
    body: typeof json === 'string' ? Buffer.from(json) : json,
  };
}

/** A reply `{status:'FAILED', errors:[...]}`, with the default header and button text of the alert filled in. */
export function failedReply(status: number, errors: readonly ApiError[], requestId: string): Reply {
  const body: FailedReply = {
    status: 'FAILED',
    errors: errors.map((error) => ({ header: errorText.oops, btnMsg: errorText.ok, ...error })),
    requestId,
  };
  const retryAfter = errors[0]?.waitSeconds?.toString() ?? RETRY_AFTER_SECONDS[status];
  return jsonReply(
    status,
    JSON.stringify(body),
    requestId,
    retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  );
}

/** 503 where calls cannot be served; what is wrong stands in it either way. */
export function readyReply({ isReady, checks }: Readiness, requestId: string): Reply {
  if (isReady) return jsonReply(200, JSON.stringify(succeeded({ checks })), requestId);
  const body = {
    status: 'FAILED',
    errors: [
      {
        code: checks.process.status === 'ok' ? 'BUSY' : 'DRAINING',
        header: errorText.oops,
        displayMsg: errorText.internalServerError,
        btnMsg: errorText.ok,
      },
    ],
    requestId,
    checks,
  };
  return jsonReply(503, JSON.stringify(body), requestId, { 'retry-after': RETRY_AFTER_SECONDS[503]! });
}

function isRefusal(error: unknown): error is Refusal {
  return (error as { name?: unknown } | null)?.name === 'Refusal';
}

/**
 * Database error codes for values that our schemas accept but a column cannot store: out of range, or not valid text.
 */
const UNSTORABLE = new Set(['22003', '22021', '22P05', 'ERR_OUT_OF_RANGE']);

/** The only place where an error becomes a reply. Details of internal errors go to the log, never to the caller. */
export function answerTo(
  error: unknown,
  requestId: string,
  { log, counts }: Pick<Services, 'log' | 'counts'>,
  where: object,
): Reply {
  if (isRefusal(error)) {
    counts.refused(error.errors[0]?.code ?? '');
    return failedReply(error.httpStatus, error.errors, requestId);
  }
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (UNSTORABLE.has(code)) {
    log.warn({ ...where, requestId, error }, 'a value did not fit its column');
    return failedReply(400, [{ code: 'INVALID_INPUT', displayMsg: t.badInput }], requestId);
  }
  log.error({ ...where, requestId, error }, 'request failed');
  // Clients retry a 503: a lost database comes back, and somebody makes room on a full disk. What else fails is a 500.
  const away = isConnectionLoss(error) || isConflict(error) || isUnwritable(error);
  return failedReply(
    away ? 503 : 500,
    [{ code: away ? 'BUSY' : 'INTERNAL', displayMsg: errorText.internalServerError }],
    requestId,
  );
}
