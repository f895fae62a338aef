import fc from 'fast-check';
import { Provider } from 'jotai';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Controls } from '../../hosts/imitated/scenarios.ts';
import type { BankOutcome } from '../../src/contract/development.ts';
import * as stores from '../../src/contract/stores.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import type { Store } from '../../src/contract/stores.ts';
import * as errors from '#text/errors.ts';
import * as orderText from '#text/order.ts';
import OrderScreen, { enter } from '../../src/screens/order/OrderScreen.tsx';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { placeOrderAtom } from '../../src/state/checkout/placing.ts';
import { quoteState } from '../../src/state/checkout/quote.ts';
import { termsAcceptedAtom } from '../../src/state/checkout/terms.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { paymentModeAtom } from '../../src/state/drafts/mode.ts';
import { openStorage } from '../../src/state/first/lib/kept.ts';
import { chosenStoreAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { orderAtom, settleJournalAtom } from '../../src/state/orders/orders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { hostAtom } from '../../src/state/first/seams.ts';
import { CurrencyContext } from '../../src/ui/money/Price.tsx';
import { IS_ALL } from '../kit/matrix.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { openCustomer, type Customer } from '../state/customer.ts';

/** Every outcome is among 50 of this seed; MONEY_RUNS plays more or fewer, MONEY_SEED others. */
const RUNS = Number(process.env['MONEY_RUNS'] ?? (IS_ALL ? 200 : 50));
const SEED = Number(process.env['MONEY_SEED'] ?? 21_490);
const BATCH = 100;
const PENDING_S = 25;
const TO_KITCHEN_S = 60;
const TOKEN_S = 15 * 60 + 1;
const GIVEN_UP_S = 18 * 60;

interface Run {
  readonly host: 'gpay' | 'paytm';
  /** What the customer does with the sheet, or what the host makes of it; `no-reply`: the app is killed while the sheet is open. */
  readonly choice: Controls['payment'];
  /** What the bank does; `same` as the host says. */
  readonly bank: 'same' | BankOutcome;
  readonly bankTwice: boolean;
  readonly receipt: Controls['receipt'];
  readonly reply: 'none' | 'throws' | 'missing-method' | 'twice' | 'json' | 'data-and-error' | 'error-text';
  /** The page's script is tampered with: it asks the host for less. */
  readonly isAltered: boolean;
  readonly isDoubleTap: boolean;
  /** The bank's notices never arrive: only asking finds out. */
  readonly isDeaf: boolean;
  /** The provider cannot be reached when the page comes back from the sheet. */
  readonly isCut: boolean;
  /** The sheet is left open until the token has run out. */
  readonly isExpired: boolean;
  /** Later the page is still the same, or it is another visit. */
  readonly isReopened: boolean;
}

const rarely = fc.nat(6).map((number) => number === 0);
const anyRun: fc.Arbitrary<Run> = fc.record({
  host: fc.constantFrom('gpay', 'paytm'),
  choice: fc.constantFrom(
    'success',
    'success',
    'failure',
    'pending',
    'cancel',
    'unknown',
    'no-reply',
    'no-reply',
    'duplicate',
  ),
  bank: fc.constantFrom(
    'same',
    'same',
    'success',
    'failure',
    'pending',
    'pending-then-success',
    'pending-then-failure',
    'late',
    'twice',
    'silent',
  ),
  bankTwice: rarely,
  receipt: fc.oneof(
    { weight: 2, arbitrary: fc.constant('good' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'amount',
        'order',
        'unsigned',
        'broken-1',
        'broken-2',
        'broken-3',
        'unknown-status',
        'empty',
      ),
    },
  ),
  reply: fc.oneof(
    { weight: 5, arbitrary: fc.constant('none' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('throws', 'missing-method', 'twice', 'json', 'data-and-error', 'error-text'),
    },
  ),
  isAltered: rarely,
  isDoubleTap: rarely,
  isDeaf: fc.boolean(),
  isCut: rarely,
  isExpired: rarely,
  isReopened: fc.boolean(),
});
/** An SDK without the call is found out before there is an order (test/state/checkout.test.ts). */
const run = anyRun.map((own): Run =>
  own.host === 'gpay' && own.reply === 'missing-method' ? { ...own, reply: 'throws' } : own,
);

/** Whether the bank hears the customer's yes or no at all. */
const reaches = ({ choice, isAltered, isExpired, reply }: Run) =>
  choice !== 'cancel' && !isAltered && !isExpired && reply !== 'throws' && reply !== 'missing-method';
function played({ bank, choice, host }: Run): BankOutcome {
  const own = bank !== 'same' ? bank : choice === 'failure' || choice === 'pending' ? choice : 'success';
  // Paytm's gateway takes one payment for an order id.
  return own === 'twice' && host === 'paytm' ? 'success' : own;
}
/** Paytm's gateway says nothing of a debit that it gives back by itself. */
const isReversed = (own: Run) => reaches(own) && played(own) === 'pending-then-failure' && own.host === 'gpay';

const isTwice = (own: Run) => reaches(own) && played(own) === 'twice';

/** The sentence of the screen: right after the sheet, when the bank has made up its mind, and after everybody gave up. */
const EXPECTED: Readonly<Record<BankOutcome | 'untouched', readonly [now: string, soon: string, end: string]>> = {
  success: [errors.moneyTaken, errors.moneyTaken, errors.moneyTaken],
  silent: [errors.moneyTaken, errors.moneyTaken, errors.moneyTaken],
  twice: [errors.moneyTaken, orderText.moneyTakenTwice, orderText.moneyTakenTwice],
  failure: [orderText.moneyNotTaken, orderText.moneyNotTaken, orderText.moneyNotTaken],
  pending: [errors.moneyUnknown, errors.moneyUnknown, orderText.moneyComesBack],
  'pending-then-success': [errors.moneyUnknown, errors.moneyTaken, errors.moneyTaken],
  'pending-then-failure': [errors.moneyUnknown, orderText.refundNote, orderText.refundNote],
  late: [errors.moneyUnknown, errors.moneyUnknown, orderText.refundNote],
  untouched: [errors.moneyWaitedFor, errors.moneyWaitedFor, orderText.moneyNotTaken],
};

let server: TestServer;
let store: Store;
/** Captured amounts, in minor units, as the provider told them to the server when it was asked; by reference. */
const told = new Map<string, readonly number[]>();
const deaf = new Set<string>();
const cut = new Set<string>();
/** Called when the bank has its answer about a payment, whatever the page is told. */
const answered = new Map<string, () => void>();
const network = globalThis.fetch;

/** Sees what the server and its provider say to each other, loses notices, and cuts the line. */
const watched: typeof fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : String(input));
  const asks = /\/bank\/api\/(status|cancel)$|\/v3\/order\/status$/.test(pathname);
  const reference =
    asks || pathname.startsWith('/webhooks/')
      ? /(?:"(?:reference|orderId)":"|\bORDERID=)([^"&]+)/.exec(String(init?.body))?.[1]
      : undefined;
  if (reference !== undefined && asks && cut.has(reference)) throw new TypeError('The line is cut');
  if (reference !== undefined && !asks && deaf.has(reference)) return new Response(null, { status: 503 });
  const response = await network(input, init);
  if (/^\/vendors\/(google|paytm)\/pay$/.test(pathname))
    answered.get(/"(?:transactionReferenceId|orderId)":"([^"]+)"/.exec(String(init?.body))?.[1] ?? '')?.();
  if (reference !== undefined && asks) {
    const reply = JSON.parse(await response.clone().text()) as {
      captures?: { amount: number }[];
      body?: { resultInfo: { resultStatus: string }; txnAmount?: string };
    };
    const paytm = reply.body?.resultInfo.resultStatus === 'TXN_SUCCESS' ? [reply.body.txnAmount!] : [];
    told.set(
      reference,
      reply.captures?.map(({ amount }) => amount) ?? paytm.map((text) => Number(text.replace('.', ''))),
    );
  }
  return response;
};

