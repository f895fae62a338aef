import { describe, expect, test, vi } from 'vitest';
import * as aliveText from '#text/alive.ts';
import * as errorText from '#text/errors.ts';
import * as orderText from '#text/order.ts';
import * as firstText from '#text/first.ts';
import * as paymentText from '#text/payment.ts';
import { Failure } from '../../src/api/failure.ts';
import * as cart from '../../src/contract/cart.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import type { PaymentOption, PaymentStep } from '../../src/contract/payments.ts';
import * as stores from '../../src/contract/stores.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom, cartAtom, cartCountAtom, cartLinesAtom } from '../../src/state/first/cart.ts';
import { areModesOpenAtom, MODES_SHOWN, optionsState, presetModeAtom } from '../../src/state/checkout/modes.ts';
import { continuePaymentAtom } from '../../src/state/checkout/paymentStep.ts';
import { placing, placeOrderAtom } from '../../src/state/checkout/placing.ts';
import { chooseSlotAtom, problemsAtom, quoteState, where } from '../../src/state/checkout/quote.ts';
import { termsAcceptedAtom } from '../../src/state/checkout/terms.ts';
import { cardAtom } from '../../src/state/drafts/card.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { paymentModeAtom } from '../../src/state/drafts/mode.ts';
import { instructionChoices, instructionsAtom, orderNoteAtom } from '../../src/state/drafts/note.ts';
import { slotIdAtom } from '../../src/state/drafts/slot.ts';
import { vehicleAtom } from '../../src/state/drafts/vehicle.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { cancelOrderAtom, orderAtom, settleJournalAtom } from '../../src/state/orders/orders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { tableAtom } from '../../src/state/drafts/table.ts';
import { slotsState } from '../../src/state/drafts/timeSlots.ts';
import { toastAtom, toastMessageAtom } from '../../src/state/first/toast.ts';
import { usualAtom } from '../../src/state/first/usual.ts';
import { usualPricesAtom } from '../../src/state/cart/usual.ts';
import { openDb } from '../../src/server/store/db.ts';
import { setOnline } from '../../src/server/store/stores.ts';
import { freshMobile } from '../server/people.ts';
import { between, type Customer, type CustomerOptions, fails, openAtStore, openCustomer } from './customer.ts';
import { shopOfPage } from './shopOfPage.ts';

const server = shopOfPage();

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

