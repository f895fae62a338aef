import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import { atom, type Getter } from 'jotai';
import { isFailure } from '../../api/failure.ts';
import type * as orders from '../../contract/orders.ts';
import * as payments from '../../contract/payments.ts';
import type { Money } from '../../contract/money.ts';
import { alertOf, messageOr } from '../../domain/alerts.ts';
import { leftOf } from '../../domain/funds.ts';
import { formatMoney } from '../../domain/money.ts';
import { typedCode } from '../../domain/typedText.ts';
import { deviceHeaders } from '../consent/challenge.ts';
import { checkPaidAtom } from '../payment/paymentCheck.ts';
import { optionsState } from '../checkout/modes.ts';
import { continuePaymentAtom } from '../checkout/paymentStep.ts';
import { placing } from '../checkout/placing.ts';
import { cardAtom } from '../drafts/card.ts';
import { journalAtom } from '../orders/journal.ts';
import { customerAtom } from '../lib/forget.ts';
import { choiceOfAtom, isChoiceNeeded } from '../drafts/paymentChoice.ts';
import { newId } from '../first/lib/ids.ts';
import { isLinkedChosenAtom } from '../payment/linkedWallets.ts';
import { nextStepAtom, orderAtom, putOrderAtom } from '../orders/orders.ts';
import { moneySentence, sentenceOf, showFailureAtom } from '../base/popup.ts';
import { popupAtom } from '../base/popup.ts';
import { tasks, Wrong } from '../base/task.ts';
import { countryAtom } from '../base/country.ts';
import { apiAtom } from '../first/seams.ts';

type Mode = payments.PaymentOption['id'];
const here = (get: Getter) => ({ ...deviceHeaders(get), returnpath: new URL(document.baseURI).pathname });

/** Goes on with a new payment attempt of an order. */
const goOnAtom = atom(
  null,
  async (
    _get,
    set,
    order: orders.OrderView,
    payment: payments.PaymentView,
    next: payments.PaymentStep,
  ): Promise<void> => {
    const now = { ...order, payment, transactionId: payment.transactionId };
    set(journalAtom, { key: newId(), orderId: order.orderId, step: 'paying', at: Date.now() });
    set(putOrderAtom, now, next);
    await set(continuePaymentAtom, now, next);
  },
);

/**
 * Goes on with the payment that an order waits for. The provider is asked before a host's sheet is opened again: what was
 * paid meanwhile, or may have been, is not asked for twice.
 */
export const goOnPayingAtom = placing.task(
  async (get, set, order: orders.OrderView, step: payments.PaymentStep): Promise<void> => {
    if (step.kind !== 'host') return await set(continuePaymentAtom, order, step);
    const { transactionId } = order;
    if (!(await set(checkPaidAtom, order))) return;
    const [now, next] = [get(orderAtom), get(nextStepAtom)];
    if (now?.transactionId === transactionId && next?.kind === 'host') await set(continuePaymentAtom, now, next);
  },
);

/** The bank or service that was chosen within a mode, if it needs one. */
const choiceWithinAtom = atom((get) => (mode: Mode): { paymentChoice?: string } => {
  const option = get(optionsState.atom).data?.options.find((one) => one.id === mode);
  const choice = get(choiceOfAtom)(option);
  return choice && isChoiceNeeded(option) ? { paymentChoice: choice.id } : {};
});

/** Starts another payment attempt for an unpaid order; possible once the last one is known to have failed. */
export const retryPaymentAtom = placing.task(
  async (get, set, order: orders.OrderView, mode: Mode) => {
    const card = get(cardAtom);
    const reply = await get(apiAtom).call(
      payments.retry,
      {
        body: {
          orderId: order.orderId,
          paymentMode: mode,
          ...(mode === 'CARD' && card ? { cardToken: card.token } : {}),
          ...(FULL_MODE && get(isLinkedChosenAtom)(mode) ? { linked: true } : {}),
          ...get(choiceWithinAtom)(mode),
        },
      },
      { idempotencyKey: newId(), headers: here(get) },
    );
    await set(goOnAtom, order, reply.payment, reply.next);
    set(dropCardAtom);
  },
  {
    async failed(_get, set, thrown, order, mode) {
      const first = isFailure(thrown) ? thrown.errors[0] : undefined;
      if (first?.code === 'COUPON_PAYMENT_MODE' && first.field)
        await set(askWithoutAtom, order, mode, first.field, first.displayMsg);
      else set(showFailureAtom, thrown, moneySentence(thrown));
      set(dropCardAtom);
    },
  },
);
/** A card is for one attempt, unless something is asked about it. */
const dropCardAtom = atom(null, (get, set) => {
  if (get(popupAtom) === null) set(cardAtom, null);
});

