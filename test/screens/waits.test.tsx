import { afterEach, beforeEach, expect, describe, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/group.ts';
import * as help from '#text/help.ts';
import * as login from '#text/login.ts';
import * as payment from '#text/payment.ts';
import * as trainText from '#text/trains.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import type { PaymentMode } from '../../src/contract/names.ts';
import * as contract from '../../src/contract/payments.ts';
import type { PaymentStep } from '../../src/contract/payments.ts';
import * as groups from '../../src/contract/group.ts';
import * as wallets from '../../src/contract/linkedWallets.ts';
import * as links from '../../src/contract/paylinks.ts';
import * as tracking from '../../src/contract/tracking.ts';
import * as trains from '../../src/contract/trains.ts';
import { sample } from '../kit/matrix.ts';
import { lentServer } from '../kit/lentServer.ts';

import { sources } from '../architecture/sources.ts';
import { about, ask, eats } from '../server/claims.ts';
import { codeFor, freshMobile, logIn } from '../server/people.ts';
import { member, openShop, pay, PICKUP, visitor, type Customer } from '../server/shop.ts';
import { ordered, PNR, railway, saved, traveller } from '../server/trainShop.ts';
import { enteredCard } from '../server/typed.ts';
import { closePage, openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);
/** Lines over which the server tells of an order: it ends those of an order that it does not know any more. */
let lines = new AbortController();
const plainFetch = globalThis.fetch;
globalThis.fetch = (input, init) =>
  typeof input === 'string' && input.endsWith('/events')
    ? plainFetch(input, { ...init, signal: AbortSignal.any([lines.signal, ...(init?.signal ? [init.signal] : [])]) })
    : plainFetch(input, init);
const fetchNow = globalThis.fetch;
// That a page asks again counts, not how long it waits until then. What Poll waits is never a whole number.
const [everyNow, afterNow] = [globalThis.setInterval, globalThis.setTimeout];
const soon = (ms: number) => (ms >= 2_000 ? ms / 20 : ms);
globalThis.setInterval = ((act: () => void, ms = 0, ...given: unknown[]) =>
  everyNow(act, soon(ms), ...given)) as typeof setInterval;
globalThis.setTimeout = ((act: () => void, ms = 0, ...given: unknown[]) =>
  afterNow(act, Number.isInteger(ms) ? ms : soon(ms), ...given)) as typeof setTimeout;
// The waits before have moved the clock, in the full matrix until after closing.
beforeEach(() => openShop(server, 19));
afterEach(async () => {
  globalThis.fetch = fetchNow;
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await closePage();
});

/** Somebody who waits on a page, and what they wait for. */
interface Waiting {
  readonly who: Customer;
  readonly path: string;
  /** What the page shows as long as it waits. */
  readonly shows: RegExp;
  readonly host?: Host;
  /** What the device knows of it. */
  readonly device?: Readonly<Record<string, unknown>>;
  /** How somebody comes to wait on that page. */
  readonly begin?: (page: AppPage) => Promise<void>;
  /** Addresses of the calls that say what became of it. */
  readonly calls: RegExp;
  readonly ends: Readonly<Record<string, End>>;
}
interface End {
  readonly happens: () => Promise<unknown>;
  /** What the page says then; it waits no more. */
  readonly says: RegExp;
}

type Host = 'browser' | 'gpay' | 'paytm';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const one = (...texts: readonly string[]) => new RegExp(texts.map(escaped).join('|'));

/** An order that waits for its money, on the page where it is paid. */
async function unpaid(
  paymentMode: PaymentMode | 'LINK',
  pathOf: (orderId: string) => string,
  shows: RegExp,
  body: object = {},
  host: Host = 'browser',
): Promise<Waiting> {
  const who = await visitor(server, 'IN', PICKUP, host === 'browser' ? 'in-web' : `in-${host}`);
  const cardToken = paymentMode === 'CARD' ? await enteredCard(who) : undefined;
  const { order, next } = await who.order({
    paymentMode: paymentMode as 'UPI',
    body: { ...body, ...(cardToken ? { cardToken } : {}) },
  });
  const { orderId } = order;
  return {
    who,
    host,
    path: pathOf(orderId),
    shows,
    device: { journal: { key: 'key', orderId, step: 'paying', at: Date.now() } },
    calls: new RegExp(`/orders/(confirm|${orderId}\\b)`),
    ends: endsOf(who, order, next),
  };
}
/** An order that a wallet pays which is linked to the account. */
async function linkedWallet(): Promise<Waiting> {
  const who = await member(server, 'IN', PICKUP);
  const mobile = freshMobile();
  const provider = 'PAYTM';
  const { state } = (await who.call(wallets.link, { provider, body: { mobile } })).body;
  await who.call(wallets.verify, { provider, body: { state, code: await codeFor(server, mobile) } });
  const { order, next } = await who.order({ paymentMode: 'PAYTM', body: { linked: true } });
  const { orderId, transactionId } = order;
  return {
    who,
    path: `/payment/${orderId}`,
    shows: /Pay ₹/,
    device: { journal: { key: 'key', orderId, step: 'paying', at: Date.now() } },
    calls: new RegExp(`/orders/(confirm|${orderId}\\b)`),
    ends: {
      ...endsOf(who, order, next),
      paid: { happens: () => who.call(wallets.redeem, { provider, body: { transactionId } }), says: /Thank you!/ },
    },
  };
}
function endsOf(who: Customer, order: OrderView, next: PaymentStep): Readonly<Record<string, End>> {
  return {
    paid: {
      happens: async () => {
        if (next.kind === 'cod-otp') {
          const code = await codeFor(server, who.mobile);
          return await who.call(contract.codOtp, { transactionId: next.transactionId, body: { code } });
        }
        await pay(server, next);
        return await who.confirm(order);
      },
      says: /Thank you!/,
    },
    declined: {
      happens: async () => {
        await pay(server, next, 'decline');
        await who.confirm(order);
      },
      says: one(errors.paymentFailed),
    },
    over: {
      happens: () => server.advance(16 * 60),
      says: one(errors.orderFailed, errors.paymentFailed),
    },
    cancelled: { happens: () => who.cancel(order.orderId), says: one(errors.givenUp, 'Order cancelled') },
  };
}

/** A group order, as its host, a guest of it or somebody who has only its link sees it. */
async function group(as: 'host' | 'guest' | 'stranger', shows: RegExp): Promise<Waiting> {
  const [host, guest, stranger] = [
    await visitor(server, 'IN', PICKUP),
    await visitor(server, 'IN', PICKUP),
    await visitor(server, 'IN', PICKUP),
  ];
  await host.fill();
  const started = await host.call(groups.start, {
    cartId: host.cartId,
    body: { name: 'Asha', diet: [], minutes: 30, limit: null },
  });
  const { code } = started.body.group;
  await guest.call(groups.join, { code, body: { name: 'Ravi', diet: [] } });
  return {
    who: { host, guest, stranger }[as],
    path: `/group/${code}`,
    shows,
    calls: new RegExp(code),
    ends: {
      closed: {
        happens: () => host.call(groups.rule, { code, body: { close: true } }),
        says: one(t.closedForGuests({ host: 'Asha' }), t.closedTitle),
      },
      over: {
        happens: () => server.advance(31 * 60),
        says: one(t.closed, t.closedForGuests({ host: 'Asha' }), t.closedTitle),
      },
      ordered: {
        happens: async () => {
          const { status, body } = await host.submit();
          expect(status, JSON.stringify(body)).toBe(200);
          await pay(server, body.next);
          await host.confirm(body.order);
        },
        says: /Order \d{4}|This group order is over/,
      },
      cancelled: {
        happens: () => host.call(groups.end, { code }),
        says: one(t.calledOff, t.calledOffBy({ host: 'Asha' }), t.overTitle),
      },
    },
  };
}

/** The question of a late train, on a day of its own: then the tickets of the embedded railway begin anew. */
async function trainQuestion(): Promise<Waiting> {
  await server.advance(24 * 3_600);
  await openShop(server);
  const who = await traveller(server, '10104');
  const train = await saved(server, who, PNR.mumbai, 'NDLS');
  await who.fill();
  const { orderId } = await ordered(server, who, train);
  const late = async (minutes: number) => {
    await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'NDLS', minutes });
    await server.advance(1_830);
  };
  await late(150);
  return {
    who,
    path: `/irctcOrder/${orderId}`,
    shows: one(trainText.questionHead),
    device: { journal: { key: 'key', orderId, step: 'watching', at: Date.now() } },
    calls: new RegExp(orderId),
    ends: {
      answered: {
        happens: () => who.call(trains.answer, { orderId, body: { choice: 'TIME' } }),
        says: one(trainText.questionNone),
      },
      'needed no more': { happens: () => late(0), says: one(trainText.questionNone) },
      over: { happens: () => server.advance(2 * 3_600 + 60), says: one(trainText.questionNone) },
      cancelled: { happens: () => who.cancel(orderId), says: one(trainText.questionNone) },
    },
  };
}

