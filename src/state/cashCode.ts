import * as t from '#text/payment.ts';
import { atom } from 'jotai';
import { codeOf } from '../api/failure.ts';
import * as contract from '../contract/payments.ts';
import { OTP_DIGITS, OTP_LIFE_SECONDS, OTP_RESEND_SECONDS, otpCode } from '../domain/otp.ts';
import { latinDigits } from '../domain/phone.ts';
import { proven, waitOf } from './challenge.ts';
import { journalAtom } from './journal.ts';
import { customerAtom } from './lib/forget.ts';
import { nextStepAtom, orderAtom, settleOrderAtom } from './orders.ts';
import { sentenceOf } from './popup.ts';
import { apiAtom, navigateAtom } from './first/seams.ts';
import { smsCodeAtom, smsQuestion } from './smsCode.ts';

type CodStep = Extract<contract.PaymentStep, { kind: 'cod-otp' }>;

/**
 * The code of a cash order: what was typed, what is wrong with it, and when the next may be sent (epoch ms of the
 * device).
 */
export const codTypedAtom = customerAtom('');
export const codErrorAtom = customerAtom('');
export const codResendAtAtom = customerAtom(0);
export const isCodBusyAtom = customerAtom(false);

const codSentAtom = customerAtom('');
/** Whether a code of this payment has been sent. */
export const isCodSentAtom = atom(
  (get) => (step: CodStep) => step.sent !== false || get(codSentAtom) === step.transactionId,
);

/**
 * A code was sent with the order, maybe before a reload: the next one has to wait for its time, and only the customer
 * asks for it, since it makes the first invalid. If none was sent, the page asks for it now.
 */
export const expectCodCodeAtom = atom(null, async (get, set, step: CodStep): Promise<void> => {
  if (!get(isCodSentAtom)(step)) return await set(sendCodCodeAtom, step.transactionId);
  const sentAt = get(journalAtom)?.at ?? 0;
  set(codResendAtAtom, (before) => Math.max(before, sentAt + OTP_RESEND_SECONDS * 1000));
});

/** Sends a code, or another one. */
export const sendCodCodeAtom = atom(null, async (get, set, transactionId: string) => {
  if (get(isCodBusyAtom)) return;
  set(isCodBusyAtom, true);
  set(codErrorAtom, '');
  try {
    const reply = await proven(get, set, 'codes', (headers) =>
      get(apiAtom).call(contract.codOtp, { transactionId, body: {} }, { headers }),
    );
    set(codSentAtom, transactionId);
    set(codResendAtAtom, Date.now() + reply.resendInSeconds * 1000);
  } catch (thrown) {
    // A code that was sent a moment ago is no error of the customer's: the remaining wait is shown.
    if (codeOf(thrown) === 'OTP_WAIT') {
      set(codSentAtom, transactionId);
      set(codResendAtAtom, Date.now() + waitOf(thrown, OTP_RESEND_SECONDS) * 1000);
    } else set(codErrorAtom, sentenceOf(thrown));
  } finally {
    set(isCodBusyAtom, false);
  }
});

/** Checks the typed code, which places the order. @returns false when it has to be typed again */
export const checkCodCodeAtom = atom(null, async (get, set, transactionId: string): Promise<boolean> => {
  if (get(isCodBusyAtom)) return true;
  const code = otpCode(get(codTypedAtom));
  if (code === null) {
    set(codErrorAtom, t.codeShort);
    return false;
  }
  set(isCodBusyAtom, true);
  set(codErrorAtom, '');
  try {
    await proven(get, set, 'guesses', (headers) =>
      get(apiAtom).call(contract.codOtp, { transactionId, body: { code } }, { headers }),
    );
    set(smsQuestion.drop);
    set(codTypedAtom, '');
    const order = get(orderAtom);
    if (order) {
      const now = await set(settleOrderAtom, order);
      get(navigateAtom).go(`/order/${now.orderId}`, { replace: true });
    }
    return true;
  } catch (thrown) {
    set(codErrorAtom, sentenceOf(thrown));
    return false;
  } finally {
    set(isCodBusyAtom, false);
  }
});

/**
 * Takes what was typed, pasted or read from the SMS: digits of any script, and six of them are sent at once. @returns
 * false when they were wrong
 */
export const typeCodCodeAtom = atom(null, async (get, set, transactionId: string, typed: string): Promise<boolean> => {
  const digits = latinDigits(typed).slice(0, OTP_DIGITS);
  if (digits === get(codTypedAtom)) return true;
  set(codTypedAtom, digits);
  set(codErrorAtom, '');
  return digits.length < OTP_DIGITS || (await set(checkCodCodeAtom, transactionId));
});

/** Takes the code of a cash order from its SMS, where the browser can. */
export const listenForCodCodeAtom = atom(null, async (get, set, transactionId: string): Promise<void> => {
  const code = await set(smsCodeAtom, Date.now() + OTP_LIFE_SECONDS * 1000);
  const step = get(nextStepAtom);
  if (code !== null && step?.kind === 'cod-otp' && step.transactionId === transactionId)
    await set(typeCodCodeAtom, transactionId, code);
});
