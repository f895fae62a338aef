import * as t from '#text/payment.ts';
import { atom, type Getter } from 'jotai';
import * as contract from '../../contract/payments.ts';
import { OTP_RESEND_SECONDS } from '../../domain/otp.ts';
import { oneTimeCode, type SentCode } from '../consent/oneTimeCode.ts';
import { journalAtom } from '../orders/journal.ts';
import { customerAtom } from '../lib/forget.ts';
import { nextStepAtom, orderAtom, settleOrderAtom } from '../orders/orders.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';

interface CashPayment {
  readonly transactionId: string;
}
const stepOf = (get: Getter) => {
  const step = get(nextStepAtom);
  return step?.kind === 'cod-otp' ? step : null;
};

const askedForAtom = customerAtom<(CashPayment & SentCode) | null>(null);
/** Whether a code of the open payment has been sent: with its order, or from its page. */
export const isCashCodeSentAtom = atom((get) => {
  const step = stepOf(get);
  return step !== null && (step.sent !== false || get(askedForAtom)?.transactionId === step.transactionId);
});
/**
 * A code that was sent with the order, maybe before a reload, has its time, too: the next one makes it invalid. One that
 * is not known to have been sent may have come all the same, and is checked.
 */
const sentAtom = atom(
  (get) => {
    const step = stepOf(get);
    if (step === null) return null;
    const { transactionId } = step;
    const asked = get(askedForAtom);
    const sentAt = step.sent === false ? 0 : (get(journalAtom)?.at ?? 0);
    const resendAt = sentAt === 0 ? 0 : sentAt + OTP_RESEND_SECONDS * 1000;
    if (asked?.transactionId !== transactionId) return { transactionId, resendAt };
    return { ...asked, resendAt: Math.max(asked.resendAt, resendAt) };
  },
  (_get, set, sent: (CashPayment & SentCode) | null) => set(askedForAtom, sent),
);

/** The code of a cash order: the right one places the order. */
export const cashCode = oneTimeCode<CashPayment>({
  noCode: () => t.codeShort,
  staysBeside: true,
  sentAtom,
  to: (get) => ({ transactionId: stepOf(get)?.transactionId ?? '' }),
  send: (get, ask, { transactionId }) =>
    ask((headers) => get(apiAtom).call(contract.codOtp, { transactionId, body: {} }, { headers })),
  check: async (get, set, prove, code, { transactionId }) => {
    await prove((headers) => get(apiAtom).call(contract.codOtp, { transactionId, body: { code } }, { headers }));
    const order = get(orderAtom);
    if (!order) return;
    const now = await set(settleOrderAtom, order);
    get(navigateAtom).go(`/order/${now.orderId}`, { replace: true });
  },
});

const openedAtom = customerAtom('');
/** Opens the page of the code. If none was sent with the order, it is asked for now; another one only by the customer. */
export const openCashCodeAtom = atom(null, async (get, set): Promise<void> => {
  const opened = stepOf(get)?.transactionId ?? '';
  // What was typed for another order is no code of this one.
  if (get(openedAtom) !== '' && get(openedAtom) !== opened) set(cashCode.leave);
  set(openedAtom, opened);
  if (get(sentAtom) !== null && !get(isCashCodeSentAtom)) await set(cashCode.send);
});
