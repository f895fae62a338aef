// `npm run bench`: the figures of FIGURES.md, each beside its limit, measured in one run.
// `-- --write`: puts the figures of the parts that were run into FIGURES.md.
// `-- --only order --requests`: each request of an order as well.
// `-- --only kills`: the server killed at every step and every commit, which takes a quarter of an hour and is asked for by name.
// `-- --only merges`: the carts of guests that log in, joined over HTTP 1,000 times on each engine; some minutes, by name too.
// `-- --only friday --seconds 600`: twenty times the usual load, a process killed, the primary replaced, the bank slow; by name, since
// it needs the tools of `cluster` (60 s without `--seconds`).
// `-- --only year --orders 1000000`: accounts deleted and downloaded, backups and restores of a shop with so many orders, on both
// engines; by name, since it fills some 20 GB of disk for a while, and needs PostgreSQL.
// `-- --only cluster`: several processes behind HAProxy and PgBouncer, the primary killed; by name, since it needs those tools.
// `-- --only sizes,hosts,page,interact,journeys,order,server,submit,start,optimise,experiments,eta,places,dishes,invoice --rounds 5 --bundles in/gpay,in/paytm,in/browser --engines sqlite,postgres`
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Size } from '../../src/build/files.ts';
import type { Engine } from '../kit/server.ts';
import { heard, writeFigures } from './figures.ts';
import { metaOf, root } from './numbers.ts';

const { values: flags } = parseArgs({
  options: {
    only: {
      type: 'string',
      default:
        'sizes,hosts,page,interact,journeys,order,server,submit,start,optimise,experiments,eta,places,dishes,invoice',
    },
    rounds: { type: 'string', default: '5' },
    bundles: { type: 'string', default: 'in/gpay,in/paytm,in/browser' },
    seconds: { type: 'string', default: '60' },
    orders: { type: 'string', default: '1000000' },
    engines: { type: 'string' },
    write: { type: 'boolean' },
    requests: { type: 'boolean' },
  },
});
const parts = flags.only.split(',');
const needsNoPages = parts.every((part) =>
  [
    ...['places', 'dishes', 'invoice', 'optimise', 'experiments', 'server', 'submit', 'hosts', 'merges'],
    ...['cluster', 'friday', 'year'],
  ].includes(part),
);
const rounds = Number(flags.rounds);
const bundles = flags.bundles.split(',');

if (!needsNoPages)
  execFileSync(process.execPath, [path.join(root, 'build.mjs')], { stdio: ['ignore', 'inherit', 'inherit'] });

/** Those that were asked for, or all that can be used here. */
async function enginesAsked(): Promise<readonly Engine[]> {
  const { bothEngines } = await import('../kit/server.ts');
  const usable = await bothEngines();
  if (flags.engines === undefined) return usable;
  const asked = flags.engines.split(',');
  const unusable = asked.filter((name) => !usable.some((engine) => engine === name));
  if (unusable.length > 0) throw new Error(`${unusable.join(', ')} cannot be used here, but ${usable.join(', ')}.`);
  return usable.filter((engine) => asked.includes(engine));
}

/** By name, what measures a part. */
const MEASURES: Readonly<Record<string, () => unknown>> = {
  async sizes() {
    console.log('First-load script beside the libraries in it, as published and as built (gzip bytes)');
    for (const bundle of ['in/browser', 'in/gpay', 'in/paytm', 'lk/browser', 'bg/browser']) {
      const { firstLoad, libraries, styles, total } = metaOf(bundle);
      if (!libraries) throw new Error(`The build of ${bundle} did not weigh its libraries.`);
      const beside = ({ gzip }: Size) => `${gzip} (${(firstLoad.gzip / gzip).toFixed(3)})`;
      console.log(
        `${bundle.padEnd(14)}${String(firstLoad.gzip).padStart(8)} of ${beside(libraries)}, ${beside(libraries.built)}; all scripts ${total.gzip}; stylesheet ${styles.gzip}`,
      );
    }
    await (await import('./hosts.ts')).benchBridges();
  },
  hosts: async () => await (await import('./hosts.ts')).benchHosts(),
  page: async () => await (await import('./page.ts')).benchPage({ rounds, bundles }),
  interact: async () => await (await import('./interact.ts')).benchInteract({ bundle: bundles[0] }),
  journeys: async () => await (await import('./journeys.ts')).benchJourneys(),
  order: async () => await (await import('./order.ts')).benchOrder({ eachRequest: flags.requests === true, bundles }),
  async server() {
    for (const engine of await enginesAsked()) await (await import('./server.ts')).benchServer({ rounds, engine });
  },
  async submit() {
    for (const engine of await enginesAsked()) await (await import('./submit.ts')).benchSubmit({ rounds, engine });
  },
  merges: async () => await (await import('./merges.ts')).benchMerges({ names: await enginesAsked() }),
  kills: async () => (await import('./kills.ts')).benchKills(),
  friday: async () => await (await import('./friday.ts')).benchFriday({ seconds: Number(flags.seconds) }),
  year: async () => await (await import('./year.ts')).benchYear({ orders: Number(flags.orders) }),
  cluster: async () => await (await import('./cluster.ts')).benchCluster(),
  start: async () => await (await import('./start.ts')).benchStart({ rounds }),
  optimise: async () => (await import('./optimise.ts')).benchOptimise(),
  experiments: async () => await (await import('./experiments.ts')).benchExperiments(),
  eta: async () => (await import('./eta.ts')).benchEta(),
  invoice: async () => await (await import('./invoice.ts')).benchInvoice(),
  places: async () => await (await import('./places.ts')).benchPlaces(),
  dishes: async () => (await import('./dishes.ts')).benchDishes(),
};

const unknown = parts.filter((part) => !(part in MEASURES));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; parts are ${Object.keys(MEASURES).join(', ')}.`);
  process.exit(2);
}
const said: [string, string][] = [];
for (const [part, measure] of Object.entries(MEASURES)) {
  if (!parts.includes(part)) continue;
  console.log('');
  said.push([part, await heard(measure)]);
}
if (flags.write) writeFigures(said);
