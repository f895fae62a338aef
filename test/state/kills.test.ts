import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Root } from '../../src/server/store/db.ts';
import { IS_ALL } from '../kit/matrix.ts';
import { engines, type TestServer } from '../kit/server.ts';
import { violations } from '../server/invariants.ts';
import { openedShop, type Shop } from '../server/shop.ts';
import { expectKnown, expectOneOrder, goOn, openPage, planFor, standBetween, STEPS, type Step } from './walk.ts';

const HOSTS = ['browser', 'gpay', 'paytm'] as const;
/** What a payment app does in its own way: elsewhere its page makes the same calls as the browser's, and dies as that does. */
const OWN: readonly Step['name'][] = ['the guest logs in', 'the order is submitted', 'the customer pays'];
const POINTS = HOSTS.flatMap((host) =>
  STEPS.filter(({ name }) => IS_ALL || host === 'browser' || OWN.includes(name)).flatMap((step) =>
    (['before', 'after'] as const).map((moment) => ({ host, step, moment, name: step.name })),
  ),
);

describe.each(await engines())('one order and one charge on %s, whenever the page is killed', (engine) => {
  let server: TestServer;
  let db: Root;
  let close: Shop['close'];
  let between: ReturnType<typeof standBetween>;
  const acked: string[] = [];
  beforeAll(async () => {
    vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
    // A lock ends with its page; here all pages live in one process.
    vi.stubGlobal('navigator', {});
    ({ server, db, close } = await openedShop({ engine }));
    between = standBetween();
  });
  afterEach(() => between.forget());
  afterAll(async () => {
    vi.unstubAllGlobals();
    await close(1000, acked);
  });

  test.each(POINTS)(
    "$host, $name: killed $moment the server's commit [PAY-X01] [MINI-X02]",
    async ({ host, step, moment }) => {
      const plan = planFor(host, step);
      const page = await openPage(server, plan);
      const killed = new Promise<void>((done) => {
        between.meet(step.call, async (request, send) => {
          if (moment === 'after') await (await send(request)).arrayBuffer();
          page.kill();
          done();
          return await new Promise<never>(() => {});
        });
      });
      await Promise.race([goOn(server, page, plan), killed]);
      expect(between.isWaiting()).toBe(false);
      const again = await openPage(server, plan, page.device);
      await expectKnown(db, again);
      await goOn(server, again, plan);
      acked.push(await expectOneOrder(db, again, plan));
      expect(await violations(db, { ackedOrders: acked })).toEqual([]);
    },
  );
});
