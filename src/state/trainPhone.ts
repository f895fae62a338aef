import * as t from '#text/payment.ts';
import { atom } from 'jotai';
import { codeOf } from '../api/failure.ts';
import * as contract from '../contract/trains.ts';
import { OTP_DIGITS, OTP_RESEND_SECONDS, otpCode } from '../domain/otp.ts';
import { latinDigits, phoneNumber } from '../domain/phone.ts';
import { proven, waitOf } from './challenge.ts';
import { detailAtom } from './checkout.ts';
import { countryAtom } from './country.ts';
import { apiAtom } from './first/seams.ts';
import { customerAtom } from './lib/forget.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';
import { tripAtom } from './station.ts';

/** The code that shows whose phone a train order is called at (product.md C49). Times are epoch ms of the device. */
interface Asked {
  readonly trainOrderId: string;
  readonly mobile: string;
  readonly typed: string;
  readonly error: string;
  readonly resendAt: number;
}
const askedAtom = customerAtom<Asked | null>(null);
/** Set while a code is asked for. */
export const trainCodeAtom = atom((get) => get(askedAtom));
const isBusyHeldAtom = customerAtom(false);
export const isTrainCodeBusyAtom = atom((get) => get(isBusyHeldAtom));
const put = (change: Partial<Asked>) => (held: Asked | null) => held && { ...held, ...change };

export const closeTrainCodeAtom = atom(null, (_get, set): void => set(askedAtom, null));

/**
 * Before a train order is placed: tells the server the phone of who orders. @returns whether it is known to be theirs; if
 * not, a code was sent and is asked for, or the failure is shown
 */
export const checkTrainPhoneAtom = atom(null, async (get, set): Promise<boolean> => {
  const trip = get(tripAtom);
  if (trip === null) return true;
  if (get(isBusyHeldAtom)) return false;
  const { trainOrderId } = trip;
  const mobile = phoneNumber(get(detailAtom).mobNo, get(countryAtom)) ?? '';
  set(isBusyHeldAtom, true);
  try {
    const host = globalThis.location.host;
    const { train, otp } = await proven(get, set, 'codes', (headers) =>
      get(apiAtom).call(contract.change, { orderId: trainOrderId, body: { mobile, host } }, { headers }),
    );
    if (train.isPhoneChecked) return true;
    const resendAt = Date.now() + (otp?.resendInSeconds ?? 0) * 1000;
    set(askedAtom, { trainOrderId, mobile, typed: '', error: '', resendAt });
    return false;
  } catch (thrown) {
    // A code was sent a moment ago: it is asked for.
    if (codeOf(thrown) === 'OTP_WAIT')
      set(askedAtom, {
        trainOrderId,
        mobile,
        typed: '',
        error: '',
        resendAt: Date.now() + waitOf(thrown, OTP_RESEND_SECONDS) * 1000,
      });
    else set(showFailureAtom, thrown);
    return false;
  } finally {
    set(isBusyHeldAtom, false);
  }
});

/** Sends another code. */
export const resendTrainCodeAtom = atom(null, async (get, set): Promise<void> => {
  const asked = get(askedAtom);
  if (asked === null || get(isBusyHeldAtom)) return;
  set(isBusyHeldAtom, true);
  try {
    const reply = await proven(get, set, 'codes', (headers) =>
      get(apiAtom).call(
        contract.sendOtp,
        { body: { trainOrderId: asked.trainOrderId, host: globalThis.location.host } },
        { headers },
      ),
    );
    set(askedAtom, put({ error: '', resendAt: Date.now() + reply.resendInSeconds * 1000 }));
  } catch (thrown) {
    const wait =
      codeOf(thrown) === 'OTP_WAIT' ? { resendAt: Date.now() + waitOf(thrown, OTP_RESEND_SECONDS) * 1000 } : {};
    set(askedAtom, put({ error: sentenceOf(thrown), ...wait }));
  } finally {
    set(isBusyHeldAtom, false);
  }
});

/** Checks the typed code. @returns whether the phone is known to be theirs now */
export const checkTrainCodeAtom = atom(null, async (get, set): Promise<boolean> => {
  const asked = get(askedAtom);
  if (asked === null || get(isBusyHeldAtom)) return false;
  const code = otpCode(asked.typed);
  if (code === null) {
    set(askedAtom, put({ error: t.codeShort }));
    return false;
  }
  set(isBusyHeldAtom, true);
  try {
    await proven(get, set, 'guesses', (headers) =>
      get(apiAtom).call(contract.validateOtp, { body: { trainOrderId: asked.trainOrderId, code } }, { headers }),
    );
    set(askedAtom, null);
    return true;
  } catch (thrown) {
    set(askedAtom, put({ error: sentenceOf(thrown) }));
    return false;
  } finally {
    set(isBusyHeldAtom, false);
  }
});

/** Takes digits of any script; six of them are sent at once. @returns whether the phone is known to be theirs now */
export const typeTrainCodeAtom = atom(null, async (_get, set, typed: string): Promise<boolean> => {
  const digits = latinDigits(typed).slice(0, OTP_DIGITS);
  set(askedAtom, put({ typed: digits, error: '' }));
  return digits.length === OTP_DIGITS && (await set(checkTrainCodeAtom));
});
