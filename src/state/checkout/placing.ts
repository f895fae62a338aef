import * as t from '#text/alive.ts';
import * as errorText from '#text/errors.ts';
import * as firstText from '#text/first.ts';
import * as paymentText from '#text/payment.ts';
import { atom, type Getter } from 'jotai';
import { codeOf, isFailure } from '../../api/failure.ts';
import * as orders from '../../contract/orders.ts';
import * as payments from '../../contract/payments.ts';
import { messageOr } from '../../domain/alerts.ts';
import { missingToMinimum } from '../../domain/cart.ts';
import { STORE_NOT_AVAILABLE } from '../../domain/storeAlert.ts';
import { countryAtom } from '../base/country.ts';
import { isSlowAtom } from '../base/network.ts';
import { popupAtom, sentenceOf, showFailureAtom } from '../base/popup.ts';
import { cartIdAtom } from '../base/session.ts';
import { loadCartAtom } from '../cart/cart.ts';
import { rememberUsualAtom } from '../cart/usual.ts';
import { cardAtom } from '../drafts/card.ts';
import { deviceHeaders } from '../consent/challenge.ts';
import { customerOf, detailAtom } from '../drafts/detail.ts';
import { paymentModeAtom } from '../drafts/mode.ts';
import { instructionsAtom, orderNoteAtom } from '../drafts/note.ts';
import { choiceOfAtom, isChoiceNeeded } from '../drafts/paymentChoice.ts';
import { slotIdAtom } from '../drafts/slot.ts';
import { tableAtom } from '../drafts/table.ts';
import { slotsState } from '../drafts/timeSlots.ts';
import { cartAtom, cartLinesAtom } from '../first/cart.ts';
import { newId } from '../first/lib/ids.ts';
import { deliveryTypeAtom } from '../first/location.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { toastAtom } from '../first/toast.ts';
import { journalAtom } from '../orders/journal.ts';
import { isSubmittingAtom, putOrderAtom } from '../orders/orders.ts';
import { wholeModeOf, wishOf } from '../payment/funds.ts';
import { askSheetAtom } from '../payment/hostSheet.ts';
import { isLinkedChosenAtom, refuseLowLinkedAtom } from '../payment/linkedWallets.ts';
import { forgetChosenAtom, vouchersState } from '../payment/vouchers.ts';
import { walletSummary } from '../payment/wallet.ts';
import { storeSelectorPath } from '../places/stores.ts';
import { forgetTripAtom } from '../trains/station.ts';
import { optionsState } from './modes.ts';
import { continuePaymentAtom } from './paymentStep.ts';
import { problemsAtom, quoteState, where } from './quote.ts';
import { tasks } from '../base/task.ts';
import { acceptedTermsAtom, forgetTickAtom, termsAcceptedAtom } from './terms.ts';

/**
 * From the tap on Pay until the page knows what comes next: the button shows it and a second tap does nothing. What
 * state/after/anotherAttempt.ts pays belongs to it, too.
 */
export const placing = tasks({ isCustomers: false });
/** Asks whether the customer really wants to order the same again. */
const askDuplicateAtom = atom(null, (_get, set, message: string | undefined): void =>
  set(popupAtom, {
    message: message || errorText.duplicateOrder,
    left: { label: t.orderAgainNo },
    right: {
      label: t.orderAgain,
      act: () => {
        void set(placeOrderAtom, { allowDuplicate: true });
      },
    },
  }),
);
/** Says why nothing was ordered: the host cannot open its payment. */
const noSheetAtom = atom(null, (_get, set, message: string): void =>
  set(popupAtom, {
    message,
    second: paymentText.sheetNoOrder,
    left: { label: t.loginNotNow },
    right: {
      label: firstText.tryAgain,
      act: () => {
        void set(placeOrderAtom);
      },
    },
  }),
);
/** What is about to be ordered; null if the page already says why it cannot be. */
function readyOrder(get: Getter) {
  const quote = get(quoteState.atom).data;
  const cart = get(cartAtom);
  // Balances that pay the whole order need no other mode.
  const whole = wholeModeOf(quote?.funds);
  const mode = whole ?? (get(paymentModeAtom) as payments.PaymentOption['id'] | null);
  if (!quote || !cart || !mode || missingToMinimum(quote.quote.bill, get(countryAtom).minimumOrder) > 0) return null;
  return { quote, cart, mode, isWhole: whole !== null };
}
function bodyOf(get: Getter, { quote, mode }: NonNullable<ReturnType<typeof readyOrder>>, allowDuplicate: boolean) {
  const card = get(cardAtom);
  const option = get(optionsState.atom).data?.options.find((one) => one.id === mode);
  const choice = get(choiceOfAtom)(option);
  const note = get(orderNoteAtom);
  const funds = wishOf(quote.funds);
  return {
    ...where(get),
    customer: customerOf(get(detailAtom)),
    paymentMode: mode,
    cartVersion: quote.quote.cartVersion,
    total: quote.quote.bill.total,
    instructions: [...get(instructionsAtom)],
    ...(note ? { note } : {}),
    ...(allowDuplicate ? { allowDuplicate } : {}),
    termsAccepted: get(termsAcceptedAtom),
    termsVersion: quote.termsVersion,
    ...(mode === 'CARD' && card ? { cardToken: card.token } : {}),
    ...(funds ? { funds } : {}),
    ...(FULL_MODE && get(isLinkedChosenAtom)(mode) ? { linked: true } : {}),
    ...(choice && isChoiceNeeded(option) ? { paymentChoice: choice.id } : {}),
  };
}
/** Clears what was chosen for the order that has just been placed. */
const clearCheckoutAtom = atom(null, (get, set): void => {
  // The toast may offer to undo a dish, which is ordered now.
  set(toastAtom, null);
  set(cartAtom, null);
  // On a slow line it is asked for when it is opened, or with its next dish.
  if (!get(isSlowAtom)) set(loadCartAtom).catch(() => undefined);
  set(slotIdAtom, null);
  set(tableAtom, '');
  set(orderNoteAtom, '');
  set(cardAtom, null);
  if (FULL_MODE) set(forgetChosenAtom);
  if (TRAINS) set(forgetTripAtom);
  set(forgetTickAtom);
});
/**
 * Places the order once, however often Pay is tapped. The journal is written before the call, so that the key in it
 * finds the order again if the answer is lost.
 */
