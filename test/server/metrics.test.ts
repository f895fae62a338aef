import { randomUUID } from 'node:crypto';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import * as orders from '../../src/contract/orders.ts';
import { serve } from '../../src/server/app.ts';
import { root } from '../architecture/sources.ts';
import { certificateUntil } from '../kit/certificate.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { engines, startServer } from '../kit/server.ts';
import { member, openedShop, type Shop } from './shop.ts';

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The series of each figure by its name; a figure that is declared and has none yet is there, too. */
function read(text: string): ReadonlyMap<string, readonly Series[]> {
  const all = new Map<string, Series[]>();
  for (const line of text.split('\n')) {
    const [, declared, kind] = /^# TYPE (\S+) (\w+)/.exec(line) ?? [];
    if (declared !== undefined)
      for (const end of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) all.set(declared + end, []);
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const said = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, own]) => [key!, own!]));
    all.set(name, [
      ...(all.get(name) ?? []),
      { labels: said, value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) },
    ]);
  }
  return all;
}
const figuresAt = async (port: number | null | undefined) => {
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(reply.headers.get('content-type')).toContain('text/plain');
  return read(await reply.text());
};

const folder = path.join(root, 'src/server/operations');
const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
const rules = (parseYaml(text('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const panels = (JSON.parse(text('dashboard.json')) as { panels: { title: string; targets?: { expr: string }[] }[] })
  .panels;
const all = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** What an expression asks for: figures, and the labels it goes by. @throws where it cannot be read */
function asked(expr: string): { names: string[]; labels: string[] } {
  const names: string[] = [];
  const labels: string[] = [];
  parser.parse(expr).iterate({
    enter({ type, name, from, to }) {
      if (type.isError) throw new Error(`${expr}: not understood at ${from}`);
      if (name === 'Identifier') names.push(expr.slice(from, to));
      if (name === 'LabelName') labels.push(expr.slice(from, to));
    },
  });
  return { names, labels };
}

describe.each(await engines())('the figures of a shop on %s', (engine) => {
  let shop: Shop;
  let figures: Awaited<ReturnType<typeof figuresAt>>;
  const told: { total?: number; orderIds?: string[] } = {};
  const sum = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    (figures.get(`pizza_${name}`) ?? [])
      .filter((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))
      .reduce((all, { value }) => all + value, 0);

  beforeAll(async () => {
    shop = await openedShop({ engine, settings: { environment: { METRICS_PORT: '0' } } });
    const { server, db } = shop;
    const who = await member(server);
    const order = await who.paid();
    const cash = { paymentMode: 'COD', key: randomUUID() } as const;
    await who.fill();
    const first = await who.submit(cash);
    // The same key with another wish is a call, and no second order.
    expect((await who.submit({ ...cash, cartVersion: 1, total: 1 })).status).toBe(422);
    expect((await who.call(orders.byId, { orderId: 'ord_of_nobody' })).status).toBe(404);
    await db
      .insertInto('jobs')
      .values({
        id: 'job_lost',
        kind: 'nobody.does',
        lane: 'nobody',
        unique_key: null,
        run_at: 0,
        payload: 'null',
        state: 'DUE',
        attempts: 9,
        lease_until: 0,
        error: null,
        trace: null,
      })
      .execute();
    const ticket = {
      order_id: order.orderId,
      user_id: who.userId,
      issue: 'bill',
      state: 'PERSON',
      reason: 'RULE',
    } as const;
    const answer = { worth: 0, amount: 0, way: 'SOURCE', answer: null, language: 'en', money_by: null } as const;
    const asked = { ...ticket, ...answer, pieces: '[]', comment: null, created_at: 0, answered_at: null };
    await db
      .insertInto('help_tickets')
      .values([
        { ...asked, id: 'tsg_late', answer_by: 1 },
        { ...asked, id: 'tsg_waits', answer_by: Number.MAX_SAFE_INTEGER },
        { ...asked, id: 'tsg_done', state: 'DONE', answer_by: 1 },
      ])
      .execute();
    await server.advance(1);
    told.total = order.bill.total;
    told.orderIds = [order.orderId, first.body.order.orderId];
    figures = await figuresAt(server.metricsPort);
  });
  afterAll(() => shop.close());

  test('each call by its route, host, country and status, and never by its address', () => {
    const submit = { method: 'POST', path: orders.submit.path, host: 'web', country: 'IN' };
    expect(sum('calls_total', { ...submit, status: '200' })).toBe(2);
    expect(sum('calls_total', { ...submit, status: '422' })).toBe(1);
    expect(sum('call_duration_seconds_count', submit)).toBe(3);
    expect(sum('calls_total', { path: orders.byId.path, status: '404' })).toBe(1);
    expect(sum('refusals_total', { code: 'NOT_FOUND' })).toBe(1);
    const said = [...figures.values()].flat().flatMap(({ labels }) => Object.values(labels));
    for (const id of [...told.orderIds!, 'ord_of_nobody']) expect(said.filter((one) => one.includes(id))).toEqual([]);
  });

  test('orders, payments and money as they were committed, once', () => {
    expect(sum('order_moves_total', { status: 'PENDING', country: 'IN', host: 'web' })).toBe(2);
    expect(sum('payment_moves_total', { mode: 'UPI', state: 'CAPTURED' })).toBe(1);
    expect(sum('payment_moves_total', { mode: 'COD', state: 'DUE_AT_DOOR' })).toBe(1);
    expect(sum('money_taken_minor_total', { mode: 'UPI', currency: 'INR' })).toBe(told.total);
    expect(sum('money_taken_minor_total', { mode: 'COD' })).toBe(0);
    expect(sum('orders_open')).toBe(2);
    expect(sum('payments_open')).toBe(0);
    expect(sum('tickets_open', { state: 'LATE' })).toBe(1);
    expect(sum('tickets_open', { state: 'IN_TIME' })).toBe(1);
  });

  test('jobs that were done and the one that was given up, until somebody looks after it', () => {
    expect(sum('job_tries_total', { lane: 'outbox', outcome: 'done' })).toBe(2);
    expect(sum('jobs_given_up_total', { kind: 'nobody.does' })).toBe(1);
    expect(sum('jobs_given_up', { kind: 'nobody.does' })).toBe(1);
    expect(sum('log_lines_total', { level: 'error' })).toBe(1);
    expect(sum('jobs_waiting')).toBe(0);
    expect(sum('database_up')).toBe(1);
    expect(sum('database_connections', { state: 'waiting' })).toBe(0);
  });

  test('have the labels that rules and dashboards go by', () => {
    /** Prometheus adds who was asked, and a histogram its buckets. */
    const always = ['instance', 'job', 'le', 'quantile'];
    const labelsOf = (name: string) => (figures.get(name) ?? []).flatMap(({ labels }) => Object.keys(labels));
    const checked = all.map(([where, expr]) => ({ where, ...asked(expr) })).filter(({ labels }) => labels.length > 0);
    // What has not happened in this shop, a page that failed for one, has no series yet and is not compared.
    const known = checked.filter(({ names }) => names.every((name) => labelsOf(name).length > 0));
    const wrong = known.flatMap(({ where, names, labels }) => {
      const own = new Set([...always, ...names.flatMap(labelsOf)]);
      return labels.filter((label) => !own.has(label)).map((label) => `${where}: ${label}`);
    });
    expect(wrong).toEqual([]);
    expect(known.length).toBeGreaterThan(checked.length / 2);
  });

  test('what the database and its disks have room for', async () => {
    expect(sum('database_writable')).toBe(1);
    if (engine !== 'sqlite') return;
    expect(sum('disk_free_share', { folder: 'database' })).toBeGreaterThan(0);
    expect(sum('disk_free_share', { folder: 'database' })).toBeLessThanOrEqual(1);
  });

  test('are told to nobody at the address of the shop', async () => {
    const { url } = shop.server;
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${shop.server.metricsPort}/health`)).status).toBe(404);
  });
});

test('nothing is told without METRICS_PORT, and one that is taken is named', async () => {
  const plain = await startServer();
  expect(plain.metricsPort).toBeNull();
  await plain.stop();
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { port } = other.address() as AddressInfo;
  await expect(
    serve({ port: 0, distDir: null, quiet: true, environment: { METRICS_PORT: String(port) } }),
  ).rejects.toThrow(`METRICS_PORT: 127.0.0.1:${port} cannot be used (EADDRINUSE)`);
  other.close();
});

test('how old the newest backup is; a folder that is not there has none', async () => {
  const backups = temporaryFolder('pizza-backups');
  const ageIn = async (BACKUPS_FOLDER: string) => {
    const environment = { METRICS_PORT: '0', BACKUPS_FOLDER };
    const server = await serve({ port: 0, distDir: null, quiet: true, environment });
    const told = await figuresAt(server.metricsPort);
    await server.stop();
    return [told.get('pizza_backup_age_seconds')![0]!.value, told.get('pizza_disk_free_share')![0]!.value] as const;
  };
  for (const [name, hours] of [
    ['old.backup', 50],
    ['new.backup', 3],
    ['new.backup.part', 0],
  ] as const) {
    writeFileSync(path.join(backups, name), '');
    const at = Date.now() / 1000 - hours * 3_600;
    utimesSync(path.join(backups, name), at, at);
  }
  const [age, free] = await ageIn(backups);
  expect(age / 3_600).toBeCloseTo(3, 1);
  expect(free).toBeGreaterThan(0);
  expect(await ageIn(path.join(backups, 'none'))).toEqual([Number.POSITIVE_INFINITY, 0]);
});

test('how long the certificate is valid that customers are shown; where none is shown, nothing is told', async () => {
  const shown = createTlsServer(certificateUntil(new Date(Date.now() + 20 * 86_400_000))).listen(0, '127.0.0.1');
  await new Promise((done) => shown.once('listening', done));
  const { port } = shown.address() as AddressInfo;
  const leftAt = async (PUBLIC_ORIGIN: string) => {
    const environment = { METRICS_PORT: '0', PUBLIC_ORIGIN };
    const server = await startServer({ settings: { environment } });
    const told = await figuresAt(server.metricsPort);
    await server.stop();
    return told.get('pizza_certificate_left_seconds')?.[0]?.value;
  };
  expect((await leftAt(`https://localhost:${port}`))! / 86_400).toBeCloseTo(20, 1);
  await new Promise((done) => shown.close(done));
  for (const origin of [`https://localhost:${port}`, 'http://localhost:1'])
    expect(await leftAt(origin)).toBeUndefined();
});

describe('what wakes somebody', () => {
  let told: Awaited<ReturnType<typeof figuresAt>>;
  beforeAll(async () => {
    const server = await startServer({ settings: { environment: { METRICS_PORT: '0' } } });
    told = await figuresAt(server.metricsPort);
    await server.stop();
  });

  test('every alert has its entry in the runbook, and every entry its alert', () => {
    const entries = text('RUNBOOK.md').split(/^## /m).slice(1);
    expect(entries.map((entry) => entry.split('\n')[0])).toEqual(rules.map(({ alert }) => alert));
    for (const entry of entries) for (const part of ['Means:', 'Look:', 'Do:', 'Wake:']) expect(entry).toContain(part);
    expect(rules.filter(({ labels }) => !['page', 'ticket'].includes(labels.severity))).toEqual([]);
  });

  test('a fresh process tells every counter of which a rule waits for a first rise, so that the first one is a rise', async () => {
    /** Selectors below increase() and rate(), with the values that their labels have to have. */
    const risen = rules.flatMap(({ alert, expr }) =>
      [...expr.matchAll(/(?:increase|rate)\((\w+)(?:\{([^}]*)\})?\[/g)].map(([, name, labels = '']) => ({
        alert,
        name: name!,
        wanted: [...labels.matchAll(/(\w+)(=~?)"([^"]*)"/g)].map(([, key, , value]) => [key!, value!] as const),
      })),
    );
    expect(risen.length).toBeGreaterThan(8);
    // What counts calls has a series for each of a thousand routes: their shares are of many calls, and not of the first.
    const due = risen.filter(({ name }) => !/^pizza_calls_total|^pizza_call_duration/.test(name));
    const missing = due.filter(({ name, wanted }) => {
      const values =
        wanted.length === 0
          ? [[]]
          : wanted.reduce<(readonly [string, string])[][]>(
              (all, [key, value]) =>
                all.flatMap((before) => value.split('|').map((one) => [...before, [key, one] as const])),
              [[]],
            );
      return values.some(
        (labels) =>
          !(told.get(name) ?? []).some(
            (one) => one.value === 0 && labels.every(([key, value]) => one.labels[key] === value),
          ),
      );
    });
    expect(missing).toEqual([]);
    // The same names as those under which orders and pages are counted.
    for (const name of ['pizza_order_moves_total', 'pizza_page_errors_total'])
      expect(told.get(name)!.map(({ labels }) => `${labels['country']} ${labels['host']}`)).toEqual(
        expect.arrayContaining(['IN web', 'IN gpay', 'IN paytm', 'LK web', 'BG web']),
      );
  });

  test('rules and dashboards ask for figures and labels that a running shop tells', async () => {
    expect(rules.length).toBeGreaterThan(15);
    // Prometheus itself says whether it was answered, and by whom.
    const missing = all.flatMap(([where, expr]) =>
      asked(expr)
        .names.filter((name) => name !== 'up' && !told.has(name))
        .map((name) => `${where}: ${name}`),
    );
    expect(missing).toEqual([]);
    expect(() => asked('sum(rate(x[5m])')).toThrow('not understood');
  });
});
