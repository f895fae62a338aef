import { expect, vi } from 'vitest';
import { isFailure } from '../../src/api/failure.ts';
import * as errors from '#text/errors.ts';
import { loadCartAtom, syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom, cartAtom, cartLinesAtom, isCartWaitingAtom } from '../../src/state/first/cart.ts';
import { setCartOptionsAtom } from '../../src/state/cart/cart.ts';
import { continuePaymentAtom } from '../../src/state/checkout/paymentStep.ts';
import { placeOrderAtom } from '../../src/state/checkout/placing.ts';
import { quoteState } from '../../src/state/checkout/quote.ts';
import { termsAcceptedAtom } from '../../src/state/checkout/terms.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { paymentModeAtom } from '../../src/state/drafts/mode.ts';
import { applyCouponAtom } from '../../src/state/offers/couponActions.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { deliveryTypeAtom } from '../../src/state/first/location.ts';
import { loginCode, mobileAtom } from '../../src/state/people/loginCode.ts';
import {
  cancelOrderAtom,
  isMoneyOpen,
  nextStepAtom,
  orderAtom,
  resumePaymentAtom,
  settleJournalAtom,
  settleOrderAtom,
} from '../../src/state/orders/orders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { retryPaymentAtom } from '../../src/state/after/anotherAttempt.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { isLoggedInAtom, userAtom } from '../../src/state/base/session.ts';
import { vendorLoginAtom } from '../../src/state/people/vendorLogin.ts';
import type { Root } from '../../src/server/store/db.ts';
import type { TestServer } from '../kit/server.ts';
import type { ShippedHost } from '../hosts/stage.ts';
import { codeFor, freshMobile } from '../server/people.ts';
import { press } from '../server/shop.ts';
import { openCustomer, type Customer } from './customer.ts';

/** An order from the first visit to the door, in the twelve calls that change something or decide something on its way. */
export const STEPS = [
  { name: 'a guest is made', call: /^POST \/loginhandler\/anonymoususer$/, goal: 'paid' },
  { name: 'pizza goes into the cart', call: /^POST \/agg\/cart-service\/ve1\/cart\/[^/]+\/items$/, goal: 'paid' },
  { name: 'a coupon is applied', call: /^POST \/agg\/cart-service\/ve1\/cart\/[^/]+\/promo\//, goal: 'paid' },
  {
    name: 'the guest logs in',
    call: /^POST \/(auth-service\/micro-app\/ve1\/\w+\/auth|loginhandler\/validatecode)$/,
    goal: 'paid',
  },
  { name: 'the way of paying is chosen', call: /^PUT \/agg\/cart-service\/ve1\/cart\/[^/]+\/items$/, goal: 'paid' },
  { name: 'the price is locked', call: /^POST \/order-service\/ve3\/orders\/validations$/, goal: 'paid' },
  {
    name: 'a duplicate is asked about',
    call: /^POST \/order-service\/ve3\/orders\/checkDuplicateOrder$/,
    goal: 'paid',
  },
  { name: 'the order is submitted', call: /^POST \/order-service\/ve3\/orders\/submit$/, goal: 'paid' },
  { name: 'the customer pays', call: /^POST \/(bank\/answer|vendors\/(google|paytm)\/pay)$/, goal: 'paid' },
  { name: 'the payment is confirmed', call: /^POST \/order-service\/ve3\/orders\/confirm$/, goal: 'paid' },
  {
    name: 'a declined payment is tried again',
    call: /^POST \/order-service\/ve3\/orders\/transaction\/$/,
    goal: 'paid',
    declined: true,
  },
  {
    name: 'the paid order is cancelled',
    call: /^POST \/order-service\/ve3\/orders\/[^/]+\/cancel$/,
    goal: 'cancelled',
  },
] as const satisfies readonly { name: string; call: RegExp; goal: 'paid' | 'cancelled'; declined?: boolean }[];
export type Step = (typeof STEPS)[number];

/** What becomes of the first call that a step names. `send` lets it through. */
type Fate = (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response>;

/** Stands between every page and the server, and has one call at a time meet its fate. */
export function standBetween() {
  const send = globalThis.fetch;
  let wanted: { call: RegExp; fate: Fate } | null = null;
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const at = `${request.method} ${new URL(request.url).pathname}`;
    if (wanted === null || !wanted.call.test(at)) return await send(request);
    const { fate } = wanted;
    wanted = null;
    return await fate(request, (own) => send(own));
  });
  return {
    meet: (call: RegExp, fate: Fate) => {
      wanted = { call, fate };
    },
    /** Whether no call of that kind has come. */
    isWaiting: () => wanted !== null,
    forget: () => {
      wanted = null;
    },
  };
}

