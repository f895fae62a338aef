import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import * as assistants from '../../src/contract/assistants.ts';
import * as cart from '../../src/contract/cart.ts';
import { countUse, readSystem } from '../../src/server/store/system.ts';
import { assistantClient, dataOf, NEWEST, refusalOf } from './assistantClient.ts';
import { codeOf } from './people.ts';
import { connected } from './assistantLogin.ts';
import { member, PLACES, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

const { server, db } = shopHere({}, 1);

const DOORS = { IN: '/mcp', LK: '/mcp/lk', BG: '/mcp/bg' } as const;
const CURRENCIES = { IN: 'INR', LK: 'LKR', BG: 'BDT' } as const;
const HANDSHAKE = '2025-11-25';

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: string };
  readonly outputSchema: { readonly type: string };
  readonly annotations: { readonly readOnlyHint: boolean };
}
interface MenuPage {
  readonly currency: string;
  readonly dishes: readonly {
    readonly id: string;
    readonly foodType: string;
    readonly isCombo: boolean;
    readonly allergens: readonly string[];
    readonly jain: string;
    readonly prices: Readonly<Record<string, number>>;
  }[];
  readonly total: number;
  readonly nextCursor?: string;
}
interface Priced {
  readonly currency: string;
  readonly total: number;
  readonly lines: readonly { readonly total: number }[];
  readonly bill: readonly { readonly amount: number; readonly included?: boolean }[];
  readonly unavailable: readonly { readonly dishId: string }[];
}

