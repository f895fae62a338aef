import fc from 'fast-check';
import { Provider } from 'jotai';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Controls } from '../../hosts/imitated/scenarios.ts';
// Loaded beforehand: a module fetch does not run on fake timers.
import '../../hosts/gpay/actions.ts';
import '../../hosts/paytm/actions.ts';
import * as orders from '../../src/contract/orders.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as stores from '../../src/contract/stores.ts';
import type { Store } from '../../src/contract/stores.ts';
import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import OrderScreen, { enter } from '../../src/screens/order/OrderScreen.tsx';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { placeOrderAtom } from '../../src/state/checkout/placing.ts';
import { quoteState } from '../../src/state/checkout/quote.ts';
import { termsAcceptedAtom } from '../../src/state/checkout/terms.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { paymentModeAtom } from '../../src/state/drafts/mode.ts';
import { checkPaidAtom } from '../../src/state/payment/paymentCheck.ts';
import { addLineAtom, cartCountAtom } from '../../src/state/first/cart.ts';
import { apiAtom, navigateAtom, pathAtom } from '../../src/state/first/seams.ts';
import { chosenStoreAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import {
  cancelOrderAtom,
  isMoneyOpen,
  nextStepAtom,
  orderAtom,
  settleJournalAtom,
  sheetQuestion,
} from '../../src/state/orders/orders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { goOnPayingAtom, retryPaymentAtom } from '../../src/state/after/anotherAttempt.ts';
import { sessionAtom } from '../../src/state/base/session.ts';
import { isUsualOpenAtom } from '../../src/state/cart/usual.ts';
import {
  isUsualBusyAtom,
  openUsualAtom,
  orderUsualAtom,
  tickTermsAtom,
  usualState,
} from '../../src/state/after/usualOrder.ts';
import { isVendorLoginRunningAtom, isVendorLoginSilentAtom } from '../../src/state/people/vendorLogin.ts';
import { CurrencyContext } from '../../src/ui/money/Price.tsx';
import { IS_ALL, sample } from '../kit/matrix.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { openCustomer, type Customer } from '../state/customer.ts';

/** STUCK_RUNS plays more or fewer, STUCK_SEED others. */
const RUNS = Number(process.env['STUCK_RUNS'] ?? (IS_ALL ? 14 : 4));
const SEED = Number(process.env['STUCK_SEED'] ?? 20_261);
/** So long after the server's word, or after a tap, the page can act again. */
const ACTS_WITHIN_S = 5;
const GIVEN_UP_S = 16 * 60;

const TAKES: ReadonlySet<Controls['payment']> = new Set(['success', 'pending', 'no-reply', 'late', 'duplicate']);

type Host = 'gpay' | 'paytm';
type Step =
  /** What becomes of the open sheet; `closed` and `no-reply` (paid) never tell the page. */
  | { readonly do: 'sheet'; readonly choice: Controls['payment'] }
  /** One of the live buttons, once or twice. */
  | { readonly do: 'tap'; readonly button: number; readonly isDouble: boolean }
  /** The page hears the server's word; the customer leaves and comes back; the app is killed and opened again. */
  | { readonly do: 'word' | 'resume' | 'kill' | 'giveUp' }
  | { readonly do: 'wait'; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('sheet' as const),
      choice: fc.constantFrom<Controls['payment'][]>(
        'closed',
        'closed',
        'no-reply',
        'no-reply',
        'cancel',
        'failure',
        'pending',
        'late',
        'duplicate',
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('tap' as const),
      // The first one pays.
      button: fc.constantFrom(0, 0, 0, 1, 2),
      isDouble: fc.nat(4).map((number) => number === 0),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('word' as const, 'resume', 'kill', 'giveUp') }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 4, 4, 6, 25, GIVEN_UP_S) }),
  },
);
const play = fc.record({
  host: fc.constantFrom<Host[]>('gpay', 'paytm'),
  steps: fc.array(step, { minLength: 4, maxLength: 14 }),
});

