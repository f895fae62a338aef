import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noCounts, type Counts } from '../call/counts.ts';
import { certificateLeftMs } from './certificate.ts';
import { jobs } from '../call/jobs.ts';
import type { Breaker } from '../call/outside.ts';
import type { Log } from '../call/services.ts';
import { withTimeout } from '../call/withTimeout.ts';
import type { Connections, Root } from '../store/db.ts';
import { PaymentMode } from '../../contract/names.ts';
import { buildOfKey, builds } from '../rules/hosts/hosts.ts';
import { hearMoves, type Move } from '../store/transitions.ts';
import { standing, type ShopState } from '../store/standing.ts';
import { now } from '../store/system.ts';
import { freeShare, isUnwritable, newestBackupMs, tryWriting } from '../store/diskSpace.ts';
import type { Replica } from '../store/replica.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/** A job that has been due for longer than this counts as late. */
const LATE_MS = 10_000;
/** How long what was read of the database is told again, however many ask. */
const READ_AGAIN_MS = 5_000;
const CERTIFICATE_AGAIN_MS = 10 * MINUTE_MS;
/** A database that does not answer by then is told to be away. */
const READ_AT_MOST_MS = 3_000;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What else there is to see, asked when figures are. */
export interface MetricSources {
  /** Every database that is served. */
  readonly dbs: readonly Root[];
  readonly replicas: readonly Replica[];
  /** Folders on disks of this machine, by what is in them. */
  readonly folders: Readonly<Partial<Record<'database' | 'backups', string>>>;
  /** What customers reach us by, where that is https; else null. */
  readonly publicOrigin: string | null;
  readonly log: Log;
  connections(): readonly Connections[];
  /** Connections that follow an order live. */
  followers(): number;
  breakerStates(): readonly Breaker[];
}

interface Metrics {
  readonly counts: Counts;
  /** All figures as text, in the form of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** The whole set of figures of this process. The library is loaded only where figures are asked for. */
async function makeMetrics({
  dbs,
  replicas,
  folders,
  publicOrigin,
  log,
  connections,
  followers,
  breakerStates,
}: MetricSources): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('@prometheus-io/client');
  const registry = new Registry();
  const registers = [registry];
  // Memory, CPU, garbage collection and how late the event loop is.
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name: `pizza_${name}`, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name: `pizza_${name}`, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Histogram<L>({ name: `pizza_${name}`, help, labelNames, buckets: SECONDS, registers });

  const where = ['method', 'path', 'host', 'country'] as const;
  const calls = counter('calls_total', 'Calls that were answered', [...where, 'status']);
  const took = histogram('call_duration_seconds', 'How long calls took, up to the first byte of a stream', where);
  const orders = counter('order_moves_total', 'Orders that came into this status', ['status', 'country', 'host']);
  const payments = counter('payment_moves_total', 'Payments that came into this state', ['state', 'mode']);
  const money = counter('money_taken_minor_total', 'Money taken, in minor units', ['mode', 'currency']);
  const tries = counter('job_tries_total', 'Jobs that were tried', ['lane', 'outcome']);
  const worked = histogram('job_duration_seconds', 'How long a try of a job took', ['lane']);
  const givenUp = counter('jobs_given_up_total', 'Jobs that will not be tried again', ['kind']);
  const refusals = counter('refusals_total', 'Calls that were refused, by the code of the first error', ['code']);
  const lines = counter('log_lines_total', 'Lines of the log', ['level']);
  const failedPages = counter('page_errors_total', 'Errors that pages have told', ['country', 'host']);
  const incidents = counter('incidents_total', 'What somebody has to look at, about money', ['kind']);
  // These are told before the first one happens, which would not be seen as a rise otherwise.
  for (const level of ['warn', 'error']) lines.inc({ level }, 0);
  for (const kind of ['PAYMENT', 'REFUND']) incidents.inc({ kind }, 0);
  for (const kind of jobs.kinds()) givenUp.inc({ kind }, 0);
  for (const code of ['OTP_LIMIT', 'OTP_WAIT']) refusals.inc({ code }, 0);
  for (const mode of PaymentMode.options) for (const state of ['FAILED', 'CAPTURED']) payments.inc({ state, mode }, 0);
  for (const { key } of builds()) {
    const {
      country: { COUNTRY_CODE: country },
      host,
    } = buildOfKey(key)!;
    orders.inc({ status: 'PENDING', country, host }, 0);
    failedPages.inc({ country, host }, 0);
  }

