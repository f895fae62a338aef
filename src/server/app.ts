import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  appOf,
  basesOf,
  closeAll,
  nothingOpened,
  openMetrics,
  sharedServices,
  type Resources,
  type Start,
} from './app/compose.ts';
import { openDatabases } from './app/databases.ts';
import { closed, listening } from './app/listen.ts';
import type { ServeOptions } from './app/options.ts';
import { planSweep } from './app/sweeping.ts';
import type { Services } from './call/services.ts';
import { databasesAsked, server as serverSettings } from './environment.ts';
import { makeLog } from './http/log.ts';
import { noMetrics } from './http/metrics.ts';
import { streamsAmong } from './http/streams.ts';
import { environmentWith, HOSTS } from './rules/hosts/hosts.ts';
import type { Root } from './store/db.ts';
import { now } from './store/system.ts';

/** In production a proxy in front asks every second or two whether a server is ready. */
const DRAIN_SECONDS = 5;
/** At least so long are running jobs waited for. */
const JOBS_PATIENCE_MS = 2_000;

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

async function startOf(options: ServeOptions): Promise<Start> {
  const development = options.development ?? true;
  const environment = await environmentWith([HOSTS, ...(options.hostFolders ?? [])], options.environment ?? {});
  const counting = { counts: noMetrics.counts };
  return {
    options,
    environment,
    development,
    isImitated: environment.read(serverSettings).embeddedVendors ?? development,
    log: makeLog({
      development,
      quiet: options.quiet ?? false,
      told: (level) => counting.counts.logged(level),
    }),
    counting,
    started: { port: 0 },
    life: { isDraining: false },
  };
}

/**
 * Opens the databases, migrates them and listens on a port.
 * @throws when the port is taken or a database cannot be used: none is migrated then that another one fails
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const start = await startOf(options);
  const { environment, development, log, life, started } = start;
  const opened = nothingOpened();
  try {
    const asked = databasesAsked(environment, options.database ?? ':memory:');
    opened.databases = await openDatabases(asked, { development, isAlone: options.isAlone === true, log });
    const shared = await sharedServices(start, opened);
    const bases = await basesOf(start, opened, shared);
    await openMetrics(start, opened, { asked, bases, shared });
    const { app, routes, setting } = appOf(start, opened, bases, shared);
    for (const { db } of bases) await planSweep(db, await now(db));
    const isSecure = !development && environment.read(serverSettings).publicOrigin?.startsWith('https://') === true;
    const server = await listening(app, setting, { ...options, isSecure }, life, streamsAmong(routes));
    started.port = (server.address() as AddressInfo).port;
    for (const { runner } of bases) runner.start();
    return {
      url: `http://127.0.0.1:${started.port}`,
      port: started.port,
      metricsPort: opened.figures.port,
      db: bases[0].db,
      services: bases[0].services,
      stop: () => drain(start, opened, bases, server),
    };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** See `RunningServer.stop`. */
async function drain(
  { environment, development, life }: Start,
  opened: Resources,
  bases: Awaited<ReturnType<typeof basesOf>>,
  server: Server,
): Promise<void> {
  life.isDraining = true;
  const { drainSeconds } = environment.read(serverSettings);
  const drainMs = (drainSeconds ?? (development ? 0 : DRAIN_SECONDS)) * 1_000;
  const handedOver = Promise.all(bases.map(({ runner }) => runner.stop(Math.max(drainMs, JOBS_PATIENCE_MS))));
  await sleep(drainMs);
  // Only now: a page that follows an order opens its stream again at once, and must not find this server again.
  for (const { services } of bases) services.following.stop();
  await closed(server);
  await handedOver;
  await closeAll(opened);
}