beforeAll(async () => {
  // Nothing is killed here but pages, so the database need not survive.
  server = await startServer({ settings: { distDir: null }, database: { target: ':memory:', drop: async () => {} } });
  await openShop(server);
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/gpay/' });
  vi.stubGlobal('fetch', watched);
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});

/** An order that has arrived is thanked for; of its money only a refund is worth a word. */
const THANKS = 'Thank you for ordering with us.';
/** While the kitchen is at work, the bill alone says that it was paid. */
const paidWith = ({ payment }: OrderView) => orderText.paidWith({ label: payment.label });
const SENTENCES = [
  errors.moneyTaken,
  orderText.moneyTakenTwice,
  orderText.moneyNotTaken,
  orderText.moneyNone,
  errors.moneyUnknown,
  errors.moneyWaitedFor,
  orderText.moneyComesBack,
  orderText.refundNote,
  orderText.moneyAtDoor,
  orderText.moneyRefunding,
];
const draw = (page: Customer, orderId: string) =>
  renderToStaticMarkup(
    createElement(
      Provider,
      { store: page.store },
      createElement(CurrencyContext, { value: page.country }, createElement(OrderScreen, { params: { orderId } })),
    ),
  );
/** What the order's screen says of the money; the parts of an order that is not paid come when they are first drawn. */
async function sentence(page: Customer, orderId: string): Promise<string[]> {
  draw(page, orderId);
  await vi.dynamicImportSettled();
  const html = draw(page, orderId);
  const found = SENTENCES.filter((one) => html.includes(one.replaceAll("'", '&#x27;')));
  // "No money was taken" begins a longer sentence.
  const said = found.filter((one) => !found.some((other) => other !== one && other.startsWith(one)));
  if (said.length > 0) return said;
  return [THANKS, paidWith(page.get(orderAtom)!)].filter((one) => html.includes(one)).slice(0, 1);
}

