import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as home from '../../src/contract/home.ts';
import * as menu from '../../src/contract/menu.ts';
import type { Menu } from '../../src/contract/menu.ts';
import { serve } from '../../src/server/app.ts';
import { alertsAt } from '../../src/server/rules/catalogue/home.ts';
import { catalogueOf } from '../../src/server/rules/catalogue/catalogue.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';
import { loadCatalogue } from '../../src/server/rules/catalogue/copies.ts';
import * as stores from '../../src/contract/stores.ts';
import { setOnline, setSoldOut } from '../../src/server/store/stores.ts';
import { readSeeds } from '../../src/server/store/seeds.ts';
import { openDb } from '../../src/server/store/db.ts';
import { noteChange } from '../../src/server/store/system.ts';
import { engines, startServer, testDatabase, type TestServer } from '../kit/server.ts';
import { codeOf } from './people.ts';
import { during } from '../kit/during.ts';

const COUNTRIES = [
  ['MENU-03', 'IN', 'in-web', '10101'],
  ['MENU-04', 'LK', 'lk-web', '20101'],
  ['MENU-05', 'BG', 'bg-web', '30101'],
] as const;
/** Another store of each. */
const ELSEWHERE: Readonly<Record<string, string>> = { IN: '10102', LK: '20102', BG: '30102' };
const CATEGORY_IDS: Readonly<Record<string, readonly string[]>> = {
  IN: ['2', '3', '4', '5', '20', '26', '46', '50'],
  LK: ['1', '35', '37', '38', '39', '40', '41', '43', '44', '2', '3', '4', '5'],
  BG: ['50', '52', '4', '5', '51', '0'],
};

/** Asks for an address as a browser does, and gets the bytes as they were sent. */
const asker =
  (url: string) =>
  (headers: Record<string, string>, path = '/content/ve1/stores/10101/menu') =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      const request = httpRequest(url + path, { headers: { api_key: 'in-web', ...headers } }, (answer) => {
        const parts: Buffer[] = [];
        answer
          .on('data', (part: Buffer) => parts.push(part))
          .on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
          );
      });
      request.on('error', reject).end();
    });