export interface Plan {
  readonly host: ShippedHost;
  readonly mobile: string;
  readonly user: string;
  readonly step: Step;
  isDeclined: boolean;
  codes: number;
}
export function planFor(host: ShippedHost, step: Step): Plan {
  const mobile = freshMobile();
  return { host, mobile, user: `person-${mobile}`, step, isDeclined: 'declined' in step, codes: 0 };
}

const MODES: Readonly<Record<ShippedHost, string>> = {
  browser: 'UPI',
  frame: 'HOST',
  gpay: 'GPAY',
  paytm: 'PAYTM',
};
const PIECES = 2;

/** Opens the page: on a device of before it does first what every start does (shell/alive.ts, shell/around/ActiveOrder.tsx). */
export async function openPage(server: TestServer, plan: Plan, device?: string): Promise<Customer> {
  const customer = openCustomer(server, {
    host: plan.host,
    user: plan.user,
    ...(device === undefined ? {} : { device }),
  });
  if (device === undefined) customer.set(deliveryTypeAtom, 'PICKUP');
  else await atStart(customer);
  return customer;
}
async function atStart(customer: Customer): Promise<void> {
  const orderId = await customer.host.unfinishedPayment();
  if (orderId && customer.get(journalAtom) === null)
    customer.set(journalAtom, { key: orderId, orderId, step: 'paying', at: Date.now() });
  await customer.set(settleJournalAtom);
  await customer.set(loadCartAtom).catch(() => undefined);
}

const isPaid = (status: string) => status === 'ORDER PLACED';

/**
 * Goes on from wherever the page is, with what the page offers, until the order is what the customer wanted. Ends after
 * a number of rounds at the latest: a page that leads nowhere is what the tests look for.
 */
export async function goOn(server: TestServer, customer: Customer, plan: Plan): Promise<void> {
  for (let round = 0; round < 12; round += 1) {
    // A server that was killed needs its time to come back, on a busy machine more than these rounds take.
    await vi.waitFor(() => fetch(new URL('/health', server.url)));
    try {
      if (await oneRound(server, customer, plan)) return;
    } catch (thrown) {
      // Away for a moment, as a customer sees it: the next tap asks again.
      if (!isFailure(thrown) && !(thrown instanceof TypeError)) throw thrown;
    }
  }
  const order = customer.get(orderAtom);
  throw new Error(
    `The page leads nowhere: ${JSON.stringify({ journal: customer.get(journalAtom), status: order?.orderStatus, payment: order?.payment.state, popup: customer.get(popupAtom), went: customer.went.slice(-3) })}`,
  );
}

async function oneRound(server: TestServer, customer: Customer, plan: Plan): Promise<boolean> {
  const { get, set } = customer;
  set(popupAtom, null);
  const journal = get(journalAtom);
  if (journal !== null) await set(settleJournalAtom);
  if (journal !== null && get(journalAtom)?.orderId === null) {
    await waitForSubmit(customer);
    return false;
  }
  const order = get(orderAtom);
  if (order !== null && order.orderStatus !== 'FAILED') {
    if (isMoneyOpen(order)) await payNow(server, customer, plan);
    else if (plan.step.goal === 'cancelled' && isPaid(order.orderStatus)) await set(cancelOrderAtom, order.orderId);
    const now = get(orderAtom)!.orderStatus;
    return plan.step.goal === 'cancelled' ? now === 'CANCELLED' : isPaid(now);
  }
  if (await fillCart(server, customer, plan)) await checkOut(customer, plan);
  return false;
}

/** An answer to a submit that is still out: nothing else can be ordered; when no call can be under way any more, all is as before. */
async function waitForSubmit(customer: Customer): Promise<void> {
  const { get, set } = customer;
  const lines = get(cartLinesAtom).length;
  await set(placeOrderAtom);
  expect(customer.went.at(-1)).toBe('/order/open');
  set(journalAtom, (now) => now && { ...now, at: now.at - 36_000 });
  await set(settleJournalAtom);
  if (get(journalAtom) === null) expect(get(cartLinesAtom)).toHaveLength(lines);
}

/** True when all of it is there; else the customer is told, and taps again. */
async function fillCart(server: TestServer, customer: Customer, plan: Plan): Promise<boolean> {
  const { get, set } = customer;
  await get(apiAtom).ensureSession();
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  await set(loadCartAtom);
  if (get(cartLinesAtom).length === 0) set(addLineAtom, { productId: 'PZ001', size: 'M', quantity: PIECES });
  await set(syncCartAtom);
  if (!get(cartAtom)?.offers.some(({ code, status }) => code === 'WELCOME50' && status === 'APPLIED')) {
    if (!(await set(applyCouponAtom, 'WELCOME50', { isTyped: false, from: 'cart', isFromCart: true }))) return false;
  }
  if (!get(isLoggedInAtom)) await logIn(server, customer, plan);
  if (!get(isLoggedInAtom)) return false;
  set(detailAtom, (detail) => ({ ...detail, fName: 'Asha', mobNo: detail.mobNo || plan.mobile }));
  return true;
}

