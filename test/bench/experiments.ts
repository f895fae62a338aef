// What a decision costs beside the service's own SDK: 20 campaigns, visitors of all kinds, and what both weigh.
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { launch } from '../../src/domain/experiments/launch.ts';
import { openSdk } from '../domain/experiments/sdk.ts';
import { median, root } from './numbers.ts';

const CAMPAIGNS = 20;
const VISITORS = 2_000;
const ROUNDS = 9;
/** Of the SDK's time and size. */
const AIM = 0.1;

const settingsFile = {
  sdkKey: 'key',
  version: 1,
  accountId: 1,
  campaigns: Array.from({ length: CAMPAIGNS }, (_, id) => ({
    id: id + 1,
    key: `campaign-${id}`,
    type: 'VISUAL_AB',
    status: 'RUNNING',
    percentTraffic: 100,
    goals: [],
    segments: { or: [{ custom_variable: { city: 'lower(pune)' } }, { custom_variable: { age: 'gt(17)' } }] },
    variations: ['s', 'u', 'w', 'x', 'y'].map((name, at) => ({ id: at + 1, name, weight: 20, changes: {} })),
  })),
};
const options = { customVariables: { city: 'Pune', age: 20 } };

interface Decides {
  getVariationName(key: string, user: string, options: object): unknown;
}

/** Microseconds of one decision. */
function time(client: Decides): number {
  const begun = performance.now();
  for (let visitor = 0; visitor < VISITORS; visitor += 1)
    client.getVariationName(`campaign-${visitor % CAMPAIGNS}`, `ব্যবহারকারী-${visitor}`, options);
  return ((performance.now() - begun) * 1_000) / VISITORS;
}

async function weigh(file: string): Promise<number> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2021',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

export async function benchExperiments(): Promise<void> {
  const { sdk, requests } = openSdk();
  const logging = { level: 4, logger: { log: () => {} } };
  const clients = [launch({ settingsFile, logging }), sdk.launch({ settingsFile, logging })] as const;
  const times: [number[], number[]] = [[], []];
  // In turns, so that a busy moment slows both.
  for (let round = 0; round < ROUNDS; round += 1) clients.forEach((client, at) => times[at]!.push(time(client)));
  requests.length = 0;
  const [ours, theirs] = times.map(median) as [number, number];
  const at = (name: string) => path.join(root, 'src/domain/experiments', name);
  const deciding = await weigh(at('calls.ts'));
  const [telling, whole] = [await weigh(at('client.ts')), await weigh(at('launch.ts'))];
  const other = await weigh(path.join(root, 'node_modules/vwo-node-sdk/dist/vwo-javascript-sdk.js'));
  const ratio = (own: number, all: number) => (own / all).toFixed(3);
  console.log(`Experiments beside vwo-node-sdk (aim: at most ${AIM} of its time and of its size for a decision)`);
  console.log(`one decision    ${ours.toFixed(2)} us, the SDK's ${theirs.toFixed(2)} us: ${ratio(ours, theirs)}`);
  console.log(`to decide       ${deciding} B gzip of ${other}: ${ratio(deciding, other)}`);
  console.log(
    `to tell as well ${telling} B gzip: ${ratio(telling, other)}; with all options ${whole}: ${ratio(whole, other)}`,
  );
}