type PaymentState = OrderView['payment']['state'];
interface Story {
  readonly steps: readonly Step[];
  /** The payment's state after the last step, where that step has heard the server's word. */
  readonly ends?: PaymentState;
}
type Play = Story & { readonly host: Host };
const silent = (choice: 'closed' | 'no-reply' | 'late', ...then: readonly Step[]): readonly Step[] => [
  { do: 'sheet', choice },
  { do: 'wait', seconds: 4 },
  ...then,
];
const pay: Step = { do: 'tap', button: 0, isDouble: true };
/** Played first, in both hosts: a sheet that says nothing, or that the bank is looking, and what customers do then. */
const STORIES: readonly Story[] = [
  { steps: silent('closed', pay) },
  { steps: silent('closed', { do: 'resume' }, pay, ...silent('no-reply', pay)) },
  { steps: silent('closed', { do: 'giveUp' }), ends: 'FAILED' },
  { steps: silent('closed', { do: 'wait', seconds: GIVEN_UP_S }, { do: 'word' }), ends: 'FAILED' },
  { steps: silent('closed', { do: 'wait', seconds: GIVEN_UP_S }, { do: 'word' }, pay) },
  { steps: silent('closed', { do: 'kill' }, pay) },
  { steps: silent('no-reply', pay, { do: 'word' }), ends: 'CAPTURED' },
  { steps: silent('no-reply', { do: 'kill' }), ends: 'CAPTURED' },
  { steps: silent('late', pay, { do: 'wait', seconds: 25 }) },
  { steps: [{ do: 'sheet', choice: 'pending' }, pay, { do: 'word' }], ends: 'UNKNOWN' },
  { steps: [{ do: 'sheet', choice: 'pending' }, { do: 'kill' }, pay, { do: 'kill' }], ends: 'UNKNOWN' },
  { steps: [{ do: 'sheet', choice: 'failure' }, pay, ...silent('no-reply', { do: 'kill' })] },
];
const BOTH = ['gpay', 'paytm'] as const;
const plays = (): readonly Play[] => [
  // By turns in one host and in the other; the full matrix plays each in both.
  ...STORIES.flatMap((story, turn) => sample(BOTH, [BOTH[turn % 2]!]).map((host) => ({ ...story, host }))),
  ...fc.sample(play, { numRuns: RUNS, seed: SEED }),
];

let server: SpawnedServer;
let store: Store;
let calls = 0;
const network = globalThis.fetch;

beforeAll(async () => {
  server = await spawnServer();
  await openShop(server);
  store = (await server.call(stores.byId, { storeId: '10101', query: {} })).body.store;
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/gpay/' });
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    calls += 1;
    try {
      const { status, headers, ...reply } = await network(...given).then(async (one) => ({
        status: one.status,
        headers: one.headers,
        body: await one.arrayBuffer(),
      }));
      return new Response(status === 204 || status === 304 ? null : reply.body, { status, headers });
    } finally {
      calls -= 1;
    }
  });
  // Only the page's time is played: the server is a process of its own, whose clock is moved along.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await server.stop();
});

const turn = () =>
  new Promise((done) => {
    setImmediate(done);
  });
/** Until the page has done all that it can do without more time. */
async function quiet(): Promise<void> {
  for (let still = 0; still < 12; still = calls === 0 ? still + 1 : 0) {
    await vi.advanceTimersByTimeAsync(0);
    await turn();
  }
}

interface Sheet {
  readonly reference: string;
  readonly answer: (choice: Controls['payment']) => void;
}
interface World {
  readonly host: Host;
  page: Customer;
  /** The sheet that lies over the page. */
  sheet: Sheet | null;
  /** When the page last heard the server or was tapped; epoch ms of the page. */
  heardAt: number;
  /** References of what the customer has paid, or the bank is looking at. */
  readonly taken: Set<string>;
  /** What the host has seen and must not see. */
  readonly wrong: string[];
  readonly log: string[];
}

/** A page of this device, whose payment sheets wait for the play. */
function open(world: Pick<World, 'host'> & Partial<World>, device?: string): Customer {
  const page = openCustomer(server, { host: world.host, ...(device ? { device } : {}) });
  const fake = page.fake!;
  const usual = fake.sheet;
  fake.sheet = ((name: 'payment', detail: { reference: string }) =>
    name !== 'payment'
      ? usual(name, detail)
      : new Promise<Controls['payment']>((answer) => {
          const { sheet, taken, wrong } = world as World;
          if (sheet) wrong.push('two sheets at once');
          if (taken.has(detail.reference)) wrong.push('asked for what is paid');
          (world as World).sheet = { reference: detail.reference, answer };
        })) as typeof fake.sheet;
  const { go } = page.get(navigateAtom);
  page.set(navigateAtom, {
    go: (path, ...rest) => {
      go(path, ...rest);
      const orderId = /^\/order\/([^/?]+)$/.exec(path)?.[1];
      if (orderId) void page.set(enter, { params: { orderId }, query: new URLSearchParams() });
    },
  });
  page.host.on('payment', () => void page.set(settleJournalAtom));
  page.host.on('lifecycle', (state) => {
    if (state === 'shown') void page.set(settleJournalAtom);
  });
  return page;
}

function newWorld(host: Host): World {
  const world: Omit<World, 'page'> = { host, sheet: null, heardAt: Date.now(), taken: new Set(), wrong: [], log: [] };
  return Object.assign(world, { page: open(world) });
}

