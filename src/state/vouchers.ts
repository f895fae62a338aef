import { atom } from 'jotai';
import { codeOf, isFailure } from '../api/failure.ts';
import * as contract from '../contract/vouchers.ts';
import { VOUCHERS_AT_MOST } from '../contract/funds.ts';
import { voucherNumber, voucherPin } from '../domain/funds.ts';
import { EGV_CODE_SENT, EGV_NUMBER, EGV_PIN, OTP_FAILED } from '../domain/messages.ts';
import { OTP_RESEND_SECONDS, otpCode } from '../domain/otp.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { newId } from './lib/ids.ts';
import { remote } from './lib/remote.ts';
import { putOrderAtom } from './orders.ts';
import { sentenceOf, showFailureAtom, toastMessageAtom } from './popup.ts';
import { apiAtom } from './seams.ts';

/** The e-vouchers of this customer. */
export const vouchersState = remote(async (get, _set, signal) => (await get(apiAtom).call(contract.balance, {}, { signal })).vouchers);

const chosenHeldAtom = forgotten<readonly string[]>([]);
/** Those that shall pay this order, as far as they still can. */
export const chosenVouchersAtom = atom((get) => {
  const usable = (get(vouchersState.atom).data ?? []).filter((voucher) => voucher.balance > 0 && !voucher.isExpired).map((voucher) => voucher.voucherId);
  return get(chosenHeldAtom).filter((id) => usable.includes(id));
});
/** False when there are as many as may pay one order. */
export const chooseVoucherAtom = atom(null, (get, set, voucherId: string, isChosen: boolean): boolean => {
  const others = get(chosenVouchersAtom).filter((id) => id !== voucherId);
  if (isChosen && others.length >= VOUCHERS_AT_MOST) return false;
  set(chosenHeldAtom, isChosen ? [...others, voucherId] : others);
  return true;
});
/** An order took them: the next one begins without. */
export const forgetChosenAtom = atom(null, (_get, set) => { set(chosenHeldAtom, []); });

export interface VoucherDraft { readonly number: string; readonly pin: string; readonly code: string }
const NO_DRAFT: VoucherDraft = { number: '', pin: '', code: '' };
/** What is typed; gone when it was taken, and with the page. */
export const voucherDraftAtom = forgotten<VoucherDraft>(NO_DRAFT);
export const voucherErrorsAtom = forgotten<Partial<Record<keyof VoucherDraft, string>>>({});
export const isVoucherBusyAtom = forgotten(false);
/** A code for a new pin is on its way; epoch ms from which another may be asked for, 0 when none was. */
export const pinResendAtAtom = forgotten(0);

const FIELDS: Readonly<Record<string, keyof VoucherDraft>> = { EGV_NUMBER: 'number', EGV_EXPIRED: 'number', EGV_FULL: 'number' };
const putErrorAtom = atom(null, (_get, set, thrown: unknown, otherwise: keyof VoucherDraft) => {
  const error = isFailure(thrown) ? thrown.errors[0] : undefined;
  const field = error === undefined ? otherwise : FIELDS[error.code] ?? (error.field === 'number' || error.field === 'pin' || error.field === 'code' ? error.field : otherwise);
  set(voucherErrorsAtom, { [field]: sentenceOf(thrown) });
});

const busy = <A extends unknown[]>(work: (...args: A) => Promise<boolean>, hold: (isBusy: boolean) => void) => async (...args: A): Promise<boolean> => {
  hold(true);
  try { return await work(...args); } finally { hold(false); }
};

