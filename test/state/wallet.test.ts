import { expect, test } from 'vitest';
import * as contract from '../../src/contract/wallet.ts';
import { loadCartAtom, syncCartAtom, takeSessionAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { optionsState } from '../../src/state/checkout/modes.ts';
import { placeOrderAtom } from '../../src/state/checkout/placing.ts';
import { quoteState } from '../../src/state/checkout/quote.ts';
import { termsAcceptedAtom } from '../../src/state/checkout/terms.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { paymentModeAtom } from '../../src/state/drafts/mode.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { deliveryTypeAtom } from '../../src/state/first/location.ts';
import { forgetCustomerAtom } from '../../src/state/lib/forget.ts';
import { orderAtom } from '../../src/state/orders/orders.ts';
import {
  isWalletUsedAtom,
  passbookState,
  selectedWalletAtom,
  statementState,
  walletBalanceAtom,
  walletLedgerStatementAtom,
  walletSummary,
} from '../../src/state/payment/wallet.ts';
import { codeOf, freshMobile, logIn, logInByPaytm } from '../server/people.ts';
import { openCustomer, type Customer } from './customer.ts';
import { shopOfPage } from './shopOfPage.ts';

const server = shopOfPage();

async function member(amount = 0): Promise<{ customer: Customer; mobile: string }> {
  const mobile = freshMobile();
  const customer = openCustomer(server);
  customer.set(takeSessionAtom, (await logIn(server, mobile)).reply);
  if (amount > 0) await server.call(contract.credit, { body: { mobile, amount } });
  return { customer, mobile };
}
/** At the payment page with one pizza to collect. */
async function readyToPay(customer: Customer, mobile: string): Promise<void> {
  customer.set(deliveryTypeAtom, 'PICKUP');
  await customer.set(refreshMenuAtom);
  customer.set(addLineAtom, { productId: 'PZ001', size: 'M', quantity: 1 });
  await customer.set(syncCartAtom);
  await customer.set(loadCartAtom);
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: mobile, email: '' });
  customer.set(paymentModeAtom, 'UPI');
  customer.set(termsAcceptedAtom, true);
  await customer.set(optionsState.load);
}

test('only customers logged in outside mini-apps get the wallet summary, and no mini-app gets one [PAY-27] [MINI-26]', async () => {
  const others = [
    () => openCustomer(server),
    async () => {
      const one = openCustomer(server, { host: 'gpay' });
      one.set(takeSessionAtom, (await logIn(server, freshMobile())).reply);
      return one;
    },
    async () => {
      const one = openCustomer(server, { host: 'paytm' });
      one.set(takeSessionAtom, (await logIn(server, freshMobile())).reply);
      return one;
    },
    async () => {
      const one = openCustomer(server, { country: 'lk' });
      one.set(takeSessionAtom, (await logIn(server, freshMobile('lk-web'), 'lk-web')).reply);
      return one;
    },
  ];
  for (const open of others) {
    const customer = await open();
    await customer.set(walletSummary.load);
    await customer.set(statementState.load);
    await customer.set(passbookState.load);
    expect(customer.calls.filter((path) => path.includes('wallet'))).toEqual([]);
    expect(customer.get(walletSummary.atom)).toMatchObject({ status: 'ready', data: null });
  }
  const inside = await server.call(contract.summary, {}, (await logInByPaytm(server)).as);
  expect([inside.status, codeOf(inside)]).toEqual([403, 'FEATURE_BLOCKED']);
  const { customer } = await member(30_000);
  await customer.set(walletSummary.load);
  expect(customer.get(walletSummary.atom).data).toMatchObject({ balance: 30_000, credited: 30_000 });
});

test('wallet summary, choice and statement are state; balance and choice outlive the page, not the login [PAY-30] [PAY-31]', async () => {
  const { customer, mobile } = await member();
  for (let n = 1; n <= 22; n += 1) await server.call(contract.credit, { body: { mobile, amount: n } });
  await customer.set(walletSummary.load);
  customer.set(isWalletUsedAtom, true);
  customer.set(selectedWalletAtom, 'PAYTM');
  await customer.set(statementState.load, { pageNumber: 1 });
  expect(customer.get(walletLedgerStatementAtom)).toMatchObject({ pageNumber: 1, pages: 2, total: 22 });
  // A movement comes between two pages: nothing is shown twice.
  await server.call(contract.credit, { body: { mobile, amount: 99 } });
  await customer.set(statementState.load, { pageNumber: 2 });
  const amounts = customer.get(walletLedgerStatementAtom).entries.map((entry) => entry.amount as number);
  expect(amounts).toEqual(Array.from({ length: 22 }, (_, n) => 22 - n));
  await customer.set(statementState.load, {});
  expect(customer.get(walletLedgerStatementAtom).entries[0]!.amount).toBe(99);
  await customer.set(passbookState.load);
  expect(customer.get(passbookState.atom).data).toMatchObject([{ opening: 0, credited: 253 + 99, closing: 253 + 99 }]);
  const later = openCustomer(server, { device: customer.device });
  expect([later.get(isWalletUsedAtom), later.get(selectedWalletAtom), later.get(walletBalanceAtom)]).toEqual([
    true,
    'PAYTM',
    253,
  ]);
  later.set(forgetCustomerAtom);
  expect([
    later.get(isWalletUsedAtom),
    later.get(selectedWalletAtom),
    later.get(walletBalanceAtom),
    later.get(walletLedgerStatementAtom).entries,
  ]).toEqual([false, null, null, []]);
});

test('the wallet pays the sum shown, as the order says; spent meanwhile, nothing is ordered and the new sum is shown [PAY-31]', async () => {
  const { customer, mobile } = await member(5_000);
  await readyToPay(customer, mobile);
  customer.set(isWalletUsedAtom, true);
  await customer.set(quoteState.load);
  const { bill } = customer.get(quoteState.atom).data!.quote;
  expect(customer.get(quoteState.atom).data!.funds).toMatchObject({
    wallet: { amount: 5_000 },
    rest: bill.total - 5_000,
  });
  await customer.set(placeOrderAtom);
  expect(customer.get(orderAtom)).toMatchObject({
    payment: { amount: bill.total - 5_000 },
    parts: [{ mode: 'WALLET', amount: 5_000 }],
  });

  const second = openCustomer(server);
  second.set(takeSessionAtom, (await logIn(server, await later(mobile))).reply);
  await server.call(contract.credit, { body: { mobile, amount: 400 } });
  await readyToPay(second, mobile);
  second.set(isWalletUsedAtom, true);
  await second.set(quoteState.load);
  const held = second.get(quoteState.atom).data!;
  // The same quote as if more had been there: another device was quicker.
  second.set(quoteState.put, {
    ...held,
    funds: { ...held.funds, wallet: { balance: 9_000 as never, amount: 9_000 as never } },
  });
  await second.set(placeOrderAtom, { allowDuplicate: true });
  expect(second.get(orderAtom)).toBeNull();
  expect(second.get(quoteState.atom).data!.funds.wallet).toMatchObject({ amount: 400 });
});
/** The code of the last login was sent a moment ago. */
async function later(mobile: string): Promise<string> {
  await server.advance(31);
  return mobile;
}
