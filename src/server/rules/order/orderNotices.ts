import { inLanguage, railway as say, t } from '../../call/language.ts';
import type { Tx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';
import { dropSubscription, subscriptionsOf } from '../../store/push.ts';
import { orderById, type OrderRow } from '../../store/orders.ts';
import { trainByEither } from '../../store/trains.ts';
import { jobs } from '../../call/jobs.ts';
import { latestPayment } from '../../store/payments.ts';
import { momentText, paidWord } from './trainView.ts';

/** What a notice of a train says of it: when it is there, and whether the order was paid. */
interface TrainTold {
  readonly time: string;
  readonly paid: 'yes' | 'no';
}
/** The steps that a customer is notified of, with the text of the notice. */
const TOLD: Readonly<Record<string, (train: TrainTold) => string>> = {
  STARTED: () => t.newsStarted,
  READY: () => t.etaReady,
  'PICKED UP': () => t.etaOnItsWay,
  DELIVERED: () => t.newsDelivered,
  // Later than it was, or sooner.
  TRAIN_TIME: ({ time }) => say.pushNewTime({ time }),
  TRAIN_ASK: () => say.pushAsk,
  TRAIN_PLATFORM: () => say.pushPlatform,
  TRAIN_REFUND: ({ paid }) => say.pushRefund({ paid }),
};

/**
 * Enqueues the notice in the transaction of the move that it is about. Does nothing if no browser of the customer is
 * subscribed.
 */
export async function planNews(tx: Tx, order: OrderRow, step: { readonly id: string }, now: number): Promise<void> {
  if (TOLD[step.id] === undefined || (await subscriptionsOf(tx, order.user_id)).length === 0) return;
  await enqueue(tx, {
    kind: 'notice.send',
    runAt: now,
    payload: { orderId: order.id, step: step.id },
    key: `notice.send:${order.id}:${step.id}`,
  });
}

/** Sends a notice at least once; a later notice of the same order replaces it. */
jobs.on<{ orderId: string; step: string }>('notice.send', async ({ orderId, step }, { db, services, now }) => {
  const order = (await orderById(db, orderId))!;
  const body = TOLD[step];
  // A newer release tells of more than this one.
  if (body === undefined) return;
  const train = order.delivery_type === 'IRCTC' ? await trainByEither(db, orderId) : undefined;
  const paid = paidWord((await latestPayment(db, orderId))?.mode);
  // All in parallel: one push service that does not answer must not delay the others, nor keep this job beyond its
  // lease.
  const sent = await Promise.allSettled(
    (await subscriptionsOf(db, order.user_id)).map(async (to) => {
      const payload = inLanguage(to.language, () => ({
        title: t.newsTitle({ number: order.number }),
        body: body({ paid, time: train === undefined ? '' : momentText(train.arrives_at, order.country, now) }),
        tag: order.id,
        path: `${to.mount}order/${encodeURIComponent(order.id)}`,
      }));
      if ((await services.push.send(db, to, payload)) === 'gone') await dropSubscription(db, to.endpoint, null);
    }),
  );
  const failed = sent.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
});
