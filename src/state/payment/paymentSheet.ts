import { atom } from 'jotai';
import { decimal } from '../../bridge/payment/payment.ts';
import { hasSheet, openSheet, type SheetAmount, type SheetMethod } from '../../bridge/payment/paymentSheet.ts';
import * as cards from '../../contract/cards.ts';
import type { Money } from '../../contract/money.ts';
import * as errors from '#text/errors.ts';
import { cardAtom } from '../drafts/card.ts';
import { customerAtom } from '../lib/forget.ts';
import { question } from '../lib/question.ts';
import { remote } from '../lib/remote.ts';
import { showFailureAtom } from '../base/popup.ts';
import { popupAtom } from '../base/popup.ts';
import { countryAtom } from '../base/country.ts';
import { apiAtom, hostAtom } from '../first/seams.ts';

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

/** With which card of the phone's or browser's own sheet. */
const cardQuestion = question(async (get, signal, method: SheetMethod, amount: Money) => {
  const session = async (validationUrl: string) =>
    (await get(apiAtom).call(cards.sheetSession, { sheet: method.id, body: { validationUrl } })).session;
  return await openSheet(window, method, get(amountAtom)(amount), session, signal);
});
/** What a sheet has given is being exchanged. */
const isExchangingAtom = customerAtom(false);
/** A sheet that has not answered for a while counts as none: a tap that reaches the page opens another one. */
export const isPaymentSheetOpenAtom = atom((get) => get(cardQuestion.atom) === 'asked' || get(isExchangingAtom));

/**
 * Opens the sheet and exchanges what it gives for the bank's token. @returns whether there is a card to pay with on the
 * page that has asked
 */
export const takePaymentSheetAtom = atom(
  null,
  async (get, set, method: SheetMethod, amount: Money): Promise<boolean> => {
    if (get(isPaymentSheetOpenAtom) || !page()) return false;
    const answer = await set(cardQuestion.ask, method, amount);
    if (answer.is === 'failed') {
      // The sheet did not open: the customer was asked for nothing.
      set(popupAtom, { message: errors.paymentFailed, right: { label: errors.ok } });
      return false;
    }
    if (answer.is === 'superseded' || answer.value === null) return false;
    const { details, done } = answer.value;
    // Whoever has gone elsewhere pays nothing there.
    if (!answer.isHere()) {
      await done(false).catch(() => undefined);
      return false;
    }
    set(isExchangingAtom, true);
    try {
      const body = { details };
      const { token, lastFour, brand } = await get(apiAtom).call(cards.sheetToken, { sheet: method.id, body });
      set(cardAtom, { token, lastFour, brand });
      await done(true).catch(() => undefined);
      return answer.isHere();
    } catch (thrown) {
      await done(false).catch(() => undefined);
      set(showFailureAtom, thrown);
      return false;
    } finally {
      set(isExchangingAtom, false);
    }
  },
);
