import { atom, type Getter } from 'jotai';
import * as z from 'zod/mini';
import { codeOf, isFailure } from '../api/failure.ts';
import type { PaymentOrder } from '../bridge/hostBridge.ts';
import * as orders from '../contract/orders.ts';
import * as payments from '../contract/payments.ts';
import { missingToMinimum } from '../domain/cart.ts';
import { DUPLICATE_ORDER, SUBMIT_UNKNOWN } from '../domain/messages.ts';
import { cartAtom, cartLinesAtom, isCartWaitingAtom, loadCartAtom, putCartAtom, syncCartAtom } from './cart.ts';
import { clockAheadAtom } from './clock.ts';
import { fundsChoiceAtom, wholeModeOf, wishOf } from './funds.ts';
import { isSubmittingAtom, journalAtom } from './journal.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { kept } from './lib/kept.ts';
import { newId } from './lib/ids.ts';
import { remote } from './lib/remote.ts';
import { isLinkedChosenAtom, redeemLinkedAtom } from './linkedWallets.ts';
import { deliveryPlaceAtom, deliveryTypeAtom, storeIdAtom } from './location.ts';
import { isMoneyOpen, putOrderAtom, reportedAtom, settleOrderAtom } from './orders.ts';
import { popupAtom, showFailureAtom, toastAtom } from './popup.ts';
import { apiAtom, countryAtom, hostAtom, navigateAtom } from './seams.ts';
import { cartIdAtom } from './session.ts';
import { forgetChosenAtom, vouchersState } from './vouchers.ts';
import { walletSummary } from './wallet.ts';
import { rememberUsualAtom } from './widgets.ts';

/** Stored checkout detail, spelled as in the specification, section 3. */
const Detail = z.object({ fName: z.string(), lName: z.string(), mobNo: z.string(), email: z.string() });
export type Detail = z.output<typeof Detail>;
const NO_DETAIL: Detail = { fName: '', lName: '', mobNo: '', email: '' };
export const detailAtom = kept<Detail>({ key: 'checkout-detail', schema: Detail, initial: NO_DETAIL, forget: 'logout' });

const VehicleDraft = z.object({ colour: z.string(), model: z.string(), lastFourDigits: z.string() });
export type VehicleDraft = z.output<typeof VehicleDraft>;
const NO_VEHICLE: VehicleDraft = { colour: '', model: '', lastFourDigits: '' };
/** VEHICLE_DETAILS of the specification: curbside only. */
export const vehicleAtom = kept<VehicleDraft>({ key: 'vehicle', schema: VehicleDraft, initial: NO_VEHICLE, forget: 'logout' });
export const tableAtom = kept<string>({ key: 'table', schema: z.string(), initial: '', forget: 'logout' });
/** Chosen time slot; null means as soon as possible. */
export const slotIdAtom = kept<string | null>({ key: 'slot', schema: z.nullable(z.string()), initial: null, forget: 'logout' });
/** Ids of delivery instructions, and the customer's own words for the rider. */
export const instructionsAtom = kept<readonly string[]>({ key: 'instructions', schema: z.array(z.string()) as unknown as z.ZodMiniType<readonly string[]>, initial: [], forget: 'logout' });
export const orderNoteAtom = kept<string>({ key: 'order-note', schema: z.string(), initial: '', forget: 'logout' });
/** paymentMode of the specification; what was chosen, not what is charged. */
export const paymentModeAtom = kept<string | null>({ key: 'payment-mode', schema: z.nullable(z.string()), initial: null, forget: 'logout' });
/** Never preselected (product.md C52). */
export const termsAcceptedAtom = forgotten(false);
/** Card of this checkout, as the provider's token; never kept. */
export const cardAtom = forgotten<{ token: string; lastFour: string; brand: string } | null>(null);

function where(get: Getter) {
  const deliveryType = get(deliveryTypeAtom);
  const vehicle = get(vehicleAtom);
  return {
    // The session's: a login has moved the cart, and the priced one on screen may still be the guest's.
    cartId: get(cartIdAtom) ?? '',
    storeId: get(storeIdAtom),
    deliveryType,
    address: deliveryType === 'DELIVERY' ? get(deliveryPlaceAtom)?.address ?? null : null,
    vehicle: deliveryType === 'CURB' && /^\d{4}$/.test(vehicle.lastFourDigits) && vehicle.colour && vehicle.model ? vehicle : null,
    table: deliveryType === 'DINEIN' ? get(tableAtom) || null : null,
    slotId: get(slotIdAtom),
  };
}

