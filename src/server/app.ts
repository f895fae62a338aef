import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { blockedPaths, FEATURE_PATHS } from '../../country/featurePaths.ts';
import { errors, inLanguage } from './call/language.ts';
import {
  league,
  databasesAsked,
  map,
  metrics as metricsSettings,
  server as serverSettings,
  site as siteSettings,
} from './environment.ts';
import { sheetOrigins } from './providers/paymentSheets.ts';
import { noCardFields, openCardFields } from './http/cardFields.ts';
import { gate } from './http/gate.ts';
import { makeLog } from './http/log.ts';
import { listenForMetrics, noMetrics } from './http/metrics.ts';
import { openApi } from './http/openapi.ts';
import { countryConfig } from '../../country/index.ts';
import { pages } from './http/pages.ts';
import type { ShopOf } from './http/found.ts';
import { languageOf, readyAnswers, type ReadyAnswers } from './http/ready.ts';
import { answerFailed, noteCall, registerKept, registerRaw, registerRoutes, requestIdOf } from './http/register.ts';
import type { App, AppContext, Base, Setting } from './http/register.ts';
import { readiness } from './http/readiness.ts';
import { EXPOSED_HEADERS, failedReply, jsonReply, readyReply, send } from './http/reply.ts';
import { allRoutes, rawRoutes } from './http/routes.ts';
import { withoutProvider } from './call/features.ts';
import type { Services } from './call/services.ts';
import { sourceMaps } from './http/sourceMaps.ts';
import { tiles } from './http/tiles.ts';
import { following } from './rules/order/following.ts';
import { jobRunner } from './rules/reliability/runner.ts';
import { jobs } from './call/jobs.ts';
import { phones } from './http/phones.ts';
import { buildOfKey, environmentWith, HOSTS, hosts, hostSide, shared } from './rules/hosts/hosts.ts';
import type { Around, HostSide } from './call/hosts.ts';
import { bankGateway } from './providers/bank.ts';
import { railwayClient } from './providers/railway.ts';
import { outside } from './providers/outside.ts';
import { paymentProvider } from './providers/payments.ts';
import type { WalletProvider } from './call/providers.ts';
import { pushSender } from './providers/push.ts';
import { outsideExperiments } from './providers/experiments.ts';
import { emailProvider } from './providers/email.ts';
import { smsProvider } from './providers/sms.ts';
import { socialProviders } from './providers/social.ts';
import { seedCampaigns } from './rules/experiments/campaigns.ts';
import { seedVouchers } from './rules/payment/vouchers.ts';
import { loadCatalogue } from './rules/catalogue/copies.ts';
import { shopfront } from './rules/shopfront/shopfront.ts';
import { proxies as proxiesOf } from './proxies.ts';
import { openDatabase } from './store/databases.ts';
import type { Database } from './store/databases.ts';
import type { Root } from './store/db.ts';
import { enqueue } from './store/jobs.ts';
import { migrate } from './store/migrate.ts';
import { hasSecret, now, readSystem, rememberSystem, secret, systemInMemory } from './store/system.ts';
import { sweep } from './store/sweep.ts';
import { inTrace, traceOfCall } from './trace.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks for connections whose headers or body are late. */
const CHECK_CONNECTIONS_MS = 2_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const DRAIN_AT_MOST_MS = 10_000;
/** In production a proxy in front asks every second or two whether a server is ready. */
const DRAIN_SECONDS = 5;
/** At least so long are running jobs waited for. */
const JOBS_PATIENCE_MS = 2_000;
const DRAIN_CHECK_MS = 50;
const ONE_YEAR_S = 31_536_000;
const PREFLIGHT_KEPT_SECONDS = 7_200;
const SWEEP_EVERY_MS = 6 * 3_600_000;
/** So much later a process in production hears of what another one has changed: menus, stores, what is sold out. */
const SYSTEM_REMEMBERED_MS = 1_000;
/** Batches that one job of sweeping does at most. */
const SWEEP_BATCHES = 200;
/** The mark in a database that development was served from. */
const DEVELOPED = 'development';

