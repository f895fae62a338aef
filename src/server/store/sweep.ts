import { sweepActivity } from './activity.ts';
import type { Db, Tables } from './db.ts';
import { sweepMemories } from './memories.ts';

const DAY_MS = 86_400_000;

type TimeOf<T extends keyof Tables> = {
  [C in keyof Tables[T]]: Tables[T][C] extends number ? C : never;
}[keyof Tables[T]];
type Swept = { [T in keyof Tables]: readonly [table: T, time: TimeOf<T>, keptDays: number] }[keyof Tables];

/** Tables whose rows are deleted once the time in this column (epoch ms) is more than so many days ago. */
const SWEPT: readonly Swept[] = [
  ['counters', 'ends_at', 0],
  ['inbox', 'sent_at', 7],
  ['access_tokens', 'ends_at', 1],
  ['code_sends', 'sent_at', 2],
  ['codes', 'ends_at', 1],
  ['nonces', 'ends_at', 1],
  ['price_locks', 'locked_until', 1],
  ['vendor_wallet_grants', 'ends_at', 1],
  ['vendor_grants', 'ends_at', 90],
];

/** Deletes what no rule reads any more. */
export async function sweep(db: Db, at: number): Promise<void> {
  for (const [table, time, keptDays] of SWEPT)
    // The cast names one table for all of them: the type of the list has checked that each table has its column.
    await db
      .deleteFrom(table as 'counters')
      .where(time as 'ends_at', '<', at - keptDays * DAY_MS)
      .execute();
  await db
    .deleteFrom('idempotency')
    .where('created_at', '<', at - DAY_MS)
    .where('state', '=', 'DONE')
    .execute();
  // Two days back, the day is over in every country.
  await db
    .deleteFrom('wheel_draws')
    .where('day', '<', new Date(at - 2 * DAY_MS).toISOString().slice(0, 10))
    .execute();
  await sweepActivity(db, at);
  await sweepMemories(db, at);
}
