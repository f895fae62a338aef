// What an order's submit costs: CPU, statements and commits; and how many there are a second, in a closed and in an open loop,
// beside a bare node:http that makes as many writes durable on the same engine. Both on a disk, commits waited for.
import { testDatabase, type Engine } from '../kit/server.ts';
import { median, pad } from './numbers.ts';
import {
  aimed,
  CONNECTIONS,
  cpuSeconds,
  forAWhile,
  load,
  openShop,
  share,
  spawnBeside,
  type Load,
  type Shop,
} from './shop.ts';
import { openLoop, rawBody } from './wire.ts';

const A_ROUND = 60;
/** What the figures should be. A machine that does other things besides may miss them. */
const AIMS = { ratio: 0.8, cpuMs: 2 } as const;
/** Of what the closed loop reaches: how busy the open loop keeps the server. */
const OPEN_LOOP_SHARES = [0.25, 0.5, 0.75];
const COUNTED = /^COUNTED (\d+) (\d+)$/gm;
/** Longer than the server waits between two looks for work. */
const STILL_MS = 1_500;

interface Spent {
  readonly statements: number;
  readonly commits: number;
  readonly cpuMs: number;
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

/** What the server has used since it began; `counted.ts` in it counts. */
async function spent({ server }: Shop): Promise<Spent> {
  const told = () => [...server.said().matchAll(COUNTED)];
  const before = told().length;
  process.kill(server.pid, 'SIGUSR2');
  while (told().length === before) await pause(5);
  const [, statements, commits] = told().at(-1)!;
  return { statements: Number(statements), commits: Number(commits), cpuMs: cpuSeconds(server.pid) * 1_000 };
}

/** What the work takes, with the jobs that follow it, for each of so many. */
async function costOf(shop: Shop, count: number, work: () => Promise<unknown>): Promise<Spent> {
  const least = (a: Spent, b: Spent): Spent => ({
    statements: a.statements - b.statements,
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
  return { statements: each('statements'), commits: each('commits'), cpuMs: each('cpuMs') };
}

const line = (title: string, one: string, other: string) => console.log(`${pad(title, 34)}ours ${one}; bare ${other}`);

export async function benchSubmit({ rounds, engine }: { rounds: number; engine: Engine }): Promise<void> {
  const { NODE_OPTIONS = '' } = process.env;
  process.env['NODE_OPTIONS'] = `${NODE_OPTIONS} --import ${new URL('counted.ts', import.meta.url).href}`;
  const shop = await openShop(engine).finally(() => {
    process.env['NODE_OPTIONS'] = NODE_OPTIONS;
  });
  const beside = await testDatabase(engine, { isDurable: true });
  const { server } = shop;
  try {
    const one = await shop.one();
    const alone = await costOf(shop, 1, () => rawBody(server.url, one));
    const many = await shop.some(A_ROUND * rounds);
    const crowded = await costOf(shop, many.length, () => load(server, () => many.pop() ?? null));
    const commits = crowded.commits.toFixed(2);
    console.log(`Order submits on ${engine}, on a disk, every commit waited for`);
    console.log(
      `${pad('one alone, with its jobs', 34)}${alone.statements.toFixed(0)} statements, ${alone.commits.toFixed(0)} commits`,
    );
    console.log(
      `${pad(`${A_ROUND * rounds} on ${CONNECTIONS} connections, with jobs`, 34)}${crowded.statements.toFixed(1)} statements, ${commits} commits, ${crowded.cpuMs.toFixed(2)} ms of CPU each (${aimed(crowded.cpuMs, AIMS.cpuMs, true)})`,
    );
    const sample = await shop.one();
    const answer = (await rawBody(server.url, sample)).toString('base64');
    const bare = await spawnBeside('bare.ts', answer, commits, beside.target);
    const runs: { ours: Load; bare: Load }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const requests = await shop.some(A_ROUND);
      runs.push({ ours: await load(server, () => requests.pop() ?? null), bare: await load(bare, forAWhile(sample)) });
    }
    const of = (name: 'ours' | 'bare') => median(runs.map((run) => run[name].perSecond));
    const times = (name: 'ours' | 'bare') => share(runs.flatMap((run) => run[name].times));
    line(
      `closed loop, ${CONNECTIONS} connections`,
      `${of('ours').toFixed(0)} a second, ${times('ours')}`,
      `${of('bare').toFixed(0)} a second, ${times('bare')}`,
    );
    const ratio = median(runs.map((run) => run.ours.perSecond / run.bare.perSecond));
    console.log(
      `${pad('', 34)}ratio ${ratio.toFixed(3)} to a bare node:http with ${commits} commits each (${aimed(ratio, AIMS.ratio)})`,
    );
    for (const part of OPEN_LOOP_SHARES) {
      const perSecond = of('ours') * part;
      const [own, other] = [
        await openLoop(server.url, perSecond, await shop.some(A_ROUND)),
        await openLoop(
          bare.url,
          perSecond,
          Array.from({ length: A_ROUND }, () => sample),
        ),
      ];
      line(`open loop, ${perSecond.toFixed(0)} a second (${part * 100} %)`, share(own.times), share(other.times));
    }
    bare.stop();
  } finally {
    await shop.close();
    await beside.drop();
  }
}
