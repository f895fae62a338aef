import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { StoredRow } from '../../../src/domain/experiments/decide.ts';
import { murmur3, placeOf } from '../../../src/domain/experiments/hash.ts';
import { visitorUuid } from '../../../src/domain/experiments/uuid.ts';
import { engine, run, said, storageOf, type Step } from './kit.ts';

interface Case extends Step {
  readonly id: string;
  readonly settings: unknown;
  readonly seed?: string;
  readonly accountId?: number;
  readonly steps?: readonly Step[];
  readonly launch: { readonly userStorage?: { readonly rows?: readonly StoredRow[]; readonly throws?: boolean } };
  readonly expected: Readonly<Record<string, unknown>>;
}

/** What the service's own SDK answered, 300 times: a line each. */
const cases = readFileSync(path.join(import.meta.dirname, 'cases.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

function answered(one: Case): Record<string, unknown> {
  if (one.api === 'hash') {
    const seed = one.seed!;
    return {
      hash: {
        murmur3: murmur3(seed),
        traffic: placeOf(seed, 100),
        bucket: placeOf(seed, 10_000),
        uuid: visitorUuid(seed, one.accountId!),
      },
    };
  }
  const { userStorage, ...launched } = one.launch;
  const storage = userStorage && storageOf(userStorage);
  const { client, requests } = engine({
    settingsFile: one.settings,
    ...launched,
    ...(storage ? { userStorageService: storage.service } : {}),
  });
  const answers = one.steps ? { steps: one.steps.map((step) => run(client, step)) } : run(client, one);
  return {
    ...answers,
    sends: requests.map(said),
    ...(storage && 'stored' in one.expected ? { stored: storage.written } : {}),
  };
}

test('300 answered cases have the same answers here, the same is sent and the same kept [EXP-01] [EXP-06] [EXP-18]', () => {
  expect(cases).toHaveLength(300);
  const wrong = cases.flatMap((one) => {
    const got = JSON.parse(JSON.stringify(answered(one))) as unknown;
    return JSON.stringify(got) === JSON.stringify(one.expected) ? [] : [{ id: one.id, got, expected: one.expected }];
  });
  // Written again as objects: the order of their keys does not count.
  for (const { id, got, expected } of wrong) expect({ id, ...(got as object) }).toEqual({ id, ...expected });
});
