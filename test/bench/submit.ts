// What an order's submit costs: CPU, statements and commits; and how many there are a second, in a closed and in an open loop,
// beside the least that such a submit can cost (floor.ts), on the same rows. Both on a disk, commits waited for.
import type { Engine } from '../kit/server.ts';
import { median, pad, pause, within } from './numbers.ts';
import {
  aimed,
  CONNECTIONS,
  cpuSeconds,
  load,
  openShop,
  share,
  spawnBeside,
  type Beside,
  type Load,
  type Shop,
} from './shop.ts';
import { benchCalls } from './wholeOrder.ts';
import { openLoop, rawBody } from './wire.ts';

const A_ROUND = 60;
/** What the figures should be, all but the first beside the floor. A machine that does other things besides may miss them. */
const AIMS = { statements: 15, cpu: 1.6, perSecond: 0.6, tail: 3 } as const;
/** Of what the closed loop reaches: how busy the open loop keeps the server. */
const OPEN_LOOP_SHARES = [0.25, 0.5, 0.75];
const COUNTED = /^COUNTED (\d+) (\d+) (\d+)$/gm;
/** Longer than the server waits between two looks for work. */
const STILL_MS = 1_500;

interface Spent {
  readonly statements: number;
  /** Those of them that begin or end a transaction. */
  readonly boundaries: number;
  readonly commits: number;
  readonly cpuMs: number;
}

/** What the server has used since it began; `counted.ts` in it counts. */
async function spent({ server }: Shop): Promise<Spent> {
  const told = () => [...server.said().matchAll(COUNTED)];
  const before = told().length;
  process.kill(server.pid, 'SIGUSR2');
  while (told().length === before) await pause(5);
  const [statements, boundaries, commits] = told().at(-1)!.slice(1).map(Number);
  return {
    statements: statements!,
    boundaries: boundaries!,
    commits: commits!,
    cpuMs: cpuSeconds(server.pid) * 1_000,
  };
}

/** What the work takes, with the jobs that follow it, for each of so many. */
async function costOf(shop: Shop, count: number, work: () => Promise<unknown>): Promise<Spent> {
  const least = (a: Spent, b: Spent): Spent => ({
    statements: a.statements - b.statements,
    boundaries: a.boundaries - b.boundaries,
    commits: a.commits - b.commits,
    cpuMs: a.cpuMs - b.cpuMs,
  });
  await shop.calm();
  await pause(STILL_MS);
  const before = await spent(shop);
  await pause(STILL_MS);
  const idle = least(await spent(shop), before);
  const from = await spent(shop);
  const began = performance.now();
  await work();
  await pause(STILL_MS);
  const all = least(await spent(shop), from);
  const idleShare = (performance.now() - began) / STILL_MS;
  const each = (key: keyof Spent) => (all[key] - idle[key] * idleShare) / count;
  return {
    statements: each('statements'),
    boundaries: each('boundaries'),
    commits: each('commits'),
    cpuMs: each('cpuMs'),
  };
}

/** Orders a second on several connections, and the CPU of each with the jobs that follow it, in ms. */
type Round = Load & { readonly cpuMs: number };

async function oursIn(shop: Shop): Promise<Round> {
  const requests = await shop.some(A_ROUND);
  const run: { load?: Load } = {};
  const { cpuMs } = await costOf(shop, A_ROUND, async () => {
    run.load = await load(shop.server, () => requests.pop() ?? null);
  });
  return { ...run.load!, cpuMs };
}

async function floorsIn(shop: Shop, floor: Beside): Promise<Round> {
  const requests = await shop.some(A_ROUND);
  // The shop's server looks after what it finds in the database, whoever wrote it.
  await shop.calm();
  const before = cpuSeconds(floor.pid);
  const run = await load(floor, () => requests.pop() ?? null);
  return { ...run, cpuMs: ((cpuSeconds(floor.pid) - before) * 1_000) / A_ROUND };
}

