import { describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/linkedWallets.ts';
import {
  isLinkedChosenAtom,
  linkCode,
  linkDraftAtom,
  linkedState,
  redeemLinkedAtom,
  unlinkWalletAtom,
} from '../../src/state/payment/linkedWallets.ts';
import { continuePaymentAtom } from '../../src/state/checkout/paymentStep.ts';
import { orderAtom } from '../../src/state/orders/orders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { selectedWalletAtom } from '../../src/state/payment/wallet.ts';

import { codeFor, freshMobile } from '../server/people.ts';
import { member, PICKUP } from '../server/shop.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { shopHere } from '../server/shopHere.ts';

// The script of linked wallets, which may not come.
const script = vi.hoisted(() => ({ isThere: true }));
vi.mock('../../src/bridge/scripts.ts', async (original) => {
  const scripts = await original<typeof import('../../src/bridge/scripts.ts')>();
  const loadChunk: typeof scripts.loadChunk = async (load) => {
    if (!script.isThere) throw new TypeError('Failed to fetch the script');
    return await load();
  };
  return { ...scripts, loadChunk };
});

const PAYTM = 'PAYTM';
const { server } = shopHere({ settings: { distDir: null } });

async function opened() {
  const who = await member(server, 'IN', PICKUP);
  const customer = openCustomer(server, { as: who.person.reply });
  return { who, customer };
}
async function linked() {
  const { who, customer } = await opened();
  const mobile = freshMobile();
  customer.set(linkDraftAtom, { provider: PAYTM, mobile });
  expect(await customer.set(linkCode.send)).toBe(true);
  customer.set(linkCode.typedAtom, await codeFor(server, mobile));
  expect(await customer.set(linkCode.check)).toBe(true);
  return { who, customer, mobile };
}
const times = (customer: Customer, { path }: { path: string }) => customer.calls.filter((one) => one === path).length;

describe('linking', () => {
  test('the provider sends a code to its number; the code ties the wallet, which is chosen then', async () => {
    const { customer } = await opened();
    const mobile = freshMobile();
    customer.set(linkDraftAtom, { provider: PAYTM, mobile: ` ${mobile}` });
    expect(await customer.set(linkCode.send)).toBe(true);
    expect(customer.get(linkCode.sentAtom)?.mobile).toBe(mobile);
    const code = await codeFor(server, mobile);
    customer.set(linkCode.typedAtom, code === '111111' ? '222222' : '111111');
    expect(await customer.set(linkCode.check)).toBe(false);
    expect(customer.get(linkCode.problemsAtom)).toEqual({ code: errors.otpWrong });
    customer.set(linkCode.typedAtom, code);
    expect(await customer.set(linkCode.check)).toBe(true);
    expect(customer.get(linkedState.atom).data).toMatchObject({ isLinked: true, mobile, provider: PAYTM });
    expect([customer.get(selectedWalletAtom), customer.get(linkCode.sentAtom), customer.get(linkDraftAtom)]).toEqual([
      PAYTM,
      null,
      { provider: PAYTM, mobile: '' },
    ]);
    expect([PAYTM, 'OTHER', null].map((mode) => customer.get(isLinkedChosenAtom)(mode))).toEqual([true, false, false]);
  });

  test('let go, it pays nothing any more; a failure of that leaves it', async () => {
    const { customer } = await linked();
    fails(customer, contract.balance, new Failure('offline'));
    const api = customer.calls.length;
    await customer.set(unlinkWalletAtom, PAYTM);
    expect([customer.get(linkedState.atom).data?.isLinked, customer.get(selectedWalletAtom)]).toEqual([false, null]);
    expect([customer.get(isLinkedChosenAtom)(PAYTM), customer.calls.length - api]).toEqual([false, 1]);

    const { customer: other } = await linked();
    other.set(selectedWalletAtom, 'OTHER');
    await other.set(unlinkWalletAtom, PAYTM);
    expect(other.get(selectedWalletAtom)).toBe('OTHER');
    fails(other, contract.unlink, new Failure('offline'));
    await other.set(unlinkWalletAtom, PAYTM);
    expect(other.get(popupAtom)?.message).toBe(errors.connectionLost);
  });

  test('one that was let go elsewhere is chosen no more', async () => {
    const { customer, who } = await linked();
    await who.call(contract.unlink, { provider: PAYTM });
    await customer.set(linkedState.load, PAYTM);
    expect([customer.get(linkedState.atom).data?.isLinked, customer.get(selectedWalletAtom)]).toEqual([false, null]);
    customer.set(selectedWalletAtom, 'OTHER');
    await customer.set(linkedState.load, PAYTM);
    expect(customer.get(selectedWalletAtom)).toBe('OTHER');
  });
});

describe('paying', () => {
  test('the money is taken once after the yes, and the order is paid', async () => {
    const { customer, who } = await linked();
    await who.fill();
    const { body } = await who.submit({ paymentMode: 'PAYTM', body: { linked: true } });
    const step = body.next as Extract<typeof body.next, { kind: 'linked' }>;
    const before = customer.get(linkedState.atom).data!.balance!;
    const paying = customer.set(redeemLinkedAtom, body.order, step);
    expect(customer.get(linkCode.busyAtom)).toBe('send');
    await Promise.all([customer.set(redeemLinkedAtom, body.order, step), paying]);
    expect([times(customer, contract.redeem), customer.get(linkCode.busyAtom)]).toEqual([1, '']);
    expect(customer.get(orderAtom)).toMatchObject({ orderId: body.order.orderId, orderStatus: 'ORDER PLACED' });
    expect(customer.replaced).toEqual([`/order/${body.order.orderId}`]);
    await vi.waitFor(() =>
      expect(customer.get(linkedState.atom).data?.balance).toBe(before - body.order.payment.amount),
    );
  });

  test.each([
    ['refused', errors.nothingTaken],
    ['offline', errors.lookBeforePaying],
  ] as const)('%s: the page of the payment offers it again, with what it means for the money', async (kind, second) => {
    const { customer, who } = await linked();
    await who.fill();
    const { body } = await who.submit({ paymentMode: 'PAYTM', body: { linked: true } });
    const list = kind === 'refused' ? [{ code: 'LINKED_LOW', displayMsg: 'Too little.' }] : [];
    fails(customer, contract.redeem, new Failure(kind, { errors: list }));
    await customer.set(redeemLinkedAtom, body.order, body.next as Extract<typeof body.next, { kind: 'linked' }>);
    expect([customer.replaced, customer.get(linkCode.busyAtom)]).toEqual([[`/payment/${body.order.orderId}`], '']);
    expect(customer.get(popupAtom)).toMatchObject({ second });
  });

  test('where its script does not come, the page of the payment offers it again', async () => {
    const { customer, who } = await linked();
    await who.fill();
    const { body } = await who.submit({ paymentMode: 'PAYTM', body: { linked: true } });
    script.isThere = false;
    try {
      await customer.set(continuePaymentAtom, body.order, body.next);
    } finally {
      script.isThere = true;
    }
    expect([customer.replaced, times(customer, contract.redeem)]).toEqual([[`/payment/${body.order.orderId}`], 0]);
  });
});
