import * as errorText from '#text/errors.ts';
import { atom } from 'jotai';
import { codeOf, isFailure } from '../api/failure.ts';
import * as contract from '../contract/vouchers.ts';
import { VOUCHERS_AT_MOST } from '../contract/funds.ts';
import { voucherNumber, voucherPin } from '../domain/funds.ts';
import { OTP_RESEND_SECONDS, otpCode } from '../domain/otp.ts';
import { proven, waitOf } from './challenge.ts';
import { customerAtom } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';
import { apiAtom } from './first/seams.ts';

/** The e-vouchers that this customer keeps. */
export const vouchersState = remote(
  async (get, _set, signal) => (await get(apiAtom).call(contract.balance, {}, { signal })).vouchers,
);

const chosenHeldAtom = customerAtom<readonly string[]>([]);
/** The e-vouchers chosen for this order that can still pay. */
export const chosenVouchersAtom = atom((get) => {
  const usable = (get(vouchersState.atom).data ?? [])
    .filter((voucher) => voucher.balance > 0 && !voucher.isExpired)
    .map((voucher) => voucher.voucherId);
  return get(chosenHeldAtom).filter((id) => usable.includes(id));
});
/** Chooses an e-voucher or takes it back. @returns false if as many are chosen as may pay one order */
export const chooseVoucherAtom = atom(null, (get, set, voucherId: string, isChosen: boolean): boolean => {
  const others = get(chosenVouchersAtom).filter((id) => id !== voucherId);
  if (isChosen && others.length >= VOUCHERS_AT_MOST) return false;
  set(chosenHeldAtom, isChosen ? [...others, voucherId] : others);
  return true;
});
/** Clears the choice after an order. */
export const forgetChosenAtom = atom(null, (_get, set) => {
  set(chosenHeldAtom, []);
});

export interface VoucherDraft {
  readonly number: string;
  readonly pin: string;
  readonly code: string;
}
const NO_DRAFT: VoucherDraft = { number: '', pin: '', code: '' };
/** What is typed; cleared when it was accepted, and with the page. */
export const voucherDraftAtom = customerAtom<VoucherDraft>(NO_DRAFT);
export const voucherErrorsAtom = customerAtom<Partial<Record<keyof VoucherDraft, string>>>({});
export const isVoucherBusyAtom = customerAtom(false);
/** Epoch milliseconds from which another code for a new pin may be asked for; 0 if none was sent. */
export const pinResendAtAtom = customerAtom(0);

const FIELDS: Readonly<Record<string, keyof VoucherDraft>> = {
  EGV_NUMBER: 'number',
  EGV_EXPIRED: 'number',
  EGV_FULL: 'number',
};
const putErrorAtom = atom(null, (_get, set, thrown: unknown, otherwise: keyof VoucherDraft) => {
  const error = isFailure(thrown) ? thrown.errors[0] : undefined;
  const field =
    error === undefined
      ? otherwise
      : (FIELDS[error.code] ??
        (error.field === 'number' || error.field === 'pin' || error.field === 'code' ? error.field : otherwise));
  set(voucherErrorsAtom, { [field]: sentenceOf(thrown) });
});

const busy =
  <A extends unknown[]>(work: (...args: A) => Promise<boolean>, hold: (isBusy: boolean) => void) =>
  async (...args: A): Promise<boolean> => {
    hold(true);
    try {
      return await work(...args);
    } finally {
      hold(false);
    }
  };

/** Saves the typed e-voucher and chooses it. An error keeps what was typed. @returns whether it was saved */
export const linkVoucherAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(isVoucherBusyAtom)) return false;
  const { number, pin } = get(voucherDraftAtom);
  const errors = {
    ...(voucherNumber(number) === null ? { number: errorText.egvNumber } : {}),
    ...(voucherPin(pin) === null ? { pin: errorText.egvPin } : {}),
  };
  set(voucherErrorsAtom, errors);
  if (Object.keys(errors).length > 0) return false;
  return await busy(
    async () => {
      try {
        const { voucher } = await proven(get, set, 'guesses', (headers) =>
          get(apiAtom).call(contract.link, { body: { number, pin } }, { headers }),
        );
        const others = (get(vouchersState.atom).data ?? []).filter((one) => one.voucherId !== voucher.voucherId);
        set(vouchersState.put, [...others, voucher]);
        set(voucherDraftAtom, NO_DRAFT);
        set(chooseVoucherAtom, voucher.voucherId, voucher.balance > 0);
        return true;
      } catch (thrown) {
        set(putErrorAtom, thrown, 'pin');
        return false;
      }
    },
    (isBusy) => set(isVoucherBusyAtom, isBusy),
  )();
});

export const unlinkVoucherAtom = atom(null, async (get, set, voucherId: string): Promise<void> => {
  try {
    set(vouchersState.put, (await get(apiAtom).call(contract.unlink, { voucherId })).vouchers);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

/** Asks for the code for a new pin. @returns whether one may be on its way */
export const sendPinCodeAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(isVoucherBusyAtom)) return false;
  const { number } = get(voucherDraftAtom);
  if (voucherNumber(number) === null) {
    set(voucherErrorsAtom, { number: errorText.egvNumber });
    return false;
  }
  set(voucherErrorsAtom, {});
  return await busy(
    async () => {
      try {
        const reply = await proven(get, set, 'codes', (headers) =>
          get(apiAtom).call(contract.resetPin, { body: { number } }, { headers }),
        );
        set(pinResendAtAtom, Date.now() + reply.resendInSeconds * 1000);
        set(voucherDraftAtom, (before) => ({ ...before, pin: '', code: '' }));
        return true;
      } catch (thrown) {
        if (codeOf(thrown) === 'OTP_WAIT') set(pinResendAtAtom, Date.now() + waitOf(thrown, OTP_RESEND_SECONDS) * 1000);
        else set(putErrorAtom, thrown, 'number');
        return codeOf(thrown) === 'OTP_WAIT';
      }
    },
    (isBusy) => set(isVoucherBusyAtom, isBusy),
  )();
});

/** Sets a new pin by the code, then saves the e-voucher with it. @returns whether both worked */
export const resetPinAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(isVoucherBusyAtom)) return false;
  const { number, pin, code } = get(voucherDraftAtom);
  const errors = {
    ...(otpCode(code) === null ? { code: errorText.otpFailed } : {}),
    ...(voucherPin(pin) === null ? { pin: errorText.egvPin } : {}),
  };
  set(voucherErrorsAtom, errors);
  if (Object.keys(errors).length > 0) return false;
  const isSet = await busy(
    async () => {
      try {
        await proven(get, set, 'guesses', (headers) =>
          get(apiAtom).call(contract.resetPin, { body: { number, code, pin } }, { headers }),
        );
        set(pinResendAtAtom, 0);
        set(voucherDraftAtom, (before) => ({ ...before, code: '' }));
        return true;
      } catch (thrown) {
        set(putErrorAtom, thrown, 'code');
        return false;
      }
    },
    (isBusy) => set(isVoucherBusyAtom, isBusy),
  )();
  return isSet && (await set(linkVoucherAtom));
});
