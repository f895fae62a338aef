import { sql } from 'kysely';
import type { Campaign } from '../../contract/experiments.ts';
import type { Db, Tx } from './db.ts';
import { hashed } from './ids.ts';

type Status = Campaign['status'];

/** What is expected of a campaign before it starts. It is never changed after that: the interval depends on it. */
export interface Plan {
  /** Share of visitors who order, and by how much of all visitors a variation would change it. */
  readonly base: number;
  readonly effect: number;
  /** What such an order costs, in minor units. */
  readonly orderValue: number;
  /** How often a difference may be shown where there is none, and how often a true one is to be found. */
  readonly alpha: number;
  readonly power: number;
}
/** A campaign as its row has it: what of it does not change, and its status. */
export type CampaignBody = Omit<Campaign, 'id' | 'key' | 'status'> & { readonly plan: Plan };
export type KnownCampaign = Campaign & {
  readonly country: string;
  readonly plan: Plan;
  readonly startedAt: number | null;
  readonly stoppedAt: number | null;
};

declare module './db.ts' {
  interface Tables {
    experiment_campaigns: {
      country: string;
      id: number;
      key: string;
      status: string;
      body: string;
      created_at: number;
      started_at: number | null;
      stopped_at: number | null;
    };
    experiment_visitors: {
      country: string;
      campaign_id: number;
      visitor: string;
      variation: number;
      mixed: number;
      /** '' while nobody knows. */
      user_id: string;
      at: number;
    };
    /** Visitors of a service elsewhere: only what is needed to tell it of their orders. */
    experiment_elsewhere: {
      country: string;
      campaign_id: number;
      visitor: string;
      variation: number;
      user_id: string;
      at: number;
    };
    experiment_events: {
      id: string;
      country: string;
      campaign_id: number;
      goal_id: number;
      visitor: string;
      user_id: string;
      /** Minor units. */
      revenue: number;
      order_id: string | null;
      tag: string | null;
      at: number;
    };
  }
}

/** In the order of their ids. */
export async function campaignsOf(db: Db, country: string): Promise<KnownCampaign[]> {
  const rows = await db
    .selectFrom('experiment_campaigns')
    .selectAll()
    .where('country', '=', country)
    .orderBy('id')
    .execute();
  return rows.map(({ id, key, status, body, started_at, stopped_at }) => ({
    ...(JSON.parse(body) as CampaignBody),
    id,
    key,
    country,
    status: status as Status,
    startedAt: started_at,
    stoppedAt: stopped_at,
  }));
}

