import { countries } from '../../../country/index.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { jobs } from '../call/jobs.ts';
import { dropOldMonths } from '../store/archive.ts';
import type { Root } from '../store/db.ts';
import { enqueue } from '../store/jobs.ts';
import { now } from '../store/system.ts';
import { forgetOldOrders } from '../store/orderAges.ts';
import { readInvoiceSeed } from '../store/seeds.ts';
import { sweep } from '../store/sweep.ts';

const SWEEP_EVERY_MS = 6 * HOUR_MS;

/** Batches that one job does at most, of sweeping and of orders that lose their customer. */
const SWEEP_BATCHES = 200;
const ORDER_BATCHES = 40;

/** Months are of all countries at once: the longest of their laws holds. */
const booksMonths = () => Math.max(...countries.map(({ COUNTRY_CODE }) => readInvoiceSeed(COUNTRY_CODE).booksMonths));

// Deletes what is old, some of it in each job: a job has a deadline, and the next one goes on.
jobs.on<{ readonly isMore: true } | null>('sweep', async (payload, { db, jobId, services }) => {
  const at = await now(db);
  if (payload === null) await planSweep(db, at);
  const isDone =
    (await sweep(db, at, SWEEP_BATCHES)) &&
    (await forgetOldOrders(db, at, services.orderNamesDays, ORDER_BATCHES)) &&
    (await dropOldMonths(db, at, booksMonths(), SWEEP_BATCHES));
  if (!isDone) await enqueue(db, { kind: 'sweep', runAt: at, payload: { isMore: true }, key: `sweep:${jobId}` });
});

/** Plans one sweep per period. The key makes it one job, however many processes run. */
export async function planSweep(db: Root, at: number): Promise<void> {
  const next = Math.floor(at / SWEEP_EVERY_MS) + 1;
  await enqueue(db, { kind: 'sweep', runAt: next * SWEEP_EVERY_MS, payload: null, key: `sweep:${next}` });
}
