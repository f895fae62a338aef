import * as errorText from '#text/errors.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/vouchers.ts';
import { VOUCHERS_AT_MOST } from '../../contract/funds.ts';
import { voucherNumber, voucherPin } from '../../domain/funds.ts';
import { proven } from '../consent/challenge.ts';
import { oneTimeCode } from '../consent/oneTimeCode.ts';
import { kept } from '../first/lib/kept.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { sentenceOf, showFailureAtom } from '../base/popup.ts';
import type { Problems } from '../base/task.ts';
import { apiAtom } from '../first/seams.ts';

/** The e-vouchers that this customer keeps. */
export const vouchersState = remote(
  async (get, _set, signal) => (await get(apiAtom).call(contract.balance, {}, { signal })).vouchers,
);

/** Chosen for this order, also while the customer is at a page of the bank. */
const chosenHeldAtom = kept<readonly string[]>({
  key: 'vouchers-chosen',
  schema: z.array(z.string()),
  initial: [],
  forget: 'logout',
});
export const areVouchersChosenAtom = atom((get) => get(chosenHeldAtom).length > 0);
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
}
const NO_DRAFT: VoucherDraft = { number: '', pin: '' };
/** What is typed; cleared when it was accepted, and with the page. */
export const voucherDraftAtom = customerAtom<VoucherDraft>(NO_DRAFT);

type Field = keyof VoucherDraft | 'code';
const FIELDS: Readonly<Record<string, Field>> = { EGV_NUMBER: 'number', EGV_EXPIRED: 'number', EGV_FULL: 'number' };
const besideOf = (thrown: unknown, otherwise: Field): Problems<Field> => {
  const error = isFailure(thrown) ? thrown.errors[0] : undefined;
  const named = (['number', 'pin', 'code'] as const).find((field) => field === error?.field);
  return { [FIELDS[error?.code ?? ''] ?? named ?? otherwise]: sentenceOf(thrown) };
};
const numberProblem = ({ number }: VoucherDraft) => (voucherNumber(number) === null ? errorText.egvNumber : '');
const pinProblem = ({ pin }: VoucherDraft) => (voucherPin(pin) === null ? errorText.egvPin : '');

/** The code to the owner of an e-voucher, with which a new pin is set. */
export const pinCode = oneTimeCode<{ readonly number: string }, keyof VoucherDraft>({
  isSentByButton: true,
  noCode: () => errorText.otpFailed,
  to: (get) => ({ number: get(voucherDraftAtom).number }),
  wrongTo: (get) => ({ number: numberProblem(get(voucherDraftAtom)) }),
  send: (get, ask, { number }) =>
    ask((headers) => get(apiAtom).call(contract.resetPin, { body: { number } }, { headers })),
  onSent: (_get, set, _isAgain, isNew) => {
    if (isNew) set(voucherDraftAtom, (before) => ({ ...before, pin: '' }));
  },
  sendFailed: (_get, _set, thrown) => besideOf(thrown, 'number'),
  wrongBeside: (get) => ({ pin: pinProblem(get(voucherDraftAtom)) }),
  check: async (get, _set, prove, code) => {
    const { number, pin } = get(voucherDraftAtom);
    await prove((headers) => get(apiAtom).call(contract.resetPin, { body: { number, code, pin } }, { headers }));
  },
  checkFailed: (_get, _set, thrown) => besideOf(thrown, 'code'),
});

/** Whether a code was sent to the owner of the e-voucher whose number is typed now. */
export const isPinCodeSentAtom = atom((get) => get(pinCode.sentAtom)?.number === get(voucherDraftAtom).number);

/** Saves the typed e-voucher and chooses it. An error keeps what was typed. @returns whether it was saved */
export const linkVoucherAtom = pinCode.task(
  async (get, set) => {
    const { number, pin } = get(voucherDraftAtom);
    const { voucher } = await proven(get, set, 'guesses', (headers) =>
      get(apiAtom).call(contract.link, { body: { number, pin } }, { headers }),
    );
    const others = (get(vouchersState.atom).data ?? []).filter((one) => one.voucherId !== voucher.voucherId);
    set(vouchersState.put, [...others, voucher]);
    set(voucherDraftAtom, NO_DRAFT);
    set(chooseVoucherAtom, voucher.voucherId, voucher.balance > 0);
  },
  {
    wrong: (get) => ({ number: numberProblem(get(voucherDraftAtom)), pin: pinProblem(get(voucherDraftAtom)) }),
    failed: (_get, _set, thrown) => besideOf(thrown, 'pin'),
  },
);

/** Sets a new pin by the code, then saves the e-voucher with it. @returns whether both worked */
export const resetPinAtom = atom(
  null,
  async (_get, set): Promise<boolean> => (await set(pinCode.check)) && (await set(linkVoucherAtom)),
);

export const unlinkVoucherAtom = atom(null, async (get, set, voucherId: string): Promise<void> => {
  try {
    set(vouchersState.put, (await get(apiAtom).call(contract.unlink, { voucherId })).vouchers);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});
