import * as errors from '#text/errors.ts';
import { atom } from 'jotai';
import { codeOf, isFailure } from '../api/failure.ts';
import * as copy from '../contract/copy.ts';
import * as deletion from '../contract/deletion.ts';
import { OTP_DIGITS, OTP_RESEND_SECONDS, otpCode } from '../domain/otp.ts';
import { latinDigits } from '../domain/phone.ts';
import { proven, waitOf } from './challenge.ts';
import { customerAtom } from './lib/forget.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';
import { apiAtom } from './first/seams.ts';

// A code to the account's own number, before something that only its owner may do.

/** What the code is for. */
export type Proof = 'deletion' | 'copy';
const CALLS = { deletion: deletion.sendCode, copy: copy.sendCode };

/** The code that was sent: what for, and when there may be another (epoch ms of this device). */
export const sentProofAtom = customerAtom<{ readonly proof: Proof; readonly resendAt: number } | null>(null);
export const proofCodeAtom = customerAtom('');
export const proofErrorAtom = customerAtom('');
export const isProofBusyAtom = customerAtom<'' | 'send' | 'check'>('');

export const leaveProofAtom = atom(null, (_get, set) => {
  set(sentProofAtom, null);
  set(proofCodeAtom, '');
  set(proofErrorAtom, '');
});

export const typeProofAtom = atom(null, (_get, set, typed: string) => {
  set(proofCodeAtom, latinDigits(typed).slice(0, OTP_DIGITS));
  set(proofErrorAtom, '');
});

/** Has a code sent. One of a moment ago is still good: then the page waits for that. */
export const sendProofAtom = atom(null, async (get, set, proof: Proof): Promise<void> => {
  if (get(isProofBusyAtom) !== '') return;
  set(isProofBusyAtom, 'send');
  set(proofErrorAtom, '');
  const host = globalThis.location?.hostname;
  const sent = (seconds: number) => set(sentProofAtom, { proof, resendAt: Date.now() + seconds * 1000 });
  try {
    const reply = await proven(get, set, 'codes', (headers) =>
      get(apiAtom).call(CALLS[proof], { body: host ? { host } : {} }, { headers }),
    );
    set(proofCodeAtom, '');
    sent(reply.resendInSeconds);
  } catch (thrown) {
    if (codeOf(thrown) === 'OTP_WAIT') sent(waitOf(thrown, OTP_RESEND_SECONDS));
    else set(showFailureAtom, thrown);
  } finally {
    set(isProofBusyAtom, '');
  }
});

/**
 * Does something with the code that was typed. A wrong one is said beside the field and stays in it.
 * @returns whether it was done
 */
export const proveAtom = atom(
  null,
  async (
    get,
    set,
    act: (code: string, headers: Readonly<Record<string, string>>) => Promise<void>,
  ): Promise<boolean> => {
    if (get(isProofBusyAtom) !== '') return false;
    const typed = get(proofCodeAtom);
    const code = otpCode(typed);
    if (code === null) {
      set(proofErrorAtom, typed.trim() === '' ? errors.fieldEmpty : errors.otpWrong);
      return false;
    }
    set(isProofBusyAtom, 'check');
    set(proofErrorAtom, '');
    try {
      await proven(get, set, 'guesses', (headers) => act(code, headers));
      return true;
    } catch (thrown) {
      if (isFailure(thrown) && ['refused', 'offline', 'timeout'].includes(thrown.kind))
        set(proofErrorAtom, sentenceOf(thrown));
      else set(showFailureAtom, thrown);
      return false;
    } finally {
      set(isProofBusyAtom, '');
    }
  },
);
