import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type * as z from 'zod/mini';
import { keyUse, type Endpoint } from '../../contract/endpoint.ts';
import { NOT_MODIFIED } from '../../contract/reply.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { withinAllowance } from '../rules/reliability/allowance.ts';
import { answeredOnce, keyOf } from '../rules/reliability/idempotency.ts';
import { parseSwitches, takeFault } from '../store/switches.ts';
import type { Fault } from '../store/switches.ts';
import type { Root } from '../store/db.ts';
import { isBusyCustomer } from '../store/orders.ts';
import { readOld, REPLICA_BEHIND_AT_MOST_MS, type Replica } from '../store/replica.ts';
import { readSystem, type SystemRow } from '../store/system.ts';
import { buildOf, callerOf, mustBeEnabled } from './caller.ts';
import { mustBeDeveloper } from './developer.ts';
import { blockedFor } from '../call/features.ts';
import { BODY_LIMIT_BYTES, readInput } from './input.ts';
import { FileReply } from '../call/file.ts';
import { Live } from '../call/live.ts';
import { PreparedReply } from '../call/preparedReply.ts';
import { brotliOf, bytesOf, packReply, takesBrotli } from './compression.ts';
import { isHeld, tagOf } from './tags.ts';
import { idFor, type ReadyAnswer, type ReadyAnswers } from './replyCache.ts';
import {
  alreadySent,
  answerTo,
  API_HEADERS,
  failedReply,
  jsonReply,
  send,
  sharedHeaders,
  type Reply,
} from './reply.ts';
import type { Age, RawRoute, Route } from '../call/route.ts';
import type { Caller } from '../call/caller.ts';
import type { Call } from '../call/call.ts';
import type { Log, Services } from '../call/services.ts';
import { networkOf, type Proxies } from '../proxies.ts';
import type { Gate } from './gate.ts';
import { beginStream } from './streams.ts';
import { currentTrace } from '../trace.ts';
import { buildOfKey } from '../rules/hosts/hosts.ts';
import { DAY_S } from '../../domain/time.ts';

export type App = Hono<{ Bindings: HttpBindings }>;
export type AppContext = Context<{ Bindings: HttpBindings }>;

/** A database with the countries in it, and what is built around it. */
export interface Base {
  readonly db: Root;
  readonly replica: Replica | null;
  readonly services: Services;
}

export interface Setting {
  /** The database of the build that this api_key belongs to; for any other text that of no country. */
  baseOf(apiKey: string): Base;
  /** The database of no country first. */
  readonly bases: readonly [Base, ...Base[]];
  readonly log: Log & { debug(data: object, message: string): void };
  readonly proxies: Proxies;
  readonly gate: Gate;
  /** Whether development was asked for by name. */
  readonly isAskedFor: boolean;
  /** Null in development, where every call must see what a test has just changed. */
  readonly ready: ReadyAnswers | null;
}

/** The client's own request id when it has a safe form, so that both sides log the same id; else a new one. */
export function requestIdOf(context: Context): string {
  const known = currentTrace()?.requestId;
  if (known !== undefined) return known;
  const own = context.req.header('request-id') ?? context.req.header('x-request-id') ?? '';
  return idFor(own);
}

export function ipOf(context: AppContext, { clientOf }: Proxies): string {
  const remote = context.env?.incoming?.socket.remoteAddress ?? 'unknown';
  return networkOf(clientOf(remote, context.req.header('x-forwarded-for')).slice(0, 64));
}

const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Sorts fixed segments before placeholders, so that `/orders/recent` is not taken for an order id. */
function byPlainness(a: { path: string }, b: { path: string }): number {
  const left = a.path.split('/');
  const right = b.path.split('/');
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = Number(left[index]!.startsWith('{')) - Number(right[index]!.startsWith('{'));
    if (difference !== 0) return difference;
  }
  return 0;
}

export function registerRoutes(app: App, routes: readonly Route[], setting: Setting): void {
  const rows = routes
    .flatMap((route) => {
      const paths = [route.endpoint.path, ...(route.endpoint.aliases ?? [])];
      return paths
        .flatMap((path) => (path.endsWith('/') ? [path, path.slice(0, -1)] : [path]))
        .map((path) => ({ route, path }));
    })
    .sort(byPlainness);
  for (const { route, path } of rows) {
    if (route.endpoint.access === 'development' && !setting.bases[0].services.development) continue;
    app.on(route.endpoint.method, honoPath(path), (context) => answer(context, route, setting));
  }
}

/** Limits the body of raw routes, because it is read before we know who is calling. */
const limited = bodyLimit({
  maxSize: BODY_LIMIT_BYTES,
  onError: (context: AppContext) =>
    send(
      context.env.outgoing,
      failedReply(413, [{ code: 'TOO_LARGE', displayMsg: t.payloadTooLarge }], requestIdOf(context)),
    ),
});

