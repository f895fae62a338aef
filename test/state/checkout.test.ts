import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as errorText from '#text/errors.ts';
import * as orderText from '#text/order.ts';
import * as paymentText from '#text/payment.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as stores from '../../src/contract/stores.ts';
import { loadCartAtom, syncCartAtom } from '../../src/state/cart.ts';
import { addLineAtom, cartAtom, cartCountAtom, cartLinesAtom } from '../../src/state/first/cart.ts';
import { setCartOptionsAtom } from '../../src/state/cart.ts';
import {
  detailAtom,
  paymentModeAtom,
  placeOrderAtom,
  quoteState,
  termsAcceptedAtom,
} from '../../src/state/checkout.ts';
import {
  applyCouponAtom,
  removeCouponAtom,
  bestOfferAtom,
  cardOffersState,
  combinedState,
  loadTermsAtom,
  takeBestAtom,
  termsAtom,
} from '../../src/state/coupons.ts';
import { terms } from '../../src/contract/coupons.ts';
import { journalAtom } from '../../src/state/journal.ts';
import { refreshMenuAtom } from '../../src/state/menu.ts';
import { chosenStoreAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { apiAtom, pathAtom } from '../../src/state/first/seams.ts';
import { cancelOrderAtom, orderAtom, settleJournalAtom, settleOrderAtom } from '../../src/state/orders.ts';
import { popupAtom } from '../../src/state/popup.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { usualAtom } from '../../src/state/first/usual.ts';
import { usualPricesAtom } from '../../src/state/usual.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { type CustomerOptions, openAtStore, openCustomer, placeOrder } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  await openShop(server);
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});

async function atPickup() {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, {
    productId: 'PZ004',
    size: 'M',
    quantity: 2,
    build: { toppings: [{ id: 'black-olive', half: 'LEFT', amount: 'normal' }] },
  });
  customer.set(addLineAtom, { productId: 'SD001', quantity: 1 });
  await customer.set(syncCartAtom);
  expect(customer.get(cartAtom)?.invalidItems).toEqual([]);
  return customer;
}