export interface ServeOptions {
  /** 0 picks any free port. */
  readonly port: number;
  readonly host?: string;
  /** `postgres://...` or the path of a file. Default: a database in memory. */
  readonly database?: string;
  /** Folder of the built bundles. null: serve the API only. Default: the repository's own folder, if it exists. */
  readonly distDir?: string | null;
  /** Turns on the clock, the switches, the inbox, the embedded vendors and the checking of replies. */
  readonly development?: boolean;
  /** Logs only errors of the server itself. */
  readonly quiet?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** More folders that contain host folders, in addition to the repository's own. */
  readonly hostFolders?: readonly string[];
}

export interface Running {
  readonly url: string;
  readonly port: number;
  /** Where the figures of this process are told; null: nowhere. */
  readonly metricsPort: number | null;
  readonly db: Root;
  readonly services: Services;
  /**
   * Says at `/ready` that it goes, answers on until the proxy has taken it out (`DRAIN_SECONDS`), then finishes the open
   * requests and running jobs and closes the database. Nobody's call fails by it.
   */
  stop(): Promise<void>;
}

// Deletes what is old, some of it in each job: a job has a deadline, and the next one goes on.
jobs.on<{ readonly isMore: true } | null>('sweep', async (payload, { db, jobId }) => {
  const at = await now(db);
  if (payload === null) await planSweep(db, at);
  if (!(await sweep(db, at, SWEEP_BATCHES)))
    await enqueue(db, { kind: 'sweep', runAt: at, payload: { isMore: true }, key: `sweep:${jobId}` });
});

/** Plans one sweep per period. The key makes it one job, however many processes run. */
async function planSweep(db: Root, at: number): Promise<void> {
  const next = Math.floor(at / SWEEP_EVERY_MS) + 1;
  await enqueue(db, { kind: 'sweep', runAt: next * SWEEP_EVERY_MS, payload: null, key: `sweep:${next}` });
}

/**
 * Development moves a database's clock, shows its codes and puts published vouchers into it.
 * @throws Error that says what to do, where production is to use one
 */
async function checkUse(db: Root, development: boolean): Promise<void> {
  if (development) return void (await secret(db, DEVELOPED, () => 'yes'));
  if (!(await hasSecret(db, DEVELOPED))) return;
  const hours = Math.round((await readSystem(db)).offsetMs / 3_600_000);
  throw new Error(
    `DATABASE_URL: this database was used for development: its clock is ${hours} h ahead, and vouchers that everybody can read are in it. Give production a database of its own.`,
  );
}

/**
 * Opens the database, migrates it and listens on a port.
 * @throws when the port is taken or the database cannot be reached
 */