const line = (title: string, one: string, other: string) => console.log(`${pad(title, 34)}ours ${one}; floor ${other}`);

export async function benchSubmit({ rounds, engine }: { rounds: number; engine: Engine }): Promise<void> {
  const { NODE_OPTIONS = '' } = process.env;
  process.env['NODE_OPTIONS'] = `${NODE_OPTIONS} --import ${new URL('counted.ts', import.meta.url).href}`;
  const shop = await openShop(engine).finally(() => {
    process.env['NODE_OPTIONS'] = NODE_OPTIONS;
  });
  const { server } = shop;
  const floor = await spawnBeside('floor.ts', server.database.target);
  try {
    console.log(`An order's calls before its submit on ${engine}, on ${CONNECTIONS} connections`);
    await benchCalls(shop, { rounds, spent: () => spent(shop) });
    const one = await shop.one();
    const alone = await costOf(shop, 1, () => rawBody(server.url, one));
    const many = await shop.some(A_ROUND * rounds);
    const crowded = await costOf(shop, many.length, () => load(server, () => many.pop() ?? null));
    console.log(`Order submits on ${engine}, on a disk, every commit waited for`);
    const own = alone.statements - alone.boundaries;
    console.log(
      `${pad('one alone, with its jobs', 34)}${alone.statements.toFixed(0)} statements, ${own.toFixed(0)} without begin and commit (aim ${AIMS.statements}), ${alone.commits.toFixed(0)} commits`,
    );
    console.log(
      `${pad(`${A_ROUND * rounds} on ${CONNECTIONS} connections, with jobs`, 34)}${crowded.statements.toFixed(1)} statements, ${crowded.commits.toFixed(2)} commits`,
    );
    // Node has to compile the floor's way, too.
    await floorsIn(shop, floor);
    const runs: { ours: Round; floor: Round }[] = [];
    for (let round = 0; round < rounds; round += 1)
      runs.push({ ours: await oursIn(shop), floor: await floorsIn(shop, floor) });
    const of = (name: 'ours' | 'floor', key: 'perSecond' | 'cpuMs') => median(runs.map((run) => run[name][key]));
    const times = (name: 'ours' | 'floor') => share(runs.flatMap((run) => run[name].times));
    const ratio = (key: 'perSecond' | 'cpuMs') => median(runs.map(({ ours, floor: least }) => ours[key] / least[key]));
    line('CPU of each, with its jobs', `${of('ours', 'cpuMs').toFixed(2)} ms`, `${of('floor', 'cpuMs').toFixed(2)} ms`);
    console.log(`${pad('', 34)}ratio ${ratio('cpuMs').toFixed(2)} (${aimed(ratio('cpuMs'), AIMS.cpu, true)})`);
    line(
      `closed loop, ${CONNECTIONS} connections`,
      `${of('ours', 'perSecond').toFixed(0)} a second, ${times('ours')}`,
      `${of('floor', 'perSecond').toFixed(0)} a second, ${times('floor')}`,
    );
    console.log(`${pad('', 34)}ratio ${ratio('perSecond').toFixed(2)} (${aimed(ratio('perSecond'), AIMS.perSecond)})`);
    for (const part of OPEN_LOOP_SHARES) {
      const perSecond = of('ours', 'perSecond') * part;
      const [own, other] = [
        await openLoop(server.url, perSecond, await shop.some(A_ROUND)),
        await openLoop(floor.url, perSecond, await shop.some(A_ROUND)),
      ];
      line(`open loop, ${perSecond.toFixed(0)} a second (${part * 100} %)`, share(own.times), share(other.times));
      if (part === OPEN_LOOP_SHARES.at(-1)) {
        const tail = within(own.times, 0.99) / median(own.times);
        console.log(`${pad('', 34)}p99 ${tail.toFixed(1)} times the median (${aimed(tail, AIMS.tail, true)})`);
      }
    }
  } finally {
    floor.stop();
    await shop.close();
  }
}