/** Links what was typed and chooses it; true when it is there. An error keeps what was typed. */
export const linkVoucherAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(isVoucherBusyAtom)) return false;
  const { number, pin } = get(voucherDraftAtom);
  const errors = { ...(voucherNumber(number) === null ? { number: EGV_NUMBER } : {}), ...(voucherPin(pin) === null ? { pin: EGV_PIN } : {}) };
  set(voucherErrorsAtom, errors);
  if (Object.keys(errors).length > 0) return false;
  return await busy(async () => {
    try {
      const { voucher } = await get(apiAtom).call(contract.link, { body: { number, pin } });
      const others = (get(vouchersState.atom).data ?? []).filter((one) => one.voucherId !== voucher.voucherId);
      set(vouchersState.put, [...others, voucher]);
      set(voucherDraftAtom, NO_DRAFT);
      set(chooseVoucherAtom, voucher.voucherId, voucher.balance > 0);
      return true;
    } catch (thrown) {
      set(putErrorAtom, thrown, 'pin');
      return false;
    }
  }, (isBusy) => set(isVoucherBusyAtom, isBusy))();
});

export const unlinkVoucherAtom = atom(null, async (get, set, voucherId: string): Promise<void> => {
  try {
    set(vouchersState.put, (await get(apiAtom).call(contract.unlink, { voucherId })).vouchers);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

/** Asks for the code of a new pin; true when one may be on its way. */
export const sendPinCodeAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(isVoucherBusyAtom)) return false;
  const { number } = get(voucherDraftAtom);
  if (voucherNumber(number) === null) { set(voucherErrorsAtom, { number: EGV_NUMBER }); return false; }
  set(voucherErrorsAtom, {});
  return await busy(async () => {
    try {
      const reply = await get(apiAtom).call(contract.resetPin, { body: { number } });
      set(pinResendAtAtom, Date.now() + reply.resendInSeconds * 1000);
      set(voucherDraftAtom, (before) => ({ ...before, pin: '', code: '' }));
      return true;
    } catch (thrown) {
      if (codeOf(thrown) === 'OTP_WAIT') set(pinResendAtAtom, Date.now() + Number(/\d+/.exec(sentenceOf(thrown))?.[0] ?? OTP_RESEND_SECONDS) * 1000);
      else set(putErrorAtom, thrown, 'number');
      return codeOf(thrown) === 'OTP_WAIT';
    }
  }, (isBusy) => set(isVoucherBusyAtom, isBusy))();
});

/** Sets the new pin with the code; true when it counts, and then the e-voucher is linked with it. */
export const resetPinAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(isVoucherBusyAtom)) return false;
  const { number, pin, code } = get(voucherDraftAtom);
  const errors = { ...(otpCode(code) === null ? { code: OTP_FAILED } : {}), ...(voucherPin(pin) === null ? { pin: EGV_PIN } : {}) };
  set(voucherErrorsAtom, errors);
  if (Object.keys(errors).length > 0) return false;
  const isSet = await busy(async () => {
    try {
      await get(apiAtom).call(contract.resetPin, { body: { number, code, pin } });
      set(pinResendAtAtom, 0);
      set(voucherDraftAtom, (before) => ({ ...before, code: '' }));
      return true;
    } catch (thrown) {
      set(putErrorAtom, thrown, 'code');
      return false;
    }
  }, (isBusy) => set(isVoucherBusyAtom, isBusy))();
  return isSet && await set(linkVoucherAtom);
});

/** Says where the code goes, without saying whether there is such an e-voucher. */
export const PIN_CODE_SENT = EGV_CODE_SENT;

/** Pays what is left of an order whose payment has failed, as far as this e-voucher goes. */
export const redeemVoucherAtom = atom(null, async (get, set, orderId: string, voucherId: string, amount: number): Promise<void> => {
  if (get(isVoucherBusyAtom)) return;
  set(isVoucherBusyAtom, true);
  try {
    const { order, rest } = await get(apiAtom).call(contract.redeem, { body: { orderId, voucherId, amount } }, { idempotencyKey: newId() });
    set(putOrderAtom, order);
    if (rest > 0) set(toastMessageAtom, 'Your e-voucher has paid its part. Please choose how to pay the rest.');
  } catch (thrown) {
    set(showFailureAtom, thrown);
  } finally {
    set(isVoucherBusyAtom, false);
    await set(vouchersState.load);
  }
});