export function registerRaw(app: App, routes: readonly RawRoute[], setting: Setting, withEmbedded: boolean): void {
  for (const route of routes) {
    if (route.embedded && !withEmbedded) continue;
    app.on(route.method, route.path, limited, async (context) => {
      const requestId = requestIdOf(context);
      const started = performance.now();
      const [{ db, services }] = setting.bases;
      let reply: Response;
      try {
        const { now } = await readSystem(db);
        reply = await route.handler(context, { db, now, services, requestId, bases: setting.bases });
      } catch (error) {
        reply = send(context.env.outgoing, answerFailed(context, error, setting, { path: route.path }));
      }
      const { method, path } = route;
      const seconds = (performance.now() - started) / 1000;
      services.counts.answered({ method, path, host: '', country: '', status: reply.status, seconds });
      return reply;
    });
  }
}

/** @param started of `performance.now()` */
export function noteCall(
  { bases: [{ services }], log }: Pick<Setting, 'bases' | 'log'>,
  { method, path }: Endpoint,
  status: number,
  started: number,
  requestId: string,
  apiKey: string,
): void {
  const ms = performance.now() - started;
  const build = buildOfKey(apiKey);
  const country = build?.country.COUNTRY_CODE ?? '';
  services.counts.answered({ method, path, host: build?.host ?? '', country, status, seconds: ms / 1000 });
  // In development requests are logged as debug only, to keep the terminal readable; production logs every call.
  log[services.development ? 'debug' : 'info']({ method, path, status, ms: Math.round(ms), requestId }, 'request');
}

/** Whether the caller has gone before its body was here: nothing is wrong with us. */
const isGone = ({ env }: AppContext) => env?.incoming?.destroyed === true && !env.incoming.complete;

/** The answer to what failed; nobody is there to read that of a body which was broken off. */
export function answerFailed(
  context: AppContext,
  error: unknown,
  { bases: [{ services }], log }: Pick<Setting, 'bases' | 'log'>,
  where: object,
): Reply {
  const requestId = requestIdOf(context);
  if (!isGone(context)) return answerTo(error, requestId, services, where);
  log.debug({ ...where, requestId }, 'a caller went away in the middle of its body');
  return failedReply(400, [{ code: 'GONE', displayMsg: t.badInput }], requestId);
}

type SharedAge = Age & { readonly sharedSeconds: number };
const isShared = (age: Age | undefined): age is SharedAge => age?.sharedSeconds !== undefined;

/** A customer who has just done something must see it in their history, whatever the replica has heard of. */
async function freshFor({ userId }: Caller, { db }: Base, at: Root, { now }: SystemRow): Promise<Root> {
  if (at === db || userId === null) return at;
  return (await isBusyCustomer(db, userId, now - 2 * REPLICA_BEHIND_AT_MOST_MS)) ? db : at;
}

async function answer(context: AppContext, route: Route, setting: Setting): Promise<Response> {
  const { endpoint, age } = route;
  const base = setting.baseOf(context.req.header('api_key') ?? '');
  const { services } = base;
  const started = performance.now();
  const requestId = requestIdOf(context);
  let reply: Reply | null;
  const told: { fault: Fault | null; now: number | null } = { fault: null, now: null };
  async function answeredAt(db: Root): Promise<Reply | null> {
    const system = await readSystem(db);
    told.now = system.now;
    if (services.development && endpoint.access !== 'development')
      told.fault = await takeFault(base.db, system.switches, context.req.path);
    const { fault } = told;
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
    return fault?.status !== undefined && fault.status >= 400 && fault.status < 600
      ? failedReply(fault.status, [{ code: 'FAULT', displayMsg: errors.internalServerError }], requestId)
      : await handled(context, route, { ...setting, base, requestId }, db, system);
  }
  try {
    reply = await readOld(base.db, age === undefined ? null : base.replica, answeredAt);
  } catch (error) {
    const where = { method: endpoint.method, path: endpoint.path };
    if (isGone(context)) return send(context.env.outgoing, answerFailed(context, error, setting, where));
    reply = answerTo(error, requestId, services, where);
  }
  const { fault, now } = told;
  noteCall(setting, endpoint, reply?.status ?? 200, started, requestId, context.req.header('api_key') ?? '');
  // Simulates an answer that is lost after the work was done; clients must cope with that.
  if (fault?.drop === true) context.env.incoming.socket.destroy();
  if (reply === null) return alreadySent();
  const { headers } = reply;
  // A cached answer carries neither the time of this call nor its request id.
  if (isShared(age) && reply.status < 400) delete headers['x-request-id'];
  // Countdowns on pages use this clock: the clock in the database, not that of the machine.
  else if (now !== null) headers['x-server-time'] = String(now);
  return send(context.env.outgoing, fault?.garble === true ? halfOf(reply) : reply);
}

