import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { Endpoint, Parsed } from '../../contract/endpoint.ts';
import type { Call, RawContext } from './call.ts';
import type { Prepared } from './prepared.ts';

export type Handler<E extends Endpoint> = (
  input: Parsed<E>,
  call: Call,
) => Promise<z.input<E['reply']> | Prepared | Response> | z.input<E['reply']> | Prepared;

export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: (input: never, call: Call) => unknown;
}

/** Connects an endpoint with its handler. The handler gets parsed input and returns the reply as data. */
export function on<E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler };
}

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
