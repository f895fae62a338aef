import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PaymentMode } from '../../src/contract/names.ts';
import { hasFundsConflict, leftOf } from '../../src/domain/funds.ts';
import * as errors from '#text/errors.ts';
import { shareOut, type Holdings } from '../../src/server/rules/payment/funds.ts';
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

test('what balances pay and what is left come to the total; none gives more than it has, and the other mode pays only what they cannot [P9]', () => {
  fc.assert(
    fc.property(holdings, amount, (held, total) => {
      const { wallet, vouchers, rest } = shareOut(held, total);
      const parts = [...vouchers, ...(wallet ? [wallet] : [])];
      expect(parts.reduce((sum, part) => sum + part.amount, rest as number)).toBe(total);
      expect(leftOf(total, parts)).toBe(rest);
      expect(rest).toBe(Math.max(0, total - held.sum));
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