/** What somebody sees who has been sent a link to pay by: before they choose, and once they have begun. */
async function payer(isBegun: boolean): Promise<Waiting> {
  const owner = await visitor(server, 'IN', PICKUP);
  const { order, next } = await owner.order({ paymentMode: 'LINK' });
  if (next.kind !== 'link') throw new Error(`no link but ${next.kind}`);
  const { token } = next;
  const other = await visitor(server, 'IN', PICKUP);
  let step: PaymentStep | null = null;
  const begun = async () => {
    step ??= (
      await other.call(
        links.pay,
        { token, body: { paymentMode: 'NETBANKING', paymentChoice: 'HDFC' } },
        { 'idempotency-key': token },
      )
    ).body.next;
    return step;
  };
  return {
    who: await visitor(server, 'IN', PICKUP),
    path: `/pay/${token}`,
    shows: isBegun ? /Go to the bank/ : /How do you want to pay\?/,
    ...(isBegun
      ? {
          begin: async (page: AppPage) => {
            await page.press('radio', /^Net banking/);
            await page.press('radio', /^HDFC/);
            await page.press('button', /^Pay ₹/);
            const bank = (await page.find('button', 'Go to the bank')).getAttribute('href')!;
            step = {
              kind: 'redirect',
              paymentUrl: new URL(bank, server.url).href.slice(server.url.length),
            } as PaymentStep;
          },
        }
      : {}),
    calls: new RegExp(token),
    ends: {
      paid: { happens: async () => await pay(server, await begun()), says: one(errors.linkPaid) },
      declined: { happens: async () => await pay(server, await begun(), 'decline'), says: one(payment.linkFailed) },
      over: { happens: () => server.advance(16 * 60), says: one(errors.linkOver) },
      cancelled: { happens: () => owner.cancel(order.orderId), says: one(errors.linkOver) },
    },
  };
}

