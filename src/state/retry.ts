import { atom } from 'jotai';
import { isFailure } from '../api/failure.ts';
import type * as orders from '../contract/orders.ts';
import * as payments from '../contract/payments.ts';
import type { Money } from '../contract/money.ts';
import { leftOf } from '../domain/funds.ts';
import { OK } from '../domain/messages.ts';
import { formatMoney } from '../domain/money.ts';
import { cardAtom, continuePaymentAtom, isPlacingHeldAtom } from './checkout.ts';
import { journalAtom } from './journal.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { newId } from './lib/ids.ts';
import { isLinkedChosenAtom } from './linkedWallets.ts';
import { putOrderAtom } from './orders.ts';
import { popupAtom, sentenceOf, showFailureAtom } from './popup.ts';
import { apiAtom, countryAtom } from './seams.ts';

type Mode = payments.PaymentOption['id'];
const here = () => ({ returnpath: new URL(document.baseURI).pathname });

/** The order with a new attempt: what the page does next is the attempt's. */
const goOnAtom = atom(null, async (_get, set, order: orders.OrderView, payment: payments.PaymentView, next: payments.PaymentStep): Promise<void> => {
  const now = { ...order, payment, transactionId: payment.transactionId };
  set(journalAtom, { key: newId(), orderId: order.orderId, step: 'paying', at: Date.now() });
  set(putOrderAtom, now, next);
  await set(continuePaymentAtom, now, next);
});

/** Another attempt for an unpaid order, possible once the last one is known to have failed. */
export const retryPaymentAtom = atom(null, async (get, set, order: orders.OrderView, mode: Mode): Promise<void> => {
  if (get(isPlacingHeldAtom)) return;
  set(isPlacingHeldAtom, true);
  try {
    const card = get(cardAtom);
    const reply = await get(apiAtom).call(payments.retry, {
      body: { orderId: order.orderId, paymentMode: mode, ...(mode === 'CARD' && card ? { cardToken: card.token } : {}), ...(get(isLinkedChosenAtom)(mode) ? { linked: true } : {}) },
    }, { idempotencyKey: newId(), headers: here() });
    await set(goOnAtom, order, reply.payment, reply.next);
  } catch (thrown) {
    const first = isFailure(thrown) ? thrown.errors[0] : undefined;
    if (first?.code === 'COUPON_PAYMENT_MODE' && first.field) await set(askWithoutAtom, order, mode, first.field, first.displayMsg);
    else set(showFailureAtom, thrown);
  } finally {
    if (get(popupAtom) === null) set(cardAtom, null);
    set(isPlacingHeldAtom, false);
  }
});

/** An offer of the order needs another mode: what it costs without is said, and paid only on a yes. */
const askWithoutAtom = atom(null, async (get, set, order: orders.OrderView, mode: Mode, code: string, says: string): Promise<void> => {
  const reply = await get(apiAtom).call(payments.removePromo, {
    transactionId: order.transactionId, promo: code, query: { paymentMode: mode, look: 'true' },
  }, { idempotencyKey: newId() }).catch((thrown: unknown) => { set(showFailureAtom, thrown); return null; });
  if (reply === null) return;
  if (!reply.total) { set(popupAtom, { message: reply.errors?.[0]?.displayMsg ?? says, right: { label: OK } }); return; }
  const amount = formatMoney(leftOf(reply.total.after, order.parts), get(countryAtom));
  set(popupAtom, {
    message: `${says}.`, second: order.parts ? `Without ${code} there is ${amount} left to pay.` : `Without ${code} this order costs ${amount}.`,
    left: { label: 'No' }, right: { label: `Pay ${amount}`, act: () => { void set(changePromoAtom, order, { code, isOn: false, mode }); } },
  });
});

/** Box for a code on an order that waits for its payment: what was typed, what is wrong with it, what it would cost with it. */
export const promoTypedAtom = forgotten('');
export const promoErrorAtom = forgotten('');
export const promoLookAtom = forgotten<{ readonly code: string; readonly before: Money; readonly after: Money } | null>(null);
export const isPromoBusyAtom = forgotten(false);

export const lookAtPromoAtom = atom(null, async (get, set, order: orders.OrderView): Promise<void> => {
  const code = get(promoTypedAtom).trim().toUpperCase();
  if (get(isPromoBusyAtom) || code === '') return;
  set(isPromoBusyAtom, true);
  set(promoErrorAtom, '');
  set(promoLookAtom, null);
  try {
    const reply = await get(apiAtom).call(payments.applyPromo, { transactionId: order.transactionId, promo: code, query: { look: 'true' } }, { idempotencyKey: newId() });
    if (reply.total) set(promoLookAtom, { code, before: leftOf(reply.total.before, order.parts), after: leftOf(reply.total.after, order.parts) });
    else set(promoErrorAtom, reply.errors?.[0]?.displayMsg ?? '');
  } catch (thrown) {
    set(promoErrorAtom, sentenceOf(thrown));
  } finally {
    set(isPromoBusyAtom, false);
  }
});

/** Puts a code on an unpaid order, or takes one off: its bill changes, and a new attempt asks for the new total. */
export const changePromoAtom = atom(null, async (get, set, order: orders.OrderView, { code, isOn, mode }: { code: string; isOn: boolean; mode?: Mode }): Promise<void> => {
  if (get(isPlacingHeldAtom)) return;
  set(isPlacingHeldAtom, true);
  try {
    const card = get(cardAtom);
    const reply = await get(apiAtom).call(isOn ? payments.applyPromo : payments.removePromo, {
      transactionId: order.transactionId, promo: code,
      query: { ...(mode ? { paymentMode: mode } : {}), ...(mode === 'CARD' && card ? { cardToken: card.token } : {}) },
    }, { idempotencyKey: newId(), headers: here() });
    if (reply.status === 'FAILED') { set(promoErrorAtom, reply.errors?.[0]?.displayMsg ?? ''); return; }
    set(promoTypedAtom, '');
    set(promoLookAtom, null);
    set(cardAtom, null);
    if (reply.payment && reply.next) await set(goOnAtom, { ...order, bill: reply.bill ?? order.bill }, reply.payment, reply.next);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  } finally {
    set(isPlacingHeldAtom, false);
  }
});
