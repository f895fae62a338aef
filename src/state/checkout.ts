import * as errorText from '#text/errors.ts';
import * as t from '#text/alive.ts';
import * as orderText from '#text/order.ts';
import * as paymentText from '#text/payment.ts';
import { atom, type Getter } from 'jotai';
import * as z from 'zod/mini';
import { codeOf, isFailure } from '../api/failure.ts';
import { DEADLINE_MS } from '../bridge/deadlines.ts';
import type { PaymentOrder } from '../bridge/hostBridge.ts';
import * as orders from '../contract/orders.ts';
import * as payments from '../contract/payments.ts';
import { addressAt } from '../domain/addressAt.ts';
import { messageOr } from '../domain/alerts.ts';
import { STORE_NOT_AVAILABLE } from '../domain/storeAlert.ts';
import { missingToMinimum } from '../domain/cart.ts';
import { pause } from '../domain/pause.ts';
import { loadCartAtom, setCartOptionsAtom, syncCartAtom } from './cart.ts';
import { deviceHeaders } from './challenge.ts';
import { cartAtom, cartLinesAtom, isCartWaitingAtom } from './first/cart.ts';
import { clockAheadAtom } from './clock.ts';
import { fundsChoiceAtom, wholeModeOf, wishOf } from './funds.ts';
import { askSheetAtom, sheetTrouble } from './hostSheet.ts';
import { journalAtom } from './journal.ts';
import { isSubmittingAtom } from './orders.ts';
import { customerAtom } from './lib/forget.ts';
import { kept } from './first/lib/kept.ts';
import { newId } from './first/lib/ids.ts';
import { isOtherSheet } from './lib/question.ts';
import { remote } from './lib/remote.ts';
import { isLinkedChosenAtom, redeemLinkedAtom, refuseLowLinkedAtom } from './linkedWallets.ts';
import { deliveryPlaceAtom, deliveryTypeAtom, storeIdAtom } from './first/location.ts';
import {
  cancelOrderAtom,
  isMoneyOpen,
  putOrderAtom,
  reportedAtom,
  settleOrderAtom,
  sheetOfAtom,
  sheetQuestion,
} from './orders.ts';
import { popupAtom, sentenceOf, showFailureAtom } from './popup.ts';
import { toastAtom } from './first/toast.ts';
import { countryAtom } from './country.ts';
import { apiAtom, hostAtom, navigateAtom, originAtom } from './first/seams.ts';
import { choiceOfAtom, isChoiceNeeded } from './paymentChoice.ts';
import { cartIdAtom } from './session.ts';
import { storeSelectorPath } from './stores.ts';
import { tableAtom } from './table.ts';
import { slotsState } from './timeSlots.ts';
import { onTrainAtom } from './onTrain.ts';
import { forgetTripAtom } from './station.ts';
import { forgetChosenAtom, vouchersState } from './vouchers.ts';
import { walletSummary } from './wallet.ts';
import { rememberUsualAtom } from './usual.ts';

/** Stored checkout detail, with the names of the specification, section 3. */
const Detail = z.object({ fName: z.string(), lName: z.string(), mobNo: z.string(), email: z.string() });
export type Detail = z.output<typeof Detail>;
const NO_DETAIL: Detail = { fName: '', lName: '', mobNo: '', email: '' };
export const detailAtom = kept<Detail>({
  key: 'checkout-detail',
  schema: Detail,
  initial: NO_DETAIL,
  forget: 'logout',
});

