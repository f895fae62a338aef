import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as favourites from '../../src/contract/favourites.ts';
import * as groups from '../../src/contract/group.ts';
import * as profile from '../../src/contract/profile.ts';
import * as tracking from '../../src/contract/tracking.ts';
import { countryConfig } from '../../country/index.ts';
import { writtenPhone } from '../../src/domain/writtenPhone.ts';
import { firstRoutes } from '../../src/shell/first/routes.ts';
import { routes } from '../../src/shell/routes.full.ts';
import { lentServer } from '../kit/lentServer.ts';
import type { TestServer } from '../kit/server.ts';
import { about, ask, eats } from '../server/claims.ts';
import { member, openShop, pay, PICKUP, visitor, type Customer } from '../server/shop.ts';
import { ordered, PNR, railway, saved, traveller } from '../server/trainShop.ts';
import { countCalls } from '../shell/quiet.ts';
import { openAs } from './device.ts';
import { closePage, openPage, type AppPage } from './page.ts';
import { staleTexts, translatePage } from './translator.ts';

// Every screen while a translator has its texts: each control is pressed, and what is shown is what is so.

let server: TestServer;
const thrown: unknown[] = [];
const answered = countCalls();
beforeEach(() => {
  vi.stubGlobal('reportError', (error: unknown) => thrown.push(error));
  vi.stubGlobal('IntersectionObserver', undefined);
});
const hear = (error: unknown) => void thrown.push(error);
beforeAll(() => void process.on('unhandledRejection', hear).on('uncaughtException', hear));
afterAll(() => void process.off('unhandledRejection', hear).off('uncaughtException', hear));
let translator: ReturnType<typeof translatePage> | undefined;
afterEach(() => translator?.end());

/** Whose device a screen is opened on, and at which address. */
interface Visit {
  readonly who: Customer;
  readonly path: string;
}
const visits = new Map<string, readonly Visit[]>();
/** What is read as it stands: codes, numbers and addresses of these customers and of the shop. */
const exact = new Set<string>();

const journal = (orderId: string, step: 'paying' | 'watching') => ({ key: 'key', orderId, step, at: Date.now() });
const device = new Map<Customer, Readonly<Record<string, unknown>>>();

async function unpaid(paymentMode: 'UPI' | 'LINK' | 'PAYTM' | 'COD', paymentChoice?: string) {
  const who = await visitor(server, 'IN', PICKUP);
  const { order, next } = await who.order({ paymentMode, body: paymentChoice ? { paymentChoice } : {} });
  device.set(who, { journal: journal(order.orderId, 'paying') });
  exact.add(order.orderNumber);
  return { who, order, next };
}

beforeAll(async () => {
  server = await lentServer();
  await openShop(server);
  const country = countryConfig('IN');
  exact.add(writtenPhone(country.HELP_DESK_NO, country));
  // A late train first: it takes hours.
  const passenger = await traveller(server, '10104');
  const train = await saved(server, passenger, PNR.mumbai, 'NDLS');
  await passenger.fill();
  const late = await ordered(server, passenger, train);
  await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'NDLS', minutes: 150 });
  await server.advance(1_830);
  device.set(passenger, { journal: journal(late.orderId, 'watching') });
  exact.add(late.train!.handOverCode!).add(PNR.mumbai);

  const me = await member(server, 'IN', PICKUP);
  exact.add(writtenPhone(me.mobile, country));
  const email = 'asha.rao@example.in';
  await me.call(profile.update, { body: { firstName: 'Asha', lastName: 'Rao', email } });
  exact.add(email);
  const eaten = await eats(server, me);
  const { eventId } = (await ask(me, about(eaten, { person: true }))).body.ticket;
  await me.call(favourites.addProduct, { body: { productId: 'PZ001' } });
  const { order, next } = await me.order();
  await pay(server, next);
  await me.confirm(order);
  const now = await me.read(order.orderId);
  exact.add(now.orderNumber).add(eaten.orderNumber).add(now.handOverCode!);
  const { token } = (await me.call(tracking.share, { orderHistoryId: order.orderId })).body;
  await me.fill(2);
  await me.coupon('SAVE15');
  device.set(me, {
    journal: journal(order.orderId, 'watching'),
    'delivery-type': 'PICKUP',
    'checkout-detail': { fName: 'Asha', lName: 'Rao', mobNo: me.mobile, email },
  });

  const host = await visitor(server, 'IN', PICKUP);
  await host.fill();
  const body = { name: 'Asha', diet: [], minutes: 30, limit: null };
  const { code } = (await host.call(groups.start, { cartId: host.cartId, body })).body.group;
  exact.add(code);

  const [upi, link, app, cash] = [
    await unpaid('UPI'),
    await unpaid('LINK'),
    await unpaid('PAYTM'),
    await unpaid('COD'),
  ];
  if (link.next.kind !== 'link') throw new Error(link.next.kind);
  exact.add(writtenPhone(cash.who.mobile, country));

  const stranger = await visitor(server, 'IN', PICKUP);
  const own: Readonly<Record<string, Visit | readonly Visit[]>> = {
    '/group': { who: stranger, path: '/group' },
    '/group/:code': { who: host, path: `/group/${code}` },
    '/payment/:orderId': [
      { who: link.who, path: `/payment/${link.order.orderId}` },
      { who: cash.who, path: `/payment/${cash.order.orderId}` },
    ],
    '/order/:orderId': [
      { who: me, path: `/order/${order.orderId}` },
      { who: passenger, path: `/order/${late.orderId}` },
    ],
    '/track/:orderId': { who: me, path: `/track/${order.orderId}` },
    '/shared/:token': { who: stranger, path: `/shared/${token}` },
    '/pay/:token': { who: stranger, path: `/pay/${link.next.token}` },
    '/help/:orderId': { who: me, path: `/help/${eaten.orderId}` },
    '/ticket/:eventId': { who: me, path: `/ticket/${eventId}` },
    '/upiForm': { who: upi.who, path: `/upiForm?order=${upi.order.orderId}` },
    '/paytmForm': { who: app.who, path: `/paytmForm?order=${app.order.orderId}` },
    '/postorder-ui/orderdetails': { who: me, path: `/postorder-ui/orderdetails?orderId=${eaten.orderId}` },
    '/irctcOrder': { who: passenger, path: '/irctcOrder' },
    '/irctcOrder/:orderId': { who: passenger, path: `/irctcOrder/${late.orderId}` },
    '/login': { who: stranger, path: '/login' },
    '/login-otp': { who: stranger, path: '/login-otp' },
  };
  for (const { path } of [...firstRoutes, ...routes]) {
    const asked = own[path] ?? {
      who: me,
      path: path.replace(':category', 'sides').replace(':productId', 'PZ001').replace(':dealId', 'DL001'),
    };
    visits.set(path, [asked].flat());
  }
});
afterAll(() => server.stop());