export const placeOrderAtom = placing.task<[{ allowDuplicate?: boolean }?]>(
  async (get, set, { allowDuplicate = false } = {}): Promise<void> => {
    const open = get(journalAtom);
    if (open && open.step !== 'watching') {
      // An earlier payment is still open: it has to be settled first.
      get(navigateAtom).go(open.orderId ? `/order/${open.orderId}` : '/order/open');
      return;
    }
    set(problemsAtom, []);
    const { call } = get(apiAtom);
    const ready = readyOrder(get);
    if (!ready) return;
    if (FULL_MODE && (await set(refuseLowLinkedAtom, ready.mode, ready.quote.funds.rest))) return;
    // What balances pay whole needs no sheet.
    const trouble = ready.isWhole ? null : await set(askSheetAtom, ready.mode);
    if (trouble !== null) return set(noSheetAtom, trouble);
    if (!allowDuplicate) {
      const duplicate = await call(orders.checkDuplicate, { body: { cartId: get(cartIdAtom) ?? ready.cart.cartId } });
      if (duplicate.isDuplicate) return set(askDuplicateAtom, duplicate.message);
    }
    const lines = get(cartLinesAtom)
      .filter((line) => line.priced && !line.priced.free && !line.by)
      .map((line) => line.input);
    const key = newId();
    set(isSubmittingAtom, true);
    set(journalAtom, { key, orderId: null, step: 'submitting', at: Date.now() });
    const reply = await call(
      orders.submit,
      { body: bodyOf(get, ready, allowDuplicate) },
      { idempotencyKey: key, headers: { ...deviceHeaders(get), returnpath: new URL(document.baseURI).pathname } },
    ).finally(() => set(isSubmittingAtom, false));
    set(journalAtom, { key, orderId: reply.order.orderId, step: 'paying', at: Date.now() });
    set(acceptedTermsAtom, ready.quote.termsVersion);
    set(putOrderAtom, reply.order, reply.next);
    set(rememberUsualAtom, lines);
    set(clearCheckoutAtom);
    await set(continuePaymentAtom, reply.order, reply.next);
  },
  { failed: (_get, set, thrown) => set(placingFailedAtom, thrown) },
);
/** The store has stopped taking orders: the answer to the alert opens the store selector (specification section 8). */
const storeTroubleAtom = atom(null, (get, set, message: string): void => {
  const { go } = get(navigateAtom);
  const type = get(deliveryTypeAtom);
  set(popupAtom, {
    header: errorText.oops,
    message,
    second: paymentText.nothingOrdered,
    left: { label: t.loginNotNow },
    right: { label: paymentText.storeOther, act: () => go(storeSelectorPath(type)) },
  });
});
const placingFailedAtom = atom(null, async (get, set, thrown: unknown) => {
  const journal = get(journalAtom);
  const isAnswerLost = !isFailure(thrown) || !['refused', 'expired', 'unrefreshed'].includes(thrown.kind);
  if (journal?.step === 'submitting' && isAnswerLost) {
    set(popupAtom, { message: errorText.submitUnknown, right: { label: errorText.ok } });
    get(navigateAtom).go('/order/open');
    return;
  }
  if (journal?.step === 'submitting') set(journalAtom, null);
  if (codeOf(thrown) === 'DUPLICATE_ORDER')
    return set(askDuplicateAtom, isFailure(thrown) ? messageOr(thrown.errors[0], '') : '');
  // The terms have changed since they were shown.
  if (codeOf(thrown) === 'TERMS') set(forgetTickAtom);
  if (isFailure(thrown)) set(problemsAtom, thrown.errors);
  // A store that is gone from the country says the same.
  if ([STORE_NOT_AVAILABLE, 'STORE_UNKNOWN'].includes(codeOf(thrown))) {
    void set(slotsState.load);
    set(storeTroubleAtom, sentenceOf(thrown));
  }
  // Once there is an order, it is the order's own page that says what became of it and of the money.
  else set(showFailureAtom, thrown, get(journalAtom) === null ? paymentText.nothingOrdered : undefined);
  // The cart is loaded again, so that a changed price is shown before anything can be paid.
  set(loadCartAtom).catch(() => undefined);
  if (FULL_MODE && /^(WALLET|EGV|FUNDS)_/.test(codeOf(thrown)))
    await Promise.all([set(walletSummary.load), set(vouchersState.load)]);
  await set(quoteState.load);
});
