import type * as sentences from '#text/found.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { countries, countryConfig } from '../../country/index.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as menu from '../../src/contract/menu.ts';
import type { Menu } from '../../src/contract/menu.ts';
import * as places from '../../src/contract/stores.ts';
import { bundlesAsked } from '../../src/build/bundles.ts';
import { pathsOf } from '../../src/build/paths.ts';
import { picturesOf } from '../../src/build/pictures/pictures.ts';
import { compileTexts, spokenIn } from '../../src/build/texts.ts';
import { pagesTold } from '../../src/domain/seo.ts';
import { decimal } from '../../src/domain/money.ts';
import { root } from '../architecture/sources.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { FILLS, HELD_AT_MOST_MS, heldMs, textsOf } from '../kit/holding.ts';
import { startServer } from '../kit/server.ts';
import { during } from '../kit/during.ts';

type Thing = { readonly '@type': string; readonly '@id'?: string } & Readonly<Record<string, unknown>>;

const TEXT = ['Text'];
const URL_ = ['URL'];
/** The types and properties that pages use, each with the values that schema.org expects (https://schema.org/Offer ...). */
const VOCABULARY: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Organization: { name: TEXT, url: URL_, logo: URL_, contactPoint: ['ContactPoint'] },
  ContactPoint: { contactType: TEXT, telephone: TEXT, areaServed: TEXT },
  WebSite: { name: TEXT, url: URL_, inLanguage: TEXT },
  Restaurant: {
    name: TEXT,
    url: URL_,
    telephone: TEXT,
    image: URL_,
    servesCuisine: TEXT,
    currenciesAccepted: TEXT,
    hasMenu: URL_,
    parentOrganization: ['Organization'],
    address: ['PostalAddress'],
    geo: ['GeoCoordinates'],
    openingHoursSpecification: ['OpeningHoursSpecification'],
  },
  PostalAddress: { streetAddress: TEXT, addressLocality: TEXT, postalCode: TEXT, addressCountry: TEXT },
  GeoCoordinates: { latitude: ['Number'], longitude: ['Number'] },
  OpeningHoursSpecification: { dayOfWeek: URL_, opens: ['Time'], closes: ['Time'] },
  Menu: { name: TEXT, url: URL_, inLanguage: TEXT, hasMenuSection: ['MenuSection'] },
  MenuSection: { name: TEXT, url: URL_, hasMenuItem: ['MenuItem'] },
  MenuItem: {
    name: TEXT,
    description: TEXT,
    url: URL_,
    image: URL_,
    suitableForDiet: URL_,
    nutrition: ['NutritionInformation'],
    offers: ['Offer'],
  },
  NutritionInformation: { calories: TEXT, servingSize: TEXT },
  Offer: {
    name: TEXT,
    identifier: TEXT,
    description: TEXT,
    url: URL_,
    price: ['Decimal'],
    priceCurrency: TEXT,
    priceSpecification: ['PriceSpecification'],
    availability: URL_,
    availabilityStarts: ['Time'],
    availabilityEnds: ['Time'],
    validThrough: ['DateTime'],
  },
  PriceSpecification: { price: ['Decimal'], priceCurrency: TEXT, valueAddedTaxIncluded: ['Boolean'] },
  OfferCatalog: { name: TEXT, url: URL_, itemListElement: ['Offer'] },
  BreadcrumbList: { itemListElement: ['ListItem'] },
  ListItem: { position: ['Number'], name: TEXT, item: URL_ },
};
const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  Text: (value) => typeof value === 'string' && value.trim() !== '',
  URL: (value) => typeof value === 'string' && /^https?:\/\/[^\s<>"]+$/.test(value),
  Number: (value) => typeof value === 'number' && Number.isFinite(value),
  Decimal: (value) => typeof value === 'string' && /^\d+\.\d\d$/.test(value),
  Boolean: (value) => typeof value === 'boolean',
  Time: (value) => typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d(:00)?$/.test(value),
  DateTime: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)) && value.includes('T'),
};

