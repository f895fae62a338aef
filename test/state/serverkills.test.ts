import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDb, type Root } from '../../src/server/store/db.ts';
import {
  bothEngines,
  spawnServer,
  testDatabase,
  type SpawnedServer,
  type TestDatabase,
  type TestServer,
} from '../kit/server.ts';
import { sample } from '../kit/matrix.ts';
import { violations } from '../server/invariants.ts';
import { openShop } from '../server/shop.ts';
import { expectKnown, expectOneOrder, goOn, openPage, planFor, standBetween, STEPS } from './walk.ts';

const HOSTS = ['browser', 'gpay', 'paytm'] as const;
/**
 * `npm run bench -- --only kills` kills at every step in every host, and at every single commit of the calls that move money.
 * Here it is those calls, each with one host: a server takes its time to start.
 */
const isAll = process.env['KILLS'] === 'all';
const MONEY = sample(
  [
    'the order is submitted',
    'the customer pays',
    'the payment is confirmed',
    'a declined payment is tried again',
    'the paid order is cancelled',
  ],
  ['the order is submitted', 'the customer pays', 'the payment is confirmed'],
);
const COMMITS = 12;

const POINTS = STEPS.filter((step) => isAll || MONEY.includes(step.name)).flatMap((step, at) =>
  (isAll ? HOSTS : [HOSTS[at % HOSTS.length]!]).flatMap((host) =>
    (['before', 'after'] as const).map((moment) => ({ host, step, moment, name: step.name })),
  ),
);

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => {
    probe.listen(0, '127.0.0.1', done);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => {
    probe.close(done);
  });
  return port;
}

const both = await bothEngines();
describe.each(both)('one order and one charge on %s, whenever the server is killed', (engine) => {
  // Each call dies on both, by turns before its commit and after it: what differs there, crash and walletKills see on each.
  const points =
    isAll || both.length === 1
      ? POINTS
      : POINTS.filter((_, at) => (at % 4 === 0 || at % 4 === 3) === (engine === 'postgres'));
  let database: TestDatabase;
  let running: SpawnedServer;
  let server: TestServer;
  let db: Root;
  let port: number;
  let between: ReturnType<typeof standBetween>;
  const acked: string[] = [];
  const start = () => spawnServer({ database, port, killable: true, settings: { distDir: null } });
  beforeAll(async () => {
    vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
    vi.stubGlobal('navigator', {});
    database = await testDatabase(engine);
    port = await freePort();
    running = server = await start();
    ({ db } = await openDb(database.target));
    await openShop(server);
    between = standBetween();
  });
  afterEach(() => between.forget());
  afterAll(async () => {
    try {
      await server.advance(1000);
      expect(await violations(db, { ackedOrders: acked, settled: true })).toEqual([]);
    } finally {
      vi.unstubAllGlobals();
      await db.destroy();
      await running.stop();
      await database.drop();
    }
  });

  /** The next call of this kind ends the process; the same customer's page lives on and the server comes back. True: it died. */
  function killAt(call: RegExp, wish: string): { died: boolean } {
    const fate = { died: false };
    between.meet(call, async (request, send) => {
      request.headers.set('x-test-kill', wish);
      try {
        const response = await send(request);
        if (response.headers.get('x-request-id') !== null) return response;
        throw new Error('answered by something else');
      } catch (error) {
        await running.ended;
        fate.died = true;
        running = await start();
        throw error;
      }
    });
    return fate;
  }

  test.each(points)('$host, $name: killed $moment its commit [API-X02] [PAY-X01]', async ({ host, step, moment }) => {
    const plan = planFor(host, step);
    const page = await openPage(server, plan);
    const fate = killAt(step.call, moment);
    await goOn(server, page, plan);
    expect(fate.died).toBe(true);
    acked.push(await expectOneOrder(db, page, plan));
    expect(await violations(db, { ackedOrders: acked })).toEqual([]);
    await expectKnown(db, await openPage(server, plan, page.device));
  });

  if (isAll) {
    const deep = MONEY.flatMap((name) =>
      HOSTS.flatMap((host) =>
        (['before', 'after'] as const).map((moment) => ({
          name,
          host,
          moment,
          step: STEPS.find((one) => one.name === name)!,
        })),
      ),
    );
    test.each(deep)(
      '$host, $name: killed $moment each commit of that call in turn [API-X02]',
      async ({ host, step, moment }) => {
        for (let commit = 1; ; commit += 1) {
          expect(commit).toBeLessThan(COMMITS);
          const plan = planFor(host, step);
          const page = await openPage(server, plan);
          const fate = killAt(step.call, `${moment}:${commit}`);
          await goOn(server, page, plan);
          if (!fate.died) break;
          acked.push(await expectOneOrder(db, page, plan));
          expect(await violations(db, { ackedOrders: acked })).toEqual([]);
        }
      },
      240_000,
    );
  }
});
