import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type * as z from 'zod/mini';
import { NOT_MODIFIED } from '../../contract/reply.ts';
import * as messages from '../../domain/messages.ts';
import { keyOf } from '../rules/idempotency.ts';
import { parseSwitches, takeFault } from '../rules/switches.ts';
import type { Fault } from '../rules/switches.ts';
import type { Root } from '../store/db.ts';
import { readSystem, type SystemRow } from '../store/system.ts';
import { blockedFor, buildOf, callerOf, mustBeEnabled } from './caller.ts';
import { BODY_LIMIT_BYTES, readInput } from './input.ts';
import { packReply, Prepared, takesBrotli } from './prepared.ts';
import { answerTo, failedReply, jsonReply } from './reply.ts';
import type { Call, RawRoute, Route } from './route.ts';
import type { Log, Services } from './services.ts';

export type App = Hono<{ Bindings: HttpBindings }>;
type AppContext = Context<{ Bindings: HttpBindings }>;

export interface Setting {
  readonly db: Root;
  readonly services: Services;
  readonly log: Log & { debug(data: object, message: string): void };
  readonly trustProxy: boolean;
}

/** The client's own id when it is a plain one, so that both sides can speak of the same call. */
export function requestIdOf(context: Context): string {
  const own = context.req.header('request-id') ?? context.req.header('x-request-id') ?? '';
  return /^[\w.:-]{1,120}$/.test(own) ? own : randomUUID();
}

