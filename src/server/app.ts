import { HOUR_MS } from '../domain/time.ts';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { blockedPaths } from '../../country/featurePaths.ts';
import {
  databasesAsked,
  map,
  metrics as metricsSettings,
  server as serverSettings,
  site as siteSettings,
  withoutPassword,
} from './environment.ts';
import { noCardFields, openCardFields } from './http/cardFields.ts';
import { gate } from './http/gate.ts';
import { makeLog } from './http/log.ts';
import { listenForMetrics, noMetrics } from './http/metrics.ts';
import { countryConfig } from '../../country/index.ts';
import { readyAnswers, type ReadyAnswers } from './http/replyCache.ts';
import { noteCall } from './http/register.ts';
import type { App, Base, Setting } from './http/register.ts';
import { readiness, type ProcessState } from './http/readiness.ts';
import { allRoutes } from './http/routes.ts';
import { streamsAmong } from './http/streams.ts';
import { withoutProvider } from './call/features.ts';
import type { Services } from './call/services.ts';
import { sourceMaps } from './http/pages/sourceMaps.ts';
import { tiles } from './http/tiles.ts';
import { jobRunner } from './rules/reliability/runner.ts';
import { buildOfKey, environmentWith, HOSTS, hosts } from './rules/hosts/hosts.ts';
import type { HostContext } from './call/hosts.ts';
import { bankGateway } from './providers/bank.ts';
import { railwayClient } from './providers/railway.ts';
import { documents } from './providers/documents.ts';
import { outside } from './providers/outside.ts';
import { paymentProvider } from './providers/payments.ts';
import { socialProviders } from './providers/social.ts';
import { seedCampaigns } from './rules/experiments/campaigns.ts';
import { seedVouchers } from './rules/payment/vouchers.ts';
import { loadCatalogue } from './rules/catalogue/copies.ts';
import { shopfront } from './rules/shopfront/shopfront.ts';
import { proxies as proxiesOf } from './proxies.ts';
import { deletionList } from './store/deletionList.ts';
import { openDatabase } from './store/databases.ts';
import type { Database } from './store/databases.ts';
import { transact, type Root } from './store/db.ts';
import { columnsOf, migrate } from './store/migrate.ts';
import { hasSecret, now, readSystem, rememberSystem, secret, systemInMemory } from './store/system.ts';
import { distOf, addPages } from './app/addPages.ts';
import { type Life, listening, closed } from './app/listen.ts';
import { createApp } from './app/api.ts';
import { planSweep } from './app/sweeping.ts';
import type { ServeOptions } from './app/options.ts';
import { servicesOf } from './app/services.ts';

/** In production a proxy in front asks every second or two whether a server is ready. */
const DRAIN_SECONDS = 5;
/** At least so long are running jobs waited for. */
const JOBS_PATIENCE_MS = 2_000;

/** Delay after which a process in production knows what another one has changed: menus, stores, what is sold out. */
const SYSTEM_REMEMBERED_MS = 1_000;

/** The mark in a database that development was served from. */
const DEVELOPED = 'development';

export interface RunningServer {
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

/**
 * Development moves a database's clock, shows its codes and puts published vouchers into it.
 * @throws Error that says what to do, where production is to use one
 */
async function checkUse(db: Root, development: boolean, name: string): Promise<void> {
  if (development) return void (await secret(db, DEVELOPED, () => 'yes'));
  if (!(await hasSecret(db, DEVELOPED))) return;
  const hours = Math.round((await readSystem(db)).offsetMs / HOUR_MS);
  throw new Error(
    `${name}: this database was used for development: its clock is ${hours} h ahead, and vouchers that everybody can read are in it. Give production a database of its own.`,
  );
}

/** The operator may have several databases: the error says which one fails (main.ts). */
async function naming({ name, target }: { name: string; target: string }, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw Object.assign(error as Error, { database: { name, target: withoutPassword(target) } });
  }
}

/**
 * Opens the databases, migrates them and listens on a port.
 * @throws when the port is taken or a database cannot be used: none is migrated then that another one fails
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const development = options.development ?? true;
  const environment = await environmentWith([HOSTS, ...(options.hostFolders ?? [])], options.environment ?? {});
  const {
    publicOrigin,
    trustProxy,
    embeddedVendors,
    drainSeconds,
    codesAnHour,
    addressConnections,
    addressMegabytes,
    orderNamesDays,
    deletionsFile,
  } = environment.read(serverSettings);
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
    const asked = databasesAsked(environment, options.database ?? ':memory:');
    for (const one of asked)
      await naming(one, async () => {
        const opened = await openDatabase(one, onLost);
        databases.push(opened);
        await transact(opened.db, columnsOf);
        if (options.isAlone === true) await opened.serveAlone();
      });
    // Only now: one that cannot be used keeps all from being changed.
    for (const [index, one] of asked.entries())
      await naming(one, async () => {
        const { db, opened } = databases[index]!;
        await migrate(opened);
        await checkUse(db, development, one.name);
      });
    const home = databaseOf(databases);
    const calls = outside(log, counting);
    const withoutBank: Omit<HostContext, 'bank'> = {
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
    const around: HostContext = { ...withoutBank, bank };
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
      documents: documents(development),
      codesAnHour,
      addressMegabytes,
      orderNamesDays,
      noteDeleted: await deletionList(deletionsFile),
      payments: paymentProvider({ around, bank, hosts: hosts() }),
      railway,
      social: socialProviders(around, isImitated),
      catalogue: await loadCatalogue((country) => databaseOf(databases, country).db, log),
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
      replicas: databases.flatMap(({ replica }) => replica ?? []),
      publicOrigin: publicOrigin?.startsWith('https:') === true ? publicOrigin : null,
      folders: foldersOf(asked, environment.read(metricsSettings).backups),
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
    const routes = allRoutes(
      site,
      // One clock for the simulator's phones, whatever database their country is in.
      async (ms) => (await Promise.all(bases.map(({ runner }) => runner.advance(ms))))[0]!,
      sourceMaps(distOf(options)),
    );
    const app = createApp(
      setting,
      routes,
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
    const server = await listening(app, setting, { ...options, isSecure }, life, streamsAmong(routes));
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
        await sleep(drainMs);
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

/** Which disks of this machine the shop needs room on. */
function foldersOf(asked: readonly { readonly target: string }[], backups: string | null) {
  const file = asked.find(({ target }) => !/^postgres(ql)?:|^:memory:$/.test(target))?.target;
  return {
    ...(file === undefined ? {} : { database: path.dirname(file) }),
    ...(backups === null ? {} : { backups }),
  };
}

/** The database of a country; without a country, the one for what belongs to none. */
function databaseOf(all: readonly Database[], country?: string): Database {
  return all.find(({ countries: its }) => its.some((code) => code === country)) ?? all[0]!;
}

/**
 * Ready while one of the databases is: the countries of the others are served on. It says what is wrong with the first
 * that is not.
 */
function readyOf(
  bases: readonly Pick<Base, 'db'>[],
  log: Setting['log'],
  state: ProcessState,
): ReturnType<typeof readiness> {
  const looks = bases.map(({ db }) => readiness(db, log, state));
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
