import { atom } from 'jotai';
import * as contract from '../contract/linkedWallets.ts';
import type { OrderView } from '../contract/orders.ts';
import type { PaymentStep } from '../contract/payments.ts';
import { mobileInvalid, OTP_FAILED } from '../domain/messages.ts';
import { otpCode } from '../domain/otp.ts';
import { phoneNumber } from '../domain/phone.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { settleOrderAtom } from './orders.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';
import { apiAtom, countryAtom, navigateAtom } from './seams.ts';
import { selectedWalletAtom } from './wallet.ts';

/** The wallet at a provider, as it stands now. */
export const linkedState = remote(async (get, set, signal, provider: string) => {
  const { wallet } = await get(apiAtom).call(contract.balance, { provider }, { signal });
  if (!wallet.isLinked && get(selectedWalletAtom) === provider) set(selectedWalletAtom, null);
  return wallet;
});
/** Whether this mode is to be paid from the wallet tied to the account. */
export const isLinkedChosenAtom = atom((get) => (mode: string | null) => mode !== null && get(selectedWalletAtom) === mode && get(linkedState.atom).data?.isLinked === true);

export interface LinkDraft { readonly mobile: string; readonly code: string }
export const linkDraftAtom = forgotten<LinkDraft>({ mobile: '', code: '' });
export const linkErrorAtom = forgotten<Partial<Record<keyof LinkDraft, string>>>({});
export const isLinkBusyAtom = forgotten(false);
/** The code that the provider has sent; times are epoch ms of the device. */
export const linkSentAtom = forgotten<{ readonly state: string; readonly mobile: string; readonly resendAt: number } | null>(null);

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

/** The provider sends its code to the number of its wallet. */
export const sendLinkCodeAtom = atom(null, async (get, set, provider: string): Promise<boolean> => {
  const country = get(countryAtom);
  const mobile = phoneNumber(get(linkDraftAtom).mobile, country);
  if (mobile === null) { set(linkErrorAtom, { mobile: mobileInvalid(country.PHONE_DIGIT) }); return false; }
  return await set(inTurnAtom, 'mobile', async () => {
    const { state, resendInSeconds } = await get(apiAtom).call(contract.link, { provider, body: { mobile } });
    set(linkSentAtom, { state, mobile, resendAt: Date.now() + resendInSeconds * 1000 });
    set(linkDraftAtom, (before) => ({ ...before, code: '' }));
  });
});

/** Ties the wallet and chooses it; true when it is tied. */
export const verifyLinkAtom = atom(null, async (get, set, provider: string): Promise<boolean> => {
  const sent = get(linkSentAtom);
  const { code } = get(linkDraftAtom);
  if (sent === null || otpCode(code) === null) { set(linkErrorAtom, { code: OTP_FAILED }); return false; }
  return await set(inTurnAtom, 'code', async () => {
    const { wallet } = await get(apiAtom).call(contract.verify, { provider, body: { state: sent.state, code } });
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
/** Takes the money of an attempt on the customer's word. What is not known afterwards is the order's page to find out. */
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
    // Nothing is lost: the page of this payment offers the same again, or another way.
    go(`/payment/${order.orderId}`, { replace: true });
    set(showFailureAtom, thrown);
  } finally {
    set(isLinkBusyAtom, false);
  }
});
