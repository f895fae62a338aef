import * as t from '#text/order.ts';
import { atom } from 'jotai';
import * as contract from '../contract/vouchers.ts';
import { newId } from './first/lib/ids.ts';
import { putOrderAtom } from './orders.ts';
import { moneySentence, showFailureAtom } from './popup.ts';
import { apiAtom } from './first/seams.ts';
import { toastMessageAtom } from './first/toast.ts';
import { isVoucherBusyAtom, vouchersState } from './vouchers.ts';

/** Pays what is left of an order after a failed payment, as far as this e-voucher goes. */
export const redeemVoucherAtom = atom(
  null,
  async (get, set, orderId: string, voucherId: string, amount: number): Promise<void> => {
    if (get(isVoucherBusyAtom)) return;
    set(isVoucherBusyAtom, true);
    try {
      const { order, rest } = await get(apiAtom).call(
        contract.redeem,
        { body: { orderId, voucherId, amount } },
        { idempotencyKey: newId() },
      );
      set(putOrderAtom, order);
      if (rest > 0) set(toastMessageAtom, t.voucherPaidPart);
    } catch (thrown) {
      set(showFailureAtom, thrown, moneySentence(thrown));
    } finally {
      set(isVoucherBusyAtom, false);
      await set(vouchersState.load);
    }
  },
);
