import { atom } from 'jotai';
import { codeOf, isFailure } from '../api/failure.ts';
import * as contract from '../contract/orders.ts';
import * as payments from '../contract/payments.ts';
import * as tracking from '../contract/tracking.ts';
import { isFinal } from '../domain/orders.ts';
import { isSubmittingAtom, journalAtom } from './journal.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { newId } from './lib/ids.ts';
import { showFailureAtom, toastMessageAtom } from './popup.ts';
import { apiAtom, hostAtom, navigateAtom, placeAtom } from './seams.ts';

/** The order being looked at: paid, tracked, cancelled. One at a time. */
const heldAtom = forgotten<contract.OrderView | null>(null);
export const orderAtom = atom((get) => get(heldAtom));
/** What the page has to do next for it; null once the server needs nothing more from the page. */
export const nextStepAtom = forgotten<payments.PaymentStep | null>(null);

/** The server does not know yet what became of the money. */
export const isMoneyOpen = (order: contract.OrderView) => order.orderStatus === 'PENDING';

/** Takes an order as the server last told it, and moves the journal along with it. */
export const putOrderAtom = atom(null, (get, set, order: contract.OrderView, next?: payments.PaymentStep | null) => {
  set(heldAtom, order);
  if (next !== undefined) set(nextStepAtom, next);
  if (isMoneyOpen(order)) return;
  set(nextStepAtom, null);
  const journal = get(journalAtom);
  if (journal?.orderId === order.orderId) {
    set(journalAtom, isFinal(order.orderStatus) ? null : { ...journal, step: 'watching' });
    void get(hostAtom).paymentSettled(order.orderId);
  }
});

/** Reads an order; `remote` keeps what is shown while it is read again. */
export const orderState = remote(async (get, set, signal, orderId: string) => {
  const { order } = await get(apiAtom).call(contract.byId, { orderId }, { signal });
  set(putOrderAtom, order);
  return order.orderId;
});

/** Asks the provider through the server what became of the money; quiet on a bad network: the next poll asks again. */
export const settleOrderAtom = atom(null, async (get, set, order: contract.OrderView): Promise<contract.OrderView> => {
  try {
    const reply = await get(apiAtom).call(contract.confirm, { body: { orderId: order.orderId, transactionId: order.transactionId } });
    set(putOrderAtom, reply.order, reply.next);
    return reply.order;
  } catch (thrown) {
    if (!isFailure(thrown) || thrown.kind === 'refused') set(showFailureAtom, thrown);
    return order;
  }
});

/** A submit that a killed page left behind may still arrive: for as long as a call may take, not found is not an answer. */
const SUBMIT_SETTLES_MS = 35_000;

/**
 * First thing after a reload, a killed webview or an offline spell: what became of the order under way
 * (product.md 3.1, 3.2). Never rejects; on a bad network the journal stays and the next call asks again.
 */
export const settleJournalAtom = atom(null, async (get, set): Promise<void> => {
  const journal = get(journalAtom);
  if (!journal || journal.orderId === null && get(isSubmittingAtom)) return;
  const { call } = get(apiAtom);
  const leaveOpen = (path: string) => { if (get(placeAtom).startsWith('/order/open')) get(navigateAtom).go(path, { replace: true }); };
  try {
    if (journal.orderId === null) {
      const reply = await call(contract.byKey, { key: journal.key });
      set(journalAtom, { ...journal, orderId: reply.order.orderId, step: 'paying' });
      set(putOrderAtom, reply.order, reply.next);
      leaveOpen(`/order/${reply.order.orderId}`);
      return;
    }
    const { order } = await call(contract.byId, { orderId: journal.orderId });
    set(putOrderAtom, order);
    if (isMoneyOpen(order)) await set(settleOrderAtom, order);
  } catch (thrown) {
    if (codeOf(thrown) !== 'NOT_FOUND' || journal.orderId === null && Date.now() - journal.at < SUBMIT_SETTLES_MS) return;
    // The server never saw that order: the cart is as it was, and paying again is safe.
    if (get(journalAtom)?.key === journal.key) set(journalAtom, null);
    if (journal.orderId !== null) return;
    set(toastMessageAtom, 'Your order had not reached us, and no money was taken. Your cart is as you left it.');
    leaveOpen('/cart');
  }
});

export const cancelOrderAtom = atom(null, async (get, set, orderId: string) => {
  try {
    const { order } = await get(apiAtom).call(contract.cancel, { orderId }, { idempotencyKey: newId() });
    set(putOrderAtom, order);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

/** Curbside and counter: "I am here" (specification section 7, pickup confirm). */
export const arrivedAtom = atom(null, async (get, set, orderId: string, bay?: string) => {
  try {
    const { order } = await get(apiAtom).call(contract.arrived, { body: { orderId, ...(bay ? { bay } : {}) } });
    set(putOrderAtom, order);
    set(toastMessageAtom, 'The store knows that you are here.');
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

/** Positions for the drawn map. */
export const trackMap = remote(async (get, _set, signal, orderId: string) => get(apiAtom).call(tracking.onMap, { orderId }, { signal }));

/** Progress of one order (specification section 7, tracker-service). */
export const trackState = remote(async (get, set, signal, orderId: string) => {
  const { order } = await get(apiAtom).call(tracking.byOrder, { orderHistoryId: orderId }, { signal });
  set(putOrderAtom, order);
  return order.orderId;
});

/**
 * Opens the page of a payment that still needs the customer, also when the bank's page comes back to it: the server is
 * asked before anything is shown as true. Answers the step to show, or null after moving on to the order.
 */
export const resumePaymentAtom = atom(null, async (get, set, orderId: string): Promise<payments.PaymentStep | null> => {
  const { go } = get(navigateAtom);
  if (orderId === '') { go('/cart', { replace: true }); return null; }
  await set(orderState.load, orderId);
  const order = get(heldAtom);
  if (order?.orderId !== orderId) return null;
  const now = await set(settleOrderAtom, order);
  if (!isMoneyOpen(now) || now.payment.state === 'FAILED') { go(`/order/${orderId}`, { replace: true }); return null; }
  if (get(nextStepAtom) === null) {
    const reply = await get(apiAtom).call(payments.transaction, { transactionId: now.transactionId }).catch(() => null);
    set(nextStepAtom, reply?.next ?? null);
  }
  if (get(nextStepAtom) === null) go(`/order/${orderId}`, { replace: true });
  return get(nextStepAtom);
});
