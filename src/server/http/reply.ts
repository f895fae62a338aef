import type { ApiError, Failed } from '../../contract/reply.ts';
import * as messages from '../../domain/messages.ts';
import { isConflict, isConnectionLoss } from '../store/postgres.ts';
import type { Refusal } from './refusal.ts';
import type { Log } from './services.ts';

const RETRY_AFTER_SECONDS: Readonly<Record<number, string>> = { 409: '2', 429: '30', 503: '2' };
const JSON_TYPE = 'application/json; charset=utf-8';

/** On every reply of the interface: never kept, never sniffed, never framed. */
export const API_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': 'default-src \'none\'; frame-ancestors \'none\'',
  'cross-origin-resource-policy': 'cross-origin',
};

export function jsonReply(status: number, json: string | Buffer<ArrayBuffer>, requestId: string, more: Record<string, string> = {}): Response {
  return new Response(json, { status, headers: { 'content-type': JSON_TYPE, ...API_HEADERS, 'x-request-id': requestId, ...more } });
}

/** `{status:'FAILED', errors:[...]}` with the alert's header and button filled in. */
export function failedReply(status: number, errors: readonly ApiError[], requestId: string): Response {
  const body: Failed = { status: 'FAILED', errors: errors.map((error) => ({ header: messages.OOPS, btnMsg: messages.OK, ...error })), requestId };
  const retryAfter = RETRY_AFTER_SECONDS[status];
  return jsonReply(status, JSON.stringify(body), requestId, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
}

export function isRefusal(error: unknown): error is Refusal {
  return (error as { name?: unknown } | null)?.name === 'Refusal';
}

/** Values that our schemas take and a column does not: out of range, or bytes that are no text. */
const UNSTORABLE = new Set(['22003', '22021', '22P05', 'ERR_OUT_OF_RANGE']);

/** The one place where what was thrown becomes an answer; what is wrong inside is logged and never told. */
export function answerTo(error: unknown, requestId: string, log: Log, where: object): Response {
  if (isRefusal(error)) return failedReply(error.httpStatus, error.errors, requestId);
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (UNSTORABLE.has(code)) {
    log.warn({ ...where, requestId, error }, 'a value did not fit its column');
    return failedReply(400, [{ code: 'INVALID_INPUT', displayMsg: messages.BAD_INPUT }], requestId);
  }
  log.error({ ...where, requestId, error }, 'request failed');
  // 503 is retried by clients, and the store comes back; a full disk does not, but says so in the log.
  const away = isConnectionLoss(error) || isConflict(error);
  return failedReply(away ? 503 : 500, [{ code: away ? 'BUSY' : 'INTERNAL', displayMsg: messages.INTERNAL_SERVER_ERROR }], requestId);
}
