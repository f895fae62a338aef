import { atom } from 'jotai';
import * as payments from '../../contract/payments.ts';
import { setCartOptionsAtom } from '../cart/cart.ts';
import { payableHereAtom } from '../drafts/elsewhere.ts';
import { paymentModeAtom } from '../drafts/mode.ts';
import { apiAtom, hostAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { quoteState } from './quote.ts';

/** The chosen mode, as the server offers it. */
export const chosenOptionAtom = atom((get) => {
  const mode = get(paymentModeAtom);
  return get(optionsState.atom).data?.options.find((option) => option.id === mode);
});
/** A mini-app's page opened in a plain tab: its payment app is not there, and no other way to pay may be shown. */
export const isStrandedAtom = atom((get) => !get(hostAtom).hosted && get(hostAtom).partner !== '');
/** Payment modes of this country and host; the last successful one comes first. */
export const optionsState = remote(async (get, _set, signal) => {
  const { call } = get(apiAtom);
  const [{ options, funds, linkable, cardFields }, last] = await Promise.all([
    call(payments.options, {}, { signal }),
    call(payments.lastSuccessful, {}, { signal }).catch(() => ({ mode: null })),
  ]);
  return {
    options: (FULL_MODE ? get(payableHereAtom)(options) : [...options]).sort(
      (a, b) => Number(b.id === last.mode) - Number(a.id === last.mode),
    ),
    last: last.mode,
    funds,
    linkable,
    cardFields,
  };
});
/** Chooses how to pay. The server checks the offers for this mode before it asks for the money. */
export const choosePaymentModeAtom = atom(null, async (_get, set, id: string): Promise<void> => {
  set(paymentModeAtom, id);
  set(setCartOptionsAtom, { paymentMode: id });
  await set(quoteState.load);
});
/** Ways to pay that stand below one another without a fold. */
export const MODES_SHOWN = 3;
/** What the customer, or the page once it knows which mode is chosen, has decided; null until then. */
const modesOpenAtom = customerAtom<boolean | null>(null);
/**
 * The ways to pay are shown in full, or only the chosen one with a few others. Nothing folds under a finger: what was
 * tapped meanwhile stays as it was seen. `null` leaves it to the page again.
 */
export const areModesOpenAtom = atom(
  (get) => {
    const { options = [], last = null } = get(optionsState.atom).data ?? {};
    return get(modesOpenAtom) ?? ((get(paymentModeAtom) ?? last) === null || options.length <= MODES_SHOWN);
  },
  (_get, set, isOpen: boolean | null) => set(modesOpenAtom, isOpen),
);
/**
 * Once options and bill are there: a mode that cannot pay this order is not chosen, the only one or the one used last
 * is. Choosing never charges anything.
 */
export const presetModeAtom = atom(null, async (get, set): Promise<void> => {
  const offered = get(optionsState.atom).data;
  if (!offered) return;
  const { options, last } = offered;
  const refused = get(quoteState.atom).data?.modes.filter((one) => one.disabledReason !== undefined) ?? [];
  const canPay = (id: string | null) =>
    options.some((one) => one.id === id && one.disabledReason === undefined) && !refused.some((one) => one.id === id);
  const chosen = get(paymentModeAtom);
  // A host with a single mode leaves nothing to choose.
  if (options.length === 1 && options[0]) set(paymentModeAtom, options[0].id);
  else if (!canPay(chosen)) {
    if (last !== null && canPay(last)) await set(choosePaymentModeAtom, last);
    else {
      set(paymentModeAtom, null);
      // What was refused about the mode is not said any more.
      if (chosen !== null) await set(quoteState.load);
    }
  }
  if (get(modesOpenAtom) === null) set(modesOpenAtom, get(paymentModeAtom) === null || options.length <= MODES_SHOWN);
});
