// Requests per second of the menu beside a bare node:http that answers the same bytes; the memory of thousands who follow an
// order; and how long an order takes while a thousand others browse.
import { countryConfig } from '../../country/index.ts';
import { fillPath } from '../../src/contract/endpoint.ts';
import * as home from '../../src/contract/home.ts';
import * as menu from '../../src/contract/menu.ts';
import { openDb } from '../../src/server/store/db.ts';
import type { Engine, SpawnedServer } from '../kit/server.ts';
import { copiesOf, followAll, residentMb } from './followers.ts';
import { median, pad, within } from './numbers.ts';
import { aimed, CONNECTIONS, forAWhile, load, openShop, share, spawnBeside, type Load } from './shop.ts';
import { browsing, raw, rawBody } from './wire.ts';

const FOLLOWERS = 10_000;
const BROWSERS = 1_000;
const JOURNEYS = 60;
/** How long somebody who browses looks at a page, in the mean. */
const LOOKS_MS = 10_000;
/** What the ratios should be. A machine that does other things besides may miss them. */
const AIMS = { menu: 0.6, followersMb: 350, journey: 2 } as const;

type Measure = () => Promise<Load>;

async function compare(title: string, rounds: number, ours: Measure, bare: Measure, aim: number): Promise<void> {
  const runs: { ours: Load[]; bare: Load[] } = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    runs.ours.push(await ours());
    runs.bare.push(await bare());
  }
  const of = (name: 'ours' | 'bare', key: 'perSecond' | 'perCpuSecond') => median(runs[name].map((run) => run[key]));
  const line = (name: 'ours' | 'bare') =>
    `${of(name, 'perSecond').toFixed(0).padStart(10)}${of(name, 'perCpuSecond').toFixed(0).padStart(14)}`;
  const beside = (key: 'perSecond' | 'perCpuSecond') => of('ours', key) / of('bare', key);
  console.log(
    `${pad(title, 16)}${line('ours')}${line('bare')}${beside('perSecond').toFixed(3).padStart(10)}${beside('perCpuSecond').toFixed(3).padStart(14)}   ${aimed(beside('perSecond'), aim)}`,
  );
}

/** The memory that the server takes for those who follow their orders. */
async function followers(server: SpawnedServer, one: Buffer): Promise<void> {
  const { db } = await openDb(server.database.target);
  const { order } = JSON.parse(String(await rawBody(server.url, one))) as { order: { orderId: string } };
  await db.updateTable('orders').set({ status: 'ORDER PLACED' }).where('id', '=', order.orderId).execute();
  await db.destroy();
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(String(one))?.[1]?.trim() ?? '';
  const customer = { orderId: order.orderId, userId: header('userid'), access: header('authtoken') };
  const all = await copiesOf(server.database.target, customer, FOLLOWERS);
  const before = residentMb(server.pid);
  const { open, end } = await followAll(server, all);
  const after = residentMb(server.pid);
  end();
  console.log(
    `${open} of ${FOLLOWERS} follow an order by server-sent events: ${after.toFixed(0)} MB resident (${before.toFixed(0)} before), ${(((after - before) * 1024) / open).toFixed(0)} KB each (${aimed(after, AIMS.followersMb, true)})`,
  );
}

/** Times of whole orders, from the first call of a guest to the answer of the submit, in ms. */
async function journeys(server: SpawnedServer, one: () => Promise<Buffer>): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < JOURNEYS; number += 1) {
    const began = performance.now();
    await rawBody(server.url, await one());
    times.push(performance.now() - began);
  }
  return times;
}

async function whileOthersBrowse(server: SpawnedServer, storeId: string, one: () => Promise<Buffer>): Promise<void> {
  const quiet = await journeys(server, one);
  const headers = { api_key: 'in-web', 'accept-encoding': 'br' };
  const others = await browsing(
    server.url,
    [
      raw('GET', fillPath(menu.byStore.path, { storeId }), headers),
      raw('GET', fillPath(home.home.path, { storeId }), headers),
      raw('GET', fillPath(menu.deals.path, { storeId }), headers),
    ],
    BROWSERS,
    LOOKS_MS,
  );
  const busy = await journeys(server, one);
  const { perSecond } = others.stop();
  const times = within(busy, 0.99) / within(quiet, 0.99);
  console.log(
    `An order from the first call to its answer: quiet ${share(quiet)}; while ${BROWSERS} others browse (${perSecond.toFixed(0)} calls a second) ${share(busy)}; p99 ${times.toFixed(2)} times (${aimed(times, AIMS.journey, true)})`,
  );
}

export async function benchServer({ rounds, engine }: { rounds: number; engine: Engine }): Promise<void> {
  const storeId = countryConfig('india').DEFAULT_STORE;
  const { server, one, close } = await openShop(engine);
  console.log(
    `\nRequests a second on ${engine}, ${CONNECTIONS} connections, medians of ${rounds} alternated rounds, beside bare node:http with the same bytes`,
  );
  console.log(`${pad('', 16)}      ours  a CPU second      bare  a CPU second     ratio  a CPU second`);
  try {
    const target = fillPath(menu.byStore.path, { storeId });
    for (const [title, accept] of [
      ['menu', {}],
      ['menu, brotli', { 'accept-encoding': 'br' }],
    ] as const) {
      const request = raw('GET', target, { api_key: 'in-web', ...accept });
      const bare = await spawnBeside('bare.ts', (await rawBody(server.url, request)).toString('base64'));
      await compare(
        title,
        rounds,
        () => load(server, forAWhile(request)),
        () => load(bare, forAWhile(request)),
        AIMS.menu,
      );
      bare.stop();
    }
    await whileOthersBrowse(server, storeId, one);
    await followers(server, await one());
  } finally {
    await close();
  }
}
