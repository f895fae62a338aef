import type { EndpointInput } from '../../../contract/endpoint.ts';
import { money } from '../../../contract/price.ts';
import { redeem } from '../../../contract/vouchers.ts';
import type { Call } from '../../call/call.ts';
import { t } from '../../call/language.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import { refuse } from '../../call/refusal.ts';
import { orderById } from '../../store/orders.ts';
import { returnPath } from '../hosts/hosts.ts';
import { viewOf } from '../order/orderView.ts';
import { ownOrder } from '../order/rights.ts';
import { restOf, takeFunds } from '../payment/funds.ts';
import { placeOrder } from '../placing/placed.ts';
import { endUnconfirmed } from '../placing/settle.ts';
import { fingerprint, keyOf } from '../reliability/idempotency.ts';
import { mustBePayable, mustKeepCoupons, payableUntil } from './anotherAttempt.ts';
import { addAttempt } from './attempts.ts';
import { onUnpaidOrder } from './unpaidOrder.ts';

/**
 * Pays a part of an unpaid order, or all of it, with an e-voucher of the account.
 * @throws Refusal as `mustBePayable`, `payableUntil` and `takeFunds`, 422 FUNDS_CHANGED, COUPON_PAYMENT_MODE where it pays all
 */
export async function payByVoucher(call: Call, body: EndpointInput<typeof redeem>['body']): Promise<PreparedReply> {
  const { db, now } = call;
  const key = keyOf(call);
  const order = await ownOrder(call, body.orderId);
  return await onUnpaidOrder(
    call,
    { orderId: order.id, key, print: fingerprint(redeem.path, body) },
    async (tx, locked, isRehearsal) => {
      const attempts = await mustBePayable(tx, locked, isRehearsal);
      const catalogue = await call.services.catalogue.of(tx, locked.country);
      await payableUntil(tx, locked, catalogue, now);
      await endUnconfirmed(tx, attempts, now);
      const before = await restOf(tx, locked);
      if (body.amount > before) refuse(422, 'FUNDS_CHANGED', t.fundsChanged, { field: 'amount' });
      if (body.amount === before) mustKeepCoupons(locked, 'EGV', { catalogue });
      await takeFunds(tx, call, locked, { vouchers: [{ voucherId: body.voucherId, amount: body.amount }] }, 'EGV');
      if (body.amount === before) {
        await addAttempt(
          tx,
          locked,
          {
            attempt: (attempts.at(-1)?.attempt ?? 0) + 1,
            mode: 'EGV',
            label: t.egv,
            amount: 0,
            cardToken: null,
            needsCode: false,
            host: call.caller.host,
            returnPath: returnPath(call.header('returnpath'), locked.country, call.caller.host),
          },
          now,
        );
        await placeOrder(tx, locked, now);
      }
      return { orderId: locked.id };
    },
    async ({ orderId }) => {
      const after = (await orderById(db, orderId))!;
      return { order: await viewOf(db, after, now), rest: money(await restOf(db, after)) };
    },
  );
}
