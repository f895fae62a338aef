import { countries } from '../../../country/index.ts';
import { refundWindow, type BankDays } from '../../domain/orders.ts';
import { readBankWeekend } from '../store/seeds.ts';

/** By currency: banks of one currency rest on the same days. */
const banks = new Map<string, BankDays>(
  countries.map(({ CURRENCY_CODE, COUNTRY_CODE, timeZone }) => [
    CURRENCY_CODE,
    { timeZone, weekend: readBankWeekend(COUNTRY_CODE) },
  ]),
);

/** When a refund started at `at` arrives: earliest and latest, epoch ms. */
export function refundExpected(at: number, currency: string): { from: number; to: number } {
  const bank = banks.get(currency);
  if (bank === undefined) throw new Error(`no country has the currency ${currency}`);
  return refundWindow(at, bank);
}
