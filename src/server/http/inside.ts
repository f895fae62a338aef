import type { Country } from '../../../country/shape.ts';
import { fillPath, keyUse, type Endpoint, type Input, type Reply } from '../../contract/endpoint.ts';
import type { Call } from '../call/call.ts';
import type { Caller } from '../call/caller.ts';
import { blockedFor } from '../call/features.ts';
import { errors, t } from '../call/language.ts';
import { PreparedReply } from '../call/preparedReply.ts';
import { refuse } from '../call/refusal.ts';
import type { Route } from '../call/route.ts';
import { answeredOnce } from '../rules/reliability/idempotency.ts';
import { withinAllowance } from '../rules/reliability/allowance.ts';
import { parseSwitches } from '../store/switches.ts';
import { readSystem } from '../store/system.ts';
import { mustBeEnabled } from './caller.ts';
import { readInput } from './input.ts';
import type { Base } from './register.ts';

/** Who calls by another door than the API's own; that door has made sure of it. */
export interface Visitor {
  readonly base: Base;
  readonly country: Country;
  readonly caller: Caller;
  /** As `Call.ip`. */
  readonly ip: string;
  readonly requestId: string;
}

export type InsideCall = <E extends Endpoint>(
  visitor: Visitor,
  endpoint: E,
  input: Input<E>,
  idempotencyKey?: string,
) => Promise<Reply<E>>;

/** Where a call from inside would go over the wire; only its path and query are read. */
const NOWHERE = 'http://inside.invalid';

/** The paths, query and body of an input, read and checked as if they had come over the wire. */
async function inputOf(endpoint: Endpoint, input: Readonly<Record<string, unknown>>) {
  const { query, body, ...params } = input as { query?: Readonly<Record<string, unknown>>; body?: unknown };
  const texts = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    );
  const request = new Request(NOWHERE + fillPath(endpoint.path, params), {
    method: endpoint.method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return await readInput(endpoint, texts(params), texts(query ?? {}), request);
}

/**
 * Makes calls of the contract without the wire, for a door with a protocol of its own: access, features, schemas,
 * allowances and the handlers are those of the API, so no door has a price or a right that the API has not.
 * @throws Refusal as the call itself would be refused
 */
export function insideCalls(routes: readonly Route[]): InsideCall {
  const byEndpoint = new Map<Endpoint, Route>(routes.map((route) => [route.endpoint, route]));
  return async <E extends Endpoint>(
    { base, country, caller, ip, requestId }: Visitor,
    endpoint: E,
    input: Input<E>,
    idempotencyKey?: string,
  ): Promise<Reply<E>> => {
    const route = byEndpoint.get(endpoint);
    const isPlain = route !== undefined && !endpoint.stream && endpoint.file === undefined;
    if (!isPlain || endpoint.access === 'development') throw new Error(`${endpoint.path} cannot be called from inside`);
    if (endpoint.access !== 'open' && caller.userId === null) refuse(401, 'TOKEN_INVALID', errors.loggedOut);
    if (endpoint.access === 'user' && !caller.isLoggedIn) refuse(403, 'LOGIN_NEEDED', t.loginFirst);
    const { db, services } = base;
    const seen = await readSystem(db);
    mustBeEnabled(endpoint.feature, blockedFor(country, caller.host, parseSwitches(seen.switches).features, services));
    const read = await inputOf(endpoint, input);
    const call: Call = {
      db,
      caller,
      now: seen.now,
      seen,
      services,
      requestId,
      // An assistant's own headers say nothing of the customer's device or page.
      header: () => '',
      ip,
      idempotencyKey: endpoint.idempotent ? (idempotencyKey ?? null) : null,
    };
    const result = await withinAllowance(
      call,
      endpoint,
      { bodyBytes: read.bytes, isKept: idempotencyKey !== undefined },
      async () => {
        const act = async () => (await route.handler(read.input as never, call)) as object;
        const isOnce = keyUse(endpoint) === 'taken' && idempotencyKey !== undefined;
        return isOnce ? await answeredOnce({ ...call, idempotencyKey }, endpoint, read.input, act) : await act();
      },
    );
    return (result instanceof PreparedReply ? JSON.parse(result.json) : result) as Reply<E>;
  };
}
