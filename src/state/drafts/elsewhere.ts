import * as t from '#text/payment.ts';
import { atom } from 'jotai';
import type { PaymentOption } from '../../contract/payments.ts';

/** Ways to pay that neither speak with the bank's fields nor lead to a page of a bank or an app and back. */
const STAY: ReadonlySet<PaymentOption['id']> = new Set(['UPI', 'COD', 'LINK']);

/** Whether the page has no origin: nobody outside can speak with it, and it keeps nothing while its customer is away. */
export const isElsewhereAtom = atom(() => globalThis.window?.origin === 'null');

/** The ways to pay; on a page without an origin those that lead away say that they do not work there. */
export const payableHereAtom = atom(
  (get) =>
    (options: readonly PaymentOption[]): PaymentOption[] =>
      options.map((option) =>
        get(isElsewhereAtom) && !STAY.has(option.id) ? { ...option, disabledReason: t.modeElsewhere } : option,
      ),
);
