import { atom } from 'jotai';
import * as contract from '../contract/linkedWallets.ts';
import type { OrderView } from '../contract/orders.ts';
import type { PaymentStep } from '../contract/payments.ts';
import * as errors from '#text/errors.ts';
import * as paymentText from '#text/payment.ts';
import { otpCode } from '../domain/otp.ts';
import { phoneNumber } from '../domain/phone.ts';
import { proven } from './challenge.ts';
import { customerAtom } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { settleOrderAtom } from './orders.ts';
import { moneySentence, popupAtom, sentenceOf, showFailureAtom } from './popup.ts';
import { countryAtom } from './country.ts';
import { apiAtom, navigateAtom } from './first/seams.ts';
import { selectedWalletAtom } from './wallet.ts';

/** The customer's wallet at a provider, as it is now. */
export const linkedState = remote(async (get, set, signal, provider: string) => {
  const { wallet } = await get(apiAtom).call(contract.balance, { provider }, { signal });
  if (!wallet.isLinked && get(selectedWalletAtom) === provider) set(selectedWalletAtom, null);
  return wallet;
});
/** Whether this payment mode is to be paid from the wallet linked to the account. */
export const isLinkedChosenAtom = atom(
  (get) => (mode: string | null) =>
    mode !== null && get(selectedWalletAtom) === mode && get(linkedState.atom).data?.isLinked === true,
);

/**
 * Says over the page that the linked wallet which is to pay holds less than is left to pay, by what its provider knows
 * now. @returns whether it does: nothing is ordered then
 */
export const refuseLowLinkedAtom = atom(null, async (get, set, mode: string, rest: number): Promise<boolean> => {
  const isLow = () => {
    const balance = get(linkedState.atom).data?.balance ?? null;
    return get(isLinkedChosenAtom)(mode) && balance !== null && balance < rest;
  };
  if (!isLow()) return false;
  // Money may have been added there meanwhile.
  await set(linkedState.load, mode);
  const { data } = get(linkedState.atom);
  if (data === null || !isLow()) return false;
  set(popupAtom, {
    message: errors.linkedLow({ label: data.label }),
    second: paymentText.nothingOrdered,
    right: { label: errors.ok },
  });
  return true;
});

export interface LinkDraft {
  readonly mobile: string;
  readonly code: string;
}
export const linkDraftAtom = customerAtom<LinkDraft>({ mobile: '', code: '' });
export const linkErrorAtom = customerAtom<Partial<Record<keyof LinkDraft, string>>>({});
export const isLinkBusyAtom = customerAtom(false);
/** The code that the provider has sent; times are epoch milliseconds of the device. */
export const linkSentAtom = customerAtom<{
  readonly state: string;
  readonly mobile: string;
  readonly resendAt: number;
} | null>(null);

const inTurnAtom = atom(null, async (get, set, field: keyof LinkDraft, work: () => Promise<void>): Promise<boolean> => {
  if (get(isLinkBusyAtom)) return false;
  set(isLinkBusyAtom, true);
  set(linkErrorAtom, {});
  try {
    await work();
    return true;
  } catch (thrown) {
    set(linkErrorAtom, { [field]: sentenceOf(thrown) });
    return false;
  } finally {
    set(isLinkBusyAtom, false);
  }
});

/** Has the provider send its code to the wallet's mobile number. @returns whether it was sent */
export const sendLinkCodeAtom = atom(null, async (get, set, provider: string): Promise<boolean> => {
  const country = get(countryAtom);
  const mobile = phoneNumber(get(linkDraftAtom).mobile, country);
  if (mobile === null) {
    set(linkErrorAtom, { mobile: errors.mobileInvalid({ digits: country.PHONE_DIGIT }) });
    return false;
  }
  return await set(inTurnAtom, 'mobile', async () => {
    const { state, resendInSeconds } = await proven(get, set, 'codes', (headers) =>
      get(apiAtom).call(contract.link, { provider, body: { mobile } }, { headers }),
    );
    set(linkSentAtom, { state, mobile, resendAt: Date.now() + resendInSeconds * 1000 });
    set(linkDraftAtom, (before) => ({ ...before, code: '' }));
  });
});

/** Links the wallet by the code and chooses it. @returns whether it is linked */
export const verifyLinkAtom = atom(null, async (get, set, provider: string): Promise<boolean> => {
  const sent = get(linkSentAtom);
  const { code } = get(linkDraftAtom);
  if (sent === null || otpCode(code) === null) {
    set(linkErrorAtom, { code: errors.otpFailed });
    return false;
  }
  return await set(inTurnAtom, 'code', async () => {
    const { wallet } = await proven(get, set, 'guesses', (headers) =>
      get(apiAtom).call(contract.verify, { provider, body: { state: sent.state, code } }, { headers }),
    );
    set(linkedState.put, wallet);
    set(selectedWalletAtom, provider);
    set(linkSentAtom, null);
    set(linkDraftAtom, { mobile: '', code: '' });
  });
});

export const unlinkWalletAtom = atom(null, async (get, set, provider: string): Promise<void> => {
  try {
    set(linkedState.put, (await get(apiAtom).call(contract.unlink, { provider })).wallet);
    if (get(selectedWalletAtom) === provider) set(selectedWalletAtom, null);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

type LinkedStep = Extract<PaymentStep, { kind: 'linked' }>;
/**
 * Takes the money from the linked wallet after the customer has agreed. If the outcome is unknown, the order's page
 * finds out.
 */
export const redeemLinkedAtom = atom(null, async (get, set, order: OrderView, step: LinkedStep): Promise<void> => {
  const { go } = get(navigateAtom);
  if (get(isLinkBusyAtom)) return;
  set(isLinkBusyAtom, true);
  try {
    await get(apiAtom).call(contract.redeem, { provider: step.provider, body: { transactionId: step.transactionId } });
    const now = await set(settleOrderAtom, order);
    void set(linkedState.load, step.provider);
    go(`/order/${now.orderId}`, { replace: true });
  } catch (thrown) {
    // Nothing is lost: the page of this payment offers the same again, or another way to pay.
    go(`/payment/${order.orderId}`, { replace: true });
    set(showFailureAtom, thrown, moneySentence(thrown));
  } finally {
    set(isLinkBusyAtom, false);
  }
});
