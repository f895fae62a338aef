import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as places from '../../src/contract/places.ts';
import { understand } from '../../src/domain/chat/understand.ts';
import { isDishWord } from '../../src/domain/dishwords.ts';
import { startServer } from '../kit/server.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { quiet: true, distDir: null } }));

/** Questions of test/domain/chatquestions.tsv that ask for a place, with whether a store delivers there. */
const DELIVERED: Readonly<Record<string, string>> = { Jaffna: 'NO', Rajshahi: 'NO' };
const ROWS = readFileSync(path.resolve(import.meta.dirname, '../domain/chatquestions.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [string, string, string, string])
  .filter(([, , , wanted]) => wanted.startsWith('place:'));

test.each(ROWS)('%s, %s: %s', async (_, country, question, wanted) => {
  const { place } = understand(question, { ours: new Set(), isDishWord });
  const query = { input: place };
  const [best] = (await server.call(places.autocomplete, { query }, { apiKey: `${country}-web` })).body.predictions;
  const name = wanted.split(':')[1]!;
  if (/\D/.test(name)) expect(best?.main_text ?? 'nothing').toContain(name);
  const wantedHere = DELIVERED[name] === 'NO' ? ['NO'] : ['YES', 'PARTLY'];
  expect(wantedHere).toContain(best?.delivery);
});
