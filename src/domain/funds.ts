import { money, type Money } from '../contract/money.ts';
import { WALLET_CONFLICT } from './messages.ts';
import { latinDigits } from './phone.ts';

/** The 16 digits of an e-voucher, typed in any script, with spaces or dashes; else null. */
export function voucherNumber(typed: string): string | null {
  const digits = latinDigits(typed);
  return digits.length === 16 ? digits : null;
}

/** Its 6-digit pin, or null. */
export function voucherPin(typed: string): string | null {
  const digits = latinDigits(typed);
  return digits.length === 6 ? digits : null;
}

/** Why these ways of paying cannot be used together, or null (specification section 5). */
export function fundsConflict(by: { readonly wallet: boolean; readonly vouchers: number; readonly mode: string | null }): string | null {
  return by.wallet && (by.vouchers > 0 || by.mode === 'COD' || by.mode === 'EGV') ? WALLET_CONFLICT : null;
}

/** What is left of a total once the balances of an order have paid their part. */
export function leftOf(total: number, parts: readonly { readonly amount: number }[] | undefined): Money {
  return money((parts ?? []).reduce((rest, part) => rest - part.amount, total));
}
