import * as errors from '#text/errors.ts';
import { atom, type Getter } from 'jotai';
import { codeOf, isFailure, isGone } from '../../api/failure.ts';
import type { PaymentOrder } from '../../bridge/hostBridge.ts';
import * as contract from '../../contract/orders.ts';
import * as payments from '../../contract/payments.ts';
import { isFinal } from '../../domain/orders.ts';
import { loadCartAtom } from '../cart/cart.ts';
import { journalAtom } from './journal.ts';
import { noteOrderAtom } from './deviceOrders.ts';
import { noteSeenAtom } from './lastSeen.ts';
import { customerAtom } from '../lib/forget.ts';
import { question, stayingHere } from '../lib/question.ts';
import { isFresh, remote } from '../lib/remote.ts';
import { newId } from '../first/lib/ids.ts';
import { showFailureAtom } from '../base/popup.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { apiAtom, hostAtom, navigateAtom, pathAtom } from '../first/seams.ts';
import { shownOrderIdAtom } from '../base/path.ts';

/** The order on screen: being paid, followed or cancelled. One at a time. */
const heldAtom = customerAtom<contract.OrderView | null>(null);
export const orderAtom = atom((get) => get(heldAtom));
/** The next payment step of that order; null once the server needs nothing more from the page. */
export const nextStepAtom = customerAtom<payments.PaymentStep | null>(null);

/** Whether the server does not know yet what became of the money. */
export const isMoneyOpen = (order: contract.OrderView) => order.orderStatus === 'PENDING';

/**
 * Id of the payment attempt that the host has reported as paid or pending. Only the server knows, but the customer must
 * not be asked to pay again.
 */
export const reportedAtom = customerAtom('');
/** The host says that this was paid: nobody is asked to pay again before the server knows. */
export const isReportedAtom = atom(
  (get) =>
    ({ transactionId }: contract.OrderView) =>
      get(reportedAtom) === transactionId,
);
/** Says what an open payment waits for. */
export const waitingSentenceAtom = atom(
  (get) =>
    (order: contract.OrderView): string =>
      order.payment.state === 'OTP_NEEDED'
        ? errors.codeWaitedFor
        : order.payment.state === 'UNKNOWN' || get(isReportedAtom)(order)
          ? errors.moneyUnknown
          : errors.moneyWaitedFor,
);

/** How the customer pays in the host's sheet, which may never answer. */
export const sheetQuestion = question((get, signal, order: PaymentOrder) =>
  get(hostAtom).requestPayment(order, { signal }),
);
/** The attempt that the sheet was opened for last. */
export const sheetOfAtom = customerAtom('');

/** The server's word about an attempt counts, whatever its sheet may still say. */
const endWaitAtom = atom(null, (get, set, now: contract.OrderView, before: contract.OrderView | null): void => {
  const of = get(sheetOfAtom);
  if (now.transactionId === of) {
    if (!isMoneyOpen(now) || now.payment.state === 'FAILED') set(sheetQuestion.drop);
  } else if (before?.orderId === now.orderId && before.transactionId === of) set(sheetQuestion.drop);
});

/** Takes over an order from the server and updates the journal. */
export const putOrderAtom = atom(null, (get, set, order: contract.OrderView, next?: payments.PaymentStep | null) => {
  const before = get(heldAtom);
  // News of one order does not take the place of another that somebody is looking at.
  const isShown = [order.orderId, ''].includes(get(shownOrderIdAtom));
  if (isShown) {
    set(heldAtom, order);
    set(orderToldAtom, { orderId: order.orderId, at: Date.now() });
  }
  set(noteSeenAtom, order);
  set(noteOrderAtom, order);
  if (isShown && next !== undefined) {
    set(nextStepAtom, next);
    set(toldAtom, order.transactionId);
  }
  set(endWaitAtom, order, before);
  if (isMoneyOpen(order)) return;
  if (isShown) set(nextStepAtom, null);
  const journal = get(journalAtom);
  const isNews =
    journal?.orderId === order.orderId ||
    (before?.orderId === order.orderId && before.orderStatus !== order.orderStatus);
  // The server has put the dishes back into the cart.
  if (order.orderStatus === 'FAILED' && isNews) set(loadCartAtom).catch(() => undefined);
  if (journal?.orderId === order.orderId) {
    // Another order of this device may still be under way: the journal goes on with that one.
    const other = isFinal(order.orderStatus)
      ? (get(recentOrders.atom).data ?? []).find((one) => one.orderId !== order.orderId && !isFinal(one.orderStatus))
      : undefined;
    set(
      journalAtom,
      other
        ? { key: other.orderId, orderId: other.orderId, step: 'watching', at: Date.now() }
        : isFinal(order.orderStatus)
          ? null
          : { ...journal, step: 'watching' },
    );
    void get(hostAtom).paymentSettled(order.orderId);
  }
});

