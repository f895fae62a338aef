import { atom } from 'jotai';
import * as contract from '../../contract/linkedWallets.ts';
import type { OrderView } from '../../contract/orders.ts';
import type { PaymentStep } from '../../contract/payments.ts';
import * as errors from '#text/errors.ts';
import * as paymentText from '#text/payment.ts';
import { oneTimeCode } from '../consent/oneTimeCode.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { settleOrderAtom } from '../orders/orders.ts';
import { moneySentence, popupAtom, showFailureAtom } from '../base/popup.ts';
import { mobileOf, mobileProblem } from '../base/mobile.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
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

export const linkDraftAtom = customerAtom({ provider: '', mobile: '' });

/** The provider's own code, which it sends to the wallet's number: with it the wallet is linked, and chosen. */
export const linkCode = oneTimeCode<{ readonly provider: string; readonly mobile: string; readonly state?: string }>({
  isTied: true,
  noCode: () => errors.otpFailed,
  staysBeside: true,
  to: (get) => {
    const { provider, mobile } = get(linkDraftAtom);
    return { provider, mobile: mobileOf(get, mobile) ?? '' };
  },
  wrongTo: (get) => ({ to: mobileProblem(get, get(linkDraftAtom).mobile) }),
  send: async (get, ask, { provider, mobile }) => {
    const answer = await ask((headers) =>
      get(apiAtom).call(contract.link, { provider, body: { mobile } }, { headers }),
    );
    return { ...answer, also: 'state' in answer ? { state: answer.state } : {} };
  },
  check: async (get, set, prove, code, { provider, state = '' }) => {
    const { wallet } = await prove((headers) =>
      get(apiAtom).call(contract.verify, { provider, body: { state, code } }, { headers }),
    );
    set(linkedState.put, wallet);
    set(selectedWalletAtom, provider);
    set(linkDraftAtom, { provider, mobile: '' });
  },
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
export const redeemLinkedAtom = linkCode.task(
  async (get, set, order: OrderView, step: LinkedStep) => {
    await get(apiAtom).call(contract.redeem, { provider: step.provider, body: { transactionId: step.transactionId } });
    const now = await set(settleOrderAtom, order);
    void set(linkedState.load, step.provider);
    get(navigateAtom).go(`/order/${now.orderId}`, { replace: true });
  },
  {
    failed: (get, set, thrown, order) => {
      // Nothing is lost: the page of this payment offers the same again, or another way to pay.
      get(navigateAtom).go(`/payment/${order.orderId}`, { replace: true });
      set(showFailureAtom, thrown, moneySentence(thrown));
    },
  },
);
