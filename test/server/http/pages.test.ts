import { createHook } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { countryConfig } from '../../../country/index.ts';
import type { Builder, Menu, MenuItem } from '../../../src/contract/menu.ts';
import { money } from '../../../src/contract/money.ts';
import { inLanguage } from '../../../src/server/call/language.ts';
import { pages } from '../../../src/server/http/pages/pages.ts';
import type { ServeOptions } from '../../../src/server/app/options.ts';
import { proxies } from '../../../src/server/proxies.ts';
import { temporaryFolder } from '../../kit/folder.ts';
import { startServer } from '../../kit/server.ts';

const PAGE = (name: string) => `<!doctype html>
<html><head>
<base href="/-base-/">
<title>${name}</title>
<meta name="description" content="Any">
</head><body><div id="app">${name}</div>
<script type="application/json" id="boot">{"base":"/-base-","path":null}</script></body></html>`;

function build(): string {
  const dist = temporaryFolder('pages');
  for (const [mount, host, seo] of [
    ['/in', 'browser', true],
    ['/in/gpay', 'gpay', false],
  ] as const) {
    const folder = path.join(dist, 'in', host);
    mkdirSync(folder, { recursive: true });
    const files = {
      'main-ABCD1234.js': 'export {};',
      'main-ABCD1234.js.br': 'squeezed',
      'icon.svg': '<svg/>',
      'apple-touch-icon.png': 'picture',
      'fake-ABCD1234.js': '1',
      'sw.js': 'worker',
      'secret.txt': 'no',
      'index.html': PAGE('index'),
      'menu.html': PAGE('menu'),
      'app.html': PAGE('app'),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    writeFileSync(
      path.join(folder, 'meta.json'),
      JSON.stringify({
        mount,
        country: 'in',
        language: 'en',
        pages: {
          index: { inline: ["'sha256-rules='"], styles: ["'sha256-abc='"] },
          menu: { inline: [], styles: [] },
          app: { inline: [], styles: [] },
        },
        fake: host === 'gpay' ? 'fake-ABCD1234.js' : null,
        files: Object.fromEntries(
          Object.keys(files)
            .filter((name) => !/\.br$|secret/.test(name))
            .map((name) => [name, {}]),
        ),
        policy:
          host === 'gpay'
            ? { 'frame-ancestors': ['https://host.example'], 'require-trusted-types-for': [] }
            : { 'trusted-types': ['sw'] },
        ...(seo
          ? {
              seo: {
                '/': { title: 'Shop | Pizza', description: 'Hot', canonical: '/' },
                '/menu': { title: 'Menu | Pizza', description: 'All of it', canonical: '/menu' },
                '/menu/veg-pizza': {
                  title: 'Veg <pizza>',
                  description: 'Green',
                  keywords: 'green, pizza',
                  canonical: '/menu/veg-pizza',
                },
                '/menu/7': { title: 'Veg <pizza>', description: 'Green', canonical: '/menu/veg-pizza' },
                '/cart': { title: 'Cart', description: 'Yours', canonical: '/cart', isPrivate: true },
                '/pay/:token': { title: 'Pay', description: 'Theirs', canonical: '/pay/:token', isPrivate: true },
              },
              paths: [
                ...['/', '/menu', '/menu/:category', '/customise/:productId', '/cart', '/order/:orderId'],
                ...['/pay/:token', '/old', '/postorder-ui/searchAddress'],
              ],
            }
          : {}),
      }),
    );
  }
  return dist;
}

const dist = build();
/** Behind a proxy: there is no connection whose address could say so. */
const BEHIND = proxies(1, false);
const DISH = {
  id: 'P1',
  kind: 'PIZZA',
  name: 'Farm <house></script><script>',
  description: 'Onion',
  foodType: 'VEG',
  categoryIds: ['2'],
  prices: { ONE: money(19_900) },
  kcal: { ONE: 250 },
  tags: [] as string[],
} as MenuItem;
/** A shop of one dish. */
const SHOP = {
  country: countryConfig('in'),
  menu: async () => ({ categories: [{ id: '2', label: 'Veg', path: '/menu/veg-pizza' }], items: [DISH] }) as Menu,
  builder: async () => ({ sizes: [] as Builder['sizes'] }) as Builder,
  stores: async () => [],
  offers: async () => [],
};
const app = (options: Partial<Parameters<typeof pages>[0]> = {}) =>
  new Hono().route(
    '/',
    pages({
      dist,
      production: false,
      proxies: BEHIND,
      origin: () => 'https://shop.example',
      shopOf: () => SHOP,
      ...options,
    }),
  );
const get = (where: string, headers: Record<string, string> = {}, options = {}) =>
  app(options).request(where, { headers });

describe('pages of a bundle', () => {
  it.each([
    ['/in/', 'index'],
    ['/in/home', 'index'],
    ['/in/landing', 'index'],
    ['/in/menu', 'menu'],
    ['/in/menu/', 'menu'],
    ['/in/cart', 'app'],
    ['/in/postorder-ui/searchAddress?q=1', 'app'],
    ['/in/gpay/', 'index'],
    ['/in/gpay/menu', 'menu'],
    ['/in/gpay/x/y.z', 'app'],
  ])('%s is answered with the page %s', async (where, name) => {
    const reply = await get(where);
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain(`<div id="app">${name}</div>`);
    expect(reply.headers.get('cache-control')).toBe('no-cache');
  });

  it('learns its mount point from the server, a proxy prefix included', async () => {
    expect(await (await get('/in/gpay/cart')).text()).toContain('<base href="/in/gpay/">');
    const behind = await (await get('/in/gpay/cart', { 'x-forwarded-prefix': '/shop/' })).text();
    expect(behind).toContain('<base href="/shop/in/gpay/">');
    expect(JSON.parse(/id="boot">(.*?)<\/script>/.exec(behind)?.[1] ?? '')).toEqual({
      api: '/shop',
      base: '/shop/in/gpay',
      path: null,
    });
  });

  it('ignores the prefix of a stranger, who stands at no proxy of ours', async () => {
    for (const trusted of [null, 0, ['10.0.0.0/8']]) {
      const own = { proxies: proxies(trusted, false) };
      const page = await get('/in/gpay/cart', { 'x-forwarded-prefix': '/evil.example' }, own);
      expect(await page.text()).toContain('<base href="/in/gpay/">');
      const led = await get('/in/gpay', { 'x-forwarded-prefix': '/evil.example' }, own);
      expect(led.headers.get('location')).toBe('/in/gpay/');
    }
  });

  it.each(['//evil.example', '/"><script>', 'https://evil.example', '/a/../b', '/a b'])(
    'takes no prefix that is not a plain path: %s',
    async (prefix) => {
      expect(await (await get('/in/gpay/', { 'x-forwarded-prefix': prefix })).text()).toContain(
        '<base href="/in/gpay/">',
      );
    },
  );

  it('sends a missing slash to the mount point, with its query', async () => {
    const reply = await get('/in/gpay?a=1');
    expect(reply.status).toBe(308);
    expect(reply.headers.get('location')).toBe('/in/gpay/?a=1');
  });

  it('titles a category for search engines', async () => {
    const text = await (await get('/in/menu/veg-pizza')).text();
    expect(text).toContain('<title>Veg &#60;pizza&#62;</title>');
    expect(text).toContain('<link rel="canonical" href="https://shop.example/in/menu/veg-pizza">');
    expect(text).toContain('<meta name="keywords" content="green, pizza">');
    // By its number it is the same page.
    const alias = await (await get('/in/menu/7')).text();
    expect(alias).toContain('<link rel="canonical" href="https://shop.example/in/menu/veg-pizza">');
    expect(alias).toContain('<meta property="og:url" content="https://shop.example/in/menu/veg-pizza">');
    expect(alias).toContain('<meta property="og:image" content="https://shop.example/in/preview/menu/veg-pizza.jpg">');
  });

  it('shows a shared dish by its own name', async () => {
    const text = await (await get('/in/customise/P1')).text();
    const name = 'Farm &#60;house&#62;&#60;/script&#62;&#60;script&#62; | Shop';
    expect(text).toContain(`<title>${name}</title>`);
    expect(text).toContain(`<meta property="og:title" content="${name}">`);
    expect(text).toContain('<meta property="og:description" content="Onion">');
    // A name ends no element: the data is what it was.
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    expect(JSON.parse(data)['@graph'][0]).toMatchObject({ '@type': 'MenuItem', name: DISH.name });
  });

  it('shows a category though its prices cannot be read, and says so', async () => {
    const untold: unknown[] = [];
    const broken = { ...SHOP, menu: async () => Promise.reject(new Error('no database')) };
    const page = await get(
      '/in/menu/veg-pizza',
      {},
      { shopOf: () => broken, onUntold: (error: unknown) => untold.push(error) },
    );
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain('ld+json');
    expect(untold).toEqual([new Error('no database')]);
  });

  it('draws pictures of links one after the other, and sends away whoever would wait for long', async () => {
    const dishes = Array.from({ length: 20 }, (_, at) => ({ ...DISH, id: `D${at}`, name: `Dish ${at}` }));
    const many = app({ shopOf: () => ({ ...SHOP, menu: async () => ({ ...(await SHOP.menu()), items: dishes }) }) });
    const answers = await Promise.all(
      dishes.map(async ({ id }) => await many.request(`/in/preview/customise/${id}.jpg`)),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(8);
    for (const { headers } of refused) {
      expect(headers.get('retry-after')).toBe('5');
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(12);
    // Those who come again get theirs.
    expect((await many.request('/in/preview/customise/D19.jpg')).status).toBe(200);
  });

  it('tells its whole address behind a proxy that takes a part of it off', async () => {
    const behind = { 'x-forwarded-prefix': '/pizza' };
    const text = await (await get('/in/menu/veg-pizza', behind)).text();
    expect(text).toContain('<link rel="canonical" href="https://shop.example/pizza/in/menu/veg-pizza">');
    expect(await (await get('/sitemap.xml', behind)).text()).toContain('<loc>https://shop.example/pizza/in/</loc>');
    const robots = await (await get('/robots.txt', behind)).text();
    expect(robots).toContain('Sitemap: https://shop.example/pizza/sitemap.xml');
    expect(robots).toContain('Disallow: /pizza/bank/');
  });

  it('never takes its own address from whoever asks', async () => {
    for (const where of ['/in/', '/in/menu/veg-pizza', '/in/customise/P1', '/robots.txt', '/sitemap.xml']) {
      const answer = await get(`https://stranger.example${where}`, {
        host: 'stranger.example',
        'x-forwarded-host': 'stranger.example',
        forwarded: 'host=stranger.example',
      });
      expect(answer.status, where).toBe(200);
      expect(await answer.text(), where).not.toContain('stranger');
    }
  });

  it("keeps what is one customer's out of search engines", async () => {
    for (const where of ['/in/cart', '/in/order/ord-1']) {
      const page = await get(where);
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain('<meta name="robots" content="noindex">');
      expect(text).not.toContain('canonical');
      expect(text).not.toContain('og:url');
    }
  });

  it.each([
    ...['/in/nothing', '/in/menu/nothing', '/in/menu?categoryId=nothing'],
    ...['/in/menu/veg-pizza?categoryId=%2F..%2Fcart', '/in/customise/P2', '/in/customise/%E0%A4%A', '/in/cart/1'],
    '/in/order',
  ])('says that there is no %s, with a page that leads on', async (where) => {
    const page = await get(where);
    expect(page.status).toBe(404);
    expect(page.headers.get('etag')).toBeNull();
    expect(await page.text()).toContain('<div id="app">app</div>');
  });

  it.each([
    ['/in/menu/', 'menu'],
    ['/in/%6Denu', 'menu'],
    ['/in/menu//', 'menu'],
    ['/in/menu/veg%2Dpizza', 'menu/veg-pizza'],
    ['/in/customise/%501', 'customise/P1'],
    ['/in/menu/veg-pizza?utm_source=x', 'menu/veg-pizza'],
    ['/in/menu?categoryId=2&utm_source=x', 'menu/veg-pizza'],
    ['/in/menu?categoryId=', 'menu'],
    ['/in/?categoryId=2', ''],
    ['/in/index.html', ''],
  ])('%s is another spelling of a page, which names its own', async (where, canonical) => {
    const page = await get(where);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`<link rel="canonical" href="https://shop.example/in/${canonical}">`);
  });

  it.each([
    ...['/in//menu', '/in/menu%2Fveg-pizza', '/in/menu%00', '/in/customise/P1%00', '/in/customise/p1'],
    ...['/in/combo/P1', '/in/MENU', '/IN/', '/xx/', '/in/xx/', '/in/constructor', '/in/__proto__'],
    ...['/in/menu/constructor', '/in/preview/constructor.jpg', '/in/preview/%2e%2e%2findex.jpg'],
    ...[`/in/${'a'.repeat(4_000)}`, `/in/preview/${'a'.repeat(4_000)}.jpg`],
  ])('there is no %.60s', async (where) => {
    const page = await get(where);
    expect(page.status).toBe(404);
    expect(await page.text()).not.toContain('canonical');
  });

  it('gives the service worker each of its files', async () => {
    for (const name of ['index', 'menu', 'app']) expect((await get(`/in/${name}.html`)).status, name).toBe(200);
  });

  it('takes an older path that leads on, and every path of a mini-app, for a page', async () => {
    for (const where of ['/in/old', '/in/menu', '/in/', '/in/gpay/nothing'])
      expect((await get(where)).status).toBe(200);
  });

  it('names at the root what search engines may read, every page once, and the icon', async () => {
    const origin = 'https://shop.example';
    expect(await (await get('/robots.txt')).text()).toContain(`Sitemap: ${origin}/sitemap.xml`);
    const map = await (await get('/sitemap.xml')).text();
    expect([...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc)).toEqual([
      `${origin}/in/`,
      `${origin}/in/menu`,
      `${origin}/in/menu/veg-pizza`,
      `${origin}/in/customise/P1`,
    ]);
    // What has no provider is named to nobody.
    const less = await (await get('/sitemap.xml', {}, { hidden: ['/menu'] })).text();
    expect([...less.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc)).toEqual([
      `${origin}/in/`,
      `${origin}/in/customise/P1`,
    ]);
    const icon = Buffer.from(await (await get('/favicon.ico')).arrayBuffer());
    expect([...icon.subarray(0, 4)]).toEqual([0, 0, 1, 0]);
    expect(icon.subarray(icon.readUInt32LE(18)).toString()).toBe('picture');
  });

  it('lets a host frame its bundle, and nobody in production frame the others', async () => {
    const policy = async (where: string, production: boolean) =>
      (await get(where, {}, { production })).headers.get('content-security-policy') ?? '';
    expect(await policy('/in/gpay/', true)).toMatch(/frame-ancestors https:\/\/host\.example(;|$)/);
    expect(await policy('/in/gpay/', false)).toContain("frame-ancestors https://host.example 'self'");
    expect(await policy('/in/', true)).toContain("frame-ancestors 'none'");
    // One page alone may be shown by those who are named.
    const framed = { page: '/board', by: ['https://app.example'] };
    const shown = async (where: string) =>
      (await get(where, {}, { production: true, framed })).headers.get('content-security-policy') ?? '';
    expect(await shown('/in/board')).toMatch(/frame-ancestors https:\/\/app\.example(;|$)/);
    for (const other of ['/in/', '/in/board/more', '/in/boards'])
      expect(await shown(other), other).toContain("frame-ancestors 'none'");
    expect(await policy('/in/', true)).toContain("require-trusted-types-for 'script'; trusted-types proof sw");
    expect(await policy('/in/gpay/', true)).not.toContain('trusted-types');
    expect(await policy('/in/cart', true)).not.toContain('unsafe');
    expect(await policy('/in/', true)).toContain("style-src 'self' 'sha256-rules=' 'unsafe-hashes' 'sha256-abc=';");
  });

  it('adds the fake of a host on request only, and never in production', async () => {
    const fake = '<script src="fake-ABCD1234.js"></script>';
    expect(await (await get('/in/gpay/')).text()).not.toContain(fake);
    const asked = await get('/in/gpay/?simulator');
    expect(await asked.text()).toContain(fake);
    const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await (await get('/in/gpay/cart', { cookie })).text()).toContain(fake);
    expect(await (await get('/in/gpay/?simulator=off', { cookie })).text()).not.toContain(fake);
    expect(await (await get('/in/gpay/?simulator', {}, { production: true })).text()).not.toContain(fake);
    expect((await get('/in/gpay/fake-ABCD1234.js', {}, { production: true })).status).toBe(404);
  });

  it('is compressed once for all orders and all links, whatever ids and tokens a stranger makes up', async () => {
    const all = app();
    let compressed = 0;
    const heard = createHook({
      init(_id, type) {
        if (type === 'ZLIB') compressed += 1;
      },
    }).enable();
    try {
      for (const path of ['/in/order', '/in/pay']) {
        compressed = 0;
        const first = await all.request(`${path}/1`);
        expect(compressed).toBe(2);
        for (let at = 2; at < 20; at += 1) {
          const other = await all.request(`${path}/${at}`);
          expect(other.headers.get('etag')).toBe(first.headers.get('etag'));
        }
        expect(compressed).toBe(2);
      }
    } finally {
      heard.disable();
    }
  });

  it('compresses pages as asked, and knows them again', async () => {
    const br = await get('/in/', { 'accept-encoding': 'gzip, br' });
    expect(br.headers.get('content-encoding')).toBe('br');
    expect(brotliDecompressSync(Buffer.from(await br.arrayBuffer())).toString()).toContain('<div id="app">index</div>');
    const gz = await get('/in/', { 'accept-encoding': 'br;q=0, gzip;q=0.5' });
    expect(gz.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(Buffer.from(await gz.arrayBuffer())).toString()).toContain('index');
    const again = await get('/in/', { 'if-none-match': `W/${br.headers.get('etag')}` });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });
});

describe('an address outside every shop', () => {
  const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each(['/nothing', '/xx/', '/xx/menu', '/inn/', '/%3Cscript%3E'])(
    '%s is answered to a browser with a page that leads to each shop, and is listed nowhere',
    async (where) => {
      const page = await get(where, BROWSER);
      expect(page.status).toBe(404);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('x-robots-tag')).toBe('noindex');
      const text = await page.text();
      // Those in payment apps are nobody's to open.
      expect([...text.matchAll(/<a href="(.*?)"/g)].map(([, href]) => href)).toEqual(['/in/']);
      expect(text).toContain('>Golden Oven Pizza India</a>');
      expect(text).toContain("<h1>We're sorry.");
      expect(text).not.toContain('<script');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; style-src '(sha256-[\w+/]+=*)'; .*frame-ancestors 'none'$/);
      const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
      expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    },
  );

  it('leads there behind a proxy, too, and a browser is told in its own language', async () => {
    const behind = await get('/nothing', { ...BROWSER, 'x-forwarded-prefix': '/pizza' });
    expect(await behind.text()).toContain('href="/pizza/in/"');
    const hindi = await inLanguage('hi', () => get('/nothing', BROWSER));
    expect(await hindi.text()).toMatch(/<html lang="hi">.*<h1>माफ़ करें/s);
  });

  it.each([
    ['/IN/', '/in/'],
    ['/In', '/in'],
    ['/IN/menu/veg-pizza?a=1', '/in/menu/veg-pizza?a=1'],
    ['/IN//evil.example', '/in//evil.example'],
  ])('a country may be written large: %s leads to %s', async (where, to) => {
    const led = await get(where, BROWSER);
    expect([led.status, led.headers.get('location')]).toEqual([308, to]);
    const behind = await get(where, { ...BROWSER, 'x-forwarded-prefix': '/pizza' });
    expect(behind.headers.get('location')).toBe(`/pizza${to}`);
  });

  it.each([{ accept: 'application/json' }, { accept: '*/*' }, {}])(
    'whoever asks as a client of the API gets none of it: %j',
    async (headers: Record<string, string>) => {
      const api = new Hono().route('/', app());
      api.notFound((c) => c.json({ status: 'FAILED' }, 404));
      for (const where of ['/nothing', '/xx/', '/IN/']) {
        const reply = await api.request(where, { headers });
        expect([reply.status, await reply.json()], where).toEqual([404, { status: 'FAILED' }]);
      }
      expect((await api.request('/nothing', { method: 'POST', headers: BROWSER })).status).toBe(404);
    },
  );
});