  const asked = histogram('provider_call_duration_seconds', 'How long providers took to answer', [
    'provider',
    'outcome',
  ]);

  const reachable = gauge('database_up', '1: the database answers');
  const writable = gauge('database_writable', '1: as much as an order can be written');
  const behind = gauge('replica_behind_seconds', 'How old what the replica tells is, of several the oldest');
  const room = gauge('disk_free_share', 'How much of the disk of a folder is free, of 1', ['folder']);
  const backup = gauge('backup_age_seconds', 'How old the newest backup in BACKUPS_FOLDER is');
  const certificate = gauge('certificate_left_seconds', 'How long the certificate at PUBLIC_ORIGIN is still valid', [
    'origin',
  ]);
  const pool = gauge('database_connections', 'Connections to the database; waiting: work that has none', ['state']);
  const streams = gauge('followers', 'Connections that follow an order live');
  const away = gauge('provider_away', '1: a provider does not answer, and this process leaves it alone', ['provider']);
  const openOrders = gauge('orders_open', 'Orders that are not over, in the whole shop', ['status']);
  const openPayments = gauge('payments_open', 'Payments without an end, in the whole shop', ['state']);
  const waiting = gauge('jobs_waiting', 'Jobs that are due and not done, in the whole shop', ['lane']);
  const late = gauge('jobs_late', `Of these, due for over ${LATE_MS / 1000} s`, ['lane']);
  const oldest = gauge('jobs_oldest_seconds', 'How long the oldest of these has been due', ['lane']);
  const dead = gauge('jobs_given_up', 'Jobs that were given up and that nobody has looked after', ['kind']);
  const tickets = gauge(
    'tickets_open',
    'Help tickets that a person has to answer, in the whole shop; LATE: for longer than was promised',
    ['state'],
  );
  const shop = [tickets, openOrders, openPayments, waiting, late, oldest, dead];

  const oldestIn = new Map<string, number>();
  /** Adds what one of the databases holds. */
  function show(
    at: number,
    { orders: open, payments: unpaid, lines: lanes, givenUp: lost, tickets: asked }: ShopState,
  ): void {
    tickets.inc({ state: 'IN_TIME' }, asked.waiting - asked.late);
    tickets.inc({ state: 'LATE' }, asked.late);
    for (const { status, count } of open) openOrders.inc({ status }, count);
    for (const { state, count } of unpaid) openPayments.inc({ state }, count);
    for (const { lane, ...line } of lanes) {
      waiting.inc({ lane }, line.waiting);
      late.inc({ lane }, line.late);
      const seconds = Math.max((at - line.oldest) / 1000, oldestIn.get(lane) ?? 0);
      oldestIn.set(lane, seconds);
      oldest.set({ lane }, seconds);
    }
    for (const { kind, count } of lost) dead.inc({ kind }, count);
  }