/** Their own device, on which a page is opened anew. */
const opened = ({ who, path }: Visit) => openAs(server, who, path, { device: device.get(who) ?? {} });
/** All is answered and drawn, and each text is the one that was given last. */
async function settled(): Promise<void> {
  await vi.waitFor(async () => {
    await answered();
    // A button waits for somebody, such as the bank's frame; the screen does not.
    expect(document.querySelector('[aria-busy="true"]:not(button)')).toBeNull();
    expect(staleTexts()).toEqual([]);
  });
}

const flat = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();
const nameOf = (one: Element) =>
  one.getAttribute('aria-label') ?? flat(((one as HTMLInputElement).labels?.[0] ?? one).textContent);
/** They end the session that every screen after them needs. */
const ENDS_SESSION = /^Log out/;
/** More of a kind do the same for another dish, store or order. */
const OF_A_KIND = 2;

async function pressAll(page: AppPage, where: string): Promise<void> {
  const pressed = new Set<string>();
  const kinds = new Map<string, number>();
  const next = () =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'main :is(button:not([disabled]), input:is([type=checkbox],[type=radio]):not([disabled]), summary)',
      ),
    ].find((one) => {
      const [name, kind] = [nameOf(one), `${one.tagName} ${one.className} ${one.getAttribute('type')}`];
      if (pressed.has(name) || ENDS_SESSION.test(name) || (kinds.get(kind) ?? 0) >= OF_A_KIND) return false;
      pressed.add(name);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      return true;
    });
  for (let one = next(); one; one = next()) {
    const name = nameOf(one);
    one.click();
    await settled().catch((error: unknown) => {
      throw new Error(`${where}, after '${name}': ${String(error)}`);
    });
    leaksOf(where);
    expect([thrown, document.body.textContent.includes(errors.oops) && name], `${where}, after '${name}'`).toEqual([
      [],
      false,
    ]);
    for (const dialog of document.querySelectorAll('dialog')) dialog.dispatchEvent(new Event('cancel'));
    if (page.path().split('?')[0] !== where.split('?')[0]) go(where);
    await settled();
  }
}
function go(path: string): void {
  const link = document.body.appendChild(document.createElement('a'));
  link.href = `${server.url}/in${path}`;
  link.click();
  link.remove();
}

/** Sentences of the server, of documents and of the assistant come as one text, with what is exact in the middle. */
const ONE_TEXT = /^\/(terms|privacy|chatbot)/;
/** Elsewhere the digits of a code may as well be the calories of a pizza. */
const OF_ORDERS = /^\/(order|track|shared|help|ticket|payment|irctcOrder|postorder-ui\/order)/;
const LONGEST_CODE = 4;
const isOwn = (value: string, where: string) => value.length > LONGEST_CODE || OF_ORDERS.test(where);
/** Texts that a translator has taken though they are to be read as they stand. */
const leaks = new Set<string>();
function leaksOf(where: string): void {
  for (const one of document.querySelectorAll('font > font')) {
    const text = flat(one.textContent);
    const isExact = [...exact].some((value) => isOwn(value, where) && text.includes(value));
    if (/^₹\s?[\d.,]+$/.test(text) || (!ONE_TEXT.test(where) && isExact)) leaks.add(`${where}: ${text}`);
  }
}

/** Each line of a bill, how many of each dish, the sums of bars and of the link to the cart. */
const sums = () =>
  [...document.querySelectorAll('main :is(dl > div, [role=group] > output, [data-dock] > :last-child, [data-barred])')]
    .map(({ textContent }) => flat(textContent))
    .filter((text) => /₹|^\d/.test(text));

/** What somebody has set or opened on these stays with the page: their sums are those that React was given last. */
const OWN = /^\/(pay|customise|combo|payment|search|menu|edv|postorder-ui\/orderHistory|address|group)/;

const paths = [...new Set([...firstRoutes, ...routes].map(({ path }) => path))];
test.each(paths)(
  'on %s each control works while its texts are translated, and what is exact is left alone',
  async (name) => {
    leaks.clear();
    for (const visit of visits.get(name)!) {
      const page = await opened(visit);
      translator = translatePage();
      await settled();
      leaksOf(visit.path);
      await pressAll(page, visit.path);
      const shown = sums();
      translator.end();
      expect(document.querySelector('h1')).not.toBeNull();
      if (shown.length === 0 || OWN.test(name)) continue;
      // The same device, whose page is opened anew.
      await closePage();
      await openPage(server.url, visit.path, { keep: true });
      await settled();
      await vi.waitFor(() => expect(sums()).toEqual(shown));
    }
    expect([...leaks]).toEqual([]);
  },
);