describe('the door for assistants', () => {
  test.each([NEWEST, HANDSHAKE])('lists its tools to a program of the version %s', async (version) => {
    const client = assistantClient(server, { version });
    if (version === HANDSHAKE) {
      const { result } = await client.send('initialize', {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: 'scripted', version: '1' },
      });
      expect(result).toMatchObject({ protocolVersion: version, capabilities: { tools: {} } });
    }
    const tools = (await client.send('tools/list')).result['tools'] as readonly ListedTool[];
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
      expect([title, description].every((text) => text.length > 5)).toBe(true);
      expect([inputSchema.type, outputSchema.type]).toEqual(['object', 'object']);
      expect(typeof annotations.readOnlyHint).toBe('boolean');
    }
    const { result } = await client.tool('find_offers', { storeId: '10101' });
    expect(result.content?.[0]?.text).toMatch(/^There are \d+ offers now\.$/);
  });

  test.each(['IN', 'LK', 'BG'] as const)('reads and prices in %s as the API does', async (code) => {
    const client = assistantClient(server, { path: DOORS[code] });
    const { where, productId } = PLACES[code]!;
    const { latitude, longitude } = where.address!;
    const near = dataOf<{ stores: { id: string }[]; deliversHere: string }>(
      await client.tool('find_stores', { latitude, longitude, deliveryType: 'DELIVERY' }),
    );
    const storeId = near.deliversHere;
    expect(near.stores.map(({ id }) => id)).toContain(storeId);
    const menu = dataOf<MenuPage>(await client.tool('read_menu', { storeId }));
    expect(menu.currency).toBe(CURRENCIES[code]);
    const line = { productId, size: 'M' as const, quantity: 2 };
    const priced = dataOf<Priced>(
      await client.tool('price_order', { storeId, deliveryType: 'DELIVERY', lines: [line] }),
    );
    expect(priced.currency).toBe(CURRENCIES[code]);
    expect(priced.bill.reduce((sum, { amount, included }) => sum + (included ? 0 : amount), 0)).toBe(priced.total);
    // The cart of a page with the same dishes.
    const guest = await visitor(server, code);
    const added = await guest.call(cart.add, {
      cartId: guest.cartId,
      body: {
        items: [{ operationId: 'o1', line: { lineId: 'a', ...line } }],
        options: { storeId, deliveryType: 'DELIVERY', bestOffer: true },
      },
    });
    expect(priced.total).toBe(added.body.cart.bill.total);
  });

  test('a menu is read by page, diet, allergen and everyday words', async () => {
    const client = assistantClient(server);
    const pages: MenuPage[] = [];
    let cursor: string | undefined;
    do {
      const page = dataOf<MenuPage>(
        await client.tool('read_menu', { storeId: '10101', ...(cursor ? { cursor } : {}) }),
      );
      pages.push(page);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const ids = pages.flatMap(({ dishes }) => dishes.map(({ id }) => id));
    expect(pages.length).toBeGreaterThan(2);
    expect([new Set(ids).size, ids.length]).toEqual([pages[0]!.total, pages[0]!.total]);
    const read = async (more: object) =>
      dataOf<MenuPage>(await client.tool('read_menu', { storeId: '10101', ...more })).dishes;
    const jain = await read({ diet: 'jain' });
    expect(jain.length).toBeGreaterThan(0);
    expect(jain.filter((dish) => dish.jain === 'no')).toEqual([]);
    const milkless = await read({ withoutAllergens: ['Milk'] });
    expect(milkless.length).toBeGreaterThan(0);
    expect(milkless.filter(({ allergens }) => allergens.includes('milk'))).toEqual([]);
    // By whatever word: an assistant says what the person said.
    for (const [word, allergen] of [
      ['peanuts', 'nuts'],
      ['tree nuts', 'nuts'],
      ['dairy', 'milk'],
      ['lactose', 'milk'],
      ['दूध', 'milk'],
      ['eggs', 'egg'],
      ['wheat', 'gluten'],
      ['soya', 'soy'],
      ['Mustard', 'mustard'],
    ] as const) {
      const safe = await read({ withoutAllergens: [word] });
      expect(safe.length, word).toBeGreaterThan(0);
      expect(
        safe.filter(({ allergens, isCombo }) => isCombo || allergens.includes(allergen)),
        word,
      ).toEqual([]);
    }
    expect((await read({ withoutAllergens: ['nuts', 'dairy'] })).flatMap(({ allergens }) => allergens)).not.toContain(
      'milk',
    );
    for (const more of [
      { withoutAllergens: ['celery'] },
      { withoutAllergens: ['nuts', 'zorblax'] },
      { withoutAllergens: ['-'] },
      { search: 'pizza without celery' },
    ])
      expect(refusalOf(await client.tool('read_menu', { storeId: '10101', ...more })), JSON.stringify(more)).toBe(
        'FOOD_UNKNOWN',
      );
    expect((await read({ search: 'paneer', diet: 'vegetarian' })).every(({ foodType }) => foodType === 'VEG')).toBe(
      true,
    );
    const dish = dataOf<{ crusts: unknown[]; toppings: unknown[] }>(
      await client.tool('read_dish', { storeId: '10101', dishId: 'PZ001' }),
    );
    expect([dish.crusts.length, dish.toppings.length].every((count) => count > 3)).toBe(true);
  });

  test('a sentence is in the caller’s language, and holds nothing that a dish says', async () => {
    const { result } = await assistantClient(server, { language: 'hi' }).tool('read_menu', {
      storeId: '10101',
      search: 'paneer',
    });
    expect(result.content?.[0]?.text).toMatch(/^\d+ डिश मिलीं।$/);
  });

  test('what cannot be sold is named, and what no menu offers too, at no price', async () => {
    const lines = [
      { productId: 'PZ001', size: 'M', quantity: 1 },
      { productId: 'NOTHING', quantity: 1 },
      { productId: 'PZ001', size: 'ONE', quantity: 1 },
    ];
    const answer = await assistantClient(server).tool('price_order', {
      storeId: '10101',
      deliveryType: 'PICKUP',
      lines,
    });
    const priced = dataOf<Priced>(answer);
    expect(answer.result.content?.[0]?.text).toBe('It cannot be ordered like this yet.');
    expect(priced.unavailable.map(({ dishId }) => dishId)).toEqual(['NOTHING', 'PZ001']);
  });

  test('each tool is open to everybody, or to whoever the customer has allowed it', async () => {
    const WHO: Readonly<Record<string, 'anybody' | 'order' | 'account'>> = {
      find_places: 'anybody',
      find_stores: 'anybody',
      read_menu: 'anybody',
      read_dish: 'anybody',
      find_offers: 'anybody',
      price_order: 'anybody',
      quote_order: 'order',
      place_order: 'order',
      follow_order: 'order',
      cancel_order: 'order',
      get_help: 'order',
      list_addresses: 'account',
      list_orders: 'account',
      order_again: 'account',
    };
    const { result } = await assistantClient(server).send('tools/list');
    const names = (result['tools'] as readonly ListedTool[]).map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(WHO).toSorted());
    const who = await member(server);
    const tokens = {
      order: (await connected(server, who, 'order')).access,
      account: (await connected(server, who, 'account')).access,
    };
    for (const name of names) {
      const scope = WHO[name]!;
      const statusBy = async (token?: string) => (await assistantClient(server, { token }).tool(name, { x: 1 })).status;
      const all = [await statusBy(), await statusBy(tokens.order), await statusBy(tokens.account)];
      expect(all, name).toEqual(
        scope === 'anybody' ? [200, 200, 200] : scope === 'order' ? [401, 200, 403] : [401, 403, 200],
      );
    }
  });

  test('refuses with codes that a program understands', async () => {
    const client = assistantClient(server);
    const price = (given: object) => client.tool('price_order', given as Record<string, unknown>);
    const line = { productId: 'PZ001', size: 'M', quantity: 1 };
    const whole = { storeId: '10101', deliveryType: 'DELIVERY', lines: [line] };
    expect(refusalOf(await price({ ...whole, storeId: 'nowhere' }))).toBe('STORE_UNKNOWN');
    for (const wrong of [
      { ...whole, lines: [] },
      { ...whole, lines: [{ ...line, quantity: -1 }] },
      { ...whole, lines: Array.from({ length: 31 }, () => line) },
      { ...whole, lines: [{ ...line, note: 'x'.repeat(121) }] },
      { ...whole, deliveryType: 'DRONE' },
      {},
    ])
      expect(refusalOf(await price(wrong))).toBe('INVALID_INPUT');
    expect(refusalOf(await client.tool('read_menu', { storeId: 'nowhere' }))).toBe('NOT_FOUND');
    expect(refusalOf(await client.tool('read_dish', { storeId: '10101', dishId: 'NOTHING' }))).toBe('NOT_FOUND');
    expect((await client.tool('delete_everything')).error?.code).toBe(-32602);
    expect((await client.send('tools/list', { cursor: '-1' })).error?.code).toBe(-32602);
    expect((await assistantClient(server, { path: '/mcp/xx' }).send('tools/list')).status).toBe(404);
    expect((await fetch(`${server.url}/mcp`)).status).toBe(405);
    expect((await client.tool('find_places', { query: 'x'.repeat(300_000) })).status).toBe(413);
  });

  test('shuts out pages of other sites, and names of others that lead here', async () => {
    const from = (headers: Record<string, string>) => assistantClient(server, { headers }).send('tools/list');
    expect((await from({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await from({ origin: 'null' })).status).toBe(403);
    expect((await from({ origin: 'http://localhost:6274' })).status).toBe(200);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(server.url);
      const asked = request(
        { port, path: '/mcp', method: 'POST', headers: { host: 'evil.example', 'content-type': 'application/json' } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      asked.once('error', reject);
      asked.end('{}');
    });
    expect(status).toBe(403);
  });

  test('is shut by a switch, and no payment app has it', async () => {
    const off = JSON.stringify([{ name: 'assistants', value: 'D' }]);
    const body = { storeId: '10101', deliveryType: 'PICKUP' as const, lines: [{ productId: 'PZ001', quantity: 1 }] };
    expect(codeOf(await server.call(assistants.estimate, { body }, { apiKey: 'in-gpay' }))).toBe('FEATURE_BLOCKED');
    await server.switches({ features: off });
    try {
      expect((await assistantClient(server).send('tools/list')).status).toBe(403);
      expect(codeOf(await server.call(assistants.estimate, { body }))).toBe('FEATURE_BLOCKED');
    } finally {
      await server.switches({ features: '[]' });
    }
    expect((await assistantClient(server).send('tools/list')).status).toBe(200);
  });

  test('an address has a budget, of which a price takes more than a look', async () => {
    const { now } = await readSystem(db);
    const { used } = await countUse(db, 'assistant|127.0.0.1', 3_600_000, now, 0);
    const client = assistantClient(server);
    await client.tool('find_offers', { storeId: '10101' });
    const line = { productId: 'PZ001', size: 'M', quantity: 1 };
    await client.tool('price_order', { storeId: '10101', deliveryType: 'PICKUP', lines: [line] });
    const after = await countUse(db, 'assistant|127.0.0.1', 3_600_000, now, 0);
    expect(after.used - used).toBe(6);
    await countUse(db, 'assistant|127.0.0.1', 3_600_000, now, 1_500);
    // Then each who asks from there is asked to log in, and has a budget of their own.
    const spent = await client.tool('find_offers', { storeId: '10101' });
    expect([spent.status, spent.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer scope=/),
    ]);
    const { access } = await connected(server, await member(server));
    const own = assistantClient(server, { token: access });
    expect(refusalOf(await own.tool('find_offers', { storeId: '10101' }))).toBeUndefined();
    await server.advance(3_601);
    expect(refusalOf(await client.tool('find_offers', { storeId: '10101' }))).toBeUndefined();
  });
});