  async function read(): Promise<void> {
    try {
      const look = async (db: Root) => {
        const at = await now(db);
        const canWrite = await tryWriting(db).then(
          () => true,
          (error: unknown) => {
            if (isUnwritable(error)) return false;
            throw error;
          },
        );
        return { at, canWrite, found: await standing(db, at, LATE_MS) };
      };
      const looked = await withTimeout(Promise.all(dbs.map(look)), READ_AT_MOST_MS);
      for (const one of shop) one.reset();
      oldestIn.clear();
      for (const { at, found } of looked) show(at, found);
      writable.set(looked.every(({ canWrite }) => canWrite) ? 1 : 0);
      reachable.set(1);
    } catch (error) {
      // What is not known is not told.
      for (const one of shop) one.reset();
      reachable.set(0);
      log.warn({ error: String(error) }, 'how the shop stands could not be read');
    }
  }
  let certificateReadAt = -Infinity;
  async function readCertificate(): Promise<void> {
    if (publicOrigin === null || performance.now() - certificateReadAt < CERTIFICATE_AGAIN_MS) return;
    certificateReadAt = performance.now();
    try {
      certificate.set({ origin: publicOrigin }, (await certificateLeftMs(publicOrigin)) / 1000);
    } catch (error) {
      // What is not known is not told. A proxy may show it to customers alone.
      certificate.reset();
      log.warn({ error: String(error) }, 'the certificate could not be looked at');
    }
  }
  async function readAround(): Promise<void> {
    await readCertificate();
    if (replicas.length > 0) {
      const ages = await Promise.all(replicas.map((one) => one.behindMs()));
      behind.set(Math.max(...ages) / 1000);
    }
    for (const [folder, name] of Object.entries(folders)) {
      try {
        room.set({ folder }, await freeShare(name));
        if (folder === 'backups') backup.set((await newestBackupMs(name)) / 1000);
      } catch (error) {
        // A folder that is not there has no room and no backup.
        room.set({ folder }, 0);
        if (folder === 'backups') backup.set(Infinity);
        log.warn({ error: String(error), folder }, 'the room of a folder could not be read');
      }
    }
  }
  let reading: Promise<unknown> | null = null;
  let readAt = -Infinity;
  const readOnce = async () => {
    if (performance.now() - readAt < READ_AGAIN_MS) return;
    reading ??= Promise.all([read(), readAround()]).finally(() => {
      readAt = performance.now();
      reading = null;
    });
    await reading;
  };

  const count = (move: Move): void => {
    if (move.noun === 'order') {
      const { status, country, host } = move;
      orders.inc({ status, country, host });
      return;
    }
    const { state, mode, amount, currency } = move;
    payments.inc({ state, mode });
    if (state === 'CAPTURED') money.inc({ mode, currency }, amount);
  };
  for (const db of dbs) hearMoves(db, count);
  return {
    counts: {
      answered({ status, seconds, ...labels }) {
        calls.inc({ ...labels, status });
        took.observe(labels, seconds);
      },
      tried({ lane, kind, outcome, seconds }) {
        tries.inc({ lane, outcome });
        worked.observe({ lane }, seconds);
        if (outcome === 'given_up') givenUp.inc({ kind });
      },
      refused: (code) => refusals.inc({ code }),
      asked: ({ provider, outcome, seconds }) => asked.observe({ provider, outcome }, seconds),
      pageFailed: (where) => failedPages.inc(where),
      incident: (kind) => incidents.inc({ kind }),
      logged: (level) => lines.inc({ level }),
    },
    contentType: registry.contentType,
    async text() {
      await readOnce();
      pool.reset();
      for (const own of connections())
        for (const [state, number] of Object.entries(own)) pool.inc({ state }, Number(number));
      streams.set(followers());
      for (const { provider, state, isBack } of breakerStates())
        away.set({ provider }, state === 'closed' || isBack ? 0 : 1);
      return await registry.metrics();
    },
  };
}

interface MetricsListener {
  readonly counts: Counts;
  readonly port: number | null;
  stop(): Promise<void>;
}

/** Where nobody asks for figures, none are kept. */
export const noMetrics: MetricsListener = { counts: noCounts, port: null, stop: () => Promise.resolve() };

/**
 * Tells the figures of this process at `/metrics`, on a port of their own, which no customer reaches.
 * @throws Error that names METRICS_PORT or METRICS_HOST when it cannot be used
 */
export async function listenForMetrics(
  { port, host }: { readonly port: number | null; readonly host: string },
  looked: MetricSources,
): Promise<MetricsListener> {
  if (port === null) return noMetrics;
  const metrics = await makeMetrics(looked);
  const server: Server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        looked.log.error({ error: String(error) }, 'the figures could not be told');
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const name = ['EADDRINUSE', 'EACCES'].includes(cause.code ?? '') ? 'METRICS_PORT' : 'METRICS_HOST';
      // Not the error itself: its code would have the next PORT tried.
      reject(new Error(`${name}: ${host}:${port} cannot be used (${cause.code ?? cause.message}).`));
    });
    server.listen(port, host, resolve);
  });
  return {
    counts: metrics.counts,
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}
