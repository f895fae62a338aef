import { jobs } from '../../call/jobs.ts';
import { transact } from '../../store/db.ts';
import { finishJob } from '../../store/jobs.ts';
import { markSent, unsent } from '../../store/outbox.ts';
import { trainByEither } from '../../store/trains.ts';

/**
 * Sends the stored messages about an order, at least once. They go into the log here; a real store's system would be
 * called in this place.
 */
jobs.on<{ orderId: string }>('outbox.send', async ({ orderId }, { db, services, now, jobId, attempt }) => {
  const entries = await unsent(db, orderId);
  // Where in the train the rider goes is forgotten after the journey, so no message keeps it.
  const train = await trainByEither(db, orderId);
  const seat = train === undefined ? {} : { coach: train.coach, berth: train.berth };
  for (const entry of entries)
    services.log.info(
      { orderId, kind: entry.kind, ...(JSON.parse(entry.payload) as object), ...seat },
      'told the store of an order',
    );
  // Both in one transaction to save a commit, because every order has such a job.
  await transact(db, async (tx) => {
    for (const entry of entries) await markSent(tx, orderId, entry.kind, now);
    await finishJob(tx, { id: jobId, attempts: attempt });
  });
  return 'finished';
});
