import { holdsCardNumber } from './cardless.ts';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseAccept } from 'hono/utils/accept';
import type { Endpoint } from '../../contract/endpoint.ts';
import { NOT_MODIFIED } from '../../contract/reply.ts';
import { languageFor } from '../call/language.ts';
import type { SystemRow } from '../store/system.ts';
import { takesBrotli } from './compression.ts';
import { isHeld } from './tags.ts';
import { API_HEADERS, JSON_TYPE, sharedHeaders } from './reply.ts';

/** An answer that is the same for everybody who asks with the same build, language and coding. */
export interface ReadyAnswer {
  readonly bytes: Buffer;
  readonly etag: string | undefined;
  /** The headers that this answer has of its own, its ETag among them. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ReadyAnswers {
  /** Keeps an answer that was made while the system row was `seen`. */
  keep(incoming: IncomingMessage, endpoint: Endpoint, seen: SystemRow, answer: ReadyAnswer): void;
  /** Sends a kept answer, without routes and without a query; false where there is none that still holds. */
  send(incoming: IncomingMessage, response: ServerResponse): boolean;
}

const KEPT_AT_MOST = 500;
const ADDRESS_AT_MOST = 300;
const REQUEST_ID = /^[\w.:-]{1,120}$/;

/** The client's own request id when it has a safe form, so that both sides log the same id; else a new one. */
export const idFor = (own: string): string => (REQUEST_ID.test(own) && !holdsCardNumber(own) ? own : randomUUID());

export const languageOf = (header: string): string => languageFor(parseAccept(header).map(({ type }) => type));

/** Remembers what a function says of a text; of few texts, since callers choose them. */
function remembering<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const held = known.get(text);
    if (held !== undefined) return held;
    const made = of(text);
    if (known.size >= KEPT_AT_MOST) known.clear();
    if (text.length <= ADDRESS_AT_MOST) known.set(text, made);
    return made;
  };
}

interface KeptReply {
  readonly endpoint: Endpoint;
  readonly etag: string | undefined;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly sameHeaders: Readonly<Record<string, string>>;
  readonly changes: number;
  readonly switches: string;
}

/**
 * Answers that are ready to be sent, by address, build, language and coding. They hold as long as the system row says
 * that nothing has changed, and are used only while this process may go by the row that it remembers (store/system.ts).
 * @param systemFor the row of the database that this build's callers read
 * @param note is told of every call, as of one that takes the long way
 */
export function readyAnswers(
  systemFor: (apiKey: string) => SystemRow | null,
  note: (endpoint: Endpoint, status: number, started: number, requestId: string, apiKey: string) => void,
): ReadyAnswers {
  const kept = new Map<string, KeptReply>();
  const language = remembering(languageOf);
  const brotli = remembering(takesBrotli);
  const nameOf = ({ url = '', headers }: IncomingMessage) =>
    `${url} ${brotli(headers['accept-encoding'] ?? '') ? 'br' : ''} ${language(headers['accept-language'] ?? '')} ${String(headers['api_key'])}`;
  return {
    keep(incoming, endpoint, { changes, switches }, { bytes, etag, headers }) {
      const name = nameOf(incoming);
      if (name.length > ADDRESS_AT_MOST) return;
      kept.delete(name);
      if (kept.size >= KEPT_AT_MOST) kept.delete(kept.keys().next().value ?? name);
      const { 'content-encoding': _, ...shared } = headers;
      kept.set(name, {
        endpoint,
        etag,
        bytes,
        headers: {
          'content-type': JSON_TYPE,
          ...API_HEADERS,
          ...headers,
          ...sharedHeaders(headers),
          'content-length': bytes.length,
        },
        sameHeaders: { ...shared, ...(etag === undefined ? {} : { etag }), ...sharedHeaders(headers) },
        changes,
        switches,
      });
    },
    send(incoming, response) {
      if (incoming.method !== 'GET' || kept.size === 0) return false;
      const started = performance.now();
      const held = kept.get(nameOf(incoming));
      const system = held && systemFor(String(incoming.headers['api_key']));
      if (!held || !system || system.changes !== held.changes || system.switches !== held.switches) return false;
      const { headers } = incoming;
      const isSame = held.etag !== undefined && isHeld(headers['if-none-match'] ?? '', held.etag);
      const status = isSame ? NOT_MODIFIED : 200;
      response.writeHead(status, isSame ? held.sameHeaders : held.headers);
      response.end(isSame ? undefined : held.bytes);
      const requestId = idFor(String(headers['request-id'] ?? headers['x-request-id'] ?? ''));
      note(held.endpoint, status, started, requestId, String(headers['api_key']));
      return true;
    },
  };
}
