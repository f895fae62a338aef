import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as group from '../../src/contract/group.ts';
import { compileTexts, spokenIn } from '../../src/build/texts.ts';
import { atLength } from '../kit/engines.ts';
import { sample } from '../kit/matrix.ts';
import { lentServer } from '../kit/lentServer.ts';

import { member, openShop, pay, type Customer } from '../server/shop.ts';
import { openPage } from './page.ts';
import { during } from '../kit/during.ts';

// Every page in every language, all folds open: what is in Latin letters there is the whole name of a dish, a store, a
// place or a bank, or one of the signs below. A part of a name is none: a topping's word says nothing for a topping.

const root = path.resolve(import.meta.dirname, '../..');

/** Signs, initials, brands and names that are written in Latin letters whatever the language. */
const SIGNS =
  /^(UPI|SMS|OTP|PIN|PNR|QR|PDF|CSV|JSON|GPS|AM|PM|GST|CGST|SGST|VAT|SVC|SD|Rs|IRCTC|CVV|GP|Linux|Doorkey|MM|YY|OK|RAC|FAQ|FSSAI|Asha|Rao|Cargills|OpenStreetMap|GeoNames|Chrome|Safari|Google|WhatsApp|ID|Shift|[A-Z]{1,2})$/;

/** Whole names in the data of a country, the longest first. */
function namesOf(cc: string): string[] {
  const seed = path.join(root, 'country', cc, 'seed');
  const read = (name: string) => JSON.parse(readFileSync(path.join(seed, `${name}.json`), 'utf8')) as never;
  const { items } = read('menu') as { items: { name: string }[] };
  const { deals } = read('deals') as { deals: { name: string }[] };
  const { coupons } = read('coupons') as { coupons: { code: string }[] };
  const { stores } = read('stores') as { stores: Record<string, string>[] };
  const { places } = read('places') as { places: { name: string; city?: string; area?: string }[] };
  const { modes } = read('payments') as { modes: { label: string; choices?: { label: string }[] }[] };
  const { legal, riders, ...content } = read('content') as {
    legal: Record<string, string>;
    riders: string[];
  };
  const { teams = [] } = (content as { worldPizzaLeague?: { teams?: { name: string }[] } }).worldPizzaLeague ?? {};
  const all = [
    'Golden Oven Pizza',
    'Pizza Pals',
    ...[...items, ...deals, ...teams].map(({ name }) => name),
    ...riders,
    ...coupons.map(({ code }) => code),
    ...stores.flatMap((store) => ['name', 'city', 'locality', 'address'].map((key) => store[key] ?? '')),
    ...places.flatMap(({ name, city = '', area = '' }) => [name, city, area]),
    ...modes.flatMap(({ choices = [] }) => choices.map(({ label }) => label)),
    ...['operator', 'address', 'email'].map((key) => legal[key] ?? ''),
  ];
  return [...new Set(all)].filter((name) => /[a-z]/i.test(name)).sort((a, b) => b.length - a.length);
}

/** Names of dishes, which are English: a screen reader has to say them so (WCAG 3.1.2). */
function dishesOf(cc: string): ReadonlySet<string> {
  const read = (name: string) =>
    JSON.parse(readFileSync(path.join(root, 'country', cc, 'seed', `${name}.json`), 'utf8')) as never;
  const { items } = read('menu') as { items: { name: string }[] };
  const { deals } = read('deals') as { deals: { name: string }[] };
  return new Set([...items, ...deals].map(({ name }) => name));
}
/** Dishes' names on the page now of which nothing says that they are English; a count is said with its dish in one breath. */
function unmarkedIn(dishes: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').trim();
    if (dishes.has(text) && !node.parentElement!.closest('script,output,[lang="en"]'))
      found.push(`not said to be English: ${text}`);
  }
  return found;
}

