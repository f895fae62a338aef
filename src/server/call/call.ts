import type { Root } from '../store/db.ts';
import type { SystemRow } from '../store/system.ts';
import type { Access, Caller } from './caller.ts';
import type { CountryCatalogue } from './catalogue.ts';
import type { Services } from './services.ts';

export interface Call {
  readonly db: Root;
  readonly caller: Caller;
  /** Epoch ms of the clock in the database, read once per request. */
  readonly now: number;
  /**
   * The system row that was read together with the clock. Cached menus and stores are looked up by it; transactions
   * read their own row.
   */
  readonly seen: SystemRow;
  readonly services: Services;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** The caller's IP address, used only for rate limits. */
  readonly ip: string;
  /** Returns a request header by its lower-case name, '' when it is missing. */
  header(name: string): string;
}

/** The caller's user id. Only for endpoints that require a session. @throws Error when there is no session */
export function userIdOf(call: Call): string {
  if (call.caller.userId === null) throw new Error('endpoint without a session asked for its user');
  return call.caller.userId;
}

/** The access token of this call. Only for endpoints that require a session. @throws Error when there is none */
export function accessOf(call: Call): Access {
  if (call.caller.access === null) throw new Error('endpoint without a session asked for its token');
  return call.caller.access;
}

/** The catalogue of the caller's country, as it was read with the clock. */
export const catalogueHere = ({ db, caller, seen, services }: Call): Promise<CountryCatalogue> =>
  services.catalogue.of(db, caller.country, seen);

/**
 * What the routes outside the contract get, such as a bank's pages. They have no api_key and no session, and use the
 * vendor's own data formats.
 */
export interface RawContext {
  /** Of all countries: a call from outside may be about any of them. `db` and `services` are those of the first. */
  readonly bases: readonly Pick<RawContext, 'db' | 'services'>[];
  readonly db: Root;
  readonly now: number;
  readonly services: Services;
  readonly requestId: string;
}
