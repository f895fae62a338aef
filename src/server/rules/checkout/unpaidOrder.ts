import type { Call } from '../../call/call.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import type { Tx } from '../../store/db.ts';
import type { OrderRow } from '../../store/orders.ts';
import { lockedOr404 } from '../order/rights.ts';
import { closeLast } from '../placing/settle.ts';
import { once } from '../reliability/idempotency.ts';

interface UnpaidOrder {
  readonly orderId: string;
  /** The call's key and fingerprint. */
  readonly key: string;
  readonly print: string;
  /** Whether the last attempt is closed before; it is unless this says otherwise. */
  readonly mayClose?: boolean;
  /** The sentence where the order is gone. */
  readonly goneText?: string;
}

/**
 * Pays an order anew, under the call's key. Its last attempt is closed first, if it may be, and only if a rehearsal of
 * `work` refuses nothing: so that a call which changes nothing costs nobody the attempt that is open.
 * @param work on the locked order; in a rehearsal the attempt is still open, and all that it writes is undone
 * @throws Refusal 404 NOT_FOUND, and what `work` refuses
 */
export async function onUnpaidOrder<Ref>(
  call: Call,
  { orderId, key, print, mayClose = true, goneText }: UnpaidOrder,
  work: (tx: Tx, order: OrderRow, isRehearsal: boolean) => Promise<Ref>,
  afterCommit: (ref: Ref) => Promise<object>,
): Promise<PreparedReply> {
  const locked = async (tx: Tx, isRehearsal: boolean) =>
    await work(tx, await lockedOr404(tx, orderId, goneText), isRehearsal);
  if (mayClose) await closeLast(call, orderId, key, (tx) => locked(tx, true));
  return await once(call, key, print, (tx) => locked(tx, false), afterCommit);
}