/** Loads an order; what is shown stays meanwhile. */
export const orderState = remote(async (get, set, signal, orderId: string) => {
  const before = get(heldAtom);
  try {
    const { order } = await get(apiAtom).call(contract.byId, { orderId }, { signal });
    const held = get(heldAtom);
    // What was told of it meanwhile may be newer than this answer, and the last that will be told.
    if (held === before || held?.orderId !== orderId) set(putOrderAtom, order);
  } catch (thrown) {
    if (isGone(thrown)) set(goneIdAtom, orderId);
    throw thrown;
  }
  return orderId;
});
/** The order that the server does not know any more, or not as this customer's. */
const goneIdAtom = customerAtom('');
export const isOrderGoneAtom = atom((get) => {
  const gone = get(goneIdAtom);
  return (orderId: string): boolean => orderId !== '' && orderId === gone;
});

/** For so long nobody asks for what an answer has just told of an order. */
const JUST_TOLD_MS = 5_000;
const orderToldAtom = atom({ orderId: '', at: 0 });
/** Looks at the clock, so it is no atom, which would remember what it said. */
const isJustTold = (get: Getter, orderId: string): boolean => {
  const told = get(orderToldAtom);
  return told.orderId === orderId && get(heldAtom)?.orderId === orderId && isFresh(told.at, JUST_TOLD_MS);
};
/** No customer has done by then what an answer has told them to do for their payment. */
const STEP_TOLD_MS = 2_000;
/** Whether the submit, or whatever else, has told a moment ago what comes next: to ask the provider would change nothing. */
const isStepTold = (get: Getter, orderId: string): boolean =>
  isJustTold(get, orderId) &&
  isFresh(get(orderToldAtom).at, STEP_TOLD_MS) &&
  get(nextStepAtom) !== null &&
  get(heldAtom)?.payment.state !== 'FAILED';
/** Loads an order, unless its submit, or whatever else, has told it a moment ago. */
export const renewOrderAtom = atom(null, async (get, set, orderId: string): Promise<void> => {
  // One that is gone, or may just be heard to be, is asked for: its page says so.
  const isGoing = get(isOrderGoneAtom)(orderId) || get(orderState.atom).status === 'loading';
  if (!isGoing && isJustTold(get, orderId)) set(orderState.put, orderId);
  else await set(orderState.load, orderId);
});

const askingAtom = atom<{ readonly what: string; readonly answer: Promise<contract.OrderView | null> } | null>(null);
const askAtom = atom(null, (_get, set, order: contract.OrderView): Promise<contract.OrderView | null> => {
  const what = `${order.orderId} ${order.transactionId}`;
  const answer = set(confirmAtom, order).finally(() => set(askingAtom, (now) => (now?.answer === answer ? null : now)));
  set(askingAtom, { what, answer });
  return answer;
});
const confirmAtom = atom(null, async (get, set, order: contract.OrderView): Promise<contract.OrderView | null> => {
  try {
    const reply = await get(apiAtom).call(contract.confirm, {
      body: { orderId: order.orderId, transactionId: order.transactionId },
    });
    set(putOrderAtom, reply.order, reply.next);
    return reply.order;
  } catch (thrown) {
    // The page of the order says itself that there is none any more.
    if (isGone(thrown)) await set(orderState.load, order.orderId);
    else if (!isFailure(thrown) || thrown.kind === 'refused') set(showFailureAtom, thrown);
    return null;
  }
});
/**
 * Has the server ask the payment provider what became of the money, anew: what was asked before the customer did something
 * knows nothing of it, and is not heard after this. @returns null if nobody could be asked
 */