describe('files of a bundle', () => {
  it('are kept for ever when their name is their content, and asked for again otherwise', async () => {
    const script = await get('/in/gpay/main-ABCD1234.js');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await get('/in/sw.js')).headers.get('cache-control')).toBe('no-cache');
    expect(
      (await get('/in/icon.svg', { 'if-none-match': (await get('/in/icon.svg')).headers.get('etag') ?? '' })).status,
    ).toBe(304);
  });

  it('come as they were compressed by the build', async () => {
    const reply = await get('/in/main-ABCD1234.js', { 'accept-encoding': 'br' });
    expect(reply.headers.get('content-encoding')).toBe('br');
    expect(await reply.text()).toBe('squeezed');
  });

  it.each([
    ...['/in/main-00000000.js', '/in/gpay/gone.css', '/in/meta.json', '/in/secret.txt'],
    ...['/in/..%2fgpay%2fmain-ABCD1234.js', '/in/x.map'],
  ])('a missing or private file is no page: %s', async (where) => {
    const reply = await get(where);
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toContain('text/plain');
  });

  it('answer HEAD without a body', async () => {
    const reply = await app().request('/in/main-ABCD1234.js', { method: 'HEAD' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-length')).toBe('10');
    expect(await reply.text()).toBe('');
  });

  it('the service worker can be switched off from the server', async () => {
    expect(await (await get('/in/sw.js')).text()).toBe('worker');
    expect(await (await get('/in/sw.js', {}, { serviceWorker: false })).text()).toContain('unregister');
  });
});