test('a submit whose page died is withdrawn for certain, the cart is as it was, and a late arrival makes no order [PAY-X01]', async () => {
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

test('a given-up order puts its dishes back beside what was added since, also after a reload without a network [CART-X02]', async () => {
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

test('the minutes at payment are those that every page before it has said, also before the house is known', async () => {
  const customer = await atPickup();
  const store = customer.get(chosenStoreAtom)!;
  customer.set(deliveryTypeAtom, 'DELIVERY');
  customer.set(chosenStoreAtom, store);
  const { latitude, longitude } = store;
  customer.set(deliveryPlaceAtom, { latitude, longitude, text: 'Next door', address: null });
  await customer.set(quoteState.load);
  const { kitchen } = await customer.get(apiAtom).call(stores.byId, {
    storeId: store.id,
    query: {
      ...{ kitchen: 'true', locality: 'false', deliveryType: 'DELIVERY' },
      ...{ latitude: String(latitude), longitude: String(longitude) },
    },
  });
  expect(kitchen?.minutes).not.toBeNull();
  expect(customer.get(quoteState.atom).data!.deliveryMinutes).toEqual(kitchen!.minutes);
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
const press = (customer: Customer, side: 'left' | 'right') => {
  const button = customer.get(popupAtom)![side]!;
  customer.set(popupAtom, null);
  button.act!();
};

/** Up to the tap on Pay, by this mode. */
async function readyToPay(mode: string | null = 'UPI') {
  const customer = await atPickup();
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  customer.set(paymentModeAtom, mode);
  customer.set(termsAcceptedAtom, true);
  await customer.set(quoteState.load);
  return customer;
}

test('an order names a door only for delivery, a car for curbside once all of it is known, and a table inside', async () => {
  const customer = await openAtStore(server);
  const address = {
    latitude: 28.64,
    longitude: 77.22,
    houseNo: '12',
    address: 'Barakhamba Road',
    type: 'home' as const,
  };
  const place = { latitude: 28.64, longitude: 77.22, text: 'Barakhamba Road' };
  customer.set(deliveryPlaceAtom, { ...place, address });
  const car = { colour: 'Red', model: 'Swift', lastFourDigits: '4821' };
  customer.set(vehicleAtom, car);
  customer.set(tableAtom, '7');
  const told = (type: 'DELIVERY' | 'PICKUP' | 'CURB' | 'DINEIN') => {
    customer.set(deliveryTypeAtom, type);
    const { address: door, vehicle, table } = where(customer.get);
    return [door, vehicle, table];
  };
  expect(told('DELIVERY')).toEqual([address, null, null]);
  expect(told('PICKUP')).toEqual([null, null, null]);
  expect(told('DINEIN')).toEqual([null, null, '7']);
  expect(told('CURB')).toEqual([null, car, null]);
  for (const part of [{ colour: '' }, { model: '' }, { lastFourDigits: '482' }, { lastFourDigits: '48211' }]) {
    customer.set(vehicleAtom, { ...car, ...part });
    expect(told('CURB'), JSON.stringify(part)).toEqual([null, null, null]);
  }
  customer.set(tableAtom, '');
  customer.set(deliveryPlaceAtom, { ...place, address: null });
  expect([told('DINEIN'), told('DELIVERY')]).toEqual([
    [null, null, null],
    [null, null, null],
  ]);
});

test('an order has what was chosen for it and who it is for; afterwards nothing of that is left for the next one', async () => {
  const customer = await atPickup();
  await customer.set(instructionChoices.load);
  const [instruction] = customer.get(instructionChoices.atom).data!;
  await customer.set(slotsState.load);
  const slot = customer.get(slotsState.atom).data!.slots.at(-1)!;
  customer.set(detailAtom, { fName: 'Asha', lName: 'Rao', mobNo: freshMobile(), email: 'asha@example.com' });
  customer.set(paymentModeAtom, 'UPI');
  customer.set(termsAcceptedAtom, true);
  customer.set(instructionsAtom, [instruction!.id]);
  customer.set(orderNoteAtom, 'Ring twice');
  customer.set(tableAtom, '7');
  customer.set(cardAtom, { token: 't', lastFour: '1111', brand: 'visa' });
  await customer.set(chooseSlotAtom, slot.id);
  expect(customer.get(quoteState.atom).data?.problems).toEqual([]);
  let sent: unknown;
  between(customer, (next, endpoint, input) => {
    if (endpoint === orders.submit) sent = (input as { body: unknown }).body;
    return next();
  });
  customer.set(toastMessageAtom, 'Added.', { label: 'Undo' });
  await customer.set(placeOrderAtom);
  const order = customer.get(orderAtom)!;
  expect(order).toMatchObject({ note: 'Ring twice', instructions: [instruction!.label] });
  expect(sent).toMatchObject({
    customer: { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' },
    slotId: slot.id,
  });
  // A card that was entered pays nothing where another way was chosen.
  expect(sent).not.toHaveProperty('cardToken');
  expect([
    customer.get(slotIdAtom),
    customer.get(orderNoteAtom),
    customer.get(tableAtom),
    customer.get(cardAtom),
    customer.get(cartLinesAtom),
  ]).toEqual([null, '', '', null, []]);
  expect([customer.get(toastAtom), customer.get(placing.isBusyAtom), customer.went.at(-1)]).toEqual([
    null,
    false,
    `/payment/${order.orderId}`,
  ]);
});

test('a dish that waits to be sent is on the bill, and who is not named yet is not asked after', async () => {
  const customer = await atPickup();
  const asked: { customer?: unknown; paymentMode?: unknown }[] = [];
  between(customer, (next, endpoint, input) => {
    if (endpoint === orders.validations) asked.push((input as { body: object }).body);
    return next();
  });
  customer.set(paymentModeAtom, null);
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: '', email: '' });
  customer.set(addLineAtom, { productId: 'BV001', quantity: 1 });
  await customer.set(quoteState.load);
  expect(asked.map((one) => [one.customer, one.paymentMode])).toEqual([[undefined, undefined]]);
  expect(customer.get(quoteState.atom).data!.quote.bill).toEqual(customer.get(cartAtom)!.bill);
});

describe('the way to pay', () => {
  const ids = (customer: Customer) => customer.get(optionsState.atom).data!.options.map(({ id }) => id);
  async function withOptions() {
    const customer = await readyToPay(null);
    await customer.set(optionsState.load);
    return customer;
  }
  /** As many ways as this, and the one that was used last. */
  const limit = (customer: Customer, count: number, last: PaymentOption['id'] | null = null) => {
    const data = customer.get(optionsState.atom).data!;
    customer.set(optionsState.put, { ...data, options: data.options.slice(0, count), last });
  };

  test('is preset where there is one alone, or by what paid last; one that cannot pay this order is let go of', async () => {
    const customer = await withOptions();
    const all = customer.get(optionsState.atom).data!;
    const preset = async (count: number, last: PaymentOption['id'] | null, chosen: string | null) => {
      customer.set(optionsState.put, all);
      customer.set(areModesOpenAtom, null);
      customer.set(paymentModeAtom, chosen);
      limit(customer, count, last);
      await customer.set(presetModeAtom);
      return [customer.get(paymentModeAtom), customer.get(areModesOpenAtom)];
    };
    const [first, second] = ids(customer);
    expect(await preset(1, null, null)).toEqual([first, true]);
    expect(await preset(9, null, null)).toEqual([null, true]);
    expect(await preset(9, second!, null)).toEqual([second, false]);
    // What was chosen stands above what paid last.
    expect(await preset(9, second!, first!)).toEqual([first, false]);
    expect(await preset(9, null, 'BEADS')).toEqual([null, true]);
    expect(await preset(9, 'MFS', 'BEADS')).toEqual([null, true]);
    expect(await preset(9, second!, 'BEADS')).toEqual([second, false]);
    // So few need no fold.
    expect(await preset(MODES_SHOWN, second!, null)).toEqual([second, true]);
    expect(await preset(MODES_SHOWN + 1, second!, null)).toEqual([second, false]);
  });

  test('that the shop refuses for this order is not preset, and what was refused about it is said no more', async () => {
    const customer = await withOptions();
    const quote = customer.get(quoteState.atom).data!;
    const [first] = ids(customer);
    customer.set(paymentModeAtom, first!);
    limit(customer, 9, first);
    const modes = quote.modes.map((one) => (one.id === first ? { ...one, disabledReason: 'Not today' } : one));
    customer.set(quoteState.put, { ...quote, modes, problems: [{ code: 'MODE', displayMsg: 'Not today' }] });
    await customer.set(presetModeAtom);
    expect([customer.get(paymentModeAtom), customer.get(quoteState.atom).data?.problems]).toEqual([null, []]);
  });
});

describe('a tap on Pay', () => {
  const submits = (customer: Customer) => customer.calls.filter((path) => path === orders.submit.path).length;

  test('orders once however often it comes, and nothing without a bill or a way to pay', async () => {
    const customer = await readyToPay();
    const both = [customer.set(placeOrderAtom), customer.set(placeOrderAtom)];
    expect(customer.get(placing.isBusyAtom)).toBe(true);
    await Promise.all(both);
    expect([submits(customer), customer.get(placing.isBusyAtom)]).toEqual([1, false]);
    for (const make of [() => readyToPay(null), atPickup]) {
      const other = await make();
      await other.set(placeOrderAtom);
      expect([submits(other), other.get(popupAtom), other.get(placing.isBusyAtom)]).toEqual([0, null, false]);
    }
  });

  test.each([
    ['paying', 'o-1', '/order/o-1'],
    ['submitting', null, '/order/open'],
    ['watching', 'o-1', undefined],
  ] as const)('while an earlier order is %s leads to that first, or places the next', async (step, orderId, went) => {
    const customer = await readyToPay();
    customer.set(journalAtom, { key: 'k'.repeat(32), orderId, step, at: Date.now() });
    await customer.set(placeOrderAtom);
    if (went === undefined) expect(customer.went.at(-1)).toMatch(/^\/payment\//);
    else expect([customer.went, submits(customer)]).toEqual([[went], 0]);
  });

  test('of which no answer came is looked for: nothing is said to have failed, and the page of the order finds it', async () => {
    const customer = await readyToPay();
    fails(customer, orders.submit, new Failure('timeout'));
    await customer.set(placeOrderAtom);
    expect(customer.get(popupAtom)).toEqual({ message: errorText.submitUnknown, right: { label: errorText.ok } });
    expect([customer.went, customer.get(journalAtom)?.step, customer.get(cartCountAtom)]).toEqual([
      ['/order/open'],
      'submitting',
      3,
    ]);
  });

  const refusal = (code: string, field?: string) =>
    new Failure('refused', { errors: [{ code, displayMsg: 'Not like that.', ...(field ? { field } : {}) }] });

  test('that is refused says so at its field and that nothing was ordered, with what it costs now, and can be tried again', async () => {
    const customer = await readyToPay();
    const mend = fails(customer, orders.submit, refusal('TERMS', 'termsAccepted'));
    customer.calls.length = 0;
    await customer.set(placeOrderAtom);
    expect(customer.get(problemsAtom)).toMatchObject([{ code: 'TERMS', field: 'termsAccepted' }]);
    expect(customer.get(popupAtom)).toMatchObject({ message: 'Not like that.', second: paymentText.nothingOrdered });
    // Other terms than those that were ticked.
    expect([customer.get(termsAcceptedAtom), customer.get(journalAtom), customer.went]).toEqual([false, null, []]);
    await vi.waitFor(() => expect(customer.calls).toContain(cart.byId.path));
    expect(customer.calls).toContain(orders.validations.path);
    mend();
    customer.set(popupAtom, null);
    customer.set(termsAcceptedAtom, true);
    await customer.set(placeOrderAtom);
    expect([customer.get(popupAtom), customer.get(problemsAtom), submits(customer)]).toEqual([null, [], 1]);
  });

  test('that fails on the way to it has ordered nothing, and the tick stays', async () => {
    const customer = await readyToPay();
    fails(customer, orders.checkDuplicate, new Failure('offline'));
    await customer.set(placeOrderAtom);
    expect(customer.get(popupAtom)).toMatchObject({
      message: errorText.connectionLost,
      second: paymentText.nothingOrdered,
    });
    expect([customer.get(termsAcceptedAtom), customer.get(journalAtom), customer.went]).toEqual([true, null, []]);
  });

  test.each([
    ['WALLET_LOW', true],
    ['X_WALLET_LOW', false],
  ])('that is refused with %s asks anew what the vouchers hold: %s', async (code, isAsked) => {
    const customer = await readyToPay();
    fails(customer, orders.submit, refusal(code));
    customer.calls.length = 0;
    await customer.set(placeOrderAtom);
    expect(customer.calls.includes(vouchers.balance.path)).toBe(isAsked);
  });

  test('that the shop takes for the same order again asks like before, in its words', async () => {
    const customer = await readyToPay();
    fails(customer, orders.submit, refusal('DUPLICATE_ORDER'));
    await customer.set(placeOrderAtom);
    expect(customer.get(popupAtom)).toMatchObject({
      message: 'Not like that.',
      right: { label: aliveText.orderAgain },
    });
    expect([customer.get(journalAtom), customer.get(problemsAtom)]).toEqual([null, []]);
  });

  test('goes on where the money is: at the order itself when nothing is due now, else at the payment, and at once to the bank', async () => {
    const customer = await readyToPay();
    await customer.set(placeOrderAtom);
    const order = customer.get(orderAtom)!;
    const assign = vi.fn<(address: string) => void>();
    vi.stubGlobal('location', { assign });
    const { transactionId } = order;
    const redirect = { kind: 'redirect', transactionId, paymentUrl: '/bank/page', expiresAt: 0 } as const;
    const go = async (step: PaymentStep, of = order) => {
      customer.went.length = 0;
      assign.mockClear();
      await customer.set(continuePaymentAtom, of, step);
      return [customer.went, assign.mock.calls.flat()];
    };
    try {
      const [own, paying] = [`/order/${order.orderId}`, `/payment/${order.orderId}`];
      expect(await go({ kind: 'none' })).toEqual([[own], []]);
      expect(await go({ kind: 'cod-otp', transactionId, mobile: '' })).toEqual([[paying], []]);
      expect(
        await go({ kind: 'cod-otp', transactionId, mobile: '' }, { ...order, orderStatus: 'ORDER PLACED' }),
      ).toEqual([[own], []]);
      expect(await go(redirect)).toEqual([[paying], [expect.stringContaining('/bank/page')]]);
      // An app is opened from its own page.
      expect(await go({ ...redirect, app: { name: 'App', path: '/app' } })).toEqual([[paying], []]);
    } finally {
      vi.stubGlobal('location', undefined);
    }
  });
});

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
        right: { label: firstText.tryAgain },
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

  test('what a payment app has signed for the page reaches the server [PAY-15]', async () => {
    const customer = await inHost('paytm', {});
    await customer.set(placeOrderAtom);
    await expect.poll(() => customer.get(orderAtom)?.orderStatus).toBe('ORDER PLACED');
    expect(customer.calls.filter((path) => path === payments.receipt.path)).toHaveLength(1);
  });

  test('a sheet that the app does not allow: the page says why, and it can be tried again, or left with the cart [PAY-22]', async () => {
    const customer = await inHost('paytm', { reply: 'not-authorised', replyOn: 'paytmPayment' });
    await customer.set(placeOrderAtom);
    await expect
      .poll(() => customer.get(popupAtom))
      .toMatchObject({
        message: paymentText.sheetTrouble({ why: 'BLOCKED' }),
        second: paymentText.sheetNotOpened,
        left: { label: orderText.giveUp },
        right: { label: firstText.tryAgain },
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
  });
});

test('at a store that takes orders for later alone the first time is taken, and the order is for now again once it is back', async () => {
  const customer = await atPickup();
  const { store } = await customer.get(apiAtom).call(stores.byId, { storeId: '10304', query: {} });
  expect(store.advanceOrderStoreId).not.toBe(store.id);
  customer.set(chosenStoreAtom, store);
  await customer.set(syncCartAtom);
  const quoted = async () => {
    await customer.set(quoteState.load);
    const { slots = [] } = customer.get(slotsState.atom).data ?? {};
    return [
      slots.findIndex(({ id }) => id === customer.get(slotIdAtom)),
      customer.get(quoteState.atom).data!.problems.filter(({ code }) => /STORE|SLOT/.test(code)),
    ];
  };
  // What the page has taken by itself is taken anew each time; what the customer chooses stays.
  expect([await quoted(), await quoted()]).toEqual([
    [0, []],
    [0, []],
  ]);
  const { db } = await openDb(server.database.target);
  const online = async (isOnline: boolean) => await setOnline(db, store.id, isOnline);
  try {
    await online(true);
    expect(await quoted()).toEqual([-1, []]);
    await online(false);
    expect(await quoted()).toEqual([0, []]);
    await customer.set(chooseSlotAtom, customer.get(slotsState.atom).data!.slots[1]!.id);
    await online(true);
    expect(await quoted()).toEqual([1, []]);
    await customer.set(chooseSlotAtom, null);
  } finally {
    await db.destroy();
  }
  // Closed for the night, it takes orders for the next day.
  const { store: closing } = await customer.get(apiAtom).call(stores.byId, { storeId: '10101', query: {} });
  customer.set(chosenStoreAtom, closing);
  await customer.set(syncCartAtom);
  expect(await quoted()).toEqual([-1, []]);
  await server.advance(16 * 3_600);
  expect(await quoted()).toEqual([0, []]);
});
