import { afterAll, afterEach, beforeAll, expect, describe, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import type { PaymentMode } from '../../src/contract/names.ts';
import * as contract from '../../src/contract/payments.ts';
import type { PaymentStep } from '../../src/contract/payments.ts';
import * as groups from '../../src/contract/group.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { codeFor } from '../server/people.ts';
import { openShop, pay, PICKUP, visitor, type Customer } from '../server/shop.ts';
import { enteredCard } from '../server/typed.ts';
import { openPage, type AppPage } from './page.ts';

let server: SpawnedServer;
beforeAll(async () => {
  server = await spawnServer();
  await openShop(server);
});
afterAll(() => server.stop());
const fetchNow = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = fetchNow;
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Somebody who waits on a page, and what they wait for. */
interface Waiting {
  readonly who: Customer;
  readonly path: string;
  /** What the page shows as long as it waits. */
  readonly shows: RegExp;
  /** What the device knows of it. */
  readonly device?: Readonly<Record<string, unknown>>;
  /** Addresses of the calls that say what became of it. */
  readonly calls: RegExp;
  readonly ends: Readonly<Record<string, End>>;
}
interface End {
  readonly happens: () => Promise<unknown>;
  /** What the page says then; it waits no more. */
  readonly says: RegExp;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const one = (...texts: readonly string[]) => new RegExp(texts.map(escaped).join('|'));

/** An order that waits for its money, on the page where it is paid. */
async function unpaid(
  paymentMode: PaymentMode | 'LINK',
  pathOf: (orderId: string) => string,
  shows: RegExp,
  body: object = {},
): Promise<Waiting> {
  const who = await visitor(server, 'IN', PICKUP);
  const cardToken = paymentMode === 'CARD' ? await enteredCard(who) : undefined;
  const { order, next } = await who.order({
    paymentMode: paymentMode as 'UPI',
    body: { ...body, ...(cardToken ? { cardToken } : {}) },
  });
  const { orderId } = order;
  return {
    who,
    path: pathOf(orderId),
    shows,
    device: { journal: { key: 'key', orderId, step: 'paying', at: Date.now() } },
    calls: new RegExp(`/orders/(confirm|${orderId}\\b)`),
    ends: endsOf(who, order, next),
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

/** A group order, as a guest of it sees it. */
async function group(): Promise<Waiting> {
  const [host, guest] = [await visitor(server, 'IN', PICKUP), await visitor(server, 'IN', PICKUP)];
  await host.fill();
  const started = await host.call(groups.start, {
    cartId: host.cartId,
    body: { name: 'Asha', diet: [], minutes: 30, limit: null },
  });
  const { code } = started.body.group;
  await guest.call(groups.join, { code, body: { name: 'Ravi', diet: [] } });
  return {
    who: guest,
    path: `/group/${code}`,
    shows: /Ravi/,
    calls: new RegExp(code),
    ends: { cancelled: { happens: () => host.call(groups.end, { code }), says: /has called this group order off/ } },
  };
}

/** The pages that wait for somebody. */
const WAITS: Readonly<Record<string, { readonly open: () => Promise<Waiting>; readonly ends: readonly string[] }>> = {
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
  'a group order': { open: group, ends: ['cancelled', 'gone'] },
};

/** The page, as the device of whoever waits has it. */
async function opened({ who, path, device = {} }: Waiting): Promise<AppPage> {
  await openPage(server.url, '/privacy');
  const { credentials, attributes } = who.person.reply;
  const put = (key: string, value: unknown) => localStorage.setItem(`IN/browser:${key}`, JSON.stringify(value));
  put('session', { credentials, attributes });
  for (const [key, value] of Object.entries(device)) put(key, value);
  return await openPage(server.url, path, { keep: true });
}
/** The server knows nothing of it any more. */
function goneIs(calls: RegExp): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
    const url = given[0] instanceof Request ? given[0].url : String(given[0]);
    if (!calls.test(url)) return await real(...given);
    const failed = { status: 'FAILED', errors: [{ code: 'NOT_FOUND', displayMsg: errors.notFound }] };
    return new Response(JSON.stringify(failed), { status: 404, headers: { 'content-type': 'application/json' } });
  };
}
const GONE: End['says'] = one(errors.notFound, errors.brokenLink);

async function ended(page: AppPage, waiting: Waiting, says: RegExp): Promise<void> {
  await page.sees(says);
  await vi.waitFor(() => expect(document.querySelector('main[aria-busy=true],[aria-busy=true] main')).toBeNull());
  expect(page.text()).not.toMatch(waiting.shows);
}

describe.each(Object.entries(WAITS))('%s', (_name, { open, ends }) => {
  describe.each(ends)('ends: %s', (name) => {
    const play = async (
      around: (page: AppPage, happens: () => Promise<unknown>, waiting: Waiting) => Promise<AppPage>,
    ) => {
      const waiting = await open();
      const page = await opened(waiting);
      await page.sees(waiting.shows);
      const end = waiting.ends[name] ?? { happens: async () => goneIs(waiting.calls), says: GONE };
      await ended(await around(page, end.happens, waiting), waiting, end.says);
    };

    test('somewhere else', () =>
      play(async (page, happens) => {
        await happens();
        return page;
      }));

    test('in another tab, which leaves nothing under way on the device', () =>
      play(async (page, happens) => {
        await happens();
        localStorage.removeItem('IN/browser:journal');
        window.dispatchEvent(new StorageEvent('storage', { key: 'IN/browser:journal', newValue: null }));
        return page;
      }));

    test('while the device was offline', () =>
      play(async (page, happens) => {
        const real = globalThis.fetch;
        globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
        vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
        window.dispatchEvent(new Event('offline'));
        globalThis.fetch = real;
        await happens();
        vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
        window.dispatchEvent(new Event('online'));
        return page;
      }));

    test('before a reload', () =>
      play(async (_page, happens, { path }) => {
        await happens();
        return await openPage(server.url, path, { keep: true });
      }));
  });
});