/** What stands or is said on the page now in Latin letters without being one of these names. */
function latinIn(names: readonly string[]): string[] {
  const texts: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement!.closest('script,style,noscript,[lang="en"]')) texts.push(node.nodeValue ?? '');
  for (const name of ['aria-label', 'alt', 'placeholder', 'title'])
    for (const one of document.body.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name) ?? '');
  return texts.flatMap((text) => {
    // Addresses, and codes such as ABCD-2345.
    let rest = text.replace(/[\w.+-]+@[\w.-]+|https?:\S+|\b[\w-]+(\.[a-z]{2,})+\b|\b\w{4}(-\w{4})+\b/g, ' ');
    for (const name of names) rest = rest.replaceAll(name, ' ');
    const words = rest.match(/[A-Za-z]+/g) ?? [];
    return words.every((word) => SIGNS.test(word)) ? [] : [text.trim()];
  });
}

/** Opens every fold of the page. */
function unfold(): void {
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('main details')) fold.open = true;
  for (const fold of document.querySelectorAll<HTMLElement>('main [aria-expanded="false"]')) fold.click();
}

const server = during(() => lentServer(), openShop);
beforeEach(() => vi.stubGlobal('IntersectionObserver', undefined));
afterEach(() => {
  document.documentElement.lang = '';
});

const CATALOGUES = readdirSync(path.join(root, 'src/text/en')).map((file) => file.replace('.json', ''));

const LANGUAGES = [
  ['in', 'hi', '/combo/DL005'],
  ['bg', 'bn', '/combo/DL016'],
  ['lk', 'si', '/combo/DL014'],
  ['lk', 'ta', '/combo/DL014'],
] as const;
// Every sentence is proven in every language (text/scripts, server/spoken, country/spoken). A page shows whether it says all of
// itself in sentences, in whichever language: each page is walked in one, by turns, and what a country has of its own there.
const walked = (language: string, shared: readonly string[]) =>
  sample(
    shared,
    shared.filter((_, at) => LANGUAGES[at % LANGUAGES.length]![1] === language),
  );
const toldIn = (one: string, language: string) => (one === language ? test : atLength);

