import { retry } from '../../../contract/payments.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import type { Call } from '../../call/call.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import { paymentView } from '../order/orderView.ts';
import { ownOrder, ownPayment } from '../order/rights.ts';
import { optionsOf } from '../payment/modes.ts';
import { fingerprint, keyOf } from '../reliability/idempotency.ts';
import { anotherAttempt } from './anotherAttempt.ts';
import { begin } from './attempts.ts';
import { onUnpaidOrder } from './unpaidOrder.ts';

/** Pays an unpaid order of the caller's in another way. @throws Refusal as `anotherAttempt` */
export async function retryPayment(call: Call, body: EndpointInput<typeof retry>['body']): Promise<PreparedReply> {
  const key = keyOf(call);
  const { id: orderId } = await ownOrder(call, body.orderId);
  const options = await optionsOf(call);
  return await onUnpaidOrder(
    call,
    { orderId, key, print: fingerprint(retry.path, body) },
    async (tx, order, isRehearsal) => {
      const { paymentMode: mode, cardToken, linked, paymentChoice: choice } = body;
      const wish = { mode, cardToken, linked, choice, options, isRehearsal };
      return { paymentId: (await anotherAttempt(tx, call, order, wish)).id };
    },
    async ({ paymentId }) => {
      const next = await begin(call, paymentId);
      const { payment, order } = await ownPayment(call, paymentId);
      return { payment: paymentView(payment, order.status === 'PENDING'), next };
    },
  );
}
