import * as t from '#text/order.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { VOUCHERS_AT_MOST } from '../../contract/funds.ts';
import { leftOf } from '../../domain/funds.ts';
import { optionsState } from '../../state/checkout/modes.ts';
import { redeemVoucherAtom } from '../../state/payment/redeem.ts';
import { pinCode, vouchersState } from '../../state/payment/vouchers.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';

/** For an order whose payment has failed: buttons that pay all or a part of the rest with the customer's e-vouchers. */
export function RedeemVouchers({ order }: { order: OrderView }) {
  const isOffered = useAtomValue(optionsState.atom).data?.funds.some((one) => one.id === 'EGV') ?? false;
  const vouchers = useAtomValue(vouchersState.atom).data ?? [];
  const isBusy = useAtomValue(pinCode.busyAtom) !== '';
  const redeem = useSetAtom(redeemVoucherAtom);
  const parts = order.parts ?? [];
  const isFull = parts.some((part) => part.mode === 'WALLET') || parts.length >= VOUCHERS_AT_MOST;
  if (!isOffered || !order.payment.mayPayAgain || isFull) return null;
  const left = leftOf(order.bill.total, parts);
  return vouchers
    .filter((voucher) => voucher.balance > 0 && !voucher.isExpired)
    .map(({ voucherId, lastFour, balance }) => {
      const amount = balance < left ? balance : left;
      return (
        <Button
          key={voucherId}
          full
          kind="secondary"
          busy={isBusy}
          onClick={() => void redeem(order.orderId, voucherId, amount)}
        >
          <span>{rich(t.payWithVoucher, { amount: <Price amount={amount} />, digits: lastFour })}</span>
        </Button>
      );
    });
}