const VehicleDraft = z.object({ colour: z.string(), model: z.string(), lastFourDigits: z.string() });
export type VehicleDraft = z.output<typeof VehicleDraft>;
const NO_VEHICLE: VehicleDraft = { colour: '', model: '', lastFourDigits: '' };
/** VEHICLE_DETAILS of the specification: curbside only. */
export const vehicleAtom = kept<VehicleDraft>({
  key: 'vehicle',
  schema: VehicleDraft,
  initial: NO_VEHICLE,
  forget: 'logout',
});
/** Chosen time slot; null means as soon as possible. */
export const slotIdAtom = kept<string | null>({
  key: 'slot',
  schema: z.nullable(z.string()),
  initial: null,
  forget: 'logout',
});
/** The slot that the page itself has taken, because the store makes nothing at once; '' where a customer has chosen. */
const takenSlotAtom = kept<string>({ key: 'slot-taken', schema: z.string(), initial: '', forget: 'logout' });
/** Ids of delivery instructions; the customer's own words for the rider are in `orderNoteAtom`. */
export const instructionsAtom = kept<readonly string[]>({
  key: 'instructions',
  schema: z.array(z.string()),
  initial: [],
  forget: 'logout',
});
/** Instructions for the rider to choose from. */
export const instructionChoices = remote(
  async (get, _set, signal) => (await get(apiAtom).call(orders.instructions, {}, { signal })).instructions,
);
export const orderNoteAtom = kept<string>({ key: 'order-note', schema: z.string(), initial: '', forget: 'logout' });
/** paymentMode of the specification: what the customer has chosen. */
export const paymentModeAtom = kept<string | null>({
  key: 'payment-mode',
  schema: z.nullable(z.string()),
  initial: null,
  forget: 'logout',
});
/** The version of the terms that was accepted with an order on this device. A newer one has to be accepted again. */
export const acceptedTermsAtom = kept<string>({ key: 'terms', schema: z.string(), initial: '', forget: 'logout' });
const tickedTermsAtom = customerAtom<boolean | null>(null);
/** Never ticked beforehand (product.md C52), except if this very version was accepted before. */
export const termsAcceptedAtom = atom(
  (get): boolean => {
    const version = get(quoteState.atom).data?.termsVersion;
    return get(tickedTermsAtom) ?? (version !== undefined && get(acceptedTermsAtom) === version);
  },
  (_get, set, isAccepted: boolean) => set(tickedTermsAtom, isAccepted),
);
/** The chosen mode, as the server offers it. */
export const chosenOptionAtom = atom((get) => {
  const mode = get(paymentModeAtom);
  return get(optionsState.atom).data?.options.find((option) => option.id === mode);
});
/** The card of this checkout, as the provider's token; never stored. */
export const cardAtom = customerAtom<{ token: string; lastFour: string; brand: string } | null>(null);
/** The card is on its way to the provider. */
export const isCardBusyAtom = customerAtom(false);

/** Where this device orders from and to. */
export function where(get: Getter) {
  const deliveryType = get(deliveryTypeAtom);
  const vehicle = get(vehicleAtom);
  const trip = get(onTrainAtom);
  return {
    // The session's cart: after a login the cart on screen may still be the guest's.
    cartId: get(cartIdAtom) ?? '',
    storeId: get(storeIdAtom),
    deliveryType,
    address: deliveryType === 'DELIVERY' && trip === null ? (get(deliveryPlaceAtom)?.address ?? null) : null,
    vehicle:
      deliveryType === 'CURB' && /^\d{4}$/.test(vehicle.lastFourDigits) && vehicle.colour && vehicle.model
        ? vehicle
        : null,
    table: deliveryType === 'DINEIN' ? get(tableAtom) || null : null,
    slotId: trip === null ? get(slotIdAtom) : null,
    ...(trip === null ? {} : { train: trip.trainOrderId }),
  };
}

export function customerOf(detail: Detail) {
  return {
    firstName: detail.fName,
    lastName: detail.lName,
    mobile: detail.mobNo,
    ...(detail.email ? { email: detail.email } : {}),
  };
}

/** The chosen time is not among those of the store any more. */
const SLOT_GONE = 'SLOT_INVALID';
/** The store makes nothing at once: it is closed, or passes orders for later to another store. */
const LATER_ONLY = ['STORE_CLOSED', STORE_NOT_AVAILABLE];
const isLaterOnly = ({ problems }: { readonly problems: readonly { readonly code: string }[] }) =>
  problems.some(({ code }) => LATER_ONLY.includes(code));
