import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as contract from '../../src/contract/experiments.ts';
import { engines, type TestServer } from '../kit/server.ts';
import { openedShop, type Shop } from './shop.ts';

describe.each(await engines())('the experiment service on %s', (engine) => {
  let server: TestServer;
  let close: Shop['close'];
  beforeAll(async () => {
    ({ server, close } = await openedShop({ engine }));
  });
  afterAll(() => close());

  test('each country has the experiment of the menu cards with its five variants, in the form that the engine reads [EXP-02] [EXP-16] [API-77]', async () => {
    for (const [apiKey, accountId, sdkKey] of [
      ['in-web', 1, 'golden-oven-in'],
      ['lk-web', 2, 'golden-oven-lk'],
      ['bg-web', 3, 'golden-oven-bg'],
    ] as const) {
      const { body } = await server.call(
        contract.settings,
        { query: { a: String(accountId), i: sdkKey, r: '0.5' } },
        { apiKey },
      );
      expect(body).toMatchObject({ accountId, sdkKey, version: 1 });
      const cards = body.campaigns.find(({ key }) => key === 'NextgenProductCardsV2')!;
      expect(cards).toMatchObject({ type: 'VISUAL_AB', status: 'NOT_STARTED', percentTraffic: 100 });
      expect(cards.variations.map(({ name }) => name.at(-1))).toEqual(['s', 'u', 'w', 'x', 'y']);
      expect(cards.variations.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
      expect(cards).not.toHaveProperty('plan');
    }
  });
});