/** An order on its way, as its customer or somebody with a link to it follows it. */
async function followed(page: 'order' | 'track' | 'shared'): Promise<Waiting> {
  const who = await visitor(server, 'IN', PICKUP);
  const { order, next } = await who.order();
  await pay(server, next);
  await who.confirm(order);
  const { orderId } = order;
  const token = (await who.call(tracking.share, { orderHistoryId: orderId })).body.token;
  return {
    who: page === 'shared' ? await visitor(server, 'IN', PICKUP) : who,
    path: page === 'shared' ? `/shared/${token}` : `/${page}/${orderId}`,
    shows: page === 'shared' ? /From Connaught/ : /Tell it at the counter/,
    device: page === 'shared' ? {} : { journal: { key: 'key', orderId, step: 'watching', at: Date.now() } },
    calls: new RegExp(page === 'shared' ? token : orderId),
    ends: {
      'handed over': { happens: () => server.advance(3_600), says: /Picked up|How it went|Enjoy/ },
      cancelled: { happens: () => who.cancel(orderId), says: /cancelled|How it went/i },
    },
  };
}

/** A question that somebody of the shop looks at. */
async function ticket(): Promise<Waiting> {
  const who = await visitor(server, 'IN', PICKUP);
  const order = await eats(server, who);
  const { eventId } = (await ask(who, about(order, { person: true }))).body.ticket;
  return {
    who,
    path: `/ticket/${eventId}`,
    shows: one(help.personTitle),
    calls: new RegExp(eventId),
    ends: { answered: { happens: () => server.advance(24 * 3_600), says: one(help.answered) } },
  };
}