/** Whoever has one IPv6 address has the 2^64 of its network: they count as one. */
function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(Math.max(missing, 0)).fill('0'), ...groups(tail ?? '')];
  return `${all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

function ipOf(context: AppContext, trustProxy: boolean): string {
  const forwarded = trustProxy ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return networkOf((forwarded ?? context.env?.incoming?.socket.remoteAddress ?? 'unknown').slice(0, 64));
}

const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Plain segments before placeholders, so that `/orders/recent` is not taken for an order id. */
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
  const rows = routes.flatMap((route) => {
    const paths = [route.endpoint.path, ...route.endpoint.aliases ?? []];
    return paths.flatMap((path) => path.endsWith('/') ? [path, path.slice(0, -1)] : [path]).map((path) => ({ route, path }));
  }).sort(byPlainness);
  for (const { route, path } of rows) {
    if (route.endpoint.access === 'development' && !setting.services.development) continue;
    app.on(route.endpoint.method, honoPath(path), (context) => answer(context, route, setting));
  }
}

/** Whoever calls these is not known yet when the body is read. */
const limited = bodyLimit({
  maxSize: BODY_LIMIT_BYTES,
  onError: (context) => failedReply(413, [{ code: 'TOO_LARGE', displayMsg: messages.PAYLOAD_TOO_LARGE }], requestIdOf(context)),
});

export function registerRaw(app: App, routes: readonly RawRoute[], setting: Setting, withEmbedded: boolean): void {
  for (const route of routes) {
    if (route.embedded && !withEmbedded) continue;
    app.on(route.method, route.path, limited, async (context) => {
      const requestId = requestIdOf(context);
      try {
        const { now } = await readSystem(setting.db);
        return await route.handler(context, { db: setting.db, now, services: setting.services, requestId });
      } catch (error) {
        return answerTo(error, requestId, setting.log, { path: route.path });
      }
    });
  }
}

async function answer(context: AppContext, route: Route, setting: Setting): Promise<Response> {
  const { endpoint } = route;
  const { db, services, log } = setting;
  const started = performance.now();
  const requestId = requestIdOf(context);
  let reply: Response;
  let fault: Fault | null = null;
  let now: number | null = null;
  try {
    const system = await readSystem(db);
    now = system.now;
    if (services.development && endpoint.access !== 'development') fault = await takeFault(db, system.switches, context.req.path);
    if (fault?.delayMs !== undefined) await new Promise((done) => setTimeout(done, fault?.delayMs));
    reply = fault?.status !== undefined && fault.status >= 400 && fault.status < 600
      ? failedReply(fault.status, [{ code: 'FAULT', displayMsg: messages.INTERNAL_SERVER_ERROR }], requestId)
      : await handled(context, route, setting, system, requestId);
  } catch (error) {
    reply = answerTo(error, requestId, log, { method: endpoint.method, path: endpoint.path });
  }
  // Countdowns of a page run on this clock, which is the database's and not the machine's.
  if (now !== null) reply.headers.set('x-server-time', String(now));
  // A developer's terminal is for what matters; production keeps every call.
  log[services.development ? 'debug' : 'info']({ method: endpoint.method, path: endpoint.path, status: reply.status, ms: Math.round(performance.now() - started), requestId }, 'request');
  // The work is done and its answer lost: what a client has to survive.
  if (fault?.drop === true) context.env.incoming.socket.destroy();
  if (fault?.garble === true && !endpoint.stream) {
    const text = await reply.text();
    return jsonReply(reply.status, text.slice(0, text.length / 2), requestId);
  }
  return reply;
}

async function handled(context: AppContext, route: Route, setting: Setting, system: SystemRow, requestId: string): Promise<Response> {
  const { endpoint } = route;
  const { db, services } = setting;
  const header = (name: string): string => context.req.header(name) ?? '';
  // The simulator's panel is no build of the app and has no key.
  const build = buildOf(endpoint.access === 'development' && header('api_key') === '' ? 'in-web' : header('api_key'));
  const caller = await callerOf(db, build, endpoint.access, { authToken: header('authtoken'), userId: header('userid') }, system.now);
  if (endpoint.feature !== null) mustBeEnabled(endpoint.feature, blockedFor(build.country, build.partner, parseSwitches(system.switches).features));
  const input = await readInput(endpoint, context.req.param() as Record<string, string>, context.req.query(), context.req.raw);
  const call: Call = {
    db, caller, now: system.now, seen: system, services, requestId, header, ip: ipOf(context, setting.trustProxy),
    idempotencyKey: context.req.header('idempotency-key') ?? null,
  };
  if (endpoint.idempotent) keyOf(call);
  const result = await route.handler(input as never, call);
  if (result instanceof Response) {
    result.headers.set('x-request-id', requestId);
    return result;
  }
  const packed = async (json: string, more: Record<string, string>) => {
    const { bytes, coding } = await packReply(json, header('accept-encoding'));
    return jsonReply(200, bytes, requestId, coding === null ? more : { ...more, 'content-encoding': coding });
  };
  if (!(result instanceof Prepared)) {
    if (services.development) mustFit(endpoint.reply, result);
    return await packed(JSON.stringify(result), {});
  }
  if (services.development) mustFit(endpoint.reply, JSON.parse(result.json));
  const more: Record<string, string> = {};
  if (result.replayed) more['idempotency-replayed'] = 'true';
  if (result.cacheSeconds !== undefined) {
    more['cache-control'] = `public, max-age=${result.cacheSeconds}`;
    // Another build's answer at the same address is another answer.
    more['vary'] = 'api_key, Origin, Accept-Encoding';
  }
  if (result.etag !== undefined) {
    more['etag'] = result.etag;
    if (header('if-none-match').split(',').some((held) => held.trim().replace(/^W\//, '') === result.etag)) {
      return new Response(null, { status: NOT_MODIFIED, headers: { ...more, 'x-request-id': requestId } });
    }
  }
  const kept = takesBrotli(header('accept-encoding')) ? await result.brotli() : null;
  if (kept === null) return result.cacheSeconds === undefined ? await packed(result.json, more) : jsonReply(200, result.bytes, requestId, more);
  // Other bytes: a strong validator would be a lie.
  if (result.etag !== undefined) more['etag'] = `W/${result.etag}`;
  return jsonReply(200, kept, requestId, { ...more, 'content-encoding': 'br' });
}

/** In development a reply that is not what the contract says, or says more, is a fault of ours. */
function mustFit(schema: z.ZodMiniType, reply: unknown): void {
  const result = schema.safeParse(reply);
  if (!result.success) throw new Error(`The reply does not fit its contract: ${result.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || '(top)'} ${issue.message}`).join('; ')}`);
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