export async function serve(options: ServeOptions): Promise<Running> {
  const development = options.development ?? true;
  const environment = await environmentWith([HOSTS, ...(options.hostFolders ?? [])], options.environment ?? {});
  const { publicOrigin, trustProxy, embeddedVendors, drainSeconds, codesAnHour, addressConnections, addressMegabytes } =
    environment.read(serverSettings);
  /** Whether the bank and other providers are imitated here, where none is configured. */
  const isImitated = embeddedVendors ?? development;
  const tileSource = environment.read(map);
  /** Counts begin once the services are there. */
  const counting = { counts: noMetrics.counts };
  const log = makeLog({
    development,
    quiet: options.quiet ?? false,
    told: (level) => counting.counts.logged(level),
  });
  const onLost = (error: Error) => log.warn({ error }, 'a connection to the database was lost');
  const databases: Database[] = [];
  const started: { port: number } = { port: 0 };
  const life: Life = { isDraining: false };
  /** The address under which the server reaches itself. */
  const own = () => `http://127.0.0.1:${started.port}`;
  let figures = noMetrics;
  let fields = noCardFields;
  try {
    for (const asked of databasesAsked(environment, options.database ?? ':memory:'))
      databases.push(await openDatabase(asked, onLost));
    for (const { opened, db } of databases) {
      await migrate(opened);
      await checkUse(db, development);
    }
    const home = databaseOf(databases);
    const calls = outside(log, counting);
    const withoutBank: Omit<Around, 'bank'> = {
      environment,
      outside: calls,
      origin: own,
      publicOrigin: () => publicOrigin ?? own(),
      secret: (name, make) => secret(home.db, name, make),
    };
    const origin = () => publicOrigin ?? `http://localhost:${started.port}`;
    fields = await openCardFields(environment, {
      isImitated,
      host: options.host,
      db: home.db,
      log,
      shop: origin,
      shopPort: () => started.port,
    });
    const bank = bankGateway(withoutBank);
    const railway = railwayClient(withoutBank, isImitated);
    const around: Around = { ...withoutBank, bank };
    const stands = {
      around,
      origin,
      get cardFields() {
        return fields.address();
      },
      log,
      get counts() {
        return counting.counts;
      },
      development,
      codesAnHour,
      addressMegabytes,
      payments: paymentProvider({ around, bank, hosts: hosts() }),
      railway,
      social: socialProviders(around, isImitated),
      catalogue: await loadCatalogue((country) => databaseOf(databases, country).db),
    };
    const bases = await Promise.all(
      databases.map(async ({ db, replica, countries: its }) => {
        if (development) await seedVouchers(db, its, await now(db));
        await seedCampaigns(db, its, await now(db));
        const services = servicesOf(db, stands);
        return { db, replica, services, countries: its, runner: jobRunner(db, services) };
      }),
    );
    const [first] = bases as [(typeof bases)[number], ...typeof bases];
    figures = await listenForMetrics(environment.read(metricsSettings), {
      dbs: databases.map(({ db }) => db),
      log,
      connections: () => databases.map(({ opened }) => opened.connections()),
      followers: () => bases.reduce((sum, { services }) => sum + services.following.size, 0),
      breakerStates: calls.breakerStates,
    });
    counting.counts = figures.counts;
    const proxies = proxiesOf(trustProxy, development);
    const shop: Omit<Setting, 'ready'> = {
      bases: [first, ...bases.slice(1)],
      baseOf: baseFinder(bases, first),
      log,
      proxies,
      gate: gate(proxies, addressConnections),
      isAskedFor: environment.read(serverSettings).mode === 'development',
    };
    const setting: Setting = { ...shop, ready: development ? null : readyIn(shop) };
    const site = {
      environment,
      ...environment.read(siteSettings),
      mapCredit: tileSource === null ? null : tileSource.credit,
    };
    const app = createApp(
      setting,
      // One clock for the simulator's phones, whatever database their country is in.
      allRoutes(
        site,
        async (ms) => (await Promise.all(bases.map(({ runner }) => runner.advance(ms))))[0]!,
        sourceMaps(distOf(options)),
      ),
      readyOf(bases, log, { isDraining: () => life.isDraining, breakerStates: calls.breakerStates }),
      isImitated,
    );
    app.route('/', tiles(tileSource?.url ?? '', calls) as unknown as App);
    addPages(app, options, {
      environment,
      development,
      proxies,
      counts: counting.counts,
      hidden: blockedPaths(withoutProvider(first.services)),
      origin: () => stands.origin(),
      cardFields: () => stands.cardFields,
      shopOf(folder) {
        const country = countryConfig(folder);
        return shopfront(country, {
          db: databaseOf(databases, country.COUNTRY_CODE).db,
          catalogue: stands.catalogue,
        });
      },
      onUntold: (error) => log.warn({ error }, 'a page went out without its structured data'),
    });
    for (const { db } of bases) await planSweep(db, await now(db));
    const isSecure = !development && publicOrigin?.startsWith('https://') === true;
    const server = await listening(app, setting, { ...options, isSecure }, life);
    started.port = (server.address() as AddressInfo).port;
    for (const { runner } of bases) runner.start();
    return {
      url: `http://127.0.0.1:${started.port}`,
      port: started.port,
      metricsPort: figures.port,
      db: first.db,
      services: first.services,
      async stop() {
        life.isDraining = true;
        const drainMs = (drainSeconds ?? (development ? 0 : DRAIN_SECONDS)) * 1_000;
        const handedOver = Promise.all(bases.map(({ runner }) => runner.stop(Math.max(drainMs, JOBS_PATIENCE_MS))));
        await new Promise((done) => setTimeout(done, drainMs));
        // Only now: a page that follows an order opens its stream again at once, and must not find this server again.
        for (const { services } of bases) services.following.stop();
        await closed(server);
        await handedOver;
        await Promise.all([figures.stop(), fields.stop()]);
        await Promise.all(databases.map((one) => one.close()));
      },
    };
  } catch (error) {
    await Promise.all([figures.stop(), fields.stop()]);
    await Promise.all(databases.map((one) => one.close()));
    throw error;
  }
}

/** The folder of the built bundles; null: none. */
const distOf = ({ distDir }: Pick<ServeOptions, 'distDir'>) =>
  distDir === undefined && existsSync(DIST) ? DIST : (distDir ?? null);