describe.each(LANGUAGES)('in %s/%s', (cc, language, combo) => {
  const names = namesOf(cc);
  const dishes = dishesOf(cc);
  const locale = `${language}-${cc === 'bg' ? 'BD' : cc.toUpperCase()}`;
  const CC = cc.toUpperCase();

  beforeAll(async () => {
    const texts = await compileTexts(root, { language, isDraft: false });
    for (const name of CATALOGUES)
      vi.doMock(`#text/${name}.ts`, async () => ({ ...(await spokenIn<object>(texts, name)) }));
    // What the language before had is forgotten, down to the domain.
    vi.resetModules();
  });

  /** Whose device the page is open on; a session is kept at the address of a page that is open. */
  let device: Customer | 'a guest' | null = null;
  async function latin(route: string, who?: Customer): Promise<string[]> {
    document.documentElement.lang = locale;
    if (device !== (who ?? 'a guest')) {
      device = who ?? 'a guest';
      await openPage(server.url, '/privacy', { country: cc, config: { locale } });
      if (who) {
        const { credentials, attributes } = who.person.reply;
        localStorage.setItem(`${CC}/browser:session`, JSON.stringify({ credentials, attributes }));
      }
    }
    const page = await openPage(server.url, route, { country: cc, config: { locale }, keep: true });
    await vi.waitFor(() => {
      expect(document.querySelector('main [aria-busy="true"]')).toBeNull();
      expect(document.querySelector('main h1, main h2')).not.toBeNull();
    });
    unfold();
    await new Promise((done) => setTimeout(done, 50));
    const found = [...latinIn(names), ...unmarkedIn(dishes)].map((text) => `${route}: ${text.slice(0, 120)}`);
    expect(page.text().length).toBeGreaterThan(40);
    return [...new Set(found)];
  }

  test('no page of a guest has a word in Latin letters that is no name [QUAL-X03]', async () => {
    const found: string[] = [];
    for (const route of [
      // The whole menu has what its parts have.
      ...['/', '/menu', combo, ...sample(readCategories(cc), readCategories(cc).slice(0, 1))],
      ...(cc === 'in' ? ['/chatbot', '/deliverontrain', '/worldPizzaLeague'] : []),
      ...walked(language, [
        ...['/edv', '/customise/PZ004', '/customise/PZ001?size=M', '/offers', '/search?q=qqqq', '/cart', '/login'],
        ...['/address', '/postorder-ui/myAddresses', '/postorder-ui/searchAddress', '/consents', '/privacy', '/terms'],
        ...['/postorder-ui/profile', '/rewards', '/postorder-ui/orderHistory', '/manualSelector', '/group', '/help'],
        ...['/feedback', '/delete-account', '/phones', '/postorder-ui/nearestStore', '/postorder-ui/mapScreen'],
        ...['/postorder-ui/offers', '/pay/nobody', '/shared/nobody', '/group/nobody', '/nowhere'],
      ]),
    ])
      found.push(...(await latin(route)));
    expect(found).toEqual([]);
  });

  toldIn('si', language)(
    'a pizza that was built is told without one in the cart, at the payment and as an order, from placed to delivered [QUAL-X03]',
    async () => {
      const who = await member(server, CC);
      const headers = { 'accept-language': language };
      const { storeId, deliveryType, address } = who.where;
      // As the customer has typed it.
      names.push(...Object.values(address ?? {}).filter((text) => typeof text === 'string'));
      const build = {
        sauce: { id: 'white', level: 'extra' as const },
        cheese: 'extra' as const,
        toppings: [{ id: 'mushroom', half: 'LEFT' as const, amount: 'extra' as const }],
      };
      const line = {
        lineId: crypto.randomUUID(),
        productId: 'PZ001',
        quantity: 1,
        size: 'M' as const,
        crust: 'pan',
        build,
      };
      const put = async () =>
        await who.call(
          cart.add,
          {
            cartId: who.cartId,
            body: {
              items: [{ operationId: crypto.randomUUID(), line: { ...line, lineId: crypto.randomUUID() } }],
              options: { storeId, deliveryType },
            },
          },
          headers,
        );
      await put();
      const found = [...(await latin('/cart', who)), ...(await latin('/payment', who))];
      const { order } = (await who.submit({ paymentMode: 'COD', headers })).body;
      for (const minutes of [0, 6, 8, 10, 30]) {
        await server.advance(minutes * 60);
        found.push(...(await latin(`/order/${order.orderId}`, who)));
      }
      for (const route of [
        ...['/', '/postorder-ui/orderHistory', `/help/${order.orderId}`, `/feedback?orderId=${order.orderId}`],
        ...['/postorder-ui/profile', '/postorder-ui/profile/edit', '/postorder-ui/profile/number'],
        ...[
          '/postorder-ui/profile/password',
          '/postorder-ui/profile/devices',
          '/my-data',
          '/delete-account',
          '/rewards',
        ],
      ])
        found.push(...(await latin(route, who)));
      expect([...new Set(found)]).toEqual([]);
    },
  );

  toldIn('hi', language)(
    'an order that is paid, cancelled or not paid, and one of a group, are told without one [QUAL-X03]',
    async () => {
      const who = await member(server, CC);
      const headers = { 'accept-language': language };
      names.push(...Object.values(who.where.address ?? {}).filter((text) => typeof text === 'string'));
      const isPaid = cc === 'in';
      const { order, next } = await who.order({ headers, paymentMode: isPaid ? 'UPI' : 'COD' });
      const found = [...(await latin(`/payment/${order.orderId}`, who)), ...(await latin('/', who))];
      if (isPaid) await pay(server, next);
      if (isPaid) await who.confirm(order);
      found.push(...(await latin(`/track/${order.orderId}`, who)));
      await who.cancel(order.orderId);
      for (const route of [`/order/${order.orderId}`, `/help/${order.orderId}`, '/postorder-ui/orderHistory', '/'])
        found.push(...(await latin(route, who)));
      await who.fill();
      const { code } = (
        await who.call(
          group.start,
          { cartId: who.cartId, body: { name: 'Asha', diet: ['JAIN'], minutes: 30, limit: null } },
          headers,
        )
      ).body.group;
      found.push(
        ...(await latin(`/group/${code}`, who)),
        ...(await latin(`/group/${code}`)),
        ...(await latin('/cart', who)),
      );
      expect([...new Set(found)]).toEqual([]);
    },
  );
});

function readCategories(cc: string): string[] {
  const text = readFileSync(path.join(root, 'country', cc, 'first.ts'), 'utf8');
  return [...text.matchAll(/path: '(\/menu\/[^']+)'/g)].map(([, found]) => found!);
}