/** Somebody who has asked for a code to log in with. Everything about it is on the device. */
async function loginCode(): Promise<Waiting> {
  const who = await visitor(server, 'IN', PICKUP);
  const put = (key: string, value: unknown) => {
    const newValue = value === null ? null : JSON.stringify(value);
    const name = `IN/browser:${key}`;
    if (newValue === null) localStorage.removeItem(name);
    else localStorage.setItem(name, newValue);
    window.dispatchEvent(new StorageEvent('storage', { key: name, newValue }));
  };
  const at = Date.now();
  return {
    who,
    path: '/login-otp',
    shows: /We sent 6 digits to/,
    device: {
      'login-code': { mobile: who.mobile, resendAt: at + 30_000, expiresAt: at + 600_000, sendsLeft: 2 },
    },
    calls: /nothing/,
    ends: {
      'done in another tab': {
        happens: async () => {
          const { credentials, attributes } = (await logIn(server, freshMobile(), 'in-web', who.person)).reply;
          put('session', { credentials, attributes });
          put('login-code', null);
        },
        says: one(login.doneTitle),
      },
      'given up in another tab': { happens: async () => put('login-code', null), says: one(login.noCodeTitle) },
    },
  };
}

/** What is under way on a device is of its own orders alone. */
const ELSEWHERE = ['somewhere else', 'while the device was offline', 'before a reload'] as const;
const WAYS = [...ELSEWHERE, 'in another tab, which leaves nothing under way on the device'] as const;

interface Wait {
  readonly open: () => Promise<Waiting>;
  readonly ends: readonly string[];
  readonly ways?: readonly Way[];
}
type Way = (typeof WAYS)[number];

/** The pages that wait for somebody. */
const WAITS = {
  'the UPI page': {
    open: () => unpaid('UPI', (id) => `/upiForm?order=${id}`, /Please pay once/),
    ends: ['paid', 'declined', 'over', 'cancelled', 'gone'],
  },
  'the page before the bank': {
    open: () => unpaid('NETBANKING', (id) => `/payment/${id}`, /Go to the bank/, { paymentChoice: 'HDFC' }),
    ends: ['paid', 'declined', 'over', 'cancelled', 'gone'],
  },
  "the page before a card's bank": {
    open: () => unpaid('CARD', (id) => `/payment/${id}`, /Go to the bank/),
    ends: ['paid', 'declined', 'over', 'cancelled', 'gone'],
  },
  'the page of a link that somebody else pays': {
    open: () => unpaid('LINK', (id) => `/payment/${id}`, /Send/),
    ends: ['over', 'cancelled', 'gone'],
  },
  'the code for cash': {
    open: () => unpaid('COD', (id) => `/payment/${id}`, /We sent a code to/),
    ends: ['paid', 'over', 'cancelled', 'gone'],
  },
  "the order's own page, unpaid": {
    open: () => unpaid('UPI', (id) => `/order/${id}`, /Go on paying|Continue|paying/),
    ends: ['paid', 'declined', 'over', 'cancelled', 'gone'],
  },
  "the page before a payment app's": {
    open: () => unpaid('PAYTM', (id) => `/paytmForm?order=${id}`, /Please pay once/),
    ends: ['paid', 'declined', 'over', 'cancelled', 'gone'],
  },
  "the yes to a linked wallet's payment": {
    open: linkedWallet,
    ends: ['paid', 'over', 'cancelled', 'gone'],
  },
  'the sheet of Google Pay': {
    open: () => unpaid('GPAY', (id) => `/payment/${id}`, /Open the payment again/, {}, 'gpay'),
    ends: ['paid', 'declined', 'over', 'cancelled', 'gone'],
  },
  'the sheet of Paytm': {
    open: () => unpaid('PAYTM', (id) => `/payment/${id}`, /Open the payment again/, {}, 'paytm'),
    ends: ['paid', 'declined', 'over', 'cancelled', 'gone'],
  },
  'the page of a payer before they choose': {
    open: () => payer(false),
    ends: ['paid', 'over', 'cancelled', 'gone'],
    ways: ELSEWHERE,
  },
  'the page of a payer who has begun': {
    open: () => payer(true),
    ends: ['paid', 'declined', 'over', 'cancelled', 'gone'],
    ways: ELSEWHERE,
  },
  'the question of a late train': {
    open: trainQuestion,
    ends: ['answered', 'needed no more', 'over', 'cancelled', 'gone'],
    ways: ELSEWHERE,
  },
  'a group order, as a guest sees it': {
    open: () => group('guest', /Closes in/),
    ends: ['closed', 'over', 'ordered', 'cancelled', 'gone'],
    ways: ELSEWHERE,
  },
  'a group order, as its host sees it': {
    open: () => group('host', /Closes in/),
    ends: ['over', 'ordered', 'cancelled', 'gone'],
    ways: ELSEWHERE,
  },
  'a group order, before one joins it': {
    open: () => group('stranger', /invites you to order together/),
    ends: ['closed', 'over', 'ordered', 'cancelled', 'gone'],
    ways: ELSEWHERE,
  },
  "the order's own page, on its way": {
    open: () => followed('order'),
    ends: ['handed over', 'cancelled', 'gone'],
    ways: ELSEWHERE,
  },
  'the tracker': { open: () => followed('track'), ends: ['handed over', 'cancelled', 'gone'], ways: ELSEWHERE },
  "somebody else's order behind a link": {
    open: () => followed('shared'),
    ends: ['handed over', 'cancelled', 'gone'],
    ways: ELSEWHERE,
  },
  'a question to the shop': { open: ticket, ends: ['answered', 'gone'], ways: ELSEWHERE },
  'the code of a login': {
    open: loginCode,
    ends: ['done in another tab', 'given up in another tab'],
    ways: ELSEWHERE,
  },
} satisfies Readonly<Record<string, Wait>>;

