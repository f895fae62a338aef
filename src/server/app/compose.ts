import { blockedPaths } from '../../../country/featurePaths.ts';
import { countryConfig } from '../../../country/index.ts';
import { withoutProvider } from '../call/features.ts';
import type { HostContext } from '../call/hosts.ts';
import {
  map,
  metrics as metricsSettings,
  server as serverSettings,
  site as siteSettings,
  type databasesAsked,
  type Environment,
} from '../environment.ts';
import { noCardFields, openCardFields } from '../http/cardFields.ts';
import { gate } from '../http/gate.ts';
import { listenForMetrics, noMetrics } from '../http/metrics.ts';
import { sourceMaps } from '../http/pages/sourceMaps.ts';
import type { App, Setting } from '../http/register.ts';
import { allRoutes } from '../http/routes.ts';
import { tiles } from '../http/tiles.ts';
import { bankGateway } from '../providers/bank.ts';
import { documents } from '../providers/documents.ts';
import { outside } from '../providers/outside.ts';
import { paymentProvider } from '../providers/payments.ts';
import { railwayClient } from '../providers/railway.ts';
import { socialProviders } from '../providers/social.ts';
import { proxies as proxiesOf } from '../proxies.ts';
import { loadCatalogue } from '../rules/catalogue/copies.ts';
import { seedCampaigns } from '../rules/experiments/campaigns.ts';
import { buildOfKey, hosts } from '../rules/hosts/hosts.ts';
import { seedVouchers } from '../rules/payment/vouchers.ts';
import { jobRunner } from '../rules/reliability/runner.ts';
import { shopfront } from '../rules/shopfront/shopfront.ts';
import type { Database } from '../store/databases.ts';
import { deletionList } from '../store/deletionList.ts';
import { now, secret } from '../store/system.ts';
import { addPages, distOf } from './addPages.ts';
import { createApp } from './api.ts';
import { closeDatabases, databaseOf, foldersOf } from './databases.ts';
import type { Life } from './listen.ts';
import type { ServeOptions } from './options.ts';
import { readyIn, readyOf } from './ready.ts';
import { servicesOf } from './services.ts';

/** What a process knows of itself before it has opened anything. */
export interface Start {
  readonly options: ServeOptions;
  readonly environment: Environment;
  readonly development: boolean;
  /** Whether the bank and other providers are imitated here, where none is configured. */
  readonly isImitated: boolean;
  readonly log: Setting['log'];
  /** Counts begin once the services are there. */
  readonly counting: { counts: typeof noMetrics.counts };
  readonly started: { port: number };
  readonly life: Life;
}

/** All that has to be closed again. */
export interface Resources {
  databases: readonly Database[];
  figures: typeof noMetrics;
  fields: typeof noCardFields;
}
export const nothingOpened = (): Resources => ({ databases: [], figures: noMetrics, fields: noCardFields });
export async function closeAll({ databases, figures, fields }: Resources): Promise<void> {
  await Promise.all([figures.stop(), fields.stop()]);
  await closeDatabases(databases);
}

