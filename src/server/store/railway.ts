import { HOUR_MS } from '../../domain/time.ts';
import type { Db } from './db.ts';
import { newId } from './ids.ts';

/** Something that happened on the embedded railway. */
export interface RailwayEvent {
  readonly kind: string;
  readonly station: string | null;
  readonly minutes: number | null;
  readonly platform: string | null;
  readonly at: number;
}

declare module './db.ts' {
  interface Tables {
    /** What happened on the way of a run; without a run: `base`, when its tickets begin, and `away` and `back`. */
    railway_events: {
      id: string;
      run: string;
      kind: string;
      station: string | null;
      minutes: number | null;
      platform: string | null;
      at: number;
    };
  }
}

export async function addRailwayEvent(db: Db, event: RailwayEvent & { readonly run: string }): Promise<void> {
  const last = await db
    .selectFrom('railway_events')
    .select((e) => e.fn.max('id').as('id'))
    .where('run', '=', event.run)
    .executeTakeFirst();
  // Events of one moment stay in the order in which they came.
  const seq = String(Number((last?.id ?? '0').split('_')[0]) + 1).padStart(9, '0');
  await db
    .insertInto('railway_events')
    .values({ ...event, id: `${seq}_${newId('rail')}` })
    .execute();
}

/** What happened on the way of a run, in order. */
export async function railwayEvents(db: Db, run: string): Promise<RailwayEvent[]> {
  return await db
    .selectFrom('railway_events')
    .select(['kind', 'station', 'minutes', 'platform', 'at'])
    .where('run', '=', run)
    .orderBy('id')
    .execute();
}

const BASE_ID = 'base';
const BASE_KEPT_MS = 23 * HOUR_MS;
/** When the tickets of the seed begin: with the first question, and anew after most of a day. */
export async function railwayBase(db: Db, now: number): Promise<number> {
  const found = await db.selectFrom('railway_events').select('at').where('id', '=', BASE_ID).executeTakeFirst();
  if (found !== undefined && now - found.at < BASE_KEPT_MS) return found.at;
  const values = { id: BASE_ID, run: BASE_ID, kind: 'base', station: null, minutes: null, platform: null, at: now };
  await db
    .insertInto('railway_events')
    .values(values)
    .onConflict((c) =>
      c
        .column('id')
        .doUpdateSet({ at: now })
        .where('railway_events.at', '<', now - BASE_KEPT_MS + 1),
    )
    .execute();
  return (await db.selectFrom('railway_events').select('at').where('id', '=', BASE_ID).executeTakeFirstOrThrow()).at;
}