/** The page, as the device of whoever waits has it. */
async function opened({ who, path, host = 'browser', device = {} }: Waiting): Promise<AppPage> {
  localStorage.clear();
  const { credentials, attributes } = who.person.reply;
  const put = (key: string, value: unknown) => localStorage.setItem(`IN/${host}:${key}`, JSON.stringify(value));
  put('session', { credentials, attributes });
  for (const [key, value] of Object.entries(device)) put(key, value);
  return await reopened({ path, host });
}
const reopened = ({ path, host = 'browser' }: Pick<Waiting, 'path' | 'host'>) =>
  openPage(server.url, path, { host, keep: true, ...(host === 'browser' ? {} : { inside: {} }) });

/** The server knows nothing of it any more. */
function goneIs(calls: RegExp): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
    const url = given[0] instanceof Request ? given[0].url : String(given[0]);
    if (!calls.test(url)) return await real(...given);
    const failed = { status: 'FAILED', errors: [{ code: 'NOT_FOUND', displayMsg: errors.notFound }] };
    return new Response(JSON.stringify(failed), { status: 404, headers: { 'content-type': 'application/json' } });
  };
  lines.abort();
  lines = new AbortController();
}
const GONE: End['says'] = one(errors.notFound, errors.brokenLink);

async function ended(page: AppPage, waiting: Waiting, says: RegExp): Promise<void> {
  await page.sees(says);
  await vi.waitFor(() => expect(document.querySelector('main[aria-busy=true],[aria-busy=true] main')).toBeNull());
  await vi.waitFor(() => expect(page.text()).not.toMatch(waiting.shows));
}

const PLAYED: Readonly<
  Record<Way, (page: AppPage, happens: () => Promise<unknown>, waiting: Waiting) => Promise<AppPage>>
> = {
  'somewhere else': async (page, happens) => {
    await happens();
    return page;
  },
  'in another tab, which leaves nothing under way on the device': async (page, happens, { host = 'browser' }) => {
    await happens();
    const key = `IN/${host}:journal`;
    localStorage.removeItem(key);
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }));
    return page;
  },
  'while the device was offline': async (page, happens) => {
    const real = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    window.dispatchEvent(new Event('offline'));
    globalThis.fetch = real;
    await happens();
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    window.dispatchEvent(new Event('online'));
    return page;
  },
  'before a reload': async (_page, happens, waiting) => {
    await happens();
    return await reopened(waiting);
  },
};

