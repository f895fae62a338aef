// `npm run bench`: the figures of the README, each beside its limit, measured in one run.
// `-- --only kills`: the server killed at every step and every commit, which takes a quarter of an hour and is asked for by name.
// `-- --only merges`: the carts of guests that log in, joined over HTTP 1,000 times on each engine; some minutes, by name too.
// `-- --only sizes,hosts,page,interact,order,server,start,optimise,eta,places --rounds 5 --bundles in/gpay,in/paytm,in/browser --engines sqlite,postgres`
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './numbers.mjs';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: 'sizes,hosts,page,interact,order,server,start,optimise,eta,places' }, rounds: { type: 'string', default: '5' },
    bundles: { type: 'string', default: 'in/gpay,in/paytm,in/browser' }, engines: { type: 'string' },
  },
});
const parts = flags.only.split(',');
const needsNoPages = parts.every((part) => ['places', 'optimise', 'server', 'hosts', 'merges'].includes(part));
const rounds = Number(flags.rounds);
const bundles = flags.bundles.split(',');

if (!needsNoPages) execFileSync(process.execPath, [path.join(root, 'build.mjs')], { stdio: ['ignore', 'inherit', 'inherit'] });

if (parts.includes('sizes')) {
  console.log('\nFirst-load script beside the libraries alone (gzip bytes)');
  for (const bundle of ['in/browser', 'in/gpay', 'in/paytm', 'lk/browser', 'bg/browser']) {
    const { firstLoad, libraries, styles } = JSON.parse(readFileSync(path.join(root, 'dist', bundle, 'meta.json'), 'utf8'));
    console.log(`${bundle.padEnd(14)}${String(firstLoad.gzip).padStart(8)} of ${libraries.gzip}, ratio ${(firstLoad.gzip / libraries.gzip).toFixed(3)}; stylesheet ${styles.gzip}`);
  }
}
if (parts.includes('hosts')) await (await import('./hosts.mjs')).benchHosts();
if (parts.includes('page')) await (await import('./page.mjs')).benchPage({ rounds, bundles });
if (parts.includes('interact')) await (await import('./interact.mjs')).benchInteract({ bundle: bundles[0] });
if (parts.includes('order')) await (await import('./order.mjs')).benchOrder();
if (parts.includes('server')) {
  const { engines } = await import('../kit/server.ts');
  for (const engine of flags.engines?.split(',') ?? await engines()) await (await import('./server.mjs')).benchServer({ rounds, engine });
}
if (parts.includes('merges')) await (await import('./merges.mjs')).benchMerges({ names: flags.engines?.split(',') });
if (parts.includes('kills')) (await import('./kills.mjs')).benchKills();
if (parts.includes('start')) await (await import('./start.mjs')).benchStart({ rounds });
if (parts.includes('optimise')) (await import('./optimise.mjs')).benchOptimise();
if (parts.includes('eta')) (await import('./eta.mjs')).benchEta();
if (parts.includes('places')) await (await import('./places.mjs')).benchPlaces();