/** Problems, the locked bill and the possible payment modes, from the server (specification section 7, validations). */
export const quoteState = remote(async (get, set, signal) => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const detail = get(detailAtom);
  const mode = get(paymentModeAtom);
  const ask = (slot = {}) =>
    get(apiAtom).call(
      orders.validations,
      {
        body: {
          ...where(get),
          ...slot,
          ...(detail.fName && detail.mobNo ? { customer: customerOf(detail) } : {}),
          ...(mode ? { paymentMode: mode as payments.PaymentOption['id'] } : {}),
          ...get(fundsChoiceAtom),
        },
      },
      { signal, headers: deviceHeaders(get) },
    );
  const isTaken = get(slotIdAtom) !== null && get(slotIdAtom) === get(takenSlotAtom);
  if (isTaken) {
    // For want of anything earlier: once the store is back, the order is for now again.
    const soonest = await ask({ slotId: null });
    if (!isLaterOnly(soonest)) {
      set(slotIdAtom, null);
      void set(slotsState.load);
      return soonest;
    }
  }
  let reply = await ask();
  const gone = reply.problems.find(({ code }) => code === SLOT_GONE);
  if (gone) {
    // The time has passed, or the order goes to another store: nothing on the page shows it any more, so nothing may send it.
    set(slotIdAtom, null);
    if (!isTaken) set(problemsAtom, [gone]);
    void set(slotsState.load);
    reply = await ask();
  }
  if (get(slotIdAtom) !== null || get(onTrainAtom) !== null || !isLaterOnly(reply)) return reply;
  await set(slotsState.load);
  const first = get(slotsState.atom).data?.slots[0]?.id;
  if (first === undefined) return reply;
  set(takenSlotAtom, first);
  set(slotIdAtom, first);
  return await ask();
});

/** Balances pay the whole order: no payment mode has to be chosen. */
export const isWholeAtom = atom((get) => wholeModeOf(get(quoteState.atom).data?.funds) !== null);
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
    options: [...options].sort((a, b) => Number(b.id === last.mode) - Number(a.id === last.mode)),
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

/** So many ways to pay stand below one another without a fold. */
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
  const canPay = (id: string | null) => options.some((one) => one.id === id) && !refused.some((one) => one.id === id);
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

/**
 * True from the tap on Pay until the page knows what comes next: the button shows it and a second tap does nothing.
 * Also set by state/retry.ts.
 */
export const isPlacingAtom = atom(false);
/** What the server refused at the last try, with the fields it is about. */
export const problemsAtom = customerAtom<
  readonly { readonly code: string; readonly displayMsg: string; readonly field?: string | undefined }[]
>([]);

/** Takes another time for the order; null is as soon as possible. */
export const chooseSlotAtom = atom(null, async (_get, set, slotId: string | null): Promise<void> => {
  set(slotIdAtom, slotId);
  set(takenSlotAtom, '');
  set(problemsAtom, (before) => before.filter(({ code }) => code !== SLOT_GONE));
  await set(quoteState.load);
});

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
      label: paymentText.tryAgain,
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
const clearCheckoutAtom = atom(null, (_get, set): void => {
  // The toast may offer to undo a dish, which is ordered now.
  set(toastAtom, null);
  set(cartAtom, null);
  set(loadCartAtom).catch(() => undefined);
  set(slotIdAtom, null);
  set(tableAtom, '');
  set(orderNoteAtom, '');
  set(cardAtom, null);
  if (FULL_MODE) set(forgetChosenAtom);
  if (TRAINS) set(forgetTripAtom);
  set(tickedTermsAtom, null);
});

/**
 * Places the order once, however often Pay is tapped. The journal is written before the call, so that the key in it
 * finds the order again if the answer is lost.
 */
export const placeOrderAtom = atom(
  null,
  async (get, set, { allowDuplicate = false }: { allowDuplicate?: boolean } = {}): Promise<void> => {
    if (get(isPlacingAtom)) return;
    const open = get(journalAtom);
    if (open && open.step !== 'watching') {
      // An earlier payment is still open: it has to be settled first.
      get(navigateAtom).go(open.orderId ? `/order/${open.orderId}` : '/order/open');
      return;
    }
    set(isPlacingAtom, true);
    set(problemsAtom, []);
    try {
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
    } catch (thrown) {
      await set(placingFailedAtom, thrown);
    } finally {
      set(isPlacingAtom, false);
    }
  },
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
  if (codeOf(thrown) === 'TERMS') set(tickedTermsAtom, null);
  if (isFailure(thrown)) set(problemsAtom, thrown.errors);
  // A store that is gone from the country says the same.
  if ([STORE_NOT_AVAILABLE, 'STORE_UNKNOWN'].includes(codeOf(thrown))) set(storeTroubleAtom, sentenceOf(thrown));
  // Once there is an order, it is the order's own page that says what became of it and of the money.
  else set(showFailureAtom, thrown, get(journalAtom) === null ? paymentText.nothingOrdered : undefined);
  // The cart is loaded again, so that a changed price is shown before anything can be paid.
  set(loadCartAtom).catch(() => undefined);
  if (FULL_MODE && /^(WALLET|EGV|FUNDS)_/.test(codeOf(thrown)))
    await Promise.all([set(walletSummary.load), set(vouchersState.load)]);
  await set(quoteState.load);
});