/** What is wrong with a thing, by the words of the vocabulary. */
function wrongIn(thing: Thing, at: string): string[] {
  const properties = VOCABULARY[thing['@type']];
  if (!properties) return [`${at}: no type ${thing['@type']}`];
  return Object.entries(thing).flatMap(([name, value]) => {
    if (name.startsWith('@')) return [];
    const expected = properties[name];
    if (!expected) return [`${at}: a ${thing['@type']} has no ${name}`];
    const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    if (values.length === 0) return [`${at}: ${name} is empty`];
    return values.flatMap((one) => {
      if (typeof one !== 'object' || one === null)
        return expected.some((type) => PLAIN[type]?.(one)) ? [] : [`${at}: ${name} is ${String(one)}`];
      const inner = one as Thing;
      // A mention of what is told elsewhere.
      if (Object.keys(inner).join() === '@id') return [];
      return expected.includes(inner['@type'])
        ? wrongIn(inner, `${at}/${name}`)
        : [`${at}: ${name} is a ${inner['@type']}`];
    });
  });
}

const HTML = `<!doctype html>
<html><head>
<base href="/-base-/">
<title>any</title>
<meta name="description" content="Any">
</head><body></body></html>`;

/** Bundles of all countries as far as the server reads them, one in a second language, and mini-apps. */
async function build(): Promise<string> {
  const dist = temporaryFolder('found');
  for (const country of countries) {
    const [bundle] = await bundlesAsked({ country: country.COUNTRY_CODE, host: 'browser' });
    for (const name of ['browser', 'browser.hi', 'gpay']) {
      const cc = country.COUNTRY_CODE.toLowerCase();
      const [host, language = 'en'] = name.split('.');
      if (!country.languages.includes(language)) continue;
      const folder = path.join(dist, cc, name);
      mkdirSync(folder, { recursive: true });
      for (const page of ['index', 'menu', 'app']) writeFileSync(path.join(folder, `${page}.html`), HTML);
      const isShop = host === 'browser';
      const words = await spokenIn<typeof sentences>(await compileTexts(root, { language }), 'found');
      const drawings = isShop ? (await picturesOf(country, 'TEST1234')).files : new Map<string, string>();
      for (const [file, svg] of drawings) writeFileSync(path.join(folder, file), svg);
      writeFileSync(
        path.join(folder, 'meta.json'),
        JSON.stringify({
          mount: `/${cc}${isShop ? '' : `/${host}`}${language === 'en' ? '' : `/${language}`}`,
          country: cc,
          language,
          host,
          fake: null,
          files: Object.fromEntries([...drawings.keys()].map((file) => [file, {}])),
          policy: {},
          ...(isShop
            ? {
                seo: pagesTold({ ...country, locale: country.locales[language]! }, words).paths,
                paths: await pathsOf(bundle!),
              }
            : {}),
        }),
      );
    }
  }
  return dist;
}

const SHOPS = [
  ['in', 'in-web', '10101'],
  ['lk', 'lk-web', '20101'],
  ['bg', 'bg-web', '30101'],
] as const;