describe('without a build', () => {
  it('every page says how to make one', async () => {
    const reply = await get('/in/', {}, { dist: path.join(dist, 'nowhere') });
    expect(reply.status).toBe(503);
    expect(await reply.text()).toContain('npm run build');
  });
  it('in production the root leads to the first country, and there is no simulator', async () => {
    const reply = await get('/', {}, { production: true });
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/in/']);
  });
});

describe('a shop in production', () => {
  const stricts = async (settings: Partial<ServeOptions>) => {
    const server = await startServer({ settings: { development: false, distDir: dist, ...settings } });
    try {
      const tag = (await fetch(`${server.url}/in/icon.svg`)).headers.get('etag')!;
      const asked: (readonly [number, string | null])[] = [];
      for (const [where, init] of [
        ['/in/'],
        ['/in/main-ABCD1234.js'],
        ['/in/icon.svg', { headers: { 'if-none-match': tag } }],
        ['/in/missing.js'],
        ['/in/gpay'],
        ['/'],
        ['/nowhere', { headers: { accept: 'text/html' } }],
        ['/robots.txt'],
        ['/health'],
        ['/ready'],
        ['/openapi.json'],
        ['/api/ve1/pwa-config', { headers: { api_key: 'in-web' } }],
        // The second time it is sent as it was prepared.
        ['/api/ve1/pwa-config', { headers: { api_key: 'in-web' } }],
        ['/loginhandler/anonymoususer', { method: 'POST', headers: { api_key: 'in-web' } }],
        ['/order-service/ve9/nothing'],
        ['/loginhandler/anonymoususer', { method: 'OPTIONS', headers: { origin: 'https://other.example' } }],
      ] as const) {
        const reply = await fetch(server.url + where, { redirect: 'manual', ...init });
        asked.push([reply.status, reply.headers.get('strict-transport-security')]);
      }
      expect(new Set(asked.map(([status]) => status))).toEqual(new Set([200, 204, 302, 304, 308, 404]));
      return new Set(asked.map(([, strict]) => strict));
    } finally {
      await server.stop();
    }
  };

  it('tells browsers by each of its answers to come by https alone, where it is reached by https', async () => {
    const reached = (PUBLIC_ORIGIN: string) => ({ environment: { PUBLIC_ORIGIN } });
    expect(await stricts(reached('https://shop.example'))).toEqual(new Set(['max-age=31536000']));
    expect(await stricts(reached('http://localhost:1'))).toEqual(new Set([null]));
  });
});
