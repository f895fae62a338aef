import * as activity from '../../../contract/activity.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { addActivity, forgetActivity, type NewActivity } from '../../store/activity.ts';
import { transact } from '../../store/db.ts';
import { formerSelves } from '../../store/deletions.ts';
import { forgetVisitors } from '../../store/experiments.ts';
import { hashed, newId } from '../../store/ids.ts';
import { addVitals, type Vital } from '../../store/vitals.ts';
import { withinHour } from './limits.ts';

const AN_HOUR = 600;
/** Longest entry in characters; several times what the app ever sends. */
const LONGEST = 8_000;

const limit = (call: Call): Promise<void> => withinHour(call.db, `activity|${userIdOf(call)}`, AN_HOUR, call.now);

/** An entry as JSON text, as it is stored. @throws Refusal 413 TOO_LARGE */
function written(data: object): string {
  const text = JSON.stringify(data);
  return text.length > LONGEST ? refuse(413, 'TOO_LARGE', t.payloadTooLarge) : text;
}

type EventBatch = EndpointInput<typeof activity.collect>['body'];
type SentEvent = EventBatch['events'][number];
/** The key of a message that has an id: the same again is the same row. */
const keyOf = ({ clientId }: EventBatch, { id }: SentEvent) =>
  id === undefined ? undefined : hashed(`${clientId} ${id}`);
const word = (value: unknown) => (/^[\w -]{1,40}$/.exec(String(value))?.[0] ?? 'unknown').toLowerCase();

/** What tells how fast a page was; without the visitor, who is none of its concern. */
function vitalsIn(body: EventBatch, { caller, now }: Call): Vital[] {
  return body.events.flatMap((event) => {
    const { metric, value, page } = event.properties;
    const known = activity.Metric.safeParse(metric);
    if (event.name !== activity.VITAL || !known.success || typeof value !== 'number' || !(value >= 0)) return [];
    return {
      id: `vit_${keyOf(body, event) ?? newId('')}`,
      country: caller.country,
      host: caller.host,
      network: word(body.user['networkType']),
      page: word(page),
      metric: known.data,
      // A page that was left alone for an hour says no more than one of ten minutes.
      value: Math.min(600_000, Math.round(metric === 'CLS' ? value * 1000 : value)),
      at: now,
    };
  });
}

/** Everything else that was done, as rows of whoever did it. */
function activityIn(body: EventBatch, call: Call): NewActivity[] {
  const { clientId, user } = body;
  return body.events
    .filter(({ name }) => name !== activity.VITAL)
    .map((event) => {
      const { name, properties, at } = event;
      const key = keyOf(body, event);
      return {
        ...(key === undefined ? {} : { id: `act_${key}` }),
        kind: 'event' as const,
        userId: userIdOf(call),
        country: call.caller.country,
        name,
        data: written({ clientId, user, at, properties }),
        at: call.now,
      };
    });
}

/** Keeps what a page sent of its use. @throws Refusal 429 TOO_MANY, 413 TOO_LARGE */
export async function keepUse(call: Call, body: EventBatch): Promise<void> {
  await limit(call);
  await transact(call.db, async (tx) => {
    await addVitals(tx, vitalsIn(body, call));
    await addActivity(tx, activityIn(body, call));
  });
}

/** Keeps that a page was looked at. @throws Refusal 429 TOO_MANY, 413 TOO_LARGE */
export async function keepPageView(
  call: Call,
  data: EndpointInput<typeof activity.savePageView>['body']['data'],
): Promise<void> {
  await limit(call);
  const { country } = call.caller;
  const row = { kind: 'page' as const, userId: userIdOf(call), country, name: data.pageName, at: call.now };
  await addActivity(call.db, [{ ...row, data: written(data) }]);
}

/** Forgets all that was kept of the caller's use, also from before a login. */
export async function forgetUse(call: Call): Promise<void> {
  await transact(call.db, async (tx) => {
    const who = await formerSelves(tx, userIdOf(call));
    await forgetActivity(tx, who);
    await forgetVisitors(tx, who);
  });
}
