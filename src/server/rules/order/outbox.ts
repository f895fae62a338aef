import type { Call } from '../../call/call.ts';
import { jobs } from '../../call/jobs.ts';
import type { Services } from '../../call/services.ts';
import { transact, type Db } from '../../store/db.ts';
import { finishJob, jobFinished, type Claim, type NewJob } from '../../store/jobs.ts';
import { markSent, messageTold, unsent, type Message } from '../../store/outbox.ts';
import { writeTogether } from '../../store/together.ts';
import { trainByEither } from '../../store/trains.ts';

const LANE = 'outbox';
const TELL = `${LANE}.tell`;

/** The job that tells the store about an order, to be stored in the transaction of what it tells. */
export const tellJob = (message: Message): NewJob => ({
  kind: TELL,
  runAt: message.at,
  payload: message,
  key: `${TELL}:${message.orderId}:${message.kind}`,
});

/**
 * Tells the store, at least once. Messages go into the log here; a real store's system would be called in this place.
 * @param job the message's own
 * @returns what is to be written of it
 */
async function tellStore(db: Db, { log }: Pick<Services, 'log'>, message: Message, job: Claim, now: number) {
  const { orderId, kind, payload } = message;
  log.info({ orderId, kind, ...payload, ...(await seatOf(db, message)) }, 'told the store of an order');
  return [messageTold(db, message, now), jobFinished.of(db, { id: job.id, attempts: job.attempts })];
}

/** Where in the train the rider goes is forgotten after the journey, so no message keeps it. */
async function seatOf(db: Db, { orderId, payload }: Message): Promise<object> {
  const train = 'trainNumber' in payload ? await trainByEither(db, orderId) : undefined;
  return train === undefined ? {} : { coach: train.coach, berth: train.berth };
}

/** Does a message's job in the call that has stored it. @returns as tellStore */
export async function tellStoreNow({ db, services, now }: Call, message: Message, job: Claim) {
  const started = performance.now();
  const writes = await tellStore(db, services, message, job, now);
  const seconds = (performance.now() - started) / 1000;
  services.counts.tried({ kind: TELL, lane: LANE, outcome: 'done', seconds });
  return writes;
}

jobs.on<Message>(TELL, async (message, { db, services, now, jobId, attempt }) => {
  await writeTogether(db, await tellStore(db, services, message, { id: jobId, attempts: attempt }, now));
  return 'finished';
});

/** What a release before this one has left to be told. */
jobs.on<{ orderId: string }>('outbox.send', async ({ orderId }, { db, services, now, jobId, attempt }) => {
  const entries = await unsent(db, orderId);
  for (const entry of entries) {
    const message = { ...entry, orderId, at: now, payload: JSON.parse(entry.payload) as object };
    const { kind, payload } = message;
    services.log.info({ orderId, kind, ...payload, ...(await seatOf(db, message)) }, 'told the store of an order');
  }
  await transact(db, async (tx) => {
    for (const entry of entries) await markSent(tx, orderId, entry.kind, now);
    await finishJob(tx, { id: jobId, attempts: attempt });
  });
  return 'finished';
});
