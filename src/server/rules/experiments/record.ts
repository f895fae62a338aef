import type { BatchEvent } from '../../../contract/experiments.ts';
import { EVENT } from '../../../contract/experiments.ts';
import { isRunning } from '../../../domain/experiments/settings.ts';
import type { Call } from '../../call/call.ts';
import { jobs } from '../../call/jobs.ts';
import { enqueue, type NewJob } from '../../store/jobs.ts';
import { orderById } from '../../store/orders.ts';
import { transact, type Root, type Tx } from '../../store/db.ts';
import { hashed } from '../../store/ids.ts';
import {
  addGoalEvents,
  campaignsOf,
  elsewhereOfUser,
  isNew,
  putElsewhere,
  putVisitor,
  type GoalEvent,
  type KnownCampaign,
  type VariationView,
} from '../../store/experiments.ts';
import type { VisitorRow } from '../../store/placingReading.ts';
import { withinHour } from '../people/limits.ts';
import { ORDER_GOAL } from './campaigns.ts';

/** Many customers of one network provider share an address. */
const AN_HOUR_PER_ADDRESS = 6_000;
/** Tags and values are at most so long (specification section 9). */
const LONGEST_TAG = 255;
/** Of one message, and of all that come in one call: a page has a few. */
const TAGS_OF_ONE = 20;
const TAGS_AT_ONCE = 100;

const LONGEST_NAME = 100;

/** The sender: a country's page, and the session's user where there is one. */
interface From {
  readonly country: string;
  readonly userId: string | null;
  readonly now: number;
}

/** Whether a campaign counts, or did when this was sent late. */
const isCounted = (campaign: KnownCampaign | undefined): campaign is KnownCampaign =>
  campaign !== undefined && (campaign.status === 'RUNNING' || campaign.status === 'STOPPED');

/** `{"u": {tag: value}}`, in which the SDK has percent-encoded both; [] for anything else. */
function tagsIn(json: string): { tag: string; value: string }[] {
  const plain = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  try {
    const { u } = JSON.parse(json) as { u?: Record<string, unknown> };
    return Object.entries(u ?? {})
      .map(([tag, value]) => ({ tag: plain(tag), value: plain(String(value)) }))
      .filter(({ tag, value }) => [tag, value].every(({ length }) => length > 0 && length <= LONGEST_TAG))
      .slice(0, TAGS_OF_ONE);
  } catch {
    return [];
  }
}

/** Sorts events into what is stored of them. What names no campaign that counts is taken and left out. */
function sorted(events: readonly BatchEvent[], campaigns: readonly KnownCampaign[], { country, userId, now }: From) {
  const shown = new Map<string, VariationView>();
  const happened: GoalEvent[] = [];
  let tags = 0;
  for (const { eT, id, u: visitor, sId, e = 0, c = 0, g = 0, r = 0, t = '' } of events) {
    const common = { country, visitor, user_id: userId ?? '' };
    // A device's clock may be wrong: nothing happens in the time to come.
    const at = Math.min(sId * 1000, now);
    const message = [country, visitor, id ?? `${eT}.${sId}.${c}`].join(':');
    // A row's name is of known length, however long what it is made of.
    const nameOf = (of: string) =>
      message.length + of.length > LONGEST_NAME ? hashed(`${message}:${of}`) : `${message}:${of}`;
    if (eT === EVENT.push) {
      for (const { tag, value } of tagsIn(t).slice(0, Math.max(0, TAGS_AT_ONCE - tags))) {
        tags += 1;
        happened.push({
          ...common,
          id: nameOf(tag),
          campaign_id: 0,
          goal_id: 0,
          revenue: 0,
          order_id: null,
          tag: `${tag}=${value}`,
          at,
        });
      }
      continue;
    }
    const campaign = campaigns.find((one) => one.id === e);
    if (!isCounted(campaign)) continue;
    if (eT === EVENT.impression) {
      // Of two messages with different variations both count: the second marks the visitor.
      if (campaign.variations.some((one) => one.id === c))
        shown.set(`${visitor} ${e} ${c}`, { ...common, campaign_id: e, variation: c, at });
    } else {
      const goal = campaign.goals.find((one) => one.id === g);
      if (goal !== undefined && goal.identifier !== ORDER_GOAL)
        happened.push({
          ...common,
          id: nameOf(`${e}:${g}`),
          campaign_id: e,
          goal_id: g,
          revenue: goal.type === 'REVENUE_TRACKING' ? r : 0,
          order_id: null,
          tag: null,
          at,
        });
    }
  }
  return { shown: [...shown.values()], happened };
}