/** Server times become device times: the host's payment sheet counts in those. */
function hostOrder(step: payments.PaymentStep, orderId: string, aheadMs: number): PaymentOrder | null {
  if (step.kind !== 'host') return null;
  const { amount, transactionReferenceId, expiresAt, details } = step;
  return { orderId, amount, transactionReferenceId, expiresAt: expiresAt - aheadMs, details };
}

/** Hands over what the host has signed. The server judges it; without it the server asks the provider all the same. */
const sendReceiptAtom = atom(null, async (get, _set, order: orders.OrderView, receipt: unknown): Promise<void> => {
  const { transactionId } = order;
  await get(apiAtom)
    .call(payments.receipt, { transactionId, body: { receipt: JSON.stringify(receipt) } })
    .catch(() => undefined);
});

/** Says why the host did not open its sheet, and what can be done without a reload. */
const sheetRefusedAtom = atom(null, (_get, set, order: orders.OrderView, inHost: PaymentOrder, message: string): void =>
  set(popupAtom, {
    message,
    second: paymentText.sheetNotOpened,
    left: {
      label: orderText.giveUp,
      act: () => {
        void set(cancelOrderAtom, order.orderId);
      },
    },
    right: {
      label: paymentText.tryAgain,
      act: () => {
        void set(openSheetAtom, order, inHost);
      },
    },
  }),
);

/**
 * Opens the host's payment sheet, in place of one that has not answered. @returns once it has answered, or lies over the
 * page: whoever can tap the page then is not kept waiting for an answer that may never come
 */
const openSheetAtom = atom(null, async (get, set, order: orders.OrderView, inHost: PaymentOrder): Promise<void> => {
  const host = get(hostAtom);
  set(sheetQuestion.drop);
  set(sheetOfAtom, order.transactionId);
  const opened = new AbortController();
  const stopListening = host.on('lifecycle', (state) => state === 'shown' && opened.abort());
  const answer = async () => {
    const said = await set(sheetQuestion.ask, inHost);
    // The word of the server, or of the sheet in its place, is known already.
    if (said.is === 'superseded') return;
    if (said.is === 'failed') {
      if (isOtherSheet(said.thrown)) return;
      // A sheet that did not open took nothing: the order screen offers another try.
      const message = sheetTrouble(said.thrown);
      if (message !== null) set(sheetRefusedAtom, order, inHost, message);
    } else if (said.value.status === 'reported-success' || said.value.status === 'reported-pending') {
      set(reportedAtom, order.transactionId);
      await set(sendReceiptAtom, order, said.value.receipt);
    }
    await set(settleOrderAtom, order);
  };
  await Promise.race([answer(), pause(DEADLINE_MS.opening, opened.signal)]);
  opened.abort();
  stopListening();
});

/**
 * Carries out the payment step that the server has asked for. What a host reports is only a hint: afterwards the server
 * is asked in any case, because only a server-to-server confirmation makes an order paid (specification section 7).
 */
export const continuePaymentAtom = atom(
  null,
  async (get, set, order: orders.OrderView, step: payments.PaymentStep): Promise<void> => {
    const { go } = get(navigateAtom);
    const inHost = hostOrder(step, order.orderId, get(clockAheadAtom));
    if (inHost) {
      go(`/order/${order.orderId}`, { replace: true });
      return await set(openSheetAtom, order, inHost);
    }
    if (FULL_MODE && step.kind === 'linked') return await set(redeemLinkedAtom, order, step);
    if (step.kind === 'none' || !isMoneyOpen(order)) {
      go(`/order/${order.orderId}`, { replace: true });
      return;
    }
    go(`/payment/${order.orderId}`, { replace: true });
    // The bank's page comes at once; whoever comes back without having paid finds the payment's own page.
    if (step.kind === 'redirect' && !step.app) globalThis.location.assign(addressAt(get(originAtom), step.paymentUrl));
  },
);
