import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { Endpoint, Parsed } from '../../contract/endpoint.ts';
import type { Root } from '../store/db.ts';
import type { Prepared } from './prepared.ts';
import type { SystemRow } from '../store/system.ts';
import type { Services } from './services.ts';

export type CountryCode = 'IN' | 'LK' | 'BG';
/** 'web', or the name of the host folder whose build is calling. */
export type Partner = string;

/** Who is calling: country and partner from api_key, the rest from the session behind authToken. */
export interface Caller {
  readonly country: CountryCode;
  readonly partner: Partner;
  /** Null only on `open` endpoints called without a session. */
  readonly userId: string | null;
  readonly cartId: string | null;
  readonly sessionId: string | null;
  readonly isLoggedIn: boolean;
  readonly mobile: string | null;
}

export interface Call {
  readonly db: Root;
  readonly caller: Caller;
  /** Epoch ms of the clock in the database, read once per request. */
  readonly now: number;
  /** What was read with the clock: copies of menus and stores are looked up by it. Transactions read their own. */
  readonly seen: SystemRow;
  readonly services: Services;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** The caller's address, for limits only. */
  readonly ip: string;
  /** Request header by its lower-case name, '' when absent. */
  header(name: string): string;
}

export type Handler<E extends Endpoint> = (input: Parsed<E>, call: Call) => Promise<z.input<E['reply']> | Prepared | Response> | z.input<E['reply']> | Prepared;

export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: (input: never, call: Call) => unknown;
}

/** Binds an endpoint to what answers it: parsing is done before, replying after. */
export function on<E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler: handler as Route['handler'] };
}

/** What a page of a bank or a vendor's own interface gets: no api_key, no session, the vendor's own shapes. */
export interface Aside {
  readonly db: Root;
  readonly now: number;
  readonly services: Services;
  readonly requestId: string;
}

/** A path outside the contract: embedded vendors, the bank's pages, provider callbacks. */
export interface RawRoute {
  readonly method: 'GET' | 'POST';
  /** Hono's form: `/bank/pay/:id`. */
  readonly path: string;
  /** True: exists only in development or with EMBEDDED_VENDORS. */
  readonly embedded: boolean;
  readonly handler: (context: Context, aside: Aside) => Promise<Response> | Response;
}

/** The caller's user id on endpoints that have a session. */
export function userIdOf(call: Call): string {
  if (call.caller.userId === null) throw new Error('endpoint without a session asked for its user');
  return call.caller.userId;
}