/**
 * Keeps what a page tells of its experiments, or hands it on to the service elsewhere. The answer is empty.
 * @throws Refusal 429 TOO_MANY
 */
export async function keepEvents(call: Call, events: readonly BatchEvent[]): Promise<object> {
  const { db, now, caller, services } = call;
  await withinHour(db, `experiments|${call.ip}`, AN_HOUR_PER_ADDRESS, now);
  const from = { country: caller.country, userId: caller.userId, now };
  await (services.experiments === null ? record : handOn)(db, events, from);
  return {};
}

/** Keeps events, each message once. */
async function record(db: Root, events: readonly BatchEvent[], from: From): Promise<void> {
  const { shown, happened } = sorted(events, await campaignsOf(db, from.country), from);
  if (shown.length + happened.length === 0) return;
  await transact(db, async (tx) => {
    for (const one of shown) await putVisitor(tx, one);
    await addGoalEvents(tx, happened);
  });
}

/** Hands events on to the service elsewhere, each message once, and again while it does not answer. */
async function handOn(db: Root, events: readonly BatchEvent[], { country, userId, now }: From): Promise<void> {
  await transact(db, async (tx) => {
    if (userId !== null)
      for (const { eT, u: visitor, e, c } of events)
        if (eT === EVENT.impression && e !== undefined && c !== undefined)
          await putElsewhere(tx, { country, campaign_id: e, visitor, variation: c, user_id: userId, at: now });
    const fresh: BatchEvent[] = [];
    for (const event of events) if (await isNew(tx, keyOf(event), now)) fresh.push(event);
    if (fresh.length > 0) await enqueue(tx, { kind: 'experiments.forward', runAt: now, payload: { events: fresh } });
  });
}
const keyOf = ({ eT, id, u, sId, e = 0, c = 0, g = 0 }: BatchEvent) =>
  ['forwarded', u, id ?? `${eT}.${sId}`, e, c, g].join(':');

jobs.on<{ events: readonly BatchEvent[] }>('experiments.forward', async ({ events }, { services }) => {
  await services.experiments?.forward(events);
});

/**
 * A service elsewhere hears of an order what its campaigns count: of those that its customer was a visitor of. To be stored
 * in the transaction that places it.
 */
export const goalJob = ({ id }: { readonly id: string }, now: number): NewJob => ({
  kind: 'experiments.order',
  runAt: now,
  payload: { orderId: id, at: now },
});

jobs.on<{ orderId: string; at: number }>('experiments.order', async ({ orderId, at }, { db, services }) => {
  const order = await orderById(db, orderId);
  if (services.experiments === null || order === undefined) return;
  const settings = await services.experiments.settings();
  if (settings === null) throw new Error('the experiment service has not said yet what it counts');
  const visitors = await elsewhereOfUser(db, { userId: order.user_id, country: order.country }).execute();
  const events = visitors.flatMap(({ campaign_id: e, visitor: u, variation: c }) =>
    (settings.campaigns.find((one) => one.id === e && isRunning(one))?.goals ?? [])
      .filter(({ identifier }) => identifier === ORDER_GOAL)
      .map(({ id: g, type }): BatchEvent => ({
        eT: EVENT.goal,
        ...{ u, e, c, g },
        sId: Math.floor(at / 1000),
        ...(type === 'REVENUE_TRACKING' ? { r: order.total } : {}),
      })),
  );
  if (events.length > 0) await services.experiments.forward(events);
});

/** An order is the goal of every campaign that its customer is a visitor of, also from before the login. */
export async function countOrder(
  tx: Tx,
  order: { id: string; user_id: string; total: number; country: string },
  visitors: readonly VisitorRow[],
  now: number,
): Promise<void> {
  if (visitors.length === 0) return;
  const campaigns = await campaignsOf(tx, order.country);
  const rows = visitors.flatMap(({ country, campaign_id, visitor }) => {
    const campaign = campaigns.find((one) => one.id === campaign_id && one.status === 'RUNNING');
    const goal = campaign?.goals.find(({ identifier }) => identifier === ORDER_GOAL);
    return country !== order.country || goal === undefined
      ? []
      : [
          {
            id: `order:${order.id}:${campaign_id}:${visitor}`,
            country,
            campaign_id,
            goal_id: goal.id,
            visitor,
            user_id: order.user_id,
            revenue: order.total,
            order_id: order.id,
            tag: null,
            at: now,
          },
        ];
  });
  await addGoalEvents(tx, rows);
}