/** Adds a campaign that has not begun. False, and nothing has changed, where its key or its id is taken. */
export async function addCampaign(
  db: Db,
  row: { country: string; id: number; key: string; body: CampaignBody },
  at: number,
): Promise<boolean> {
  const done = await db
    .insertInto('experiment_campaigns')
    .values({
      ...row,
      body: JSON.stringify(row.body),
      status: 'NOT_STARTED' satisfies Status,
      created_at: at,
      started_at: null,
      stopped_at: null,
    })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

/** Starts a campaign that has not begun, or stops one that runs. False where it is in another state. */
export async function moveCampaign(
  db: Db,
  { country, id }: { country: string; id: number },
  to: 'RUNNING' | 'STOPPED',
  at: number,
): Promise<boolean> {
  const done = await db
    .updateTable('experiment_campaigns')
    .set(to === 'RUNNING' ? { status: to, started_at: at } : { status: to, stopped_at: at })
    .where('country', '=', country)
    .where('id', '=', id)
    .where('status', '=', to === 'RUNNING' ? 'NOT_STARTED' : 'RUNNING')
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Gives a campaign another key; false where that is taken. What was counted stays with its id. */
export async function renameCampaign(
  db: Db,
  { country, id }: { country: string; id: number },
  key: string,
): Promise<boolean> {
  const taken = await db
    .selectFrom('experiment_campaigns')
    .select('id')
    .where('country', '=', country)
    .where('key', '=', key)
    .executeTakeFirst();
  if (taken) return false;
  await db
    .updateTable('experiment_campaigns')
    .set({ key })
    .where('country', '=', country)
    .where('id', '=', id)
    .execute();
  return true;
}

export interface VariationView {
  readonly country: string;
  readonly campaign_id: number;
  readonly visitor: string;
  readonly variation: number;
  readonly user_id: string;
  readonly at: number;
}
/** The first variation that a visitor saw is theirs; whoever saw another one as well counts for none. */
export async function putVisitor(tx: Tx, shown: VariationView): Promise<void> {
  await tx
    .insertInto('experiment_visitors')
    .values({ ...shown, mixed: 0 })
    .onConflict((c) =>
      c.columns(['country', 'campaign_id', 'visitor']).doUpdateSet({
        mixed: sql<number>`case when experiment_visitors.variation <> excluded.variation then 1 else experiment_visitors.mixed end`,
        user_id: sql<string>`case when excluded.user_id = '' then experiment_visitors.user_id else excluded.user_id end`,
      }),
    )
    .execute();
}

/** Something that a visitor did and that an experiment counts. */
export interface GoalEvent {
  readonly id: string;
  readonly country: string;
  readonly campaign_id: number;
  readonly goal_id: number;
  readonly visitor: string;
  readonly user_id: string;
  readonly revenue: number;
  readonly order_id: string | null;
  readonly tag: string | null;
  readonly at: number;
}
/** Events that are there already, by their ids, are not added again. */
export async function addGoalEvents(tx: Tx, rows: readonly GoalEvent[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto('experiment_events')
    .values([...rows])
    .onConflict((c) => c.column('id').doNothing())
    .execute();
}

/** Remembers a message that is handed on to a service elsewhere; false where it was before. Nothing of it is kept here. */
export async function isNew(tx: Tx, key: string, at: number): Promise<boolean> {
  const done = await tx
    .insertInto('experiment_events')
    .values({
      id: hashed(key),
      country: '',
      campaign_id: 0,
      goal_id: 0,
      visitor: '',
      user_id: '',
      revenue: 0,
      order_id: null,
      tag: null,
      at,
    })
    .onConflict((c) => c.column('id').doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

/** A user, and the guests who became them by logging in. */
const selves = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .select('users.id')
    .where((e) => e.or([e('users.id', '=', userId), e('users.became', '=', userId)]));

/** What visitors this user was, also before logging in. */
export const visitorsOfUser = (db: Db, given: { readonly userId: string }) =>
  db
    .selectFrom('experiment_visitors')
    .select(['country', 'campaign_id', 'visitor'])
    .where('user_id', 'in', selves(db, given.userId));

/** Remembers whose visitor of a service elsewhere this is. The first variation that they saw is theirs. */
export async function putElsewhere(tx: Tx, shown: VariationView): Promise<void> {
  await tx
    .insertInto('experiment_elsewhere')
    .values(shown)
    .onConflict((c) =>
      c.columns(['country', 'campaign_id', 'visitor']).doUpdateSet((e) => ({ user_id: e.ref('excluded.user_id') })),
    )
    .execute();
}

/** The visitor ids that this user had at an outside service in a country, also before logging in. */
export const elsewhereOfUser = (db: Db, given: { readonly userId: string; readonly country: string }) =>
  db
    .selectFrom('experiment_elsewhere')
    .select(['campaign_id', 'visitor', 'variation'])
    .where('country', '=', given.country)
    .where('user_id', 'in', selves(db, given.userId))
    .orderBy('campaign_id');

/** Forgets what visitors these users were and what they did; called when the customer takes the consent back. */
export async function forgetVisitors(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('experiment_events').where('user_id', 'in', userIds).execute();
  await tx.deleteFrom('experiment_visitors').where('user_id', 'in', userIds).execute();
  await tx.deleteFrom('experiment_elsewhere').where('user_id', 'in', userIds).execute();
}

/** How many saw each variation, and how many of them another one, too. */
export async function visitorCounts(db: Db, country: string, campaignId: number) {
  const rows = await db
    .selectFrom('experiment_visitors')
    .select((e) => ['variation', e.fn.countAll().as('all'), e.fn.sum('mixed').as('mixed')])
    .where('country', '=', country)
    .where('campaign_id', '=', campaignId)
    .groupBy('variation')
    .execute();
  return rows.map(({ variation, all, mixed }) => ({
    variation,
    visitors: Number(all) - Number(mixed),
    mixed: Number(mixed),
  }));
}

/**
 * Of each variation how many visitors reached a goal after they saw it, what they paid in all (minor units), and the sum
 * of the squares of what each of them paid. Orders that were not carried out are left out.
 */
export async function goalCounts(db: Db, country: string, campaignId: number, goalId: number) {
  const { rows } = await sql<{ variation: number; converted: number; revenue: number; squares: number }>`
    select v.variation as variation, count(*) as converted, sum(g.revenue) as revenue,
      sum(cast(g.revenue as double precision) * g.revenue) as squares
    from (
      select e.visitor as visitor, sum(e.revenue) as revenue
      from experiment_events e
      join experiment_visitors s on s.country = e.country and s.campaign_id = e.campaign_id and s.visitor = e.visitor
      left join orders o on o.id = e.order_id
      where e.country = ${country} and e.campaign_id = ${campaignId} and e.goal_id = ${goalId} and e.at >= s.at
        and (e.order_id is null or o.status not in ('PENDING', 'FAILED', 'CANCELLED'))
      group by e.visitor
    ) g
    join experiment_visitors v on v.country = ${country} and v.campaign_id = ${campaignId} and v.visitor = g.visitor
    where v.mixed = 0
    group by v.variation`.execute(db);
  return rows.map(({ variation, converted, revenue, squares }) => ({
    variation: Number(variation),
    converted: Number(converted),
    revenue: Number(revenue),
    squares: Number(squares),
  }));
}
