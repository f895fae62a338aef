import { expect, test } from 'vitest';
import { engine, run, storageOf, type Calls, type Step } from './kit.ts';
import { dice, launchOf, row, settingsOf, stepOf, userOf } from './random.ts';
import { openSdk } from './sdk.ts';

const DECISIONS = 20_000;
const CALLS_PER_SETTINGS = 40;

/** Differs from one request to the next, or names who sends it. */
const VOLATILE = [
  ...['random', 'sId', 'eTime', 'msgId', 'time', 'sessionId', 'sdk', 'sdk-v', 'vwo_sdkName', 'vwo_sdkVersion'],
];
function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, held]) => !VOLATILE.includes(name) && held !== undefined);
  return Object.fromEntries(
    entries.map(([name, held]) => [name, steady(held)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
interface Sent {
  readonly url: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}
const sent = (requests: readonly Sent[]) =>
  requests.map(({ url, query, body }) => ({
    url,
    query: steady(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))),
    body: steady(body),
  }));

/** In JSON, with undefined as null: the SDK answers either. */
const plain = (value: unknown) => JSON.stringify(value, (_, held: unknown) => (held === undefined ? null : held));

test("our engine and the service's own SDK give the same answers, requests and rows on random input [EXP-01] [EXP-05] [EXP-07]", () => {
  const seed = Number(process.env['EXPERIMENTS_SEED'] ?? Date.now() % 2 ** 31);
  console.info(`EXPERIMENTS_SEED=${seed}`);
  const d = dice(seed);
  const { sdk, requests: theirs } = openSdk();
  const answers = new Map<string, number>();
  let done = 0;
  while (done < DECISIONS) {
    const users = Array.from({ length: 8 }, () => userOf(d));
    const settingsFile = settingsOf(d, users);
    const launched = launchOf(d);
    const rows = d.maybe(0.5) ? Array.from({ length: d.upTo(8) }, () => row(d, d.one(users))) : null;
    const kept = rows && { rows, throws: d.maybe(0.03) };
    const [ours, other] = [kept && storageOf(kept), kept && storageOf(kept)];
    const withStorage = (storage: typeof ours) => (storage ? { userStorageService: storage.service } : {});
    const { client, requests } = engine({ settingsFile, ...launched, ...withStorage(ours) });
    let oracle: Calls;
    try {
      oracle = sdk.launch({ settingsFile: structuredClone(settingsFile), ...launched, ...withStorage(other) });
    } catch {
      // It throws for a variation that is null; a client of ours is inert.
      continue;
    }
    for (let call = 0; call < CALLS_PER_SETTINGS; call++, done++) {
      const step: Step = stepOf(d, users, settingsFile);
      const [answer, expected] = [run(client, structuredClone(step)), run(oracle, structuredClone(step))];
      const got = plain([answer, sent(requests.splice(0)), ours?.written.splice(0)]);
      const wanted = plain([expected, sent(theirs.splice(0)), other?.written.splice(0)]);
      // What it was is written down only if they differ.
      if (got !== wanted)
        expect(got, `EXPERIMENTS_SEED=${seed}, ${done}: ${plain({ step, settingsFile, launched, rows })}`).toBe(wanted);
      const kind = `${step.api} ${plain(Object.values(expected)[0]) === 'null' ? 'none' : 'some'}`;
      answers.set(kind, (answers.get(kind) ?? 0) + 1);
    }
  }
  // Otherwise agreement would be that of two who always say no.
  for (const api of ['activate', 'getVariationName', 'getFeatureVariableValue', 'track']) {
    expect(answers.get(`${api} some`), api).toBeGreaterThan(40);
    expect(answers.get(`${api} none`), api).toBeGreaterThan(40);
  }
});