interface Under {
  readonly run: Run;
  page: Customer;
  readonly orderId: string;
  readonly reference: string;
  readonly finish: () => Promise<void>;
  /** The host has said that it was paid, or will be. */ readonly isReported: () => boolean;
}

/** A customer inside the host with one dish to pick up, up to the payment sheet, and through it. */
async function pay(own: Run): Promise<Under> {
  const page = openCustomer(server, {
    host: own.host,
    controls: {
      payment: own.choice,
      bank: own.bank,
      bankTwice: own.bankTwice,
      receipt: own.receipt,
      reply: own.reply,
      replyOn: own.host === 'gpay' ? 'requestPayment' : 'paytmPayment',
    },
  });
  const host = page.get(hostAtom);
  host.on('payment', () => {
    void page.set(settleJournalAtom);
  });
  page.set(deliveryTypeAtom, 'PICKUP');
  page.set(chosenStoreAtom, store);
  page.set(addLineAtom, { productId: 'SD001', quantity: 2 });
  await page.set(syncCartAtom);
  page.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  page.set(paymentModeAtom, own.host === 'gpay' ? 'GPAY' : 'PAYTM');
  page.set(termsAcceptedAtom, true);
  await page.set(quoteState.load);

  let opened = () => {};
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve;
  });
  let open = () => {};
  const mayOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  let reference = '';
  let sheets = 0;
  let isReported = false;
  page.set(hostAtom, {
    ...host,
    requestPayment: async (order, options) => {
      reference = order.transactionReferenceId;
      sheets += 1;
      opened();
      await mayOpen;
      if (own.isDeaf) deaf.add(reference);
      if (own.isCut) cut.add(reference);
      const asked = own.isAltered ? { ...order, amount: (order.amount - 100) as typeof order.amount } : order;
      const [first] = await Promise.allSettled(
        [asked, ...(own.isDoubleTap ? [asked] : [])].map((one) => host.requestPayment(one, options)),
      );
      if (first!.status === 'rejected') throw first!.reason;
      isReported = /^reported-(success|pending)$/.test(first!.value.status);
      return first!.value;
    },
  });
  const done = Promise.all((own.isDoubleTap ? [1, 2] : [1]).map(() => page.set(placeOrderAtom)));
  await Promise.race([isOpen, done]);
  const orderId = page.get(orderAtom)?.orderId ?? '';
  expect([page.get(popupAtom), orderId === '', reference === ''], JSON.stringify(own)).toEqual([null, false, false]);
  const finish = async () => {
    openStorage(page.device, () => {});
    open();
    // Nobody waits for the sheet of an app that was killed; the bank has its answer all the same.
    await (own.choice === 'no-reply'
      ? Promise.race([
          done,
          new Promise<void>((resolve) => {
            answered.set(reference, resolve);
          }),
        ])
      : done);
    cut.delete(reference);
    expect(sheets).toBe(1);
  };
  return { run: own, page, orderId, reference, finish, isReported: () => isReported };
}

/** Opens the order's screen: on the page as it stands, or on that of another visit. */
async function look(under: Under, isReopened: boolean): Promise<void> {
  if (isReopened) under.page = openCustomer(server, { host: under.run.host, device: under.page.device });
  else openStorage(under.page.device, () => {});
  await under.page.set(settleJournalAtom);
  await under.page.set(enter, { params: { orderId: under.orderId }, query: new URLSearchParams() });
}

