import type { Call } from '../../call/call.ts';
import { pricedFor } from '../cart/couponCodes.ts';
import { ownPayment } from '../order/rights.ts';
import { restOf } from '../payment/funds.ts';

/**
 * The amount still to pay, in minor units: of an order that has a payment, or of the caller's cart when its id is given.
 * @throws Refusal 404 NOT_FOUND
 */
export async function dueOf(call: Call, transactionId: string): Promise<number> {
  if (transactionId === call.caller.cartId)
    return (await pricedFor(call.db, call, transactionId, undefined)).cart.bill.total;
  const { order } = await ownPayment(call, transactionId);
  return order.status === 'PENDING' ? await restOf(call.db, order) : 0;
}
