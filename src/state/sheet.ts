import { atom } from 'jotai';
import { decimal } from '../bridge/payment.ts';
import { hasSheet, openSheet, type SheetAmount, type SheetMethod } from '../bridge/paymentSheet.ts';
import * as cards from '../contract/cards.ts';
import type { Money } from '../contract/money.ts';
import { OK, PAYMENT_FAILED } from '../domain/messages.ts';
import { cardAtom } from './checkout.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { popupAtom, showFailureAtom } from './popup.ts';
import { apiAtom, countryAtom, hostAtom } from './seams.ts';

const page = () => globalThis.window as (Window & typeof globalThis) | undefined;
const amountAtom = atom((get) => (amount: Money): SheetAmount => ({ label: get(countryAtom).appName, currency: get(countryAtom).CURRENCY_CODE, value: decimal(amount) }));
const ANY = 100 as Money;

/**
 * Sheets of the browser that this shop is registered for and that have something to pay with: none in a host that allows no
 * other payment, and none is asked for where the browser has no such interface.
 */
export const sheetsState = remote(async (get, _set, signal) => {
  const host = get(hostAtom);
  const win = page();
  if (host.forbids.has('other-payment') || host.partner !== '' || typeof win?.PaymentRequest !== 'function') return [];
  const { methods } = await get(apiAtom).call(cards.sheets, {}, { signal });
  const here = await Promise.all(methods.map((method) => hasSheet(win, method, get(amountAtom)(ANY))));
  return methods.filter((_method, index) => here[index]);
});

export const isSheetOpenAtom = forgotten(false);

/** One tap: the sheet, then the bank's token for what it gave. Answers whether a card is there to pay with. */
export const takeSheetAtom = atom(null, async (get, set, method: SheetMethod, amount: Money): Promise<boolean> => {
  const win = page();
  if (get(isSheetOpenAtom) || !win) return false;
  set(isSheetOpenAtom, true);
  const { call } = get(apiAtom);
  try {
    const session = async (validationUrl: string) => (await call(cards.sheetSession, { sheet: method.id, body: { validationUrl } })).session;
    const answer = await openSheet(win, method, get(amountAtom)(amount), session);
    if (!answer) return false;
    try {
      const { token, lastFour, brand } = await call(cards.sheetToken, { sheet: method.id, body: { details: answer.details } });
      set(cardAtom, { token, lastFour, brand });
      await answer.done(true).catch(() => undefined);
      return true;
    } catch (thrown) {
      await answer.done(false).catch(() => undefined);
      set(showFailureAtom, thrown);
      return false;
    }
  } catch {
    // It did not open: nothing was asked of anybody.
    set(popupAtom, { message: PAYMENT_FAILED, right: { label: OK } });
    return false;
  } finally {
    set(isSheetOpenAtom, false);
  }
});
