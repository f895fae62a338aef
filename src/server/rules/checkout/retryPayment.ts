import { retry } from '../../../contract/payments.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import type { Call } from '../../call/call.ts';
import { errors } from '../../call/language.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import { refuse } from '../../call/refusal.ts';
import type { Tx } from '../../store/db.ts';
import { lockOrder } from '../../store/orders.ts';
import { paymentView } from '../order/orderView.ts';
import { ownOrder, ownPayment } from '../order/rights.ts';
import { optionsOf } from '../payment/modes.ts';
import { closeLast } from '../placing/settle.ts';
import { fingerprint, keyOf, once } from '../reliability/idempotency.ts';
import { anotherAttempt } from './anotherAttempt.ts';
import { begin } from './attempts.ts';

/** Pays an unpaid order of the caller's in another way. @throws Refusal as `anotherAttempt` */
export async function retryPayment(call: Call, body: EndpointInput<typeof retry>['body']): Promise<PreparedReply> {
  const key = keyOf(call);
  const { id: orderId } = await ownOrder(call, body.orderId);
  const options = await optionsOf(call);
  const work = async (tx: Tx, isRehearsal = false) => {
    const locked = await lockOrder(tx, orderId);
    if (locked === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
    const { paymentMode: mode, cardToken, linked, paymentChoice: choice } = body;
    const wish = { mode, cardToken, linked, choice, options, isRehearsal };
    return { paymentId: (await anotherAttempt(tx, call, locked, wish)).id };
  };
  await closeLast(call, orderId, key, (tx) => work(tx, true));
  return await once(
    call,
    key,
    fingerprint(retry.path, body),
    (tx) => work(tx),
    async ({ paymentId }) => {
      const next = await begin(call, paymentId);
      const { payment, order } = await ownPayment(call, paymentId);
      return { payment: paymentView(payment, order.status === 'PENDING'), next };
    },
  );
}