function customerOf(detail: Detail) {
  return { firstName: detail.fName, lastName: detail.lName, mobile: detail.mobNo, ...(detail.email ? { email: detail.email } : {}) };
}

/** Problems, locked bill and possible modes, from the server (specification section 7, validations). */
export const quoteState = remote(async (get, set, signal) => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const detail = get(detailAtom);
  const mode = get(paymentModeAtom);
  return get(apiAtom).call(orders.validations, {
    body: {
      ...where(get),
      ...(detail.fName && detail.mobNo ? { customer: customerOf(detail) } : {}),
      ...(mode ? { paymentMode: mode as payments.PaymentOption['id'] } : {}),
      ...get(fundsChoiceAtom),
    },
  }, { signal });
});

/** Modes of this country and host; the last successful one first, never charged by itself. */
export const optionsState = remote(async (get, _set, signal) => {
  const { call } = get(apiAtom);
  const [{ options, funds, linkable }, last] = await Promise.all([
    call(payments.options, {}, { signal }),
    call(payments.lastSuccessful, {}, { signal }).catch(() => ({ mode: null })),
  ]);
  return { options: options.toSorted((a, b) => Number(b.id === last.mode) - Number(a.id === last.mode)), last: last.mode, funds, linkable };
});

/** Held by whoever places an order or pays for it: this file and state/retry.ts. */
export const isPlacingHeldAtom = atom(false);
/** From the tap on Pay until the page knows what comes next: the button says so and a second tap does nothing. */
export const isPlacingAtom = atom((get) => get(isPlacingHeldAtom));
/** The server's problems with the last try, for the fields they are about. */
export const problemsAtom = forgotten<readonly { readonly code: string; readonly displayMsg: string; readonly field?: string | undefined }[]>([]);

/**
 * Places the order once, however often it is tapped. The journal is written before the call, so that a lost answer is
 * found again by its key; nothing is lost and nothing is placed twice.
 */
export const placeOrderAtom = atom(null, async (get, set, { allowDuplicate = false }: { allowDuplicate?: boolean } = {}): Promise<void> => {
  if (get(isPlacingHeldAtom)) return;
  const open = get(journalAtom);
  if (open && open.step !== 'watching') {
    // Something about money is still open: that is settled before anything else is offered.
    get(navigateAtom).go(open.orderId ? `/order/${open.orderId}` : '/order/open');
    return;
  }
  set(isPlacingHeldAtom, true);
  set(problemsAtom, []);
  try {
    const { call } = get(apiAtom);
    const quote = get(quoteState.atom).data;
    const cart = get(cartAtom);
    // Balances that pay for everything need no other mode.
    const mode = wholeModeOf(quote?.funds) ?? get(paymentModeAtom) as payments.PaymentOption['id'] | null;
    if (!quote || !cart || !mode) return;
    // The page says so already, among the quote's problems.
    if (missingToMinimum(quote.quote.bill, get(countryAtom).minimumOrder) > 0) return;
    if (!allowDuplicate) {
      const duplicate = await call(orders.checkDuplicate, { body: { cartId: get(cartIdAtom) ?? cart.cartId } });
      if (duplicate.isDuplicate) {
        set(popupAtom, {
          message: duplicate.message ?? DUPLICATE_ORDER,
          left: { label: 'No' },
          right: { label: 'Yes, order again', act: () => { void set(orderAgainAtom); } },
        });
        return;
      }
    }
    const lines = get(cartLinesAtom).filter((line) => line.priced && !line.priced.free && !line.by).map((line) => line.input);
    const key = newId();
    set(isSubmittingAtom, true);
    set(journalAtom, { key, orderId: null, step: 'submitting', at: Date.now() });
    const card = get(cardAtom);
    const note = get(orderNoteAtom);
    const funds = wishOf(quote.funds);
    const reply = await call(orders.submit, {
      body: {
        ...where(get),
        customer: customerOf(get(detailAtom)),
        paymentMode: mode,
        cartVersion: quote.quote.cartVersion,
        total: quote.quote.bill.total,
        instructions: [...get(instructionsAtom)],
        ...(note ? { note } : {}),
        ...(allowDuplicate ? { allowDuplicate } : {}),
        termsAccepted: get(termsAcceptedAtom),
        ...(mode === 'CARD' && card ? { cardToken: card.token } : {}),
        ...(funds ? { funds } : {}),
        ...(get(isLinkedChosenAtom)(mode) ? { linked: true } : {}),
      },
    }, { idempotencyKey: key, headers: { returnpath: new URL(document.baseURI).pathname } }).finally(() => set(isSubmittingAtom, false));
    set(journalAtom, { key, orderId: reply.order.orderId, step: 'paying', at: Date.now() });
    set(putOrderAtom, reply.order, reply.next);
    // "Undo" of a dish that is ordered would undo nothing.
    set(toastAtom, null);
    set(rememberUsualAtom, lines);
    set(putCartAtom, null);
    set(loadCartAtom).catch(() => undefined);
    set(slotIdAtom, null);
    set(orderNoteAtom, '');
    set(cardAtom, null);
    set(forgetChosenAtom);
    set(termsAcceptedAtom, false);
    await set(continuePaymentAtom, reply.order, reply.next);
  } catch (thrown) {
    await set(placingFailedAtom, thrown);
  } finally {
    set(isPlacingHeldAtom, false);
  }
});

