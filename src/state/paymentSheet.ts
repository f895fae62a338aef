import { atom } from 'jotai';
import { decimal } from '../bridge/payment.ts';
import { hasSheet, openSheet, type SheetAmount, type SheetMethod } from '../bridge/paymentSheet.ts';
import { DEADLINE_MS } from '../bridge/deadlines.ts';
import * as cards from '../contract/cards.ts';
import type { Money } from '../contract/money.ts';
import { pause } from '../domain/pause.ts';
import * as errors from '#text/errors.ts';
import { cardAtom } from './checkout.ts';
import { customerAtom } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { showFailureAtom } from './popup.ts';
import { popupAtom } from './popup.ts';
import { countryAtom } from './country.ts';
import { apiAtom, hostAtom } from './first/seams.ts';

const page = () => globalThis.window as (Window & typeof globalThis) | undefined;
const amountAtom = atom((get) => (amount: Money): SheetAmount => ({
  label: get(countryAtom).appName,
  currency: get(countryAtom).CURRENCY_CODE,
  value: decimal(amount),
}));
const ANY = 100 as Money;

/**
 * The browser's payment sheets that this shop is registered for and that have something to pay with. None in a host
 * that allows no other payment, and nothing is asked where the browser has no such interface.
 */
export const paymentSheetsState = remote(async (get, _set, signal) => {
  const host = get(hostAtom);
  const win = page();
  if (host.forbids.has('other-payment') || host.partner !== '' || typeof win?.PaymentRequest !== 'function') return [];
  const { methods } = await get(apiAtom).call(cards.sheets, {}, { signal });
  const here = await Promise.all(methods.map((method) => hasSheet(win, method, get(amountAtom)(ANY))));
  return methods.filter((_method, index) => here[index]);
});

export const isPaymentSheetOpenAtom = customerAtom(false);
/** The wait for the sheet that was opened last: it may never answer. */
const waitAtom = atom<AbortController | null>(null);

/** Opens the sheet and exchanges what it gives for the bank's token. @returns whether there is a card to pay with */
export const takePaymentSheetAtom = atom(
  null,
  async (get, set, method: SheetMethod, amount: Money): Promise<boolean> => {
    const win = page();
    if (get(isPaymentSheetOpenAtom) || !win) return false;
    set(isPaymentSheetOpenAtom, true);
    get(waitAtom)?.abort();
    const own = new AbortController();
    const answered = new AbortController();
    set(waitAtom, own);
    // A tap that reaches the page later shows that there is no sheet: it opens another one.
    void pause(DEADLINE_MS.opening, answered.signal).then(() => {
      if (!answered.signal.aborted && get(waitAtom) === own) set(isPaymentSheetOpenAtom, false);
    });
    const { call } = get(apiAtom);
    try {
      const session = async (validationUrl: string) =>
        (await call(cards.sheetSession, { sheet: method.id, body: { validationUrl } })).session;
      const answer = await openSheet(win, method, get(amountAtom)(amount), session, own.signal).finally(() =>
        answered.abort(),
      );
      if (!answer) return false;
      set(isPaymentSheetOpenAtom, true);
      try {
        const { token, lastFour, brand } = await call(cards.sheetToken, {
          sheet: method.id,
          body: { details: answer.details },
        });
        set(cardAtom, { token, lastFour, brand });
        await answer.done(true).catch(() => undefined);
        return true;
      } catch (thrown) {
        await answer.done(false).catch(() => undefined);
        set(showFailureAtom, thrown);
        return false;
      }
    } catch {
      // The sheet did not open: the customer was asked for nothing.
      set(popupAtom, { message: errors.paymentFailed, right: { label: errors.ok } });
      return false;
    } finally {
      if (get(waitAtom) === own) set(isPaymentSheetOpenAtom, false);
    }
  },
);
