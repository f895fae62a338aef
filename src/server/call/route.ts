import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { Endpoint, EndpointInput } from '../../contract/endpoint.ts';
import type { Call, RawContext } from './call.ts';
import { FileReply } from './file.ts';
import { Live } from './live.ts';
import { PreparedReply, succeeded } from './preparedReply.ts';

/** A reply as a handler returns it: `status` is said only where it is another than SUCCESS. */
type HandlerReply<Reply> =
  | Reply
  | (Reply extends { readonly status: string }
      ? 'SUCCESS' extends Reply['status']
        ? Omit<Reply, 'status'>
        : never
      : never);
type Answer<E extends Endpoint> = HandlerReply<z.input<E['reply']>> | PreparedReply | Live | FileReply;
export type Handler<E extends Endpoint> = (input: EndpointInput<E>, call: Call) => Promise<Answer<E>> | Answer<E>;

/** How old an answer may be. Without it, a call reads what is true now, for its caller alone. */
export interface Age {
  /** It only reads, and what it reads may be some seconds old: it is read from a replica, where there is one. */
  readonly mayBeOld: true;
  /**
   * The answer is the same for everybody with this api_key, and caches may give it to others for so long. Its handler is
   * not told who is calling.
   */
  readonly sharedSeconds?: number;
  /** The answer has sentences in the caller's language. */
  readonly isSpoken?: true;
}

export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: (input: never, call: Call) => unknown;
  readonly age?: Age;
}

const isWhole = (answer: object) =>
  answer instanceof PreparedReply || answer instanceof Live || answer instanceof FileReply;

const connected = <E extends Endpoint>(endpoint: E, handler: Handler<E>, age?: Age): Route => ({
  endpoint,
  handler: async (input: EndpointInput<E>, call: Call) => {
    const answer = (await handler(input, call)) as object;
    return isWhole(answer) ? answer : succeeded(answer);
  },
  ...(age === undefined ? {} : { age }),
});

/** Connects an endpoint with its handler. The handler gets parsed input and returns the reply as data. */
export const on = <E extends Endpoint>(endpoint: E, handler: Handler<E>): Route => connected(endpoint, handler);

const aged =
  (age: Age) =>
  <E extends Endpoint>(endpoint: E, handler: Handler<E>): Route =>
    connected(endpoint, handler, age);

const SHARED_SECONDS = 10;
const LASTING_SECONDS = 300;
/** Replies for one caller that may be old: stores near to them, their history. */
export const onOld = aged({ mayBeOld: true });
/**
 * Names and numbers of the catalogue, the same in every language. What is sold out or shut is refused by the submit, if a
 * page has not heard of it.
 */
export const onShared = aged({ mayBeOld: true, sharedSeconds: SHARED_SECONDS });
/** The same, where the answer has sentences: menus, home, the times of a store. */
export const onSpoken = aged({ mayBeOld: true, sharedSeconds: SHARED_SECONDS, isSpoken: true });
/** What changes with a release; it has sentences. */
export const onLasting = aged({ mayBeOld: true, sharedSeconds: LASTING_SECONDS, isSpoken: true });

/** A route outside the API contract: embedded vendors, the bank's pages, provider webhooks. */
export interface RawRoute {
  readonly method: 'GET' | 'POST';
  /** Path as Hono writes it: `/bank/pay/:id`. */
  readonly path: string;
  /**
   * True for a route of an embedded vendor. It exists only where EMBEDDED_VENDORS is on; the default is on in
   * development only.
   */
  readonly embedded: boolean;
  readonly handler: (context: Context, aside: RawContext) => Promise<Response> | Response;
}