/** Who waits for each next step of a payment. */
const OF_STEPS: Readonly<Record<Exclude<PaymentStep['kind'], 'none'>, readonly (keyof typeof WAITS)[]>> = {
  upi: ['the UPI page'],
  redirect: ['the page before the bank', "the page before a card's bank", "the page before a payment app's"],
  host: ['the sheet of Google Pay', 'the sheet of Paytm'],
  link: ['the page of a link that somebody else pays'],
  linked: ["the yes to a linked wallet's payment"],
  'cod-otp': ['the code for cash'],
};
/** Sources that ask again and again or hold a line open, and which wait each of them looks after; or why it is none. */
const WATCH: Readonly<Record<string, readonly (keyof typeof WAITS)[] | string>> = {
  'src/shell/around/OrderWait.tsx': [...Object.values(OF_STEPS).flat(), "the order's own page, unpaid"],
  'src/screens/tracking/Progress.tsx': ["the order's own page, on its way", 'the tracker'],
  'src/screens/trains/TrainProgress.tsx':
    'follows as Progress.tsx does, to a train; what is asked has a page of its own',
  'src/screens/order/SharedScreen.tsx': ["somebody else's order behind a link"],
  'src/screens/payment/link/PayLinkScreen.tsx': [
    'the page of a payer before they choose',
    'the page of a payer who has begun',
  ],
  'src/screens/trains/QuestionScreen.tsx': ['the question of a late train'],
  'src/screens/group/GroupScreen.tsx': ['a group order, before one joins it'],
  'src/shell/around/GroupStrip.tsx': ['a group order, as a guest sees it', 'a group order, as its host sees it'],
  'src/screens/help/TicketScreen.tsx': ['a question to the shop'],
  'src/screens/base/OneTimeCode.tsx': ['the code of a login'],
  'src/screens/tracking/MinutesLeft.tsx': 'counts minutes and asks nobody',
  'src/screens/trains/JourneyCard.tsx': 'renews the clocks of stations; nobody decides anything (trains.test.tsx)',
};

const PAGES = Object.keys(WAITS);
/** Pages that no other source looks after, too: theirs is proven by them alone. */
const ALONE = new Set<string>(Object.values(WATCH).flatMap((waits) => (waits.length === 1 ? waits : [])));
const ENDS = [...new Set(Object.values<Wait>(WAITS).flatMap(({ ends }) => ends))];
/** Pages of one source take its ends by turns, the next page the others. */
const endsPlayed = (wait: string, ends: readonly string[]) =>
  ALONE.has(wait)
    ? ends
    : sample(
        ends,
        ends.filter((end) => (PAGES.indexOf(wait) + ENDS.indexOf(end)) % 2 === 0),
      );

describe.each(Object.entries<Wait>(WAITS))('%s', (wait, { open, ends, ways = WAYS }) => {
  describe.each(endsPlayed(wait, ends))('ends: %s', (name) => {
    // Every run plays each end of each page in one way; the next page takes the next one.
    const turn = PAGES.indexOf(wait) + ends.indexOf(name);
    test.each(sample(ways, [ways[turn % ways.length]!]))('%s', async (way) => {
      const waiting = await open();
      const page = await opened(waiting);
      await waiting.begin?.(page);
      await page.sees(waiting.shows);
      const end = waiting.ends[name] ?? { happens: async () => goneIs(waiting.calls), says: GONE };
      await ended(await PLAYED[way](page, end.happens, waiting), waiting, end.says);
    });
  });
});

test('each source that asks again and again stands in the table of waits, and each wait belongs to one', () => {
  const WATCHES = /\b(?:Poll|Repeat|followAtom|of\.listen)\b/;
  const watching = sources
    .filter(({ file, code }) => /^src\/(?:screens|shell|full)\//.test(file) && WATCHES.test(code))
    .map(({ file }) => file);
  expect(watching.sort()).toEqual(Object.keys(WATCH).sort());
  const played = new Set(Object.values(WATCH).flatMap((waits) => (typeof waits === 'string' ? [] : waits)));
  expect([...played].sort()).toEqual(Object.keys(WAITS).sort());
});
