import { sql } from 'kysely';
import type { Db } from './db.ts';
import { OPEN_STATES } from './payments.ts';

/** Most rows that one look counts, of each kind: a look stays cheap, however much piles up. */
const COUNTED_AT_MOST = 50_000;

interface Line {
  readonly lane: string;
  /** Jobs that are due and not done. */
  readonly waiting: number;
  /** Of these, the ones that have been due for longer than `lateMs`. */
  readonly late: number;
  /** When the oldest of them fell due, epoch ms of the shop's clock. */
  readonly oldest: number;
}

export interface ShopState {
  readonly orders: readonly { readonly status: string; readonly count: number }[];
  readonly payments: readonly { readonly state: string; readonly count: number }[];
  readonly lines: readonly Line[];
  /** Help tickets that wait for a person, and how many of them for longer than was promised. */
  readonly tickets: { readonly waiting: number; readonly late: number };
  readonly givenUp: readonly { readonly kind: string; readonly count: number }[];
}

const count = sql<number>`count(*)`.as('count');
const numbered = <T extends { count: number }>(rows: readonly T[]) =>
  rows.map((row) => ({ ...row, count: Number(row.count) }));

/** How things stand in the whole shop: what is open, what waits. Reads indexes of open rows only. */
export async function standing(db: Db, at: number, lateMs: number): Promise<ShopState> {
  const orders = await db
    .selectFrom((e) =>
      e.selectFrom('orders').select('status').where('finished_at', 'is', null).limit(COUNTED_AT_MOST).as('open'),
    )
    .select(['status', count])
    .groupBy('status')
    .execute();
  const payments = await db
    .selectFrom((e) =>
      e
        .selectFrom('payments')
        .select('state')
        // Spelt out, so that the index of open ones is used.
        .where('state', 'in', sql<never>`(${sql.join(OPEN_STATES.map((state) => sql.lit(state)))})`)
        .limit(COUNTED_AT_MOST)
        .as('open'),
    )
    .select(['state', count])
    .groupBy('state')
    .execute();
  const due = await db
    .selectFrom((e) =>
      e
        .selectFrom('jobs')
        .select(['lane', 'run_at'])
        .where('state', 'in', ['DUE', 'RUN'])
        .where('run_at', '<=', at)
        .limit(COUNTED_AT_MOST)
        .as('due'),
    )
    .select([
      'lane',
      count,
      sql<number>`sum(CASE WHEN run_at <= ${at - lateMs} THEN 1 ELSE 0 END)`.as('late'),
      sql<number>`min(run_at)`.as('oldest'),
    ])
    .groupBy('lane')
    .execute();
  const givenUp = await db
    .selectFrom((e) =>
      e.selectFrom('jobs').select('kind').where('state', '=', 'DEAD').limit(COUNTED_AT_MOST).as('dead'),
    )
    .select(['kind', count])
    .groupBy('kind')
    .execute();
  // Only those of help: a table that is small beside the orders'.
  const tickets = await db
    .selectFrom('help_tickets')
    .select([count, sql<number>`sum(CASE WHEN answer_by <= ${at} THEN 1 ELSE 0 END)`.as('late')])
    .where('state', '=', 'PERSON')
    .executeTakeFirstOrThrow();
  return {
    tickets: { waiting: Number(tickets.count), late: Number(tickets.late ?? 0) },
    orders: numbered(orders),
    payments: numbered(payments),
    lines: due.map((row) => ({
      lane: row.lane,
      waiting: Number(row.count),
      late: Number(row.late),
      oldest: Number(row.oldest),
    })),
    givenUp: numbered(givenUp),
  };
}
