import { money, type Money } from '../contract/money.ts';
import { latinDigits } from './typedText.ts';

/** The 16 digits of an e-voucher, typed in any script, with spaces or dashes; null if there are not 16. */
export function voucherNumber(typed: string): string | null {
  const digits = latinDigits(typed);
  return digits.length === 16 ? digits : null;
}

/** The same as it is written down and read out: in fours. */
export const writtenNumber = (digits: string): string => digits.replace(/\d{4}(?=\d)/g, '$& ');

/** The 6 digits of an e-voucher's PIN; null if there are not 6. */
export function voucherPin(typed: string): string | null {
  const digits = latinDigits(typed);
  return digits.length === 6 ? digits : null;
}

/** Whether these ways of paying cannot be used together (specification section 5). */
export function hasFundsConflict(by: {
  readonly wallet: boolean;
  readonly vouchers: number;
  readonly mode: string | null;
}): boolean {
  return by.wallet && (by.vouchers > 0 || by.mode === 'COD' || by.mode === 'EGV');
}

/** What is left of a total after balances have paid their parts; minor units. */
export function leftOf(total: number, parts: readonly { readonly amount: number }[] | undefined): Money {
  return money((parts ?? []).reduce((rest, part) => rest - part.amount, total));
}