test('what was ordered is the usual from then on, as it was built [MENU-X12]', async () => {
  const customer = await atPickup();
  expect(customer.get(usualAtom)).toEqual([]);
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  customer.set(paymentModeAtom, 'UPI');
  customer.set(termsAcceptedAtom, true);
  await customer.set(quoteState.load);
  // A gift is no dish of their own choice.
  const prices = customer
    .get(cartLinesAtom)
    .map((line) => line.priced?.product.price)
    .filter((price) => price !== 0);
  await customer.set(placeOrderAtom);
  expect(customer.get(popupAtom)).toBeNull();
  expect(customer.went.at(-1)).toMatch(/^\/payment\//);
  const again = openCustomer(server, { device: customer.device });
  await again.set(refreshMenuAtom);
  expect(again.get(usualAtom)).toEqual([
    expect.objectContaining({
      productId: 'PZ004',
      size: 'M',
      quantity: 2,
      build: { toppings: [{ id: 'black-olive', half: 'LEFT', amount: 'normal' }] },
    }),
    expect.objectContaining({ productId: 'SD001', quantity: 1 }),
  ]);
  // What one piece of each has cost, toppings and all: the next look says where that has changed.
  expect(again.get(usualPricesAtom)).toEqual(prices);
  expect(prices).toHaveLength(2);
});

test('a submit that the page did not live to hear of: withdrawn for certain, the cart as it was, and what arrives later is no order [PAY-X01]', async () => {
  const customer = await atPickup();
  const key = 'k'.repeat(32);
  customer.set(journalAtom, { key, orderId: null, step: 'submitting', at: Date.now() });
  await customer.set(settleJournalAtom);
  // It may still be on its way: nothing is decided yet.
  expect(customer.get(journalAtom)?.key).toBe(key);
  const again = openCustomer(server, { device: customer.device });
  again.set(journalAtom, { key, orderId: null, step: 'submitting', at: Date.now() - 11_000 });
  await again.set(settleJournalAtom);
  expect(again.get(journalAtom)).toBeNull();
  expect(again.get(toastAtom)?.message).toBe(errorText.submitLost);
  expect(again.get(cartCountAtom)).toBe(3);
  const late = again.get(apiAtom).call(
    orders.submit,
    {
      body: {
        cartId: again.get(cartAtom)!.cartId,
        storeId: '10101',
        deliveryType: 'PICKUP',
        customer: { firstName: 'Asha', lastName: '', mobile: freshMobile() },
        paymentMode: 'UPI',
        cartVersion: again.get(cartAtom)!.version,
        total: again.get(cartAtom)!.bill.total,
        termsAccepted: true,
      },
    },
    { idempotencyKey: key },
  );
  await expect(late).rejects.toMatchObject({ errors: [{ code: 'WITHDRAWN' }] });
});

test('whoever looks at the order that is being placed is led on to it, or back to the cart where there is none [PAY-X01]', async () => {
  const customer = await atPickup();
  customer.set(pathAtom, '/order/open?from=cart');
  customer.set(journalAtom, { key: 'n'.repeat(32), orderId: null, step: 'submitting', at: Date.now() - 10_000 });
  await customer.set(settleJournalAtom);
  expect([customer.replaced, customer.get(journalAtom)]).toEqual([['/cart'], null]);
  // Elsewhere it only says so.
  customer.set(pathAtom, '/menu');
  customer.set(journalAtom, { key: 'm'.repeat(32), orderId: null, step: 'submitting', at: Date.now() - 11_000 });
  await customer.set(settleJournalAtom);
  expect([customer.went.at(-1), customer.get(toastAtom)?.message]).toEqual(['/cart', errorText.submitLost]);
  expect(customer.get(pathAtom)).toBe('/menu');
  // Found by its key: a page that was killed while it was placed.
  const orderId = await placeOrder(customer);
  const { key } = customer.get(journalAtom)!;
  customer.set(journalAtom, { key, orderId: null, step: 'submitting', at: Date.now() });
  customer.set(pathAtom, '/order/open');
  await customer.set(settleJournalAtom);
  expect(customer.get(journalAtom)).toMatchObject({ orderId, step: 'paying' });
  expect(customer.replaced.at(-1)).toBe(`/order/${orderId}`);
  // From then on the order itself is asked for.
  customer.calls.splice(0);
  await customer.set(settleJournalAtom);
  expect(customer.calls).toContain(orders.byId.path);
  expect(customer.calls).not.toContain(orders.byKey.path);
  // Nobody can be asked: what is known stays.
  const { order } = await customer.get(apiAtom).call(orders.byId, { orderId });
  await server.switches({ faults: [{ match: 'confirm', status: 500, times: 5 }] });
  expect(await customer.set(settleOrderAtom, order)).toBe(order);
  await server.switches({ faults: [] });
});

test('a given-up order puts its dishes back into the cart on this page, beside what was added since, also after a reload without a network [CART-X02]', async () => {
  const customer = await atPickup();
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  customer.set(paymentModeAtom, 'UPI');
  customer.set(termsAcceptedAtom, true);
  await customer.set(quoteState.load);
  await customer.set(placeOrderAtom);
  customer.set(addLineAtom, { productId: 'SD001', quantity: 1 });
  await customer.set(syncCartAtom);
  expect(customer.get(cartCountAtom)).toBe(1);
  await customer.set(cancelOrderAtom, customer.get(orderAtom)!.orderId);
  await vi.waitFor(() => expect(customer.get(cartCountAtom)).toBe(4));
  expect(customer.get(journalAtom)).toBeNull();
  const again = openCustomer(server, { device: customer.device });
  expect(again.get(cartCountAtom)).toBe(4);
  expect(again.calls).toEqual([]);
});

test('the bill at payment has the very lines of the cart, and its price is held for ten minutes [CART-X01]', async () => {
  const customer = await atPickup();
  customer.set(setCartOptionsAtom, { carryBag: true, cutlery: true });
  await customer.set(syncCartAtom);
  expect(await customer.set(applyCouponAtom, 'SAVE15', { isTyped: true, from: 'cart', isFromCart: true })).toBe(true);
  customer.set(paymentModeAtom, null);
  await customer.set(quoteState.load);
  const { quote } = customer.get(quoteState.atom).data!;
  const { bill } = customer.get(cartAtom)!;
  expect(bill.lines.map((line) => line.kind)).toContain('discount');
  expect(quote.bill).toEqual(bill);
  const now = await server.advance(0);
  expect(quote.lockedUntil! - now).toBeGreaterThan(9.5 * 60_000);
  expect(quote.lockedUntil! - now).toBeLessThanOrEqual(10 * 60_000);
});

test('one tap takes the best combination, and the total falls to what was said [OFF-X01] [OFF-X04]', async () => {
  const customer = await atPickup();
  // What came by itself is taken off, and stays off until it is tapped.
  for (const { code } of customer.get(cartAtom)!.offers) await customer.set(removeCouponAtom, code);
  await customer.set(loadCartAtom);
  expect(customer.get(cartAtom)!.offers).toEqual([]);
  const before = customer.get(cartAtom)!.bill.total;
  await customer.set(combinedState.load);
  const { best } = customer.get(bestOfferAtom);
  expect(best).toMatchObject({ isOn: false });
  expect(best!.total).toBeLessThan(before);
  await customer.set(takeBestAtom);
  expect(customer.get(popupAtom)).toBeNull();
  expect(customer.get(cartAtom)!.bill.total).toBe(best!.total);
  expect(customer.get(bestOfferAtom).best).toMatchObject({ isOn: true, total: best!.total });
});

test('the best combination is of the cart as it is: after a change it is not shown [OFF-X01]', async () => {
  const customer = await atPickup();
  await customer.set(combinedState.load);
  expect(customer.get(bestOfferAtom).best).toBeDefined();
  customer.set(addLineAtom, { productId: 'SD001', quantity: 1 });
  await customer.set(syncCartAtom);
  expect(customer.get(bestOfferAtom).best).toBeUndefined();
});

test('a tapped coupon that is refused says why over the page [OFF-12]', async () => {
  const customer = await atPickup();
  await customer.set(applyCouponAtom, 'DINE15', { isTyped: false, from: 'offers', isFromCart: true });
  const popup = customer.get(popupAtom);
  expect(popup?.message).toMatch(/coupon/i);
  expect(customer.went).toEqual([]);
});

test('a card is asked for by its first six digits alone: its offer is named, another card has none [CART-16]', async () => {
  const customer = await atPickup();
  await customer.set(cardOffersState.load, '411111');
  const { data } = customer.get(cardOffersState.atom);
  expect([data!.isEligible, data!.offers[0]?.code]).toEqual([true, 'CARD10']);
  await customer.set(cardOffersState.load, '378282');
  expect(customer.get(cardOffersState.atom).data).toMatchObject({ isEligible: false });
});

test('the terms of a coupon come when they are asked for, once [OFF-11]', async () => {
  const customer = await atPickup();
  const { tncList } = await customer.get(apiAtom).call(terms, { code: 'SAVE15' });
  await customer.set(loadTermsAtom, 'SAVE15');
  await customer.set(loadTermsAtom, 'SAVE15');
  expect(tncList.length).toBeGreaterThan(0);
  expect(customer.get(termsAtom)).toEqual({ SAVE15: tncList });
  expect(customer.calls.filter((path) => path === terms.path)).toHaveLength(2);
});

/** A customer in a host, up to the tap on Pay. */
async function inHost(host: 'gpay' | 'paytm', controls: CustomerOptions['controls']) {
  const customer = openCustomer(server, { host, ...(controls ? { controls } : {}) });
  const { store } = await customer.get(apiAtom).call(stores.byId, { storeId: '10101', query: {} });
  customer.set(deliveryTypeAtom, 'PICKUP');
  customer.set(chosenStoreAtom, store);
  customer.set(addLineAtom, { productId: 'SD001', quantity: 2 });
  await customer.set(syncCartAtom);
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  customer.set(paymentModeAtom, host === 'gpay' ? 'GPAY' : 'PAYTM');
  customer.set(termsAcceptedAtom, true);
  await customer.set(quoteState.load);
  return customer;
}
const press = (customer: Awaited<ReturnType<typeof inHost>>, side: 'left' | 'right') => {
  const button = customer.get(popupAtom)![side]!;
  customer.set(popupAtom, null);
  button.act!();
};

describe("the payment app's own sheet", () => {
  test.each([
    ['its script is blocked', 'NOT_READY', { ready: 'blocked' }],
    ['its script has no payments', 'UNSUPPORTED', { reply: 'missing-method', replyOn: 'requestPayment' }],
  ] as const)(
    '%s: nothing is ordered, the page says why, and the cart is kept [PAY-22] [ERR-X01]',
    async (_, why, controls) => {
      const customer = await inHost('gpay', controls);
      await customer.set(placeOrderAtom);
      expect(customer.get(popupAtom)).toMatchObject({
        message: paymentText.sheetTrouble({ why }),
        second: paymentText.sheetNoOrder,
        right: { label: paymentText.tryAgain },
      });
      expect([customer.get(orderAtom), customer.get(journalAtom), customer.get(cartCountAtom)]).toEqual([
        null,
        null,
        2,
      ]);
      expect(customer.calls.filter((call) => call.includes('/orders/submit'))).toEqual([]);
      if (why !== 'NOT_READY') return;
      // The script comes after all: the second tap orders and pays.
      customer.fake!.set({ ready: 'late', readyAfterMs: 1 });
      press(customer, 'right');
      await expect.poll(() => customer.get(orderAtom)?.orderStatus).toBe('ORDER PLACED');
    },
  );

  test.each(['gpay', 'paytm'] as const)('what %s has signed for the page reaches the server [PAY-15]', async (host) => {
    const customer = await inHost(host, {});
    await customer.set(placeOrderAtom);
    await expect.poll(() => customer.get(orderAtom)?.orderStatus).toBe('ORDER PLACED');
    expect(customer.calls.filter((path) => path === payments.receipt.path)).toHaveLength(1);
  });

  test.each([
    ['does not know the call (1)', 'UNSUPPORTED', 'missing-method'],
    ['does not allow it (4)', 'BLOCKED', 'not-authorised'],
  ] as const)(
    'the app %s: the page says why, and it can be tried again without a reload, or left with the cart [PAY-22]',
    async (_, why, reply) => {
      const customer = await inHost('paytm', { reply, replyOn: 'paytmPayment' });
      await customer.set(placeOrderAtom);
      await expect
        .poll(() => customer.get(popupAtom))
        .toMatchObject({
          message: paymentText.sheetTrouble({ why }),
          second: paymentText.sheetNotOpened,
          left: { label: orderText.giveUp },
          right: { label: paymentText.tryAgain },
        });
      const order = customer.get(orderAtom)!;
      expect(order.orderStatus).toBe('PENDING');
      press(customer, 'left');
      await expect.poll(() => customer.get(cartCountAtom)).toBe(2);
      await customer.set(quoteState.load);
      customer.set(termsAcceptedAtom, true);
      await customer.set(placeOrderAtom);
      await expect.poll(() => customer.get(popupAtom)?.second).toBe(paymentText.sheetNotOpened);
      customer.fake!.set({ reply: 'none' });
      press(customer, 'right');
      await expect.poll(() => customer.get(orderAtom)?.orderStatus).toBe('ORDER PLACED');
    },
  );
});