describe.each(await engines())('menu on %s', (engine) => {
  const server = during(() => startServer({ engine }));

  test.each(COUNTRIES)(
    '%s %s: what is built into the page is what the store answers, version and all [MENU-21] [CFG-24] [API-63]',
    async (_row, country, apiKey, storeId) => {
      const { status, body, headers } = await server.call(menu.byStore, { storeId, query: {} }, { apiKey });
      expect(status).toBe(200);
      expect(body.menu).toEqual(defaultMenu(countryConfig(country), 'en'));
      // What stands in the configuration is a call, and what it answers is what pages are built with.
      const address = server.url + countryConfig(country).DEFAULT_MENU;
      const answer = await fetch(address, { headers: { api_key: apiKey } });
      expect(((await answer.json()) as { menu: unknown }).menu).toEqual(defaultMenu(countryConfig(country), 'en'));
      expect(headers.get('etag')?.replace(/^W\//, '')).toBe(`"${body.version}"`);
      const [other] = countryConfig(country).DEFAULT_MENU.split(storeId);
      const elsewhere = { ...countryConfig(country), DEFAULT_MENU: `${other}${ELSEWHERE[country]}/menu` };
      expect(defaultMenu(elsewhere, 'en')).toMatchObject({ storeId: ELSEWHERE[country] });
      // An address that names no store is that of the country's own one.
      const nowhere = { ...countryConfig(country), DEFAULT_MENU: '/content/menu' };
      expect(defaultMenu(nowhere, 'en').storeId).toBe(countryConfig(country).DEFAULT_STORE);
    },
  );

  test.each(COUNTRIES)(
    '%s %s: the menu has a dish in every specified category, and each dish is in one of them [MENU-03] [MENU-04] [MENU-05]',
    async (_row, country, apiKey, storeId) => {
      const { body } = await server.call(menu.byStore, { storeId, query: {} }, { apiKey });
      const ids = body.menu!.categories.map((category) => category.id);
      for (const id of CATEGORY_IDS[country]!) {
        expect(ids).toContain(id);
        // Favourites are filled on the device.
        if (id === '0') continue;
        expect(
          body.menu!.items.some(({ categoryIds }) => categoryIds.includes(id)),
          `${id} has a dish`,
        ).toBe(true);
      }
      for (const item of body.menu!.items) {
        expect(item.categoryIds.length, `${item.id} is in a category`).toBeGreaterThan(0);
        expect(['VEG', 'NON_VEG', 'MIX']).toContain(item.foodType);
        expect(Object.keys(item.kcal).length, item.id).toBeGreaterThan(0);
        for (const [size, original] of Object.entries(item.originalPrices ?? {}))
          // '৳629, was ৳638' reads as a mistake.
          expect(original * 0.95).toBeGreaterThanOrEqual(item.prices[size as 'ONE'] ?? 0);
        for (const id of item.categoryIds) expect(ids, `${item.id} is in a category that is shown`).toContain(id);
      }
    },
  );

  test('is left out when the caller holds it already, and answers 304 to its tag [MENU-01]', async () => {
    const first = await server.call(menu.byStore, { storeId: '10101', query: {} });
    const held = await server.call(menu.byStore, { storeId: '10101', query: { have: first.body.version } });
    expect(held.body).toEqual({ status: 'SUCCESS', version: first.body.version });
    const again = await server.call(
      menu.byStore,
      { storeId: '10101', query: {} },
      { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } },
    );
    expect(again.status).toBe(304);
    expect((await server.call(menu.byStore, { storeId: '10101', query: { have: 'old' } })).body.menu).toBeDefined();
  });

  test('is sent packed to those who take it, with its tag, and as it is to everybody else [MENU-01]', async () => {
    const ask = asker(server.url);
    const plain = await ask({});
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const accept of ['br', 'gzip, deflate, br', 'gzip;q=0.5, br;q=1.0']) {
      const packed = await ask({ 'accept-encoding': accept });
      expect(packed.headers['content-encoding'], accept).toBe('br');
      expect(packed.headers.vary).toContain('Accept-Encoding');
      expect(packed.body.length).toBeLessThan(plain.body.length / 4);
      expect(brotliDecompressSync(packed.body).equals(plain.body)).toBe(true);
      expect((await ask({ 'accept-encoding': accept, 'if-none-match': packed.headers.etag! })).status).toBe(304);
    }
    for (const accept of ['gzip', 'br;q=0', 'brotli'])
      expect((await ask({ 'accept-encoding': accept })).body.equals(plain.body), accept).toBe(true);
    // An answer that is nobody else's is packed anew each time; a short one is not worth it.
    const stores = '/locator-service/ve2/stores/10101?timeSlots=true&deliveryType=DELIVERY';
    const whole = await ask({}, stores);
    expect(whole.headers['content-encoding']).toBeUndefined();
    for (const [accept, coding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip, deflate', 'gzip', gunzipSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const packed = await ask({ 'accept-encoding': accept }, stores);
      expect(packed.headers['content-encoding'], accept).toBe(coding);
      expect(packed.body.length).toBeLessThan(whole.body.length / 2);
      expect(JSON.parse(unpack(packed.body).toString())).toEqual(JSON.parse(whole.body.toString()));
    }
    expect((await ask({ 'accept-encoding': 'br' }, '/api/ve1/app-config')).headers['content-encoding']).toBeUndefined();
  });

  test('marks what is sold out, names an alternative of the same diet, and is another version then [MENU-X09] [API-X03]', async () => {
    const before = (await server.call(menu.byStore, { storeId: '10102', query: {} })).body;
    await server.switches({ soldOut: ['PZ005', 'PZ009'] });
    const after = (await server.call(menu.byStore, { storeId: '10102', query: { have: before.version } })).body;
    expect(after.version).not.toBe(before.version);
    const paneer = after.menu?.items.find((item) => item.id === 'PZ005');
    expect(paneer).toMatchObject({ soldOut: true });
    const alternative = after.menu?.items.find((item) => item.id === paneer?.alternativeId);
    expect(alternative).toMatchObject({ foodType: 'VEG', kind: 'PIZZA' });
    expect(alternative?.soldOut).toBeUndefined();
    await server.switches({ soldOut: [] });
    expect((await server.call(menu.byStore, { storeId: '10102', query: {} })).body.version).toBe(before.version);
  });

  test('lists sizes, crusts, sauces, toppings and the rules of building [MENU-20] [API-63]', async () => {
    const { builder } = (await server.call(menu.toppings, { storeId: '10101' })).body;
    expect(builder.sizes.map((size) => size.id)).toEqual(['R', 'M', 'L']);
    expect(builder.maxExtraToppings).toEqual({ R: 5, M: 7, L: 9 });
    expect(builder.sauces.find((sauce) => sauce.jain)?.id).toBe('jain-tomato');
    expect(builder.toppings.every((topping) => topping.prices.M !== undefined && topping.draw.countPerSlice > 0)).toBe(
      true,
    );
  });

  test('deals of a store, one deal, all deals by their own address, its left menu and its widgets [MENU-17] [API-64]', async () => {
    const { deals } = (await server.call(menu.deals, { storeId: '10101' })).body;
    expect(deals.map(({ id }) => id)).toEqual(expect.arrayContaining(['DL001', 'DL002']));
    const one = await server.call(menu.deal, { storeId: '10101', dealId: 'DL002' });
    expect([one.status, one.body.deal]).toEqual([200, deals.find(({ id }) => id === 'DL002')]);
    expect((await server.call(menu.deal, { storeId: '10101', dealId: 'NONE' })).status).toBe(404);
    const all = await fetch(`${server.url}/catalog-service/ve1/stores/10101/deals/all`, {
      headers: { api_key: 'in-web' },
    });
    expect(((await all.json()) as { deals: unknown[] }).deals).toEqual(deals);
    const { categories } = (await server.call(menu.leftMenu, { storeId: '10101' })).body;
    expect(categories.map(({ label }) => label)).toEqual(expect.arrayContaining(['Veg Pizza', 'Sides']));
    const { widgets } = (await server.call(menu.widgets, { storeId: '10101', query: {} })).body;
    expect(widgets.map(({ label }) => label)).toContain('everyday_value_offer');
    for (const endpoint of [menu.leftMenu, menu.widgets])
      expect((await server.call(endpoint, { storeId: '19999', query: {} })).status).toBe(404);
  });

  test('a deal names its places, its type, and beside its price what the parts would cost [MENU-22] [MENU-23]', async () => {
    const { deals } = (await server.call(menu.deals, { storeId: '10101' })).body;
    expect(new Set(deals.map((deal) => deal.productType))).toEqual(
      new Set(['SIDECOMBOS', 'PIZZA', 'PIZZA-MANIA', 'SIDES']),
    );
    expect(deals.find((deal) => deal.id === 'DL001')).toMatchObject({
      price: 29900,
      originalPrice: 37800,
      slots: [{ label: 'Pizza', quantity: 1, size: 'R', defaults: ['PZ004'] }, { label: 'Side' }, { label: 'Drink' }],
    });
    for (const deal of deals) for (const slot of deal.slots) expect(slot.defaults).toHaveLength(slot.quantity);
  });

  test.each([
    [
      'in',
      '10101',
      {
        PIZZA: ['DL003', 'DL004'],
        'PIZZA-MANIA': ['DL007'],
        SIDECOMBOS: ['DL001', 'DL002', 'DL005', 'DL006', 'DL008', 'DL018'],
        SIDES: ['DL009', 'DL010'],
      },
    ],
    ['lk', '20101', { PIZZA: ['DL013'], SIDECOMBOS: ['DL011', 'DL012', 'DL014'], SIDES: ['DL010'] }],
    ['bg', '30101', { PIZZA: ['DL015'], SIDECOMBOS: ['DL016', 'DL017'] }],
  ])('each deal of %s has its type, in its list and on the menu [MENU-23]', async (country, storeId, types) => {
    const as = { apiKey: `${country}-web` };
    const { deals } = (await server.call(menu.deals, { storeId }, as)).body;
    const byType = (all: readonly { id: string; productType: string }[]) =>
      Object.fromEntries(
        [...new Set(all.map(({ productType }) => productType))].map((type) => [
          type,
          all.filter(({ productType }) => productType === type).map(({ id }) => id),
        ]),
      );
    expect(byType(deals)).toEqual(types);
    const { items } = (await server.call(menu.byStore, { storeId, query: {} }, as)).body.menu!;
    expect(byType(items.filter(({ kind }) => kind === 'DEAL'))).toEqual(types);
  });

  test('the left menu begins with the first category; each widget has content with its title and dishes [MENU-02] [API-67]', async () => {
    expect((await server.call(menu.leftMenu, { storeId: '10101' })).body.categories[0]).toEqual({
      id: '2',
      label: 'Veg Pizza',
      path: '/menu/veg-pizza',
    });
    const { widgets } = (await server.call(menu.widgets, { storeId: '10101', query: {} })).body;
    expect(widgets.map(({ label }) => label)).toContain('everyday_value_offer');
    for (const widget of widgets) {
      const content = (await (
        await fetch(server.url + widget.links[0]!.href, { headers: { api_key: 'in-web' } })
      ).json()) as { title: string; productIds: string[] };
      expect(content.title).toBe(widget.title);
      expect(content.productIds.length, widget.label).toBeGreaterThan(0);
    }
  });

  test('widgets are titled in the language of the caller, with their content; what a proxy keeps is kept for each language', async () => {
    const asked = async (language: string) => {
      const options = { headers: { 'accept-language': language } };
      const { body, headers } = await server.call(menu.widgets, { storeId: '10101', query: { label: 'new' } }, options);
      const content = await server.call(menu.widgetContent, { storeId: '10101', name: 'new' }, options);
      for (const one of [headers, content.headers]) expect(one.get('vary')).toMatch(/accept-language/i);
      expect(content.body.title).toBe(body.widgets[0]?.title);
      return content.body.title;
    };
    expect([await asked('hi-IN'), await asked('en-IN'), await asked('fr')]).toEqual([
      'मेन्यू में नया',
      'New on the menu',
      'New on the menu',
    ]);
  });

  test('widgets are found by page and label, each with its content; mini-apps get no blocked one [MENU-12] [MENU-14] [API-67]', async () => {
    for (const [, , apiKey, storeId] of COUNTRIES) {
      const names = async (query: object) =>
        (await server.call(menu.widgets, { storeId, query }, { apiKey })).body.widgets.map(({ label }) => label);
      expect(await names({})).toEqual(expect.arrayContaining(['combos', 'deals_and_offer', 'edv']));
      expect(await names({ page: 'edv' })).toContain('edv');
      expect(await names({ page: 'menu' })).not.toContain('edv');
      const [deals] = (await server.call(menu.widgets, { storeId, query: { label: 'Deals_And_Offer' } }, { apiKey }))
        .body.widgets;
      const content = (await (
        await fetch(server.url + deals!.links[0]!.href, { headers: { api_key: apiKey } })
      ).json()) as { productIds: string[]; couponCodes: string[] };
      expect(content.productIds.every((id) => id.startsWith('DL'))).toBe(true);
      expect(content.couponCodes).toContain('WELCOME50');
      expect(
        content.couponCodes.some((code) => code.startsWith('WHEEL') || code === 'DIWALI25' || code === 'SOLDOUT'),
      ).toBe(false);
    }
    for (const apiKey of ['in-gpay', 'in-paytm']) {
      const { widgets } = (await server.call(menu.widgets, { storeId: '10101', query: {} }, { apiKey })).body;
      expect(widgets.map(({ label }) => label)).toEqual(['bestsellers', 'value', 'new', 'kids', 'combos']);
      for (const name of ['deals', 'edv', 'everyday-value'])
        expect((await server.call(menu.widgetContent, { storeId: '10101', name }, { apiKey })).status).toBe(404);
    }
  });

  test.each(COUNTRIES)(
    '%s %s: each widget holds all that it is about and nothing else, and nothing that is sold out [MENU-12]',
    async (_row, country, apiKey, storeId) => {
      const { items, deals, content } = readSeeds(country);
      const isOf = (tag: string) => items.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id);
      const cheap = [
        ...isOf('everyday-value'),
        ...deals.filter(({ edv, tags }) => edv === true || tags.includes('everyday-value')).map(({ id }) => id),
      ];
      const all = deals.map(({ id }) => id);
      const held: Readonly<Record<string, readonly string[]>> = {
        bestsellers: isOf('bestseller'),
        value: [...items, ...deals].filter(({ tags }) => tags.includes('value')).map(({ id }) => id),
        new: isOf('new'),
        kids: isOf('kids'),
        combos: deals
          .filter(({ categoryIds }) => categoryIds.includes(country === 'LK' ? '43' : '50'))
          .map(({ id }) => id),
        deals: all,
        edv: cheap,
        'everyday-value': cheap,
      };
      const gone = [held['bestsellers']![0]!, cheap[0]!, all[0]!];
      await server.switches({ soldOut: gone });
      for (const { name } of content.widgets) {
        const { body } = await server.call(menu.widgetContent, { storeId, name }, { apiKey });
        expect([name, body.productIds.toSorted()]).toEqual([
          name,
          held[name]!.filter((id) => !gone.includes(id)).toSorted(),
        ]);
        expect(body.couponCodes !== undefined, name).toBe(name === 'deals');
      }
      await server.switches({ soldOut: [] });
    },
  );

  test('home page data: categories, widgets, alerts and the promise, with the version of the menu [MENU-12] [API-65]', async () => {
    const { body } = await server.call(home.home, { storeId: '10101' });
    expect(body.menuVersion).toBe((await server.call(menu.byStore, { storeId: '10101', query: {} })).body.version);
    expect(body.widgets.map(({ label }) => label)).toContain('bestsellers');
    expect(body.widgets.every(({ links }) => links[0]!.href.startsWith('/content/'))).toBe(true);
    expect(body.categories.length).toBeGreaterThan(5);
    expect(body.alerts).toEqual([]);
    expect([30, 45]).toContain(body.promise.minutes);
    const inside = (await server.call(home.home, { storeId: '10101' }, { apiKey: 'in-gpay' })).body.widgets.map(
      ({ label }) => label,
    );
    expect(inside.filter((label) => ['deals_and_offer', 'edv', 'everyday_value_offer'].includes(label))).toEqual([]);
  });

  test('what the shop has to tell is told in its stores and at its hours, and another text is another alert [ORD-29]', () => {
    const seeds = readSeeds('IN');
    const rain = { id: 'rain', storeIds: ['10101'], message: 'Heavy rain.', active: true, from: '22:00', to: '02:00' };
    const told = (at: string, storeId = '10101', message = rain.message, active = true, by = new Set<string>()) =>
      alertsAt(
        {
          country: countryConfig('IN'),
          seeds: { ...seeds, content: { ...seeds.content, alerts: [{ ...rain, message, active }] } },
        },
        storeId,
        by,
        Date.parse(`2026-11-23T${at}:00+05:30`),
      );
    expect(told('23:00')).toMatchObject([{ message: 'Heavy rain.' }]);
    expect(told('01:59')).toHaveLength(1);
    expect([told('21:59'), told('02:00'), told('23:00', '10102'), told('23:00', '10101', 'x', false)]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(told('23:00', '10101', 'Snow.')[0]!.id).not.toBe(told('23:00')[0]!.id);
    // What the shop tells at a store is told whatever the catalogue says, in its hours.
    const by = (at: string, ...ids: string[]) => told(at, '10102', 'x', false, new Set(ids));
    expect([by('23:00', 'rain').length, by('21:59', 'rain').length, by('23:00', 'snow').length]).toEqual([1, 0, 0]);
    // Without stores it is told in all of them, and all day without both of its hours.
    const news = { id: 'news', storeIds: [], message: 'A new pizza.', active: true };
    for (const hours of [{}, { from: '22:00' }, { to: '02:00' }])
      expect(
        alertsAt(
          {
            country: countryConfig('IN'),
            seeds: { ...seeds, content: { ...seeds.content, alerts: [{ ...news, ...hours }] } },
          },
          '10105',
          new Set(),
          Date.parse('2026-11-23T12:00:00+05:30'),
        ),
      ).toEqual([{ id: expect.stringMatching(/^news-[0-9a-f]{16}$/) as string, message: 'A new pizza.' }]);
  });

  test('the party menu says how many each thing feeds, and plans for any number of guests at the least price [MENU-18] [API-65]', async () => {
    const { body } = await server.call(home.party, { storeId: '10101', query: {} });
    expect(body.plan).toBeUndefined();
    expect(body.groups[0]).toMatchObject({
      title: 'Combos for many',
      items: expect.arrayContaining([expect.objectContaining({ productId: 'DL008' })]),
    });
    const items = body.groups.flatMap((group) => group.items);
    const cost = (
      lines: { productId: string; size?: string | undefined; quantity: number }[],
      of: 'price' | 'serves',
    ) =>
      lines.reduce(
        (sum, line) =>
          sum +
          line.quantity *
            (items.find((item) => item.productId === line.productId && item.size === line.size)![of] ?? 0),
        0,
      );
    let before = 0;
    for (const guests of [1, 2, 7, 40, 999]) {
      const { plan } = (await server.call(home.party, { storeId: '10101', query: { guests: String(guests) } })).body;
      expect(plan!.serves).toBeGreaterThanOrEqual(guests);
      expect([cost(plan!.lines, 'serves'), cost(plan!.lines, 'price')]).toEqual([plan!.serves, plan!.price]);
      expect(plan!.price).toBeGreaterThanOrEqual(before);
      // No single thing, bought as often as needed, would feed them for less.
      for (const group of body.groups.slice(0, 2))
        for (const item of group.items)
          if (item.serves) expect(plan!.price).toBeLessThanOrEqual(item.price * Math.ceil(guests / item.serves));
      before = plan!.price;
    }
    const foods = new Map(readSeeds('IN').items.map(({ id, foodType }) => [id, foodType]));
    for (const deal of readSeeds('IN').deals) foods.set(deal.id, deal.foodType as 'VEG');
    const veg = (await server.call(home.party, { storeId: '10101', query: { guests: '20', veg: 'true' } })).body;
    const offered = veg.groups.flatMap((group) => group.items.map(({ productId }) => productId));
    for (const id of [...offered, ...veg.plan!.lines.map(({ productId }) => productId)])
      expect([id, foods.get(id)]).toEqual([id, 'VEG']);
    expect((await server.call(home.party, { storeId: '10101', query: { guests: '0' } })).status).toBe(400);
    expect(
      (await fetch(`${server.url}/content/ve1/stores/10101/potp`, { headers: { api_key: 'in-web' } })).status,
    ).toBe(200);
  });

  test("what is not there is 404 with a message, another country's store too", async () => {
    const answers = await Promise.all([
      server.call(menu.byStore, { storeId: '20101', query: {} }),
      server.call(menu.byStore, { storeId: '../etc', query: {} }),
      server.call(menu.toppings, { storeId: '10990' }),
      server.call(menu.deal, { storeId: '10101', dealId: 'DL999' }),
      server.call(menu.widgetContent, { storeId: '10101', name: 'none' }),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(codeOf(answer)).toBe('NOT_FOUND');
      expect(answer.body.errors?.[0]?.displayMsg).not.toBe('');
    }
  });
});

describe.each(await engines())('catalogue on %s', (engine) => {
  test('loads once for all processes; what one changes all know at their next answer: a version, a dish, a store [MENU-X09] [API-X03]', async () => {
    const database = await testDatabase(engine);
    const [one, two] = await Promise.all([startServer({ database }), startServer({ database })]);
    const { db } = await openDb(database.target);
    try {
      const counts = async () =>
        (
          await db
            .selectFrom('catalogue_entries')
            .select((e) => e.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow()
        ).n;
      const rows = await counts();
      const load = () => loadCatalogue(() => db, console);
      await Promise.all([load(), load(), load()]);
      expect(await counts()).toBe(rows);
      const price = async (server: TestServer) =>
        (await server.call(menu.byStore, { storeId: '10101', query: {} })).body.menu?.items.find(
          (item) => item.id === 'PZ001',
        )?.prices.M;
      expect(await price(one)).toBe(22900);
      // What a process with newer seeds does.
      const row = await db
        .selectFrom('catalogue_entries')
        .select('body')
        .where('country', '=', 'IN')
        .where('kind', '=', 'item')
        .where('id', '=', 'PZ001')
        .executeTakeFirstOrThrow();
      await db
        .updateTable('catalogue_entries')
        .set({ body: row.body.replace('22900', '23900') })
        .where('country', '=', 'IN')
        .where('kind', '=', 'item')
        .where('id', '=', 'PZ001')
        .execute();
      await db.updateTable('catalogue_versions').set({ version: 'newer' }).where('country', '=', 'IN').execute();
      await noteChange(db);
      expect([await price(one), await price(two)]).toEqual([23900, 23900]);

      const servers = [one, two];
      const isSoldOut = async () =>
        Promise.all(
          servers.map(
            async (server) =>
              (await server.call(menu.byStore, { storeId: '10101', query: {} })).body.menu!.items.find(
                (item) => item.id === 'PZ001',
              )!.soldOut === true,
          ),
        );
      const online = async () =>
        Promise.all(
          servers.map(
            async (server) => (await server.call(stores.byId, { storeId: '10101', query: {} })).body.store.online,
          ),
        );
      expect([await isSoldOut(), await online()]).toEqual([
        [false, false],
        [1, 1],
      ]);
      for (const soldOut of [true, false, true]) {
        await setSoldOut(db, '10101', 'PZ001', soldOut, 0);
        expect(await isSoldOut()).toEqual([soldOut, soldOut]);
      }
      for (const isOnline of [false, true]) {
        await setOnline(db, '10101', isOnline);
        expect(await online()).toEqual(isOnline ? [1, 1] : [0, 0]);
      }
      // Many askers at once share a read, and none of them hears what was true before it asked.
      for (let round = 0; round < 2; round += 1) {
        const early = Array.from({ length: 20 }, isSoldOut);
        await setSoldOut(db, '10101', 'PZ001', round % 2 === 1, 0);
        expect(new Set((await Promise.all(Array.from({ length: 20 }, isSoldOut))).flat())).toEqual(
          new Set([round % 2 === 1]),
        );
        await Promise.all(early);
      }
    } finally {
      await db.destroy();
      await Promise.all([one.stop(), two.stop()]);
      await database.drop();
    }
  });
});

describe('a menu that is kept ready, in production', () => {
  /** All of an answer that does not differ by call. */
  const lasting = ({ status, headers, body }: Awaited<ReturnType<ReturnType<typeof asker>>>) => {
    const { date: _date, ...kept } = headers;
    return { status, headers: kept, body: body.toString('base64') };
  };

  test('is sent again as it was sent first, to those alone whom it is for', async () => {
    const server = await startServer({ settings: { development: false } });
    try {
      const ask = asker(server.url);
      for (const headers of [{}, { 'accept-encoding': 'br' }] as Record<string, string>[]) {
        const first = await ask(headers);
        for (let again = 0; again < 2; again += 1) expect(lasting(await ask(headers))).toEqual(lasting(first));
        const same = await ask({ ...headers, 'if-none-match': first.headers.etag!, 'request-id': 'mine' });
        // It may be given to others: it says neither whose request it was nor when.
        expect([same.status, same.body.length, same.headers['x-request-id']]).toEqual([304, 0, undefined]);
        expect(same.headers.vary).toBe(first.headers.vary);
        expect((await ask({ ...headers, 'if-none-match': '"other"' })).status).toBe(200);
      }
      expect((await ask({ api_key: 'lk-web' })).status, "another country's build").toBe(404);
      expect((await ask({ api_key: 'nobody' })).status).toBe(401);
      expect((await ask({})).headers['x-server-time']).toBeUndefined();
    } finally {
      await server.stop();
    }
  });

  test('is the new one at once where it was changed, and soon in every other process', async () => {
    const database = await testDatabase();
    const settings = { port: 0, database: database.target, distDir: null, development: false, quiet: true } as const;
    const [one, two] = await Promise.all([serve(settings), serve(settings)]);
    try {
      const isSoldOut = async ({ url }: { url: string }) => {
        const { menu: now } = JSON.parse(String((await asker(url)({})).body)) as { menu: Menu };
        return now.items.find((item) => item.id === 'PZ001')?.soldOut === true;
      };
      for (const server of [one, two, one, two]) expect(await isSoldOut(server)).toBe(false);
      for (const soldOut of [true, false]) {
        await setSoldOut(one.db, '10101', 'PZ001', soldOut, 0);
        expect(await isSoldOut(one)).toBe(soldOut);
        await expect.poll(() => isSoldOut(two), { timeout: 5_000, interval: 100 }).toBe(soldOut);
      }
    } finally {
      await Promise.all([one.stop(), two.stop()]);
      await database.drop();
    }
  });
});

test.each([
  // A deal that saves nothing takes dearer dishes: of the vegetarian ones first, then of all.
  ['MIX', 33_800, 'VEG', true, 33_900],
  ['MIX', 33_900, 'VEG', false, 42_900],
  ['MIX', 42_900, 'NON_VEG', false, 51_900],
  ['MIX', 99_900, 'NON_VEG', false, 51_900],
  ['NON_VEG', 33_800, 'NON_VEG', true, 44_900],
] as const)(
  'what a combo of %s for %i begins with where nobody has said it is %s, a bestseller %s, for %i',
  (foodType, price, type, isBestseller, costs) => {
    const seeds = readSeeds('BG');
    const slot = { label: 'Pizza', quantity: 1, anyOfCategories: ['50', '52'], size: 'R' as const };
    const asked = (slots: readonly object[], least: number = price) =>
      catalogueOf(countryConfig('BG'), {
        ...seeds,
        deals: [{ ...seeds.deals[0]!, id: 'DL900', foodType, slots: [...slots] as (typeof slot)[], price: least }],
      })
        .slots.get('DL900')!
        .flatMap(({ defaults }) => defaults)
        .map((id) => seeds.items.find((item) => item.id === id)!);
    const [first] = asked([slot]);
    expect([first?.foodType, first?.tags.includes('bestseller'), first?.prices.R]).toEqual([type, isBestseller, costs]);
    // Two pizzas are two different ones, in one slot or in two.
    const pair = asked([{ ...slot, quantity: 2 }], 2 * price);
    const apart = asked([slot, slot], 2 * price);
    expect([pair.length, new Set(pair).size]).toEqual([2, 2]);
    expect(apart).toEqual(pair);
    // What the data names comes first, if it may be chosen at all.
    const named = seeds.items.filter(({ categoryIds }) => categoryIds.includes('50')).at(-1)!;
    expect(asked([{ ...slot, default: [named.id] }])).toEqual([named]);
    expect(asked([{ ...slot, default: ['BV001'] }])).toEqual([first]);
  },
);
