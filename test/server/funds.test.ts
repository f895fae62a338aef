import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { PaymentMode } from '../../src/contract/names.ts';
import type { PaymentOption } from '../../src/contract/payments.ts';
import { featureName } from '../../src/domain/features.ts';
import { hasFundsConflict, leftOf } from '../../src/domain/funds.ts';
import * as errors from '#text/errors.ts';
import * as text from '#text/server.ts';
import {
  movementLabel,
  shareOut,
  sumOf,
  unreturned,
  wholeMode,
  type Holdings,
  type Part,
} from '../../src/server/rules/payment/funds.ts';
import {
  choiceOf,
  hasMode,
  modeLabel,
  modeProblem,
  optionsByLink,
  optionsFor,
} from '../../src/server/rules/payment/modes.ts';
import { voucherView } from '../../src/server/rules/payment/vouchers.ts';
import { inLanguage } from '../../src/server/call/language.ts';
import type { EntryRow } from '../../src/server/store/ledger.ts';
import { readSeeds } from '../../src/server/store/seeds.ts';
import type { LinkedVoucher } from '../../src/server/store/vouchers.ts';

const amount = fc.integer({ min: 0, max: 2_000_000 });
const holdings = fc
  .record({ wallet: fc.option(amount), vouchers: fc.array(amount, { maxLength: 2 }) })
  .map(({ wallet, vouchers }): Holdings => ({
    wallet,
    sum: (wallet ?? 0) + vouchers.reduce((sum, one) => sum + one, 0),
    problems: [],
    vouchers: vouchers.map((balance, n) => ({ id: `egv_${n}`, last_four: `000${n}`, balance }) as LinkedVoucher),
  }));