async function check(
  { run: own, page, orderId, reference, isReported }: Under,
  at: 'now' | 'soon' | 'end',
): Promise<void> {
  const script = JSON.stringify(own);
  const order = page.get(orderAtom)!;
  expect(order.orderId, script).toBe(orderId);
  const [now, soon, end] =
    reaches(own) && played(own) === 'pending-then-failure' && !isReversed(own)
      ? [errors.moneyUnknown, orderText.moneyComesBack, orderText.moneyComesBack]
      : EXPECTED[reaches(own) ? played(own) : 'untouched'];
  const paid =
    order.orderStatus === 'PICKED'
      ? THANKS
      : order.orderStatus === 'ORDER PLACED'
        ? errors.moneyTaken
        : paidWith(order);
  // An order that is over cannot be paid again.
  const notPaid = order.orderStatus === 'FAILED' ? orderText.moneyNone : orderText.moneyNotTaken;
  const asItStands = (one: string) =>
    one === errors.moneyTaken ? paid : one === orderText.moneyNotTaken ? notPaid : one;
  const expected = own.isExpired
    ? [notPaid]
    : at === 'now' && own.isCut && own.choice !== 'no-reply'
      ? [isReported() ? errors.moneyUnknown : errors.moneyWaitedFor]
      : // The second payment is known once the bank's notice of it arrives.
        isTwice(own) && (at === 'now' || (at === 'soon' && own.isDeaf))
        ? [paid, orderText.moneyTakenTwice]
        : [asItStands({ now, soon, end }[at])];
  const shown = await sentence(page, orderId);
  expect(shown, `${at} ${script}`).toHaveLength(1);
  expect(expected, `${at} ${script}`).toContain(shown[0]);
  // Paid is what the provider told the server, when asked, for this very amount; what was captured beyond that goes back.
  const captured = told.get(reference) ?? [];
  const isPaid = !['PENDING', 'FAILED', 'CANCELLED'].includes(order.orderStatus);
  if (isPaid) expect(captured, script).toContain(order.bill.total);
  expect([paid, orderText.moneyTakenTwice].includes(shown[0]!), script).toBe(isPaid);
  if (at === 'end') expect(captured.length - Number(isPaid) > 0 || isReversed(own), script).toBe(order.refund !== null);
}

test(
  `${RUNS} payments in hosts: an order is paid only if the provider confirmed it, and the screen agrees [PAY-07] [PAY-15]`,
  { timeout: 1_200_000 },
  async () => {
    const runs = fc.sample(run, { numRuns: RUNS, seed: SEED });
    store = (await server.call(stores.byId, { storeId: '10101', query: {} })).body.store;
    let refundedInKitchen = 0;
    for (let from = 0; from < RUNS; from += BATCH) {
      const all: Under[] = [];
      for (const own of runs.slice(from, from + BATCH)) {
        const under = await pay(own);
        all.push(under);
        if (own.isExpired) continue;
        await under.finish();
        if (own.choice === 'no-reply') await look(under, true);
        await check(under, 'now');
      }
      await server.advance(PENDING_S);
      for (const under of all.filter((one) => !one.run.isExpired)) {
        await look(under, under.run.isReopened);
        await check(under, 'soon');
      }
      // The kitchen is at work on the first ones: why a second payment comes back is said all the same.
      await server.advance(TO_KITCHEN_S);
      for (const under of all.filter(({ run: own }) => isTwice(own) && !own.isExpired)) {
        await look(under, true);
        await check(under, 'soon');
        const { orderStatus, refund } = under.page.get(orderAtom)!;
        if (orderStatus === 'INPROCESS' && refund) refundedInKitchen += 1;
      }
      // From here on the bank's notices arrive, those it sends again with them.
      deaf.clear();
      await server.advance(TOKEN_S);
      for (const under of all.filter((one) => one.run.isExpired)) {
        await under.finish();
        deaf.clear();
        await look(under, under.run.isReopened || under.run.choice === 'no-reply');
        await check(under, 'now');
      }
      await server.advance(GIVEN_UP_S);
      for (const under of all) {
        await look(under, !under.run.isReopened || under.run.choice === 'no-reply');
        await check(under, 'end');
      }
    }
    expect(refundedInKitchen).toBeGreaterThan(0);
    // Every outcome was among them, in both hosts.
    for (const host of ['gpay', 'paytm']) {
      const outcomes = new Set(
        runs.filter((own) => own.host === host).map((own) => (reaches(own) ? played(own) : 'untouched')),
      );
      const possible = Object.keys(EXPECTED).filter((outcome) => host === 'gpay' || outcome !== 'twice');
      expect([...outcomes].sort()).toEqual(possible.sort());
    }
  },
);