export const askProviderAtom = atom(
  null,
  async (get, set, order: contract.OrderView): Promise<contract.OrderView | null> => {
    await get(askingAtom)?.answer;
    return await set(askAtom, order);
  },
);
/** The same for who only looks after an order: those who look at the same time share one call. */
export const lookAfterAtom = atom(null, async (get, set, order: contract.OrderView): Promise<contract.OrderView> => {
  const asking = get(askingAtom);
  const isSame = asking?.what === `${order.orderId} ${order.transactionId}`;
  return (await (isSame ? asking.answer : set(askAtom, order))) ?? order;
});
/** Asks anew, silent on a bad network: the next poll asks again. */
export const settleOrderAtom = atom(
  null,
  async (_get, set, order: contract.OrderView): Promise<contract.OrderView> =>
    (await set(askProviderAtom, order)) ?? order,
);

/** This page waits for the answer to its submit, so nobody else needs to ask what became of it. */
export const isSubmittingAtom = atom(false);

/** A submit of a page that was killed may still be on its way: it is waited for this long, then withdrawn. */
const SUBMIT_SETTLES_MS = 10_000;

const settleKnownAtom = atom(null, async (get, set, orderId: string, isFirst: boolean): Promise<void> => {
  const held = get(heldAtom);
  // What becomes of open money says what has become of the order, too.
  const isTold = held !== null && isMoneyOpen(held) && isJustTold(get, orderId);
  const order = isTold ? held : (await get(apiAtom).call(contract.byId, { orderId })).order;
  if (!isTold) set(putOrderAtom, order);
  if (isMoneyOpen(order) && !(isFirst && isStepTold(get, orderId))) await set(lookAfterAtom, order);
});
/**
 * Finds out what became of the order under way: first thing after a reload, a killed webview or time without a network
 * (product.md 3.1, 3.2). Never rejects; on a bad network the journal stays and the next call asks again. `isFirst` says that
 * there is no news: what an answer has told a moment ago is enough.
 */
export const settleJournalAtom = atom(null, async (get, set, { isFirst = false } = {}): Promise<void> => {
  const journal = get(journalAtom);
  if (!journal || (journal.orderId === null && get(isSubmittingAtom))) return;
  const { call } = get(apiAtom);
  const leaveOpen = (path: string) => {
    if (get(pathAtom).startsWith('/order/open')) get(navigateAtom).go(path, { replace: true });
  };
  try {
    if (journal.orderId === null) {
      // If submit and withdrawal race, the first to reach the server counts, and the answer is final.
      const age = Date.now() - journal.at;
      // Where it lies ahead, the phone's clock has been put right since.
      const isLate = age >= SUBMIT_SETTLES_MS || age < 0;
      const reply = isLate
        ? await call(contract.withdraw, { key: journal.key })
        : await call(contract.byKey, { key: journal.key });
      if (reply.order === null) {
        if (get(journalAtom)?.key === journal.key) set(journalAtom, null);
        set(toastMessageAtom, errors.submitLost);
        leaveOpen('/cart');
        return;
      }
      set(journalAtom, { ...journal, orderId: reply.order.orderId, step: 'paying' });
      set(putOrderAtom, reply.order, reply.next);
      leaveOpen(`/order/${reply.order.orderId}`);
      return;
    }
    await set(settleKnownAtom, journal.orderId, isFirst);
  } catch (thrown) {
    // The order is not this customer's any more: there is nothing to look after.
    if (codeOf(thrown) === 'NOT_FOUND' && journal.orderId !== null && get(journalAtom)?.key === journal.key)
      set(journalAtom, null);
  }
});