describe('what search engines are told', () => {
  const server = during(async () =>
    startServer({ settings: { distDir: await build(), environment: { PUBLIC_ORIGIN: 'https://shop.example' } } }),
  );

  it('no address, query or header of a page holds the process, whatever a text is full of', async () => {
    const slow: unknown[] = [];
    const read = [
      ...['accept', 'accept-encoding', 'accept-language', 'available-dictionary', 'cookie', 'forwarded'],
      ...['if-none-match', 'range', 'referer', 'user-agent', 'x-forwarded-for', 'x-forwarded-host'],
      ...['x-forwarded-prefix', 'x-simulator'],
    ];
    // Of three addresses one by turns.
    const at = ['/in/', '/in/customise/PZ001', '/nowhere'] as const;
    let turn = 0;
    for (const sign of [FILLS.spaces, FILLS.letters, FILLS.marks, '/', ',', ';', 'a.'])
      for (const text of textsOf(sign, 12 * 1024 - 4)) {
        turn += 1;
        const inside = encodeURIComponent(text)
          .slice(0, 12 * 1024)
          .replace(/%[^%]{0,1}$/, '');
        const plain = text.replace(/[^ -~]/g, '-').trim() || '-';
        const tried: [string, string, Record<string, string>?][] = [
          ['path', `/${inside.replaceAll('%2F', '/')}`],
          ...['categoryId', 'simulator', 'code'].map((name): [string, string] => [name, `?${name}=${inside}`]),
          ...read.map((name): [string, string, Record<string, string>] => [name, '', { [name]: plain }]),
        ];
        for (const [what, more, headers = {}] of tried) {
          turn += 1;
          const where = at[turn % 3]!;
          const address = server.url + (what === 'path' ? where.replace(/\/$/, '') : where) + more;
          const ms = await heldMs(async () => {
            const reply = await fetch(address, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
            await reply.arrayBuffer();
            expect([where, what, sign, reply.status < 500]).toEqual([where, what, sign, true]);
          });
          if (ms > HELD_AT_MOST_MS) slow.push([where, what, sign, Math.round(ms)]);
        }
      }
    expect(slow).toEqual([]);
  });

  const graphOf = async (where: string): Promise<readonly Thing[]> => {
    const page = await (await fetch(server.url + where)).text();
    const blocks = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
    if (blocks.length === 0) return [];
    expect(blocks).toHaveLength(1);
    const { '@context': context, '@graph': graph } = JSON.parse(blocks[0]![1]!) as {
      '@context': string;
      '@graph': readonly Thing[];
    };
    expect(context).toBe('https://schema.org');
    expect(graph.flatMap((thing) => wrongIn(thing, where))).toEqual([]);
    return graph;
  };
  const menuAt = async (storeId: string, apiKey: string): Promise<Menu> =>
    (await server.call(menu.byStore, { storeId, query: {} }, { apiKey })).body.menu!;

  it.each(SHOPS)(
    '%s: every dish and combo has its own page with the prices of the menu',
    async (cc, apiKey, storeId) => {
      const country = countryConfig(cc);
      const { items } = await menuAt(storeId, apiKey);
      expect(items.length).toBeGreaterThan(20);
      // All of one country; the others have the same pages of their own dishes.
      for (const item of cc === 'in' ? items : items.filter((_, at) => at % 4 === 0)) {
        const where = `/${cc}/${item.kind === 'DEAL' ? 'combo' : 'customise'}/${item.id}`;
        const [dish, crumbs] = await graphOf(where);
        expect(dish).toMatchObject({ '@type': 'MenuItem', name: item.name, url: `https://shop.example${where}` });
        const offers = dish!['offers'] as readonly Thing[];
        expect(offers.map(({ price }) => price)).toEqual(
          (['R', 'M', 'L', 'ONE'] as const).flatMap((size) => {
            const amount = item.prices[size];
            return amount === undefined ? [] : [decimal(amount)];
          }),
        );
        for (const offer of offers)
          expect(offer).toMatchObject({
            priceCurrency: country.CURRENCY_CODE,
            priceSpecification: { valueAddedTaxIncluded: country.tax.included },
            availability: 'https://schema.org/InStock',
          });
        const trail = crumbs!['itemListElement'] as readonly Thing[];
        expect(trail.map(({ position }) => position)).toEqual(trail.map((_, at) => at + 1));
        expect(trail.at(-1)).toMatchObject({ name: item.name, item: `https://shop.example${where}` });
      }
    },
  );

  it.each(SHOPS)('%s: the menu names its sections, and each section its dishes', async (cc, apiKey, storeId) => {
    const { items, categories } = await menuAt(storeId, apiKey);
    const [all] = await graphOf(`/${cc}/menu`);
    const sections = all!['hasMenuSection'] as readonly Thing[];
    const rows = countryConfig(cc).categories.filter((row) => row.dynamic !== true);
    const own = categories.filter(({ id }) => rows.some((row) => row.id === id));
    expect(sections.map(({ name }) => name)).toEqual(own.map(({ label }) => label));
    for (const { id, path: where } of own) {
      const [section] = await graphOf(`/${cc}${where}`);
      expect((section!['hasMenuItem'] as readonly Thing[]).map(({ name }) => name)).toEqual(
        items.filter(({ categoryIds }) => categoryIds.includes(id)).map(({ name }) => name),
      );
    }
  });

  it.each(SHOPS)('%s: the page of stores tells where each is and when it is open', async (cc, apiKey) => {
    const graph = await graphOf(`/${cc}/manualSelector`);
    const restaurants = graph.filter((thing) => thing['@type'] === 'Restaurant');
    const { body } = await server.call(places.cities, { query: {} }, { apiKey });
    expect(restaurants).toHaveLength(body.data.reduce((sum, { stores }) => sum + stores, 0));
    for (const one of restaurants) {
      const id = /#store-(.*)$/.exec(one['@id']!)![1]!;
      const { store } = (await server.call(places.byId, { storeId: id, query: {} }, { apiKey })).body;
      expect(one).toMatchObject({
        address: { addressLocality: store.city, postalCode: store.postcode, addressCountry: countryConfig(cc).iso },
        geo: { latitude: store.latitude, longitude: store.longitude },
      });
      const days = (one['openingHoursSpecification'] as readonly Thing[]).flatMap(({ dayOfWeek }) => dayOfWeek);
      expect(new Set(days).size).toBe(days.length);
    }
  });

  it.each(SHOPS)('%s: home tells who runs the shop, and the offers are those that run', async (cc, apiKey) => {
    expect((await graphOf(`/${cc}/`)).map((thing) => thing['@type'])).toEqual(['Organization', 'WebSite']);
    const [offers] = await graphOf(`/${cc}/offers`);
    const codes = (offers!['itemListElement'] as readonly Thing[]).map(({ identifier }) => identifier);
    const { body } = await server.call(coupons.list, { query: { includePartnerOffer: 'true' } }, { apiKey });
    expect([...codes].sort()).toEqual(body.coupons.map(({ code }) => code).sort());
    expect(codes.length).toBeGreaterThan(0);
  });

  it('tells that a dish is sold out when no store has it', async () => {
    const availability = async () => {
      const [dish] = await graphOf('/in/customise/PZ005');
      return (dish!['offers'] as readonly Thing[]).map((offer) => offer['availability']);
    };
    await server.switches({ soldOut: ['PZ005'] });
    expect(new Set(await availability())).toEqual(new Set(['https://schema.org/OutOfStock']));
    await server.switches({ soldOut: [] });
    expect(new Set(await availability())).toEqual(new Set(['https://schema.org/InStock']));
  });

  /** The properties that others read when a link is sent: `og:title` and the like. */
  const sharedAs = async (where: string) => {
    const page = await (await fetch(server.url + where)).text();
    return Object.fromEntries(
      [...page.matchAll(/<meta property="og:(.*?)" content="(.*?)">/g)].map(([, name, content]) => [name!, content!]),
    );
  };
  const pictureOf = async (address: string, headers: Record<string, string> = {}) =>
    await fetch(address.replace('https://shop.example', server.url), { headers });

  it.each([
    ['/in/customise/PZ005', 'a dish'],
    ['/in/combo/DL001', 'a combo'],
    ['/in/menu/veg-pizza', 'a category'],
    ['/in/menu/2', 'a category by its number'],
    ['/in/', 'home'],
    ['/in/cart', 'a cart'],
    ['/in/group/ABCD', 'a cart that is shared'],
    ['/lk/', 'another country'],
  ])('%s, %s, opens elsewhere with its own title, words and picture', async (where) => {
    const shown = await sharedAs(where);
    expect(shown['title']).toMatch(/\S \| |^Golden Oven Pizza \| /);
    expect(shown['description']).toMatch(/\S/);
    const answer = await pictureOf(shown['image']!);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
    const jpeg = Buffer.from(await answer.arrayBuffer());
    const { format, width, height } = await sharp(jpeg).metadata();
    expect([format, String(width), String(height)]).toEqual(['jpeg', shown['image:width'], shown['image:height']]);
    // Some who show links refuse larger ones.
    expect(jpeg.length).toBeLessThan(300_000);
    // The drawing is on it: a plain ground would be one colour.
    const { channels } = await sharp(jpeg).extract({ left: 150, top: 150, width: 300, height: 300 }).stats();
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(10);
    expect((await pictureOf(shown['image']!, { 'if-none-match': answer.headers.get('etag')! })).status).toBe(304);
  });

  it('gives every dish a picture of its own, and none to what is not there', async () => {
    const etagOf = async (id: string) =>
      (await fetch(`${server.url}/in/preview/customise/${id}.jpg`)).headers.get('etag');
    const etags = [await etagOf('PZ005'), await etagOf('PZ006')];
    expect(new Set(etags).size).toBe(2);
    for (const where of [
      '/in/preview/customise/NO.jpg',
      '/in/preview/nothing.jpg',
      '/in/preview/.jpg',
      '/in/gpay/preview/index.jpg',
    ])
      expect((await fetch(server.url + where)).status, where).toBe(404);
  });

  it('tells nothing of pages that are not for search engines, and nothing in a mini-app', async () => {
    for (const where of [
      '/in/cart',
      '/in/order/1',
      '/in/nothing',
      '/in/gpay/',
      '/in/gpay/menu',
      '/in/gpay/customise/PZ005',
    ])
      expect(await graphOf(where), where).toEqual([]);
  });

  it('tells a page of another language in that language: its head, its sections, its offers', async () => {
    const shown = await sharedAs('/in/hi/');
    expect(shown).toMatchObject({ title: 'Golden Oven Pizza | ऑनलाइन पिज़्ज़ा ऑर्डर करें', locale: 'hi_IN' });
    expect(shown['description']).toMatch(/^भारत में पिज़्ज़ा /);
    const [all, crumbs] = await graphOf('/in/hi/menu');
    expect(all).toMatchObject({ name: 'हमारा मेन्यू', inLanguage: 'hi-IN' });
    expect((all!['hasMenuSection'] as readonly Thing[]).map(({ name }) => name)).toContain('वेज पिज़्ज़ा');
    expect((crumbs!['itemListElement'] as readonly Thing[])[1]).toMatchObject({ name: 'हमारा मेन्यू' });
    const said = async (where: string) => {
      const [offers] = await graphOf(where);
      return (offers!['itemListElement'] as readonly Thing[]).map(({ description }) => String(description));
    };
    const [english, hindi] = [await said('/in/offers'), await said('/in/hi/offers')];
    expect(english.some((text) => text.includes('. '))).toBe(true);
    expect(hindi.some((text) => text.includes('। '))).toBe(true);
    for (const text of hindi) expect(text).not.toContain('. ');
    // Whoever asks in English afterwards is not answered in Hindi.
    const [again] = await graphOf('/in/menu');
    expect((again!['hasMenuSection'] as readonly Thing[]).map(({ name }) => name)).toContain('Veg Pizza');
  });

  /** Whether an address is one of the shops that stand here: a country that was added has the same pages. */
  const isOfShops = (href: string) =>
    SHOPS.some(([cc]) => new URL(href, 'https://shop.example').pathname.startsWith(`/${cc}/`));
  /** Where a page says that it stands in which language and place, and what the site map says of it. */
  async function alikeAt(where: string): Promise<readonly [inHead: string[], inMap: string[]]> {
    const [page, map] = await Promise.all(
      [where, '/sitemap.xml'].map(async (path) => await (await fetch(server.url + path)).text()),
    );
    const [row = ''] = map!.match(new RegExp(`<url><loc>https://shop.example${where}</loc>.*`)) ?? [];
    const [inHead, inMap] = [page!, row].map((text) =>
      [...text.matchAll(/hreflang="(.*?)" href="(.*?)"/g)]
        .filter(([, , href]) => isOfShops(href!))
        .map(([, language, href]) => `${language} ${href}`)
        .sort(),
    );
    return [inHead!, inMap!];
  }

  it('knows the same page in other countries by its own language and place', async () => {
    const all = [
      'en-BD https://shop.example/bg/menu',
      'en-IN https://shop.example/in/menu',
      'en-LK https://shop.example/lk/menu',
      'hi-IN https://shop.example/in/hi/menu',
    ];
    expect(await alikeAt('/bg/menu')).toEqual([all, all]);
  });

  it('knows the same dish and combo in the other language of its country, and in other countries that sell it', async () => {
    const sold = async (apiKey: string, storeId: string) =>
      new Set(
        (await menuAt(storeId, apiKey)).items.map(({ kind, id }) => (kind === 'DEAL' ? 'combo/' : 'customise/') + id),
      );
    const [india, ...abroad] = await Promise.all(
      SHOPS.map(async ([cc, apiKey, storeId]) => ({ cc, ids: await sold(apiKey, storeId) })),
    );
    const local = [...india!.ids].find((id) => !abroad.some(({ ids }) => ids.has(id)))!;
    const common = [...india!.ids].find((id) => abroad.every(({ ids }) => ids.has(id)))!;
    const combo = [...india!.ids].find((id) => id.startsWith('combo/'))!;
    for (const id of [local, common, combo]) {
      const due = [
        ...abroad
          .filter(({ ids }) => ids.has(id))
          .map(({ cc }) => `en-${countryConfig(cc).iso} https://shop.example/${cc}/${id}`),
        `en-IN https://shop.example/in/${id}`,
        `hi-IN https://shop.example/in/hi/${id}`,
      ].sort();
      for (const where of ['/in/', '/in/hi/', ...(id === common ? ['/lk/', '/bg/'] : [])])
        expect(await alikeAt(where + id), where + id).toEqual([due, due]);
    }
  });

  it.each(['lk', 'bg'])(
    'in %s a client finds nothing at a path that is blocked there, and no engine is told of one [CFG-15]',
    async (cc) => {
      const { BLOCKED_PATHS } = countryConfig(cc);
      expect(BLOCKED_PATHS).toContain('/postorder-ui/wallet');
      const map = await (await fetch(`${server.url}/sitemap.xml`)).text();
      for (const path of BLOCKED_PATHS) {
        const page = await fetch(`${server.url}/${cc}${path}`);
        expect([page.status, await page.text()], path).toEqual([404, expect.stringContaining('content="noindex"')]);
        expect(map).not.toContain(`/${cc}${path}<`);
      }
      expect((await fetch(`${server.url}/in/postorder-ui/wallet`)).status).toBe(200);
    },
  );

  it('outside every shop a browser is led to each of them, and a client of the API is told so in JSON', async () => {
    const page = await fetch(`${server.url}/nothing`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(404);
    const links = [...(await page.text()).matchAll(/<a href="(.*?)" lang="(.*?)"/g)].map(([, href, lang]) => [
      href,
      lang,
    ]);
    expect(links.filter(([href]) => isOfShops(href!)).sort()).toEqual([
      ['/bg/', 'en-BD'],
      ['/in/', 'en-IN'],
      ['/in/hi/', 'hi-IN'],
      ['/lk/', 'en-LK'],
    ]);
    for (const accept of ['application/json', '*/*']) {
      const told = await fetch(`${server.url}/nothing`, { headers: { accept } });
      expect([told.status, await told.json()]).toMatchObject([
        404,
        { status: 'FAILED', errors: [{ code: 'NOT_FOUND' }] },
      ]);
    }
  });
});