/** An atom that sets itself only replaces its own value, so the question before it leads through this one. */
const orderAgainAtom = atom(null, (_get, set): Promise<void> => set(placeOrderAtom, { allowDuplicate: true }));

const placingFailedAtom = atom(null, async (get, set, thrown: unknown) => {
  const journal = get(journalAtom);
  const isAnswerLost = !isFailure(thrown) || !['refused', 'expired', 'unrefreshed'].includes(thrown.kind);
  if (journal?.step === 'submitting' && isAnswerLost) {
    set(popupAtom, { message: SUBMIT_UNKNOWN, right: { label: 'OK' } });
    get(navigateAtom).go('/order/open');
    return;
  }
  if (journal?.step === 'submitting') set(journalAtom, null);
  if (codeOf(thrown) === 'DUPLICATE_ORDER') {
    set(popupAtom, {
      message: isFailure(thrown) ? thrown.errors[0]?.displayMsg ?? DUPLICATE_ORDER : DUPLICATE_ORDER,
      left: { label: 'No' },
      right: { label: 'Yes, order again', act: () => { void set(placeOrderAtom, { allowDuplicate: true }); } },
    });
    return;
  }
  if (isFailure(thrown)) set(problemsAtom, thrown.errors);
  set(showFailureAtom, thrown);
  // A changed price or cart is shown anew before anything can be paid.
  set(loadCartAtom).catch(() => undefined);
  if (/^(WALLET|EGV|FUNDS)_/.test(codeOf(thrown))) await Promise.all([set(walletSummary.load), set(vouchersState.load)]);
  await set(quoteState.load);
});

/** Times of the server become the device's: the host's sheet counts with that. */
function hostOrder(step: payments.PaymentStep, orderId: string, aheadMs: number): PaymentOrder | null {
  if (step.kind === 'gpay') {
    return {
      kind: 'upi', orderId, amount: step.amount, payeeVpa: step.payeeVpa, payeeName: step.payeeName, mcc: step.mcc,
      transactionReferenceId: step.transactionReferenceId, referenceUrl: step.referenceUrl, note: step.note,
    };
  }
  if (step.kind === 'paytm' && step.paymentUrl === null) {
    return { kind: 'paytm', orderId, transactionReferenceId: step.orderId, amount: step.amount, mid: step.mid, txnToken: step.txnToken, expiresAt: step.expiresAt - aheadMs };
  }
  if (step.kind === 'host') {
    const { amount, transactionReferenceId, expiresAt, details } = step;
    return { kind: 'host', orderId, amount, transactionReferenceId, expiresAt: expiresAt - aheadMs, details };
  }
  return null;
}

/**
 * Does what the server asked for next. What a host reports is only a hint: the server is asked afterwards, whatever the
 * report says (specification section 7; only a server-to-server confirmation makes an order paid).
 */
export const continuePaymentAtom = atom(null, async (get, set, order: orders.OrderView, step: payments.PaymentStep): Promise<void> => {
  const { go } = get(navigateAtom);
  const inHost = hostOrder(step, order.orderId, get(clockAheadAtom));
  if (inHost) {
    go(`/order/${order.orderId}`, { replace: true });
    try {
      const { status } = await get(hostAtom).requestPayment(inHost);
      if (status === 'reported-success' || status === 'reported-pending') set(reportedAtom, order.transactionId);
    } catch (thrown) {
      // The sheet did not open: nothing was paid, and the order screen offers to try again.
      if ((thrown as { code?: string }).code !== 'BUSY') await set(settleOrderAtom, order);
      return;
    }
    await set(settleOrderAtom, order);
    return;
  }
  if (step.kind === 'linked') return await set(redeemLinkedAtom, order, step);
  if (step.kind === 'none' || !isMoneyOpen(order)) {
    go(`/order/${order.orderId}`, { replace: true });
    return;
  }
  go(`/payment/${order.orderId}`, { replace: true });
});