/** Serves the bundles that are built, if they are to be served. */
function addPages(
  app: App,
  options: Pick<ServeOptions, 'distDir'>,
  {
    environment,
    development,
    proxies,
    counts,
    ...found
  }: Pick<Setting, 'proxies'> & {
    readonly hidden: readonly string[];
    readonly origin: () => string;
    readonly cardFields: () => string | null;
    readonly shopOf: ShopOf;
    readonly onUntold: (error: unknown) => void;
    readonly counts: Services['counts'];
    readonly environment: Around['environment'];
    readonly development: boolean;
  },
): void {
  const dist = distOf(options);
  if (dist === null) return;
  countPages(app, counts);
  const all = pages({
    dist,
    production: !development,
    connect: sheetOrigins(environment),
    ...found,
    framed: { page: FEATURE_PATHS['worldpizzaleagueapp']![0]!, by: environment.read(league).frames },
    proxies,
    phones: development ? phones() : [],
    shared: shared(),
  });
  app.route('/', all as unknown as App);
}

/** That of a country; without one, that of what belongs to no country. */
function databaseOf(all: readonly Database[], country?: string): Database {
  return all.find(({ countries: its }) => its.some((code) => code === country)) ?? all[0]!;
}

/** What stands around one database. What it remembers, such as the keys of a vendor, is this process's own. */
function servicesOf(
  db: Root,
  shared: Pick<
    Services,
    'addressMegabytes' | 'catalogue' | 'codesAnHour' | 'counts' | 'development' | 'payments' | 'railway' | 'social'
  > & {
    readonly around: Around;
    readonly log: Setting['log'];
    readonly origin: () => string;
    readonly cardFields: string | null;
  },
): Services {
  const { around, origin, ...same } = shared;
  const { log, development } = same;
  const { environment, outside: calls } = around;
  const logins = new Map<string, ReturnType<HostSide['login']>>();
  const wallets = new Map<string, WalletProvider>();
  return {
    ...same,
    get counts() {
      return shared.counts;
    },
    get cardFields() {
      return shared.cardFields;
    },
    sms: smsProvider(environment, log, development, calls),
    email: emailProvider(environment, log, development, calls),
    logins(host) {
      const login = logins.get(host) ?? hostSide(host).login(around);
      logins.set(host, login);
      return login;
    },
    wallets(id) {
      const known =
        wallets.get(id) ??
        hosts()
          .find(({ wallet }) => wallet?.id === id)
          ?.wallet?.provider(around);
      if (known === undefined) throw new Error(`there is no wallet ${id}`);
      wallets.set(id, known);
      return known;
    },
    push: pushSender(environment, origin, development, calls),
    experiments: outsideExperiments(environment, calls),
    outside: calls,
    following: following(db, log),
    get origin() {
      return origin();
    },
  };
}

interface Life {
  isDraining: boolean;
}

/**
 * Ready while one of the databases is: the countries of the others are served on. It says what is wrong with the first
 * that is not.
 */
function readyOf(
  bases: readonly Pick<Base, 'db'>[],
  log: Setting['log'],
  about: Parameters<typeof readiness>[2],
): ReturnType<typeof readiness> {
  const looks = bases.map(({ db }) => readiness(db, log, about));
  return async () => {
    const all = await Promise.all(looks.map((look) => look()));
    const worst = all.find(({ isReady }) => !isReady) ?? all[0]!;
    return { ...worst, isReady: all.some(({ isReady }) => isReady) };
  };
}

/** By api_key, of which there are few, and any other text. */
function baseFinder<B extends Pick<Database, 'countries'>>(bases: readonly B[], first: B): (apiKey: string) => B {
  const byCountry = new Map(bases.flatMap((base) => base.countries.map((code) => [code, base] as const)));
  return (apiKey) => byCountry.get(buildOfKey(apiKey)?.country.COUNTRY_CODE ?? '') ?? first;
}

/** In production a process goes by what it remembers of the system rows, and sends prepared answers without asking. */
function readyIn(setting: Omit<Setting, 'ready'>): ReadyAnswers {
  for (const { db, replica } of setting.bases) {
    rememberSystem(db, SYSTEM_REMEMBERED_MS);
    if (replica !== null) rememberSystem(replica.db, SYSTEM_REMEMBERED_MS);
  }
  return readyAnswers(
    (apiKey) => {
      const { db, replica } = setting.baseOf(apiKey);
      return systemInMemory(replica?.isFresh() ? replica.db : db);
    },
    (...call) => noteCall(setting, ...call),
  );
}