function halfOf({ status, headers: { 'content-encoding': _, ...headers }, body }: Reply): Reply {
  return { status, headers, body: body && body.subarray(0, body.length / 2) };
}

/**
 * The answer; null for a stream, which has begun already.
 * @param at where the call reads: the database itself, or its replica
 */
async function handled(
  context: AppContext,
  { endpoint, age, handler }: Route,
  { base, requestId, ...setting }: Setting & { readonly base: Base; readonly requestId: string },
  at: Root,
  system: SystemRow,
): Promise<Reply | null> {
  const { db, services } = base;
  const header = (name: string): string => context.req.header(name) ?? '';
  if (endpoint.access === 'development') mustBeDeveloper(header, setting.isAskedFor);
  // The simulator's panel is not a build of the app, so it has no key.
  const build = buildOf(endpoint.access === 'development' && header('api_key') === '' ? 'in-web' : header('api_key'));
  const caller = await callerOf(
    db,
    build,
    endpoint.access,
    // What others will be given must not depend on who is calling.
    isShared(age) ? { authToken: '', userId: '' } : { authToken: header('authtoken'), userId: header('userid') },
    system.now,
  );
  if (endpoint.feature !== null)
    mustBeEnabled(
      endpoint.feature,
      blockedFor(build.country, build.host, parseSwitches(system.switches).features, services),
    );
  const { input, bytes } = await readInput(
    endpoint,
    context.req.param() as Record<string, string>,
    context.req.query(),
    context.req.raw,
  );
  const call: Call = {
    db: await freshFor(caller, base, at, system),
    caller,
    now: system.now,
    seen: system,
    services,
    requestId,
    header,
    ip: ipOf(context, setting.proxies),
    // Only what the document says: a handler that reads a key of another endpoint would work for nobody.
    idempotencyKey: endpoint.idempotent ? (context.req.header('idempotency-key') ?? null) : null,
  };
  if (endpoint.stream && !setting.gate.mayStream(context.env.incoming))
    refuse(429, 'TOO_MANY_STREAMS', t.tooManyRequests);
  if (endpoint.idempotent) keyOf(call);
  const isKept = keyUse(endpoint) !== 'none' && header('idempotency-key') !== '';
  const result = await withinAllowance(call, endpoint, { bodyBytes: bytes, isKept }, () =>
    handledOnce(context, { endpoint, handler }, input, call),
  );
  if (result instanceof Live) {
    beginLive(result, context.env, setting.gate, call);
    return null;
  }
  if (result instanceof FileReply) return fileReply(result, endpoint, call);
  return await replyOf(result, { endpoint, age }, call, (answer) =>
    setting.ready?.keep(context.env.incoming, endpoint, system, answer),
  );
}

/** Calls the handler; where a key came along that is only taken, once for it. */
async function handledOnce(
  context: AppContext,
  { endpoint, handler }: Pick<Route, 'endpoint' | 'handler'>,
  input: unknown,
  call: Call,
): Promise<unknown> {
  const act = async (): Promise<unknown> => await handler(input as never, call);
  const sent = keyUse(endpoint) === 'taken' ? context.req.header('idempotency-key') : undefined;
  return sent === undefined ? await act() : await answeredOnce({ ...call, idempotencyKey: sent }, endpoint, input, act);
}

/** How long a shared cache that knows of it (RFC 9213) may give an old answer while it asks anew, or while we are away. */
const STALE = `stale-while-revalidate=60, stale-if-error=${DAY_S}`;

/**
 * Headers of an answer that caches may share. Browsers ask each time, by its tag. The same address returns another answer
 * for another build, and in another language where it speaks.
 */
function sharing({ sharedSeconds, isSpoken }: Age): Record<string, string> {
  return {
    'cache-control': `public, max-age=0, s-maxage=${sharedSeconds}`,
    'cdn-cache-control': `max-age=${sharedSeconds}, ${STALE}`,
    vary: isSpoken ? 'api_key, Accept-Encoding, Accept-Language' : 'api_key, Accept-Encoding',
  };
}

/** A reply in the coding that its caller takes. One that is kept is packed well, and only once. */
async function bytesFor(
  prepared: PreparedReply | null,
  json: string,
  accept: string,
): Promise<{ readonly bytes: Buffer<ArrayBuffer>; readonly coding: 'br' | 'gzip' | null }> {
  const kept = prepared !== null && takesBrotli(accept) ? await brotliOf(prepared) : null;
  if (kept !== null) return { bytes: kept, coding: 'br' };
  return prepared?.isKept ? { bytes: bytesOf(prepared), coding: null } : await packReply(json, accept);
}

