import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { cors } from 'hono/cors';
import { countries } from '../../country/index.ts';
import * as messages from '../domain/messages.ts';
import { isOn, readEnvironment } from './environment.ts';
import { sheetOrigins } from './rules/sheets.ts';
import { makeLog } from './http/log.ts';
import { openApi } from './http/openapi.ts';
import { pages } from './http/pages.ts';
import { registerRaw, registerRoutes, requestIdOf } from './http/register.ts';
import type { App, Setting } from './http/register.ts';
import { answerTo, failedReply, jsonReply } from './http/reply.ts';
import { allRoutes, rawRoutes } from './http/routes.ts';
import type { Services } from './http/services.ts';
import { tiles } from './http/tiles.ts';
import { following } from './rules/following.ts';
import { jobRunner, jobs } from './rules/jobs.ts';
import { walletProvider } from './rules/linkedWallets.ts';
import { HOSTS, loadPartners, partnerSide } from './rules/partners.ts';
import type { PartnerSide } from './rules/partners.ts';
import { embeddedSecrets, paymentProvider } from './rules/payments.ts';
import { pushSender } from './rules/push.ts';
import { embeddedSms, httpSms } from './rules/sms.ts';
import { seedVouchers } from './rules/vouchers.ts';
import { loadCatalogue } from './store/catalogue.ts';
import { openDb } from './store/db.ts';
import type { Root } from './store/db.ts';
import { enqueue } from './store/jobs.ts';
import { migrate } from './store/migrate.ts';
import { now, sweep, writeSwitches } from './store/system.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const DRAIN_AT_MOST_MS = 10_000;
const DRAIN_CHECK_MS = 50;
/** More at once than this only wait; better to say so at once. */
const IN_FLIGHT_AT_MOST = 2_000;
const PREFLIGHT_KEPT_SECONDS = 7_200;
const SWEEP_EVERY_MS = 6 * 3_600_000;

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host?: string;
  /** `postgres://...` or a file; default is a database in memory. */
  readonly database?: string;
  /** Folder of the built bundles; null serves the interface alone. Default: the repository's own, if it is there. */
  readonly distDir?: string | null;
  /** Clock, switches, inbox, embedded vendors, checked replies. */
  readonly development?: boolean;
  /** Logs only what is wrong with the server itself. */
  readonly quiet?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Further folders of host folders, beside the repository's own. */
  readonly hostFolders?: readonly string[];
}

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly db: Root;
  readonly services: Services;
  /** Lets requests and the job at hand finish, then closes the database. */
  stop(): Promise<void>;
}

// Keeps what no rule reads any more from piling up.
jobs.on('sweep', async (_payload, { db }) => {
  const at = await now(db);
  await sweep(db, at);
  await planSweep(db, at);
});

/** One sweep per stretch of time, however many processes there are. */
async function planSweep(db: Root, at: number): Promise<void> {
  const next = Math.floor(at / SWEEP_EVERY_MS) + 1;
  await enqueue(db, { kind: 'sweep', runAt: next * SWEEP_EVERY_MS, payload: null, key: `sweep:${next}` });
}