async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  await quiet();
  if (seconds >= ACTS_WITHIN_S) await server.advance(seconds);
}

async function hear(world: World): Promise<void> {
  const { page } = world;
  await page.set(settleJournalAtom);
  const order = page.get(orderAtom);
  if (order) await page.set(enter, { params: { orderId: order.orderId }, query: new URLSearchParams() });
  await quiet();
  world.heardAt = Date.now();
}

/** Tells the page to order, without waiting for what comes of it. */
async function order(world: World): Promise<void> {
  const { page } = world;
  page.set(deliveryTypeAtom, 'PICKUP');
  page.set(chosenStoreAtom, store);
  if (page.get(cartCountAtom) === 0) page.set(addLineAtom, { productId: 'SD001', quantity: 2 });
  await page.set(syncCartAtom);
  page.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  page.set(paymentModeAtom, world.host === 'gpay' ? 'GPAY' : 'PAYTM');
  page.set(termsAcceptedAtom, true);
  await page.set(quoteState.load);
  // Tapped twice.
  for (let taps = 0; taps < 2; taps += 1) void page.set(placeOrderAtom, { allowDuplicate: true });
  await quiet();
  world.heardAt = Date.now();
}

const html = (page: Customer, orderId: string) =>
  renderToStaticMarkup(
    createElement(
      Provider,
      { store: page.store },
      createElement(CurrencyContext, { value: page.country }, createElement(OrderScreen, { params: { orderId } })),
    ),
  );

/** The buttons about the payment that are alive, and what a tap on each of them does. */
function buttons({ page }: World): { readonly name: string; readonly pays: boolean; readonly tap: () => void }[] {
  const now = page.get(orderAtom);
  if (!now) return [];
  const alive = [...html(page, now.orderId).matchAll(/<button([^>]*)>(.*?)<\/button>/g)]
    .filter(([, attributes]) => !attributes!.includes('aria-disabled="true"'))
    .map(([, , name]) => name!.replaceAll(/<[^>]+>/g, ''));
  return alive.flatMap((name) => {
    if (name === t.goOnPaying)
      return { name, pays: true, tap: () => void page.set(goOnPayingAtom, now, page.get(nextStepAtom)!) };
    if (name === t.tryModeAgain({ mode: now.payment.label }))
      return { name, pays: true, tap: () => void page.set(retryPaymentAtom, now, now.payment.mode) };
    if (name === t.checkNow) return { name, pays: false, tap: () => void page.set(checkPaidAtom, now) };
    if (name === t.giveUp) return { name, pays: false, tap: () => void page.set(cancelOrderAtom, now.orderId) };
    return [];
  });
}

async function run(world: World, own: Step): Promise<void> {
  const { page } = world;
  switch (own.do) {
    case 'sheet': {
      const { sheet } = world;
      world.sheet = null;
      if (sheet && TAKES.has(own.choice)) world.taken.add(sheet.reference);
      // A sheet that was closed in silence is only gone.
      if (own.choice !== 'closed') sheet?.answer(own.choice);
      return quiet();
    }
    case 'tap': {
      // A sheet takes all taps.
      const alive = world.sheet ? [] : buttons(world);
      const { tap } = alive[own.button % Math.max(alive.length, 1)] ?? {};
      tap?.();
      if (own.isDouble) tap?.();
      world.heardAt = Date.now();
      return quiet();
    }
    case 'word':
      return hear(world);
    case 'resume':
      page.fake!.hide();
      page.fake!.show();
      return hear(world);
    case 'kill':
      page.kill();
      world.sheet = null;
      await quiet();
      world.page = open(world, page.device);
      return hear(world);
    case 'giveUp':
      if (!world.sheet && page.get(orderAtom)?.cancel.possible)
        await page.set(cancelOrderAtom, page.get(orderAtom)!.orderId);
      world.heardAt = Date.now();
      return quiet();
    case 'wait':
      return pass(own.seconds);
  }
}