export const cancelOrderAtom = atom(null, async (get, set, orderId: string) => {
  try {
    const { order } = await get(apiAtom).call(contract.cancel, { orderId }, { idempotencyKey: newId() });
    set(putOrderAtom, order);
  } catch (thrown) {
    set(showFailureAtom, thrown, errors.orderStands);
  }
});

/**
 * Opens the page of a payment that still needs the customer, also when the bank's page returns to it. The server is
 * asked before anything is shown, but for what it has told a moment ago. @returns the step to show, or null after moving
 * on to the order
 */
export const resumePaymentAtom = atom(null, async (get, set, orderId: string): Promise<payments.PaymentStep | null> => {
  if (orderId === '') {
    get(navigateAtom).go('/cart', { replace: true });
    return null;
  }
  const isHere = stayingHere(get);
  set(isResumingAtom, true);
  try {
    if (isStepTold(get, orderId)) await set(renewOrderAtom, orderId);
    else await set(askOrderAtom, orderId);
  } finally {
    set(isResumingAtom, false);
  }
  const isLeft = get(isLeftToOrderAtom)(orderId);
  if (isLeft && isHere()) get(navigateAtom).go(`/order/${orderId}`, { replace: true });
  return isLeft || get(heldAtom)?.orderId !== orderId ? null : get(nextStepAtom);
});

/** The attempt whose next step the server has told: until then none is known, which is not the same as none is left. */
const toldAtom = customerAtom('');
/** A page of a payment looks for the first time at what it is for. */
const isResumingAtom = customerAtom(false);

/** Asks once what became of an order, and what its payment still needs. @returns whether the server could be asked */
export const askOrderAtom = atom(null, async (get, set, orderId: string): Promise<boolean> => {
  await set(renewOrderAtom, orderId);
  if (get(orderState.atom).status === 'failed') return false;
  const order = get(heldAtom);
  if (order?.orderId !== orderId || !isMoneyOpen(order)) return true;
  const now = await set(lookAfterAtom, order);
  if (isMoneyOpen(now) && now.payment.state !== 'FAILED' && get(nextStepAtom) === null) {
    const reply = await get(apiAtom)
      .call(payments.transaction, { transactionId: now.transactionId })
      .catch(() => null);
    if (get(heldAtom)?.transactionId === now.transactionId) {
      set(nextStepAtom, reply?.next ?? null);
      set(toldAtom, now.transactionId);
    }
  }
  return true;
});

/**
 * Whether a payment's own page has nothing left to wait for: the money is decided, only the bank can decide it, or no
 * step of it is left. The order's page says the rest. Asked elsewhere first, the page waits for the answer.
 */
export const isLeftToOrderAtom = atom((get) => (orderId: string): boolean => {
  const [order, next] = [get(heldAtom), get(nextStepAtom)];
  if (order?.orderId !== orderId || get(isResumingAtom)) return false;
  const { state } = order.payment;
  if (!isMoneyOpen(order) || state === 'UNKNOWN') return true;
  return get(toldAtom) === order.transactionId && (next === null || (state === 'FAILED' && next.kind !== 'link'));
});

/** Orders under way or of the last day, newest first: a device may follow several. */
export const recentOrders = remote(
  async (get, _set, signal) => (await get(apiAtom).call(contract.recent, {}, { signal })).orders,
);

/**
 * Loads them, the journal's own among them, which then nobody has to ask for. @returns whether it was there, with nothing left to pay
 */
export const loadRecentAtom = atom(null, async (get, set): Promise<boolean> => {
  await set(recentOrders.load);
  const id = get(journalAtom)?.orderId;
  const own = (get(recentOrders.atom).data ?? []).find(({ orderId }) => orderId === id);
  if (own && get(heldAtom)?.orderId !== id) set(putOrderAtom, own);
  return own !== undefined && !isMoneyOpen(own);
});

/** All orders of this customer that are under way; the one on screen as it was last reported. */
export const activeOrdersAtom = atom((get) => {
  const held = get(heldAtom);
  const orders = get(recentOrders.atom).data ?? [];
  const fresh = orders.map((order) => (order.orderId === held?.orderId ? held : order));
  return fresh.filter((order) => !isFinal(order.orderStatus));
});