async function logIn(server: TestServer, customer: Customer, plan: Plan): Promise<void> {
  const { set } = customer;
  if (plan.host !== 'browser') {
    await set(vendorLoginAtom);
    return;
  }
  // Another code is sent half a minute after the last one.
  if (plan.codes > 0) await server.advance(31);
  plan.codes += 1;
  set(mobileAtom, plan.mobile);
  if (!(await set(loginCode.send))) return;
  set(loginCode.typedAtom, await codeFor(server, plan.mobile));
  await set(loginCode.check);
}

async function checkOut(customer: Customer, plan: Plan): Promise<void> {
  const { get, set } = customer;
  const mode = MODES[plan.host];
  set(paymentModeAtom, mode);
  set(setCartOptionsAtom, { paymentMode: mode });
  await set(syncCartAtom);
  set(termsAcceptedAtom, true);
  await set(quoteState.load);
  customer.fake!.set({ payment: plan.isDeclined ? 'failure' : 'success' });
  await set(placeOrderAtom);
  if (get(popupAtom)?.message === errors.submitUnknown) expect(customer.went.at(-1)).toBe('/order/open');
}

async function payNow(server: TestServer, customer: Customer, plan: Plan): Promise<void> {
  const { get, set } = customer;
  const order = get(orderAtom)!;
  if (order.payment.state === 'FAILED') {
    // The page offers another try only when the server says that it is safe.
    expect(order.payment.mayPayAgain).toBe(true);
    plan.isDeclined = false;
    customer.fake!.set({ payment: 'success' });
    await set(retryPaymentAtom, order, MODES[plan.host] as 'UPI');
    return;
  }
  const step = get(nextStepAtom) ?? (await set(resumePaymentAtom, order.orderId));
  if (step === null) return;
  if (step.kind === 'upi') {
    await press(server, step.payerUrl!, plan.isDeclined ? 'decline' : 'approve').catch(() => undefined);
  } else {
    customer.fake!.set({ payment: plan.isDeclined ? 'failure' : 'success' });
    await set(continuePaymentAtom, get(orderAtom)!, step);
  }
  await set(settleOrderAtom, get(orderAtom)!);
}

/** One order, one charge, one use of the coupon, and the very pizzas that were chosen. */
export async function expectOneOrder(db: Root, customer: Customer, plan: Plan): Promise<string> {
  const { userId } = customer.get(userAtom)!;
  const orders = await db.selectFrom('orders').selectAll().where('user_id', '=', userId).execute();
  expect(orders.map(({ status }) => status)).toEqual([plan.step.goal === 'cancelled' ? 'CANCELLED' : 'ORDER PLACED']);
  const order = orders[0]!;
  const { lines, coupons } = JSON.parse(order.snapshot) as {
    lines: { quantity: number; free?: boolean }[];
    coupons: string[];
  };
  expect(lines.filter((line) => line.free !== true).map(({ quantity }) => quantity)).toEqual([PIECES]);
  expect(coupons).toContain('WELCOME50');
  const references = (
    await db.selectFrom('payments').select('reference').where('order_id', '=', order.id).execute()
  ).map(({ reference }) => reference);
  const movements = await db
    .selectFrom('bank_movements')
    .innerJoin('bank_charges', 'bank_charges.id', 'bank_movements.charge_id')
    .select(['bank_movements.kind', 'bank_movements.amount'])
    .where('bank_charges.reference', 'in', references)
    .execute();
  expect(movements.filter(({ kind }) => kind === 'in')).toEqual([{ kind: 'in', amount: order.total }]);
  // Whatever the device keeps is this order or nothing, and its host has no payment left to look after.
  expect([null, order.id]).toContain(customer.get(journalAtom)?.orderId ?? null);
  expect(await customer.host.unfinishedPayment()).toBeNull();
  return order.id;
}

/** A page that opens knows at once of the order that the server has for it, and of none that it has not. */
export async function expectKnown(db: Root, customer: Customer): Promise<void> {
  const { userId } = customer.get(userAtom) ?? { userId: '' };
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .where('status', '<>', 'CANCELLED')
    .execute();
  const journal = customer.get(journalAtom);
  if (orders.length > 0) expect(orders.map(({ id }) => id)).toEqual([journal?.orderId]);
  else expect(journal?.orderId ?? null).toBeNull();
}