/** The services that all databases share, and the origin by which others reach the shop. */
export async function sharedServices(start: Start, opened: Resources) {
  const { options, environment, development, isImitated, log, counting, started } = start;
  const { publicOrigin, codesAnHour, addressMegabytes, orderNamesDays, deletionsFile } =
    environment.read(serverSettings);
  /** The address under which the server reaches itself. */
  const own = () => `http://127.0.0.1:${started.port}`;
  const origin = () => publicOrigin ?? `http://localhost:${started.port}`;
  const { db } = databaseOf(opened.databases);
  const withoutBank: Omit<HostContext, 'bank'> = {
    environment,
    outside: outside(log, counting),
    origin: own,
    publicOrigin: () => publicOrigin ?? own(),
    secret: (name, make) => secret(db, name, make),
  };
  opened.fields = await openCardFields(environment, {
    isImitated,
    host: options.host,
    db,
    log,
    shop: origin,
    shopPort: () => started.port,
  });
  const bank = bankGateway(withoutBank);
  const around: HostContext = { ...withoutBank, bank };
  return {
    around,
    origin,
    get cardFields() {
      return opened.fields.address();
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
    railway: railwayClient(withoutBank, isImitated),
    social: socialProviders(around, isImitated),
    catalogue: await loadCatalogue((country) => databaseOf(opened.databases, country).db, log),
  };
}
type SharedServices = Awaited<ReturnType<typeof sharedServices>>;

/** Each database with its services and its jobs, which do not run yet. */
export async function basesOf({ development }: Start, { databases }: Resources, shared: SharedServices) {
  const bases = await Promise.all(
    databases.map(async ({ db, replica, countries: its }) => {
      if (development) await seedVouchers(db, its, await now(db));
      await seedCampaigns(db, its, await now(db));
      const services = servicesOf(db, shared);
      return { db, replica, services, countries: its, runner: jobRunner(db, services) };
    }),
  );
  return bases as [(typeof bases)[number], ...typeof bases];
}
type Bases = Awaited<ReturnType<typeof basesOf>>;

/** Begins to tell the figures of this process where they are asked for, and to count. */
export async function openMetrics(
  { environment, log, counting }: Start,
  opened: Resources,
  {
    asked,
    bases,
    shared,
  }: { readonly asked: ReturnType<typeof databasesAsked>; readonly bases: Bases; readonly shared: SharedServices },
): Promise<void> {
  const { databases } = opened;
  const settings = environment.read(metricsSettings);
  const { publicOrigin } = environment.read(serverSettings);
  opened.figures = await listenForMetrics(settings, {
    dbs: databases.map(({ db }) => db),
    replicas: databases.flatMap(({ replica }) => replica ?? []),
    publicOrigin: publicOrigin?.startsWith('https:') === true ? publicOrigin : null,
    folders: foldersOf(asked, settings.backups),
    log,
    connections: () => databases.map(({ opened: its }) => its.connections()),
    followers: () => bases.reduce((sum, { services }) => sum + services.following.size, 0),
    breakerStates: shared.around.outside.breakerStates,
  });
  counting.counts = opened.figures.counts;
}

/** By api_key, of which there are few, and any other text. */
function baseFinder<B extends Pick<Database, 'countries'>>(bases: readonly B[], first: B): (apiKey: string) => B {
  const byCountry = new Map(bases.flatMap((base) => base.countries.map((code) => [code, base] as const)));
  return (apiKey) => byCountry.get(buildOfKey(apiKey)?.country.COUNTRY_CODE ?? '') ?? first;
}

function settingOf({ environment, development, log }: Start, bases: Bases): Setting {
  const { trustProxy, addressConnections, mode } = environment.read(serverSettings);
  const proxies = proxiesOf(trustProxy, development);
  const shop: Omit<Setting, 'ready'> = {
    bases,
    baseOf: baseFinder(bases, bases[0]),
    log,
    proxies,
    gate: gate(proxies, addressConnections),
    isAskedFor: mode === 'development',
  };
  return { ...shop, ready: development ? null : readyIn(shop) };
}

/** The API and the pages as one function that answers, which nobody calls yet. */
export function appOf(start: Start, { databases }: Resources, bases: Bases, shared: SharedServices) {
  const { options, environment, development, isImitated, log, counting, life } = start;
  const setting = settingOf(start, bases);
  const tileSource = environment.read(map);
  const { outside: calls } = shared.around;
  const routes = allRoutes(
    { environment, ...environment.read(siteSettings), mapCredit: tileSource === null ? null : tileSource.credit },
    // One clock for the simulator's phones, whatever database their country is in.
    async (ms) => (await Promise.all(bases.map(({ runner }) => runner.advance(ms))))[0]!,
    sourceMaps(distOf(options)),
  );
  const state = { isDraining: () => life.isDraining, breakerStates: calls.breakerStates };
  const app = createApp(setting, routes, readyOf(bases, log, state), isImitated);
  app.route('/', tiles(tileSource?.url ?? '', calls) as unknown as App);
  addPages(app, options, {
    environment,
    development,
    proxies: setting.proxies,
    counts: counting.counts,
    hidden: blockedPaths(withoutProvider(bases[0].services)),
    origin: () => shared.origin(),
    cardFields: () => shared.cardFields,
    shopOf(folder) {
      const country = countryConfig(folder);
      return shopfront(country, {
        db: databaseOf(databases, country.COUNTRY_CODE).db,
        catalogue: shared.catalogue,
      });
    },
    onUntold: (error) => log.warn({ error }, 'a page went out without its structured data'),
  });
  return { app, routes, setting };
}
