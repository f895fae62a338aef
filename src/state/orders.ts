import { atom } from 'jotai';
import { codeOf, isFailure } from '../api/failure.ts';
import * as contract from '../contract/orders.ts';
import * as payments from '../contract/payments.ts';
import * as tracking from '../contract/tracking.ts';
import { CODE_WAITED_FOR, MONEY_UNKNOWN, MONEY_WAITED_FOR, SUBMIT_LOST } from '../domain/messages.ts';
import { isFinal } from '../domain/orders.ts';
import { loadCartAtom } from './cart.ts';
import { isSubmittingAtom, journalAtom } from './journal.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { newId } from './lib/ids.ts';
import { showFailureAtom, toastMessageAtom } from './popup.ts';
import { apiAtom, hostAtom, navigateAtom, placeAtom } from './seams.ts';
import { shareAtom } from './share.ts';

/** The order being looked at: paid, tracked, cancelled. One at a time. */
const heldAtom = forgotten<contract.OrderView | null>(null);
export const orderAtom = atom((get) => get(heldAtom));
/** What the page has to do next for it; null once the server needs nothing more from the page. */
export const nextStepAtom = forgotten<payments.PaymentStep | null>(null);

/** The server does not know yet what became of the money. */
export const isMoneyOpen = (order: contract.OrderView) => order.orderStatus === 'PENDING';

/** The attempt of which the host has said that it was paid, or will be: only the server knows, yet nobody is sent to pay again. */
export const reportedAtom = forgotten('');
/** What a payment that is still open waits for. */
export const waitingSentenceAtom = atom((get) => ({ transactionId, payment }: contract.OrderView): string => (
  payment.state === 'OTP_NEEDED' ? CODE_WAITED_FOR : payment.state === 'UNKNOWN' || get(reportedAtom) === transactionId ? MONEY_UNKNOWN : MONEY_WAITED_FOR));

/** Takes an order as the server last told it, and moves the journal along with it. */
export const putOrderAtom = atom(null, (get, set, order: contract.OrderView, next?: payments.PaymentStep | null) => {
  const before = get(heldAtom);
  set(heldAtom, order);
  if (next !== undefined) set(nextStepAtom, next);
  if (isMoneyOpen(order)) return;
  set(nextStepAtom, null);
  const journal = get(journalAtom);
  const isNews = journal?.orderId === order.orderId || before?.orderId === order.orderId && before.orderStatus !== order.orderStatus;
  // The server has put what was ordered back into the cart.
  if (order.orderStatus === 'FAILED' && isNews) set(loadCartAtom).catch(() => undefined);
  if (journal?.orderId === order.orderId) {
    // Another order of this device may still be under way: it is looked after next.
    const other = isFinal(order.orderStatus) ? (get(recentOrders.atom).data ?? []).find((one) => one.orderId !== order.orderId && !isFinal(one.orderStatus)) : undefined;
    set(journalAtom, other ? { key: other.orderId, orderId: other.orderId, step: 'watching', at: Date.now() } : isFinal(order.orderStatus) ? null : { ...journal, step: 'watching' });
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

/** A submit that a killed page left behind may still be on its way: for this long it is waited for, then it is withdrawn. */
const SUBMIT_SETTLES_MS = 10_000;

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
      // Whichever reaches the server first, the submit or the withdrawal, is what happened: the answer cannot change any more.
      const isLate = Date.now() - journal.at >= SUBMIT_SETTLES_MS;
      const reply = isLate ? await call(contract.withdraw, { key: journal.key }) : await call(contract.byKey, { key: journal.key });
      if (reply.order === null) {
        if (get(journalAtom)?.key === journal.key) set(journalAtom, null);
        set(toastMessageAtom, SUBMIT_LOST);
        leaveOpen('/cart');
        return;
      }
      set(journalAtom, { ...journal, orderId: reply.order.orderId, step: 'paying' });
      set(putOrderAtom, reply.order, reply.next);
      leaveOpen(`/order/${reply.order.orderId}`);
      return;
    }
    const { order } = await call(contract.byId, { orderId: journal.orderId });
    set(putOrderAtom, order);
    if (isMoneyOpen(order)) await set(settleOrderAtom, order);
  } catch (thrown) {
    // An order that is not this customer's any more is nothing to look after.
    if (codeOf(thrown) === 'NOT_FOUND' && journal.orderId !== null && get(journalAtom)?.key === journal.key) set(journalAtom, null);
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

/** Positions for the map, and of which order they are. */
export const trackMap = remote(async (get, _set, signal, orderId: string) => ({ orderId, ...await get(apiAtom).call(tracking.onMap, { orderId }, { signal }) }));

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
  if (!isMoneyOpen(now) || now.payment.state === 'FAILED' && get(nextStepAtom)?.kind !== 'link') { go(`/order/${orderId}`, { replace: true }); return null; }
  if (get(nextStepAtom) === null) {
    const reply = await get(apiAtom).call(payments.transaction, { transactionId: now.transactionId }).catch(() => null);
    set(nextStepAtom, reply?.next ?? null);
  }
  if (get(nextStepAtom) === null) go(`/order/${orderId}`, { replace: true });
  return get(nextStepAtom);
});

/** Orders under way or of the last day, newest first: a device may follow several. */
export const recentOrders = remote(async (get, _set, signal) => (await get(apiAtom).call(contract.recent, {}, { signal })).orders);

/** Every order of this customer that is still under way, the one on screen as it was last told. */
export const activeOrdersAtom = atom((get) => {
  const held = get(heldAtom);
  const orders = get(recentOrders.atom).data ?? [];
  const fresh = orders.map((order) => (order.orderId === held?.orderId ? held : order));
  return fresh.filter((order) => !isFinal(order.orderStatus));
});

/** The link of an order for somebody else: it leads to a page that says nothing of whose it is. */
export const shareOrderAtom = atom(null, async (get, set, orderId: string): Promise<void> => {
  try {
    const { token } = await get(apiAtom).call(tracking.share, { orderHistoryId: orderId });
    await set(shareAtom, { title: 'Follow this order', path: `/shared/${token}`, copied: 'The link is copied. It shows how far the order is, and nothing about you.' });
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

const isTellingHeldAtom = atom(false);
export const isTellingRiderAtom = atom((get) => get(isTellingHeldAtom));
/** Sends the rider a few words; false when they did not go, so that what was typed stays. */
export const tellRiderAtom = atom(null, async (get, set, orderId: string, text: string): Promise<boolean> => {
  if (get(isTellingHeldAtom)) return false;
  set(isTellingHeldAtom, true);
  try {
    const { order } = await get(apiAtom).call(tracking.tellRider, { orderHistoryId: orderId, body: { text } }, { idempotencyKey: newId() });
    set(putOrderAtom, order);
    set(toastMessageAtom, `Sent to ${order.rider?.name ?? 'the rider'}.`);
    return true;
  } catch (thrown) {
    set(showFailureAtom, thrown);
    return false;
  } finally {
    set(isTellingHeldAtom, false);
  }
});

/** What a shared link shows. */
export const sharedState = remote(async (get, _set, signal, token: string) => (await get(apiAtom).call(tracking.shared, { token }, { signal })).order, { isCustomers: false });
