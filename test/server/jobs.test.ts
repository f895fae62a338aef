import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as development from '../../src/contract/development.ts';
import { jobs } from '../../src/server/call/jobs.ts';
import { enqueue } from '../../src/server/store/jobs.ts';
import { openDb } from '../../src/server/store/db.ts';
import type { OpenDatabase } from '../../src/server/store/db.ts';
import { now } from '../../src/server/store/system.ts';
import { bothEngines, startServer } from '../kit/server.ts';
import type { TestServer } from '../kit/server.ts';

const ran: { kind: string; name: string; at: number; clock: number }[] = [];
const note =
  (kind: string) =>
  async (payload: { name: string; again?: number }, context: { db: OpenDatabase['db']; now: number }) => {
    ran.push({ kind, name: payload.name, at: context.now, clock: await now(context.db) });
    if (payload.again !== undefined)
      await enqueue(context.db, { kind, runAt: context.now + payload.again, payload: { name: `${payload.name}+` } });
  };
jobs.on('test.note', note('test.note'));
jobs.on('test.flaky', async (payload: { name: string }, context) => {
  ran.push({ kind: 'test.flaky', name: payload.name, at: context.now, clock: 0 });
  if (context.attempt < 2) throw new Error('not yet');
});

describe.each(await bothEngines())('jobs and the clock on %s [API-X04]', (engine) => {
  let server: TestServer;
  let second: TestServer;
  let opened: OpenDatabase;
  beforeAll(async () => {
    server = await startServer({ engine, settings: { quiet: true, distDir: null } });
    second = await startServer({ engine, database: server.database, settings: { quiet: true, distDir: null } });
    opened = await openDb(server.database.target);
  });
  afterAll(async () => {
    await opened.db.destroy();
    await second.stop();
    await server.stop();
  });
  const called = (name: string) => ran.filter((run) => run.name === name || run.name === `${name}+`);

  test('a jump runs what falls due on the way, in the order of time, each at its own moment', async () => {
    const start = await now(opened.db);
    await enqueue(opened.db, { kind: 'test.note', runAt: start + 600_000, payload: { name: `order-${engine}` } });
    await enqueue(opened.db, {
      kind: 'test.note',
      runAt: start + 60_000,
      payload: { name: `order-${engine}`, again: 120_000 },
    });
    await enqueue(opened.db, { kind: 'test.note', runAt: start + 9_000_000, payload: { name: `order-${engine}` } });
    await server.advance(3_600);
    const runs = called(`order-${engine}`);
    expect(runs.map((run) => run.at - start)).toEqual([60_000, 180_000, 600_000]);
    for (const run of runs) expect(run.clock - run.at).toBeLessThan(2_000);
    expect(await now(opened.db)).toBeGreaterThanOrEqual(start + 3_600_000);
  });

  test('two servers do a job once', async () => {
    const start = await now(opened.db);
    for (let index = 0; index < 30; index += 1)
      await enqueue(opened.db, { kind: 'test.note', runAt: start - 1, payload: { name: `once-${engine}-${index}` } });
    await Promise.all([server.advance(1), second.advance(1)]);
    for (let index = 0; index < 30; index += 1) expect(called(`once-${engine}-${index}`)).toHaveLength(1);
  });

  test('a job is done without anybody asking, and again after a failure', async () => {
    await enqueue(opened.db, { kind: 'test.flaky', runAt: await now(opened.db), payload: { name: `flaky-${engine}` } });
    await expect.poll(() => called(`flaky-${engine}`).length).toBe(2);
  });

  test.each<[string, { kind: string; state: 'RUN' | 'DUE'; before: number; ran: number; left: object[] }]>([
    [
      'whose processes ended in the middle of it, try after try, is given up',
      {
        kind: 'test.note',
        state: 'RUN',
        before: 10,
        ran: 0,
        left: [{ state: 'DEAD', attempts: 11, error: 'Error: no try of it came to an end' }],
      },
    ],
    ['is done at the tenth try, too', { kind: 'test.note', state: 'RUN', before: 9, ran: 1, left: [] }],
    [
      'that nobody can do is given up at its tenth try, which says so',
      {
        kind: 'test.nobody',
        state: 'DUE',
        before: 9,
        ran: 0,
        left: [{ state: 'DEAD', attempts: 10, error: "Error: No handler for the job 'test.nobody'." }],
      },
    ],
  ])('a job %s', async (title, { kind, state, before, ran: times, left }) => {
    const name = `${title}-${engine}`;
    await enqueue(opened.db, { kind, lane: name, runAt: (await now(opened.db)) + 3_600_000, payload: { name } });
    // So many tries were begun.
    const mine = opened.db.updateTable('jobs').where('lane', '=', name);
    await mine.set({ state, attempts: before, run_at: 0 }).execute();
    await server.advance(1);
    const job = () =>
      opened.db.selectFrom('jobs').select(['state', 'attempts', 'error']).where('lane', '=', name).execute();
    await expect.poll(job).toEqual(left);
    expect(called(name)).toHaveLength(times);
  });

  test('the clock is told, and cannot be moved back or by nonsense', async () => {
    const { body } = await server.call(development.clock, {});
    const { now: before } = body as { now: number };
    expect(await server.advance(60)).toBeGreaterThanOrEqual(before + 60_000);
    for (const seconds of [-1, 1.5, 1e12, '60' as never])
      expect((await server.call(development.advanceClock, { body: { seconds } })).status).toBe(400);
  });
});
