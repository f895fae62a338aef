import * as orderText from '#text/order.ts';
import * as firstText from '#text/first.ts';
import * as paymentText from '#text/payment.ts';
import { atom } from 'jotai';
import { DEADLINE_MS } from '../../bridge/deadlines.ts';
import type { PaymentOrder } from '../../bridge/hostBridge.ts';
import { loadChunk } from '../../bridge/scripts.ts';
import * as orders from '../../contract/orders.ts';
import * as payments from '../../contract/payments.ts';
import { addressAt } from '../../domain/addressAt.ts';
import { sleep } from '../../domain/sleep.ts';
import { clockAheadAtom } from '../base/clock.ts';
import { popupAtom } from '../base/popup.ts';
import { apiAtom, hostAtom, navigateAtom, originAtom } from '../first/seams.ts';
import { isOtherSheet } from '../lib/question.ts';
import {
  cancelOrderAtom,
  isMoneyOpen,
  reportedAtom,
  settleOrderAtom,
  sheetOfAtom,
  sheetQuestion,
} from '../orders/orders.ts';
import { sheetTrouble } from '../payment/hostSheet.ts';

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
      label: firstText.tryAgain,
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
  await Promise.race([answer(), sleep(DEADLINE_MS.opening, opened.signal)]);
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
    const inHost = HOSTED && hostOrder(step, order.orderId, get(clockAheadAtom));
    if (inHost) {
      go(`/order/${order.orderId}`, { replace: true });
      return await set(openSheetAtom, order, inHost);
    }
    if (FULL_MODE && step.kind === 'linked') {
      const linked = await loadChunk(() => import('../payment/linkedWallets.ts')).catch(() => null);
      if (linked) return void (await set(linked.redeemLinkedAtom, order, step));
      // Without that script the payment's own page offers the same again, or another way to pay.
    }
    if (step.kind === 'none' || !isMoneyOpen(order)) {
      go(`/order/${order.orderId}`, { replace: true });
      return;
    }
    go(`/payment/${order.orderId}`, { replace: true });
    // The bank's page comes at once; whoever comes back without having paid finds the payment's own page.
    if (step.kind === 'redirect' && !step.app) globalThis.location.assign(addressAt(get(originAtom), step.paymentUrl));
  },
);