test('balances and the other mode come to the total; no balance gives more than it has, and the mode pays only the rest [P9]', () => {
  fc.assert(
    fc.property(holdings, amount, fc.constantFrom(1, 100), (held, whole, step) => {
      const total = whole - (whole % step);
      const { wallet, vouchers, rest } = shareOut(held, total, step);
      const parts = [...vouchers, ...(wallet ? [wallet] : [])];
      expect(parts.reduce((sum, part) => sum + part.amount, rest as number)).toBe(total);
      expect(leftOf(total, parts)).toBe(rest);
      // Cash pays whole rupees: of a rest with a part of one, the balances leave so much more.
      expect(rest).toBe(Math.ceil(Math.max(0, total - held.sum) / step) * step);
      expect(parts.map((part) => part.balance)).toEqual([
        ...held.vouchers.map((one) => one.balance),
        ...(held.wallet === null ? [] : [held.wallet]),
      ]);
      for (const part of parts)
        expect(part.amount >= 0 && part.amount <= part.balance && Number.isSafeInteger(part.amount)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('the wallet never stands beside cash or an e-voucher, whatever else is chosen [P9] [PAY-32] [ERR-46]', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.nat(2),
      fc.option(fc.constantFrom(...PaymentMode.options)),
      (wallet, vouchers, mode) => {
        const isRefused = wallet && (vouchers > 0 || mode === 'COD' || mode === 'EGV');
        expect(hasFundsConflict({ wallet, vouchers, mode })).toBe(isRefused);
      },
    ),
    { numRuns: 1_000 },
  );
  expect(errors.walletConflict).toBe("Wallet can't be choosen with CASH OR EGV, Please change PaymentMode");
});

const NOW = 1_000_000;
describe('balances', () => {
  test('a wish comes to the wallet and every e-voucher in it; one with e-vouchers is called by them', () => {
    const one = { voucherId: 'a', amount: 300 };
    expect(sumOf(undefined)).toBe(0);
    expect(sumOf({ wallet: 250 })).toBe(250);
    expect(sumOf({ wallet: 250, vouchers: [one, { voucherId: 'b', amount: 50 }] })).toBe(600);
    expect(wholeMode({ vouchers: [one] })).toBe('EGV');
    expect(wholeMode({ wallet: 1, vouchers: [] })).toBe('WALLET');
    expect(wholeMode({ wallet: 1 })).toBe('WALLET');
    expect(unreturned({ amount: 500, returned: 200 } as Part)).toBe(300);
  });
  test.each([
    ['CREDIT', 'x', '', text.walletAdded],
    ['CREDIT', 'x', '42', text.walletHelp({ number: '42' })],
    ['SPEND', 'spend:o:a:0', '42', text.walletSpent({ number: '42' })],
    ['RETURN', 'return:o:a:HELP:t1', '42', text.walletHelp({ number: '42' })],
    ['RETURN', 'return:o:a:PROMISE', '42', text.walletLate({ number: '42' })],
    ['RETURN', 'return:o:a:CANCELLED', '42', text.walletBack({ number: '42' })],
    ['RETURN', 'return:o:a:FAILED', '42', text.walletBack({ number: '42' })],
  ])('%s by %s of order "%s" is told as %s', (kind, key, number, said) => {
    expect(movementLabel({ kind, unique_key: key } as EntryRow, number)).toBe(said);
  });
  test.each([
    [
      { is_given: 1, balance: 5, expires_at: NOW + 1 },
      { isExpired: false, isOnlyHere: true },
    ],
    [{ is_given: 0, balance: 5, expires_at: NOW + 1 }, { isExpired: false }],
    [{ is_given: 1, balance: 0, expires_at: NOW + 1 }, { isExpired: false }],
    [{ is_given: 1, balance: 5, expires_at: NOW }, { isExpired: true }],
  ])('an e-voucher of %j: %j', (row, view) => {
    expect(voucherView({ id: 'egv_1', last_four: '1234', ...row }, NOW)).toEqual({
      voucherId: 'egv_1',
      lastFour: '1234',
      balance: row.balance,
      expiresAt: row.expires_at,
      ...view,
    });
  });
});

describe('the ways to pay of a shop', () => {
  const of = (code: string, ...blocked: string[]) =>
    optionsFor(countryConfig(code), readSeeds(code), 'web', new Set(blocked));
  const ids = (options: readonly PaymentOption[]) => options.map(({ id }) => id);

  test('are those of the country, in its order, and then a link; what is switched off is not there', () => {
    expect(ids(of('IN'))).toEqual(expect.arrayContaining(['UPI', 'CARD', 'NETBANKING', 'COD']));
    expect(of('IN').at(-1)).toEqual({ id: 'LINK', label: text.payLink, about: text.payLinkAbout });
    expect(ids(of('BG'))).toEqual(['CARD', 'MFS', 'COD', 'LINK']);
    expect(ids(of('IN', featureName('upiForm')))).not.toContain('UPI');
    expect(ids(of('IN', featureName('upiForm')))).toContain('CARD');
  });
  test('say what they are', () => {
    const about = (code: string) => Object.fromEntries(of(code).map((one) => [one.id, one.about]));
    expect(about('IN')).toMatchObject({
      UPI: text.payUpiAbout,
      NETBANKING: text.payBankAbout,
      COD: text.payCashAbout,
    });
    expect(about('BG')).toMatchObject({ MFS: text.payMobileAbout, CARD: 'Visa, Mastercard and American Express' });
    expect(of('LK').find(({ id }) => id === 'COD')).toEqual({
      id: 'COD',
      label: 'Cash on delivery',
      about: text.payCashAbout,
      labels: { PICKUP: text.payCashPickup, CURB: text.payCashCurb, DINEIN: text.payCashDineIn },
      maxAmount: countryConfig('LK').cashLimit,
    });
    expect(of('LK').find(({ id }) => id === 'CARD')).toEqual({
      id: 'CARD',
      label: 'Credit / debit card',
      about: 'Visa, Mastercard and American Express',
    });
  });
  test('of somebody who pays through a link are not cash, and not another link', () => {
    expect(ids(optionsByLink(of('BG')))).toEqual(['CARD', 'MFS']);
  });
  test('name a bank or service of theirs, and no other', () => {
    const options = of('IN');
    const [bank] = options.find(({ id }) => id === 'NETBANKING')!.choices!;
    expect(choiceOf(options, 'NETBANKING', bank!.id)).toEqual(bank);
    expect(choiceOf(options, 'NETBANKING', undefined)).toBeNull();
    for (const [mode, id] of [
      ['NETBANKING', 'NONE'],
      ['UPI', bank!.id],
      ['CARD', bank!.id],
      ['MFS', bank!.id],
    ] as const)
      expect(() => choiceOf(options, mode, id)).toThrow(expect.objectContaining({ httpStatus: 422 }));
  });
  test('are called by where cash is handed over', () => {
    expect(
      ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN', 'IRCTC'].map((deliveryType) => modeLabel('IN', 'COD', deliveryType)),
    ).toEqual(['Cash on delivery', text.payCashPickup, text.payCashCurb, text.payCashDineIn, 'Cash on delivery']);
    expect(modeLabel('IN', 'CARD', 'PICKUP')).toBe('Credit / debit card');
    expect(modeLabel('LK', 'UPI', 'PICKUP')).toBeUndefined();
    inLanguage('hi', () => expect(modeLabel('IN', 'CARD', 'PICKUP')).not.toBe('Credit / debit card'));
  });
  test('are those that the catalogue has', () => {
    expect([hasMode('IN', 'UPI'), hasMode('LK', 'UPI'), hasMode('BG', 'MFS'), hasMode('BG', 'MFS')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
  test('cannot pay what is too much, what is not there, and while they are away', () => {
    const country = countryConfig('IN');
    const options = of('IN');
    const problem = (mode: PaymentMode, total: number, more = options) =>
      modeProblem(country, more, mode, total)?.code ?? null;
    expect(problem('COD', country.cashLimit)).toBeNull();
    expect(modeProblem(country, options, 'COD', country.cashLimit + 1)).toEqual({
      code: 'CASH_LIMIT',
      displayMsg: text.cashLimit({ amount: '₹2,000' }),
      field: 'paymentMode',
    });
    expect(problem('UPI', 99_999_999)).toBeNull();
    expect(modeProblem(country, options, 'MFS', 1)).toEqual({
      code: 'PAYMENT_MODE',
      displayMsg: text.featureOff,
      field: 'paymentMode',
    });
    const away = options.map((one) => (one.id === 'UPI' ? { ...one, disabledReason: 'away' } : one));
    expect(modeProblem(country, away, 'UPI', 1)).toEqual({
      code: 'PROVIDER_AWAY',
      displayMsg: 'away',
      field: 'paymentMode',
    });
  });
});