/** Sends the head of a stream and hands its connection over. */
function beginLive({ begin }: Live, { incoming, outgoing }: HttpBindings, gate: Gate, { now, requestId }: Call): void {
  gate.goOn(incoming);
  begin(
    beginStream(incoming, outgoing, {
      ...API_HEADERS,
      ...sharedHeaders({ 'x-request-id': requestId, 'x-server-time': now }),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': requestId,
      'x-server-time': now,
    }),
  );
}

/** A file as it goes over the wire. What is in it is nobody's but the caller's. */
const fileReply = ({ bytes, name }: FileReply, { file }: Endpoint, { requestId }: Call): Reply => ({
  status: 200,
  headers: {
    ...API_HEADERS,
    'content-type': file ?? 'application/octet-stream',
    'content-disposition': ['attachment', `filename="${name}"`].join('; '),
    'x-request-id': requestId,
  },
  body: Buffer.from(bytes.buffer),
});

/** What the handler returned, as it goes over the wire. */
async function replyOf(
  result: unknown,
  { endpoint, age }: { readonly endpoint: Endpoint; readonly age: Age | undefined },
  call: Call,
  keep: (answer: ReadyAnswer) => void,
): Promise<Reply> {
  const { services, requestId } = call;
  const prepared = result instanceof PreparedReply ? result : null;
  if (services.development) mustFit(endpoint.reply, prepared === null ? result : JSON.parse(prepared.json));
  const json = prepared?.json ?? JSON.stringify(result);
  const more: Record<string, string> = isShared(age) ? sharing(age) : {};
  if (prepared?.replayed) more['idempotency-replayed'] = 'true';
  const etag = prepared?.etag ?? (isShared(age) ? tagOf(json) : undefined);
  const reply = await taggedReply({ prepared, json, etag }, call.header, requestId, more);
  if (prepared?.isKept && isShared(age) && reply.body !== null) keep({ bytes: reply.body, etag, headers: more });
  return reply;
}

/**
 * A reply in the coding that its caller takes; without its bytes for a caller that has what the tag names.
 * @param more its further headers, to which tag and coding are added
 */
async function taggedReply(
  { prepared, json, etag }: { prepared: PreparedReply | null; json: string; etag: string | undefined },
  header: Call['header'],
  requestId: string,
  more: Record<string, string>,
): Promise<Reply> {
  if (etag !== undefined) {
    more['etag'] = etag;
    if (isHeld(header('if-none-match'), etag)) return { status: NOT_MODIFIED, headers: more, body: null };
  }
  const { bytes, coding } = await bytesFor(prepared, json, header('accept-encoding'));
  if (coding !== null) {
    more['content-encoding'] = coding;
    // A strong ETag stands for exact bytes, and compressed bytes differ: so the ETag becomes weak.
    if (etag !== undefined) more['etag'] = `W/${etag}`;
  }
  return jsonReply(200, bytes, requestId, more);
}

/** Serves a text that is the same for everybody, made and packed when it is first asked for. */
export function registerKept(app: App, path: string, json: () => string): void {
  let kept: PreparedReply | null = null;
  app.get(path, async (context) => {
    if (kept === null) {
      const text = json();
      kept = new PreparedReply(text, { etag: tagOf(text), isKept: true });
    }
    const header = (name: string) => context.req.header(name) ?? '';
    const more = { 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' };
    const about = { prepared: kept, json: kept.json, etag: kept.etag };
    return send(context.env.outgoing, await taggedReply(about, header, requestIdOf(context), more));
  });
}

/** Development only: throws when a reply does not fit its contract or has a field that the contract does not name. */
function mustFit(schema: z.ZodMiniType, reply: unknown): void {
  const result = schema.safeParse(reply);
  if (!result.success)
    throw new Error(
      `The reply does not fit its contract: ${result.error.issues
        .slice(0, 5)
        .map((issue) => `${issue.path.join('.') || '(top)'} ${issue.message}`)
        .join('; ')}`,
    );
  const extra = undeclared(reply, result.data, '');
  if (extra !== null) throw new Error(`The reply has a field that its contract does not name: ${extra}`);
}

function undeclared(given: unknown, kept: unknown, path: string): string | null {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return null;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!(name in kept)) return `${path}${name}`;
    const deeper = undeclared(value, (kept as Record<string, unknown>)[name], `${path}${name}.`);
    if (deeper !== null) return deeper;
  }
  return null;
}
