import { expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/vouchers.ts';
import { money } from '../../src/contract/price.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { orderAtom } from '../../src/state/orders/orders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { redeemVoucherAtom } from '../../src/state/payment/redeem.ts';
import {
  chosenVouchersAtom,
  chooseVoucherAtom,
  forgetChosenAtom,
  linkVoucherAtom,
  isPinCodeSentAtom,
  pinCode,
  resetPinAtom,
  unlinkVoucherAtom,
  voucherDraftAtom,
  vouchersState,
} from '../../src/state/payment/vouchers.ts';

import { codeFor, freshMobile } from '../server/people.ts';
import { pay, PICKUP, visitor } from '../server/shop.ts';
import { fails, openCustomer } from './customer.ts';
import { shopHere } from '../server/shopHere.ts';

const { server } = shopHere({ settings: { distDir: null } });

async function opened() {
  const who = await visitor(server, 'IN', PICKUP);
  const customer = openCustomer(server, { as: who.person.reply });
  return { who, customer };
}
const issue = async (amount: number, mobile?: string) =>
  (await server.call(contract.issue, { body: { amount, ...(mobile === undefined ? {} : { mobile }) } })).body;

test('a linked e-voucher is chosen once if it can pay, and forgotten with the order or when it is taken off', async () => {
  const { customer } = await opened();
  const { number, pin, voucherId } = await issue(1_000);
  customer.set(voucherDraftAtom, { number, pin });
  const linking = customer.set(linkVoucherAtom);
  expect(customer.get(pinCode.busyAtom)).toBe('send');
  expect([await customer.set(linkVoucherAtom), await linking]).toEqual([false, true]);
  expect(customer.get(pinCode.busyAtom)).toBe('');
  customer.set(voucherDraftAtom, { number, pin });
  expect(await customer.set(linkVoucherAtom)).toBe(true);
  expect(customer.get(vouchersState.atom).data).toHaveLength(1);
  expect(customer.get(chosenVouchersAtom)).toEqual([voucherId]);
  // One that is empty or too old pays nothing.
  const [voucher] = customer.get(vouchersState.atom).data!;
  for (const change of [{ balance: money(0) }, { isExpired: true }]) {
    customer.set(vouchersState.put, [{ ...voucher!, ...change }]);
    expect(customer.get(chosenVouchersAtom)).toEqual([]);
  }
  await customer.set(vouchersState.load);
  expect(customer.get(chosenVouchersAtom)).toEqual([voucherId]);
  customer.set(forgetChosenAtom);
  expect(customer.get(chosenVouchersAtom)).toEqual([]);
  expect(customer.set(chooseVoucherAtom, voucherId, true)).toBe(true);
  await customer.set(unlinkVoucherAtom, voucherId);
  expect([customer.get(vouchersState.atom).data, customer.get(chosenVouchersAtom)]).toEqual([[], []]);
  fails(customer, contract.unlink, new Failure('offline'));
  await customer.set(unlinkVoucherAtom, voucherId);
  expect(customer.get(popupAtom)?.message).toBe(errors.connectionLost);

  const empty = { number: '1111 2222 3333 5555', pin: '123456' };
  customer.set(voucherDraftAtom, empty);
  expect(await customer.set(linkVoucherAtom)).toBe(true);
  expect(customer.get(chosenVouchersAtom)).toEqual([]);
});

test('a refusal stands beside what it is about, and what was typed stays', async () => {
  const { customer } = await opened();
  const draft = { number: '1111222233334444', pin: '123456' };
  customer.set(voucherDraftAtom, draft);
  for (const [error, beside] of [
    [{ code: 'EGV_EXPIRED', displayMsg: 'a', field: 'pin' }, { number: 'a' }],
    [{ code: 'EGV_WRONG', displayMsg: 'a', field: 'number' }, { number: 'a' }],
    [{ code: 'X', displayMsg: 'a', field: 'other' }, { pin: 'a' }],
  ] as const) {
    fails(customer, contract.link, new Failure('refused', { errors: [error] }));
    expect(await customer.set(linkVoucherAtom)).toBe(false);
    expect([customer.get(pinCode.problemsAtom), customer.get(voucherDraftAtom)]).toEqual([beside, draft]);
  }
});

test('a forgotten pin: a code goes to the owner, and with it a new pin is set and the e-voucher kept', async () => {
  const { customer } = await opened();
  const mobile = freshMobile();
  const { number, voucherId } = await issue(1_000, mobile);
  customer.set(voucherDraftAtom, { number: '11', pin: '' });
  expect(await customer.set(pinCode.send)).toBe(false);
  expect([customer.get(pinCode.problemsAtom), customer.get(pinCode.sentAtom)]).toEqual([
    { number: errors.egvNumber },
    null,
  ]);
  customer.set(voucherDraftAtom, { number, pin: '123' });
  customer.set(pinCode.typedAtom, '456');
  expect(await customer.set(pinCode.send)).toBe(true);
  expect([customer.get(voucherDraftAtom), customer.get(pinCode.typedAtom)]).toEqual([{ number, pin: '' }, '']);

  // Typed over, it is another e-voucher: its owner has no code yet.
  customer.set(voucherDraftAtom, { number: '1', pin: '' });
  expect(customer.get(isPinCodeSentAtom)).toBe(false);
  customer.set(voucherDraftAtom, { number, pin: '' });
  expect(customer.get(isPinCodeSentAtom)).toBe(true);

  await server.advance(1);
  const code = await codeFor(server, mobile);
  const tried = async (change: { pin?: string; code?: string }) => {
    customer.set(voucherDraftAtom, { number, pin: change.pin ?? '654321' });
    customer.set(pinCode.typedAtom, change.code ?? code);
    return [await customer.set(resetPinAtom), customer.get(pinCode.problemsAtom)];
  };
  expect(await tried({ pin: '1', code: '12' })).toEqual([false, { code: errors.otpFailed, pin: errors.egvPin }]);
  expect(await tried({ pin: '1' })).toEqual([false, { pin: errors.egvPin }]);
  expect(await tried({ code: code === '111111' ? '222222' : '111111' })).toEqual([false, { code: errors.otpWrong }]);
  expect(customer.get(voucherDraftAtom).pin).toBe('654321');
  expect(await tried({})).toEqual([true, {}]);
  expect([customer.get(pinCode.sentAtom), customer.get(voucherDraftAtom)]).toEqual([null, { number: '', pin: '' }]);
  expect(customer.get(chosenVouchersAtom)).toEqual([voucherId]);
});

test('after a payment that failed an e-voucher pays what it can, once, and what is left is said', async () => {
  const { who, customer } = await opened();
  const { order, next } = await who.order();
  await pay(server, next, 'decline');
  await who.confirm(order);
  const { number, pin, voucherId } = await issue(1_000);
  customer.set(voucherDraftAtom, { number, pin });
  expect(await customer.set(linkVoucherAtom)).toBe(true);
  const paying = customer.set(redeemVoucherAtom, order.orderId, voucherId, 1_000);
  expect(customer.get(pinCode.busyAtom)).toBe('send');
  await Promise.all([customer.set(redeemVoucherAtom, order.orderId, voucherId, 1_000), paying]);
  expect([customer.get(popupAtom), customer.get(toastAtom)?.message]).toEqual([null, t.voucherPaidPart]);
  expect(customer.get(orderAtom)).toMatchObject({ orderId: order.orderId, parts: [{ mode: 'EGV', amount: 1_000 }] });
  expect(customer.get(vouchersState.atom).data).toMatchObject([{ balance: 0 }]);
  expect(customer.get(pinCode.busyAtom)).toBe('');
  fails(customer, contract.redeem, new Failure('offline'));
  await customer.set(redeemVoucherAtom, order.orderId, voucherId, 1_000);
  expect(customer.get(popupAtom)).toMatchObject({ message: errors.connectionLost, second: errors.lookBeforePaying });
  expect(customer.get(pinCode.busyAtom)).toBe('');
});