/** Opens the database, brings it up to date, and answers on a port. @throws when the port is taken or the database is away */
export async function serve(options: ServeOptions): Promise<Running> {
  const development = options.development ?? true;
  const env = readEnvironment(options.environment ?? {});
  await loadPartners([HOSTS, ...options.hostFolders ?? []]);
  const log = makeLog({ development, quiet: options.quiet ?? false });
  const opened = await openDb(options.database ?? ':memory:', (error) => log.warn({ error }, 'a connection to the database was lost'));
  const { db } = opened;
  const started: { port: number } = { port: 0 };
  /** How the server reaches itself. */
  const own = () => `http://127.0.0.1:${started.port}`;
  const around = { environment: options.environment ?? {}, origin: own };
  const logins = new Map<string, ReturnType<PartnerSide['login']>>();
  try {
    await migrate(opened);
    // What a developer left in a database that is now in production.
    if (!development) await writeSwitches(db, '{}');
    const services: Services = {
      log, development,
      sms: env.SMS_URL ? httpSms(env.SMS_URL, env.SMS_KEY) : embeddedSms(log),
      logins(partner) {
        const login = logins.get(partner) ?? partnerSide(partner).login(around);
        logins.set(partner, login);
        return login;
      },
      payments: paymentProvider({ ...around, secrets: await embeddedSecrets(db) }),
      wallets: walletProvider({ origin: own, paytmKey: (await embeddedSecrets(db)).paytmKey, environment: options.environment ?? {} }),
      push: pushSender(options.environment ?? {}, () => services.origin, development),
      following: following(db, log),
      catalogue: await loadCatalogue(db),
      get origin() { return env.PUBLIC_ORIGIN || `http://localhost:${started.port}`; },
    };
    if (development) await seedVouchers(db, countries.map((country) => country.COUNTRY_CODE), await now(db));
    const runner = jobRunner(db, services);
    const setting: Setting = { db, services, log, trustProxy: isOn(env.TRUST_PROXY, false) };
    const site = {
      environment: around.environment,
      disableCookies: isOn(env.DISABLE_COOKIES, false), analytics: isOn(env.ANALYTICS, false), otpVariant: Number(env.OTP_VARIANT || 0),
      mapCredit: env.TILES_URL ? env.TILES_CREDIT ?? '' : '',
    };
    const app = createApp(setting, allRoutes(site, () => runner), isOn(env.EMBEDDED_VENDORS, development));
    app.route('/', tiles(env.TILES_URL || '') as unknown as App);
    const distDir = options.distDir === undefined && existsSync(DIST) ? DIST : options.distDir ?? null;
    if (distDir !== null) app.route('/', pages({ dist: distDir, production: !development, connect: sheetOrigins(around.environment) }) as unknown as App);
    await planSweep(db, await now(db));
    const server = await listening(app, options);
    started.port = (server.address() as AddressInfo).port;
    runner.start();
    return {
      url: `http://127.0.0.1:${started.port}`, port: started.port, db, services,
      async stop() {
        services.following.stop();
        await closed(server);
        await runner.stop();
        await db.destroy();
      },
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** The whole interface as one fetch function; pages are added by serve(). */
export function createApp(setting: Setting, routes: ReturnType<typeof allRoutes>, withEmbedded: boolean): App {
  const { db, services, log } = setting;
  const app: App = new Hono<{ Bindings: HttpBindings }>();
  // No cookie is ever sent, so any origin may ask; the names asked for are the specification's (section 7) and vary by build.
  app.use('*', cors({
    origin: '*', allowMethods: ['GET', 'POST', 'PUT', 'DELETE'], maxAge: PREFLIGHT_KEPT_SECONDS,
    exposeHeaders: ['x-request-id', 'retry-after', 'etag', 'date', 'idempotency-replayed', 'x-server-time'],
  }));
  registerRoutes(app, routes, setting);
  const raw = rawRoutes();
  registerRaw(app, raw, setting, withEmbedded);
  let document: string | undefined;
  app.get('/openapi.json', (context) => {
    document ??= JSON.stringify(openApi(routes.filter((route) => services.development || route.endpoint.access !== 'development').map((route) => route.endpoint), services.origin));
    return jsonReply(200, document, requestIdOf(context), { 'cache-control': 'public, max-age=300' });
  });
  app.get('/health', (context) => jsonReply(200, '{"status":"SUCCESS"}', requestIdOf(context)));
  app.get('/ready', async (context) => {
    try {
      await now(db);
      return jsonReply(200, '{"status":"SUCCESS"}', requestIdOf(context));
    } catch (error) {
      log.warn({ error }, 'the database cannot be reached');
      return failedReply(503, [{ code: 'BUSY', displayMsg: messages.INTERNAL_SERVER_ERROR }], requestIdOf(context));
    }
  });
  const notFound = (context: Context) => failedReply(404, [{ code: 'NOT_FOUND', displayMsg: messages.BROKEN_LINK }], requestIdOf(context));
  // Below the interface's own roots nothing is a page, whatever the pages think of unknown paths.
  for (const first of new Set([...routes.map((route) => route.endpoint.path), ...raw.map((route) => route.path)].map((path) => path.split('/')[1]))) app.all(`/${first}/*`, notFound);
  app.notFound(notFound);
  app.onError((error, context) => answerTo(error, requestIdOf(context), log, { method: context.req.method }));
  return app;
}

async function listening(app: App, options: ServeOptions): Promise<Server> {
  let inFlight = 0;
  const answer = getRequestListener(async (request, bindings) => {
    if (inFlight >= IN_FLIGHT_AT_MOST) return failedReply(503, [{ code: 'BUSY', displayMsg: messages.INTERNAL_SERVER_ERROR }], '');
    inFlight += 1;
    try {
      return await app.fetch(request, bindings as HttpBindings);
    } finally {
      inFlight -= 1;
    }
  }, { overrideGlobalObjects: false });
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => { void answer(request, response); });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '0.0.0.0', () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return server;
}

async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => { server.close(() => resolve()); });
  // A connection that has had its last answer would stay open for the keep-alive time.
  server.closeIdleConnections();
  const sweeping = setInterval(() => server.closeIdleConnections(), DRAIN_CHECK_MS);
  const impatient = setTimeout(() => server.closeAllConnections(), DRAIN_AT_MOST_MS);
  await done;
  clearInterval(sweeping);
  clearTimeout(impatient);
}