/** The whole API as one fetch function; serve() adds the pages. */
function createApp(
  setting: Setting,
  routes: ReturnType<typeof allRoutes>,
  ready: ReturnType<typeof readiness>,
  withEmbedded: boolean,
): App {
  const [{ services }] = setting.bases;
  const app: App = new Hono<{ Bindings: HttpBindings }>();
  // Any origin may call: the API uses no cookies. The allowed headers are not listed because they differ per build
  // (specification section 7).
  app.use(
    '*',
    cors({
      origin: '*',
      allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      maxAge: PREFLIGHT_KEPT_SECONDS,
      exposeHeaders: EXPOSED_HEADERS,
    }),
  );
  app.use('*', (context, next) =>
    inTrace(
      traceOfCall((name) => context.req.header(name), requestIdOf(context)),
      () => inLanguage(languageOf(context.req.header('accept-language') ?? ''), next),
    ),
  );
  registerRoutes(app, routes, setting);
  const raw = rawRoutes();
  registerRaw(app, raw, setting, withEmbedded);
  registerKept(app, '/openapi.json', () =>
    JSON.stringify(
      openApi(
        routes
          .filter((route) => services.development || route.endpoint.access !== 'development')
          .map((route) => route.endpoint),
        services.origin,
      ),
    ),
  );
  app.get('/health', (context) =>
    send(context.env.outgoing, jsonReply(200, '{"status":"SUCCESS"}', requestIdOf(context))),
  );
  app.get('/ready', async (context) => send(context.env.outgoing, readyReply(await ready(), requestIdOf(context))));
  const notFound = (context: AppContext) =>
    send(
      context.env.outgoing,
      failedReply(404, [{ code: 'NOT_FOUND', displayMsg: errors.brokenLink }], requestIdOf(context)),
    );
  // Unknown paths below the API's own first segments get a 404 in JSON, never a page.
  for (const first of new Set(
    [...routes.map((route) => route.endpoint.path), ...raw.map((route) => route.path)].map(
      (path) => path.split('/')[1],
    ),
  ))
    app.all(`/${first}/*`, notFound);
  app.notFound(notFound);
  app.onError((error, context) =>
    send(context.env.outgoing, answerFailed(context, error, setting, { method: context.req.method })),
  );
  return app;
}

/** Counts what the routes after this answer, by what it is: a page, or one of its files. */
function countPages(app: App, counts: Services['counts']): void {
  if (counts === noMetrics.counts) return;
  app.use('*', async (context, next) => {
    const started = performance.now();
    await next();
    const { method } = context.req;
    const path = context.res.headers.get('content-type')?.startsWith('text/html') ? '(page)' : '(file)';
    const seconds = (performance.now() - started) / 1000;
    if (method === 'GET' || method === 'HEAD')
      counts.answered({ method, path, host: '', country: '', status: context.res.status, seconds });
  });
}

/** @param options `isSecure`: others reach us by https alone, and browsers remember it */
async function listening(
  app: App,
  { ready, gate }: Setting,
  options: ServeOptions & { readonly isSecure: boolean },
  life: Life,
): Promise<Server> {
  const answer = getRequestListener(
    async (request, bindings) => {
      const work = gate.work(bindings.incoming as IncomingMessage);
      try {
        return await app.fetch(request, bindings);
      } finally {
        work.leave();
      }
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    },
    (request, response) => {
      // The answer says `Connection: close`: who would send the next call on a connection that is about to close cannot
      // know whether it was heard.
      if (life.isDraining) response.shouldKeepAlive = false;
      // Here, because some answers go past the routes: prepared ones, and those of the gate.
      if (options.isSecure) response.setHeader('strict-transport-security', `max-age=${ONE_YEAR_S}`);
      if (ready?.send(request, response) !== true) gate.enter(request, response, () => void answer(request, response));
    },
  );
  gate.watch(server);
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
  const done = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection that already has its answer would otherwise stay open for the keep-alive time.
  server.closeIdleConnections();
  const sweeping = setInterval(() => server.closeIdleConnections(), DRAIN_CHECK_MS);
  const impatient = setTimeout(() => server.closeAllConnections(), DRAIN_AT_MOST_MS);
  await done;
  clearInterval(sweeping);
  clearTimeout(impatient);
}