/** What must be true of the page whenever somebody looks at it. */
function look(world: World): void {
  const { page, log } = world;
  const now = page.get(orderAtom);
  const said = log.join(' ');
  expect(world.wrong, said).toEqual([]);
  // The server's word has ended the wait for a sheet that may never answer.
  if (now && (!isMoneyOpen(now) || now.payment.state === 'FAILED'))
    expect(page.get(sheetQuestion.atom), said).toBe('idle');
  if (!now || world.sheet || !isMoneyOpen(now)) return;
  const alive = buttons(world);
  const text = html(page, now.orderId);
  const forbids = text.includes(errors.moneyUnknown);
  const allows = text.includes(t.moneyNotTaken);
  expect([forbids && allows, forbids && alive.some(({ pays }) => pays)], said).toEqual([false, false]);
  if (Date.now() - world.heardAt < ACTS_WITHIN_S * 1000) return;
  expect(alive.length, `nothing can be tapped: ${said}`).toBeGreaterThan(0);
  const mayPay = now.payment.state === 'FAILED' ? now.payment.mayPayAgain : page.get(nextStepAtom) !== null;
  if (mayPay && !forbids)
    expect(
      alive.some(({ pays }) => pays),
      `nobody can pay: ${said}`,
    ).toBe(true);
  if (allows) expect(now.payment.state, said).toBe('FAILED');
}

async function fresh({ page }: World): Promise<OrderView | null> {
  const now = page.get(orderAtom);
  return now && (await page.get(apiAtom).call(orders.byId, { orderId: now.orderId })).order;
}

/** Whatever has happened, an order can be paid in the end, with what the page offers. */
async function pays(world: World): Promise<OrderView> {
  const said = world.log.join(' ');
  for (let tries = 0; tries < 6; tries += 1) {
    if (world.sheet) {
      await run(world, { do: 'sheet', choice: 'success' });
      await hear(world);
    }
    await pass(ACTS_WITHIN_S);
    look(world);
    const now = world.page.get(orderAtom);
    if (now && !isMoneyOpen(now) && now.payment.state === 'CAPTURED') return now;
    if (!now || !isMoneyOpen(now)) await order(world);
    else {
      const pay = buttons(world).find((one) => one.pays);
      // The bank has not decided: the server gives up in the end.
      if (!pay) await pass(GIVEN_UP_S);
      else pay.tap();
      await quiet();
      await pass(ACTS_WITHIN_S);
      if (!pay || !world.sheet) await hear(world);
    }
  }
  throw new Error(`Nothing can be paid any more: ${said} ${JSON.stringify(world.page.get(popupAtom))}`);
}

test(
  `in stories and ${RUNS} random payment plays the page can always act, and nothing is paid twice [PAY-21] [PAY-X01]`,
  { timeout: 600_000 },
  async () => {
    for (const [at, { host, steps, ends }] of plays().entries()) {
      // Waits move the clock on to the end of the day.
      if (at % 4 === 0) await openShop(server);
      const world = newWorld(host);
      await order(world);
      expect(world.sheet, JSON.stringify(world.page.get(popupAtom))).not.toBeNull();
      // What shows an order that is not paid comes when it is first drawn.
      html(world.page, world.page.get(orderAtom)!.orderId);
      await vi.dynamicImportSettled();
      for (const own of steps) {
        world.log.push(Object.values(own).join(':'));
        await run(world, own);
        look(world);
      }
      if (ends) expect(world.page.get(orderAtom)?.payment.state, world.log.join(' ')).toBe(ends);
      const paid = await pays(world);
      await pass(25);
      // What comes late or twice changes nothing.
      await hear(world);
      const now = (await fresh(world))!;
      expect([now.orderId, now.payment.state, now.refund], world.log.join(' ')).toEqual([
        paid.orderId,
        'CAPTURED',
        null,
      ]);
      world.page.kill();
    }
  },
);

test('the usual order is paid for as well where login and sheet say nothing', { timeout: 120_000 }, async () => {
  await openShop(server);
  for (const host of ['gpay', 'paytm'] as const) {
    const world = newWorld(host);
    await order(world);
    await run(world, { do: 'sheet', choice: 'success' });
    await hear(world);
    expect(world.page.get(orderAtom)?.payment.state).toBe('CAPTURED');
    world.page.kill();
    const page = open(world, world.page.device);
    world.page = page;
    world.log.push('usual');
    page.set(pathAtom, '/');
    page.set(sessionAtom, null);
    page.fake!.set({ login: 'silent', consented: false });
    void page.set(openUsualAtom);
    await quiet();
    await pass(3);
    expect([page.get(isUsualOpenAtom), page.get(isVendorLoginSilentAtom)]).toEqual([true, true]);
    await page.set(usualState.load);
    page.set(tickTermsAtom, true);
    void page.set(orderUsualAtom);
    await quiet();
    expect([page.get(isVendorLoginRunningAtom), page.get(popupAtom), world.sheet === null]).toEqual([
      false,
      null,
      false,
    ]);
    await run(world, { do: 'sheet', choice: 'closed' });
    await pass(4);
    expect([page.get(isUsualOpenAtom), page.get(isUsualBusyAtom)]).toEqual([false, false]);
    world.heardAt = 0;
    look(world);
    await pays(world);
    page.kill();
  }
});
