import * as t from '#text/order.ts';
import * as contract from '../../contract/vouchers.ts';
import { newId } from '../first/lib/ids.ts';
import { putOrderAtom } from '../orders/orders.ts';
import { moneySentence, showFailureAtom } from '../base/popup.ts';
import { apiAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { pinCode, vouchersState } from './vouchers.ts';

/** Pays what is left of an order after a failed payment, as far as this e-voucher goes. */
export const redeemVoucherAtom = pinCode.task(
  async (get, set, orderId: string, voucherId: string, amount: number) => {
    const { order, rest } = await get(apiAtom).call(
      contract.redeem,
      { body: { orderId, voucherId, amount } },
      { idempotencyKey: newId() },
    );
    set(putOrderAtom, order);
    if (rest > 0) set(toastMessageAtom, t.voucherPaidPart);
    await set(vouchersState.load);
  },
  {
    failed: async (_get, set, thrown) => {
      set(showFailureAtom, thrown, moneySentence(thrown));
      await set(vouchersState.load);
    },
  },
);