/**
 * An offer of the order requires another payment mode: says what the order costs without it, and pays that only after a
 * yes.
 */
const askWithoutAtom = atom(
  null,
  async (get, set, order: orders.OrderView, mode: Mode, code: string, says: string): Promise<void> => {
    const reply = await get(apiAtom)
      .call(
        payments.removePromo,
        {
          transactionId: order.transactionId,
          promo: code,
          query: { paymentMode: mode, look: 'true' },
        },
        { idempotencyKey: newId() },
      )
      .catch((thrown: unknown) => {
        // It was only asked what it would cost.
        set(showFailureAtom, thrown, errors.nothingTaken);
        return null;
      });
    if (reply === null) return;
    if (!reply.total) {
      set(popupAtom, { message: messageOr(reply.errors?.[0], says), right: { label: errors.ok } });
      return;
    }
    const amount = formatMoney(leftOf(reply.total.after, order.parts), get(countryAtom));
    set(popupAtom, {
      message: `${says}.`,
      second: (order.parts ? t.leftWithout : t.costsWithout)({ code, amount }),
      left: { label: t.payWithoutNo },
      right: {
        label: t.pay({ amount }),
        act: () => {
          void set(changePromoAtom, order, { code, isOn: false, mode });
        },
      },
    });
  },
);

/** The offer-code box of an unpaid order: what was typed, and the price with the code. */
export const promoTypedAtom = customerAtom('');
export const promoLookAtom = customerAtom<{
  readonly code: string;
  readonly before: Money;
  readonly after: Money;
} | null>(null);
export const promoTasks = tasks<'code'>();

export const lookAtPromoAtom = promoTasks.task(
  async (get, set, order: orders.OrderView) => {
    const code = typedCode(get(promoTypedAtom));
    if (code === '') return;
    set(promoLookAtom, null);
    const reply = await get(apiAtom).call(
      payments.applyPromo,
      { transactionId: order.transactionId, promo: code, query: { look: 'true' } },
      { idempotencyKey: newId() },
    );
    if (!reply.total) throw new Wrong({ code: alertOf(reply.errors).message });
    set(promoLookAtom, {
      code,
      before: leftOf(reply.total.before, order.parts),
      after: leftOf(reply.total.after, order.parts),
    });
  },
  { failed: (_get, _set, thrown) => ({ code: sentenceOf(thrown) }) },
);

/**
 * Adds an offer to an unpaid order or removes one. Its bill changes, and a new payment attempt asks for the new total.
 */
export const changePromoAtom = placing.task(
  async (get, set, order: orders.OrderView, { code, isOn, mode }: { code: string; isOn: boolean; mode?: Mode }) => {
    const card = get(cardAtom);
    const reply = await get(apiAtom).call(
      isOn ? payments.applyPromo : payments.removePromo,
      {
        transactionId: order.transactionId,
        promo: code,
        query: {
          ...(mode ? { paymentMode: mode } : {}),
          ...(mode === 'CARD' && card ? { cardToken: card.token } : {}),
          ...(mode ? get(choiceWithinAtom)(mode) : {}),
        },
      },
      { idempotencyKey: newId(), headers: here(get) },
    );
    if (reply.status === 'FAILED') {
      set(promoTasks.refuse, { code: alertOf(reply.errors).message });
      return;
    }
    set(promoTypedAtom, '');
    set(promoLookAtom, null);
    set(cardAtom, null);
    if (reply.payment && reply.next)
      await set(goOnAtom, { ...order, bill: reply.bill ?? order.bill }, reply.payment, reply.next);
  },
  { failed: (_get, set, thrown) => set(showFailureAtom, thrown, moneySentence(thrown)) },
);
