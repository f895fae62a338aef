import * as activity from '../../contract/activity.ts';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { addActivity, forgetActivity } from '../store/activity.ts';
import { transact } from '../store/db.ts';
import { formerSelves } from '../store/deletions.ts';
import { forgetVisitors } from '../store/experiments.ts';
import { countUse } from '../store/system.ts';

const HOUR_MS = 3_600_000;
const AN_HOUR = 600;
/** Longest entry in characters; several times what the app ever sends. */
const LONGEST = 8_000;

async function limit(call: Call): Promise<void> {
  const { used } = await countUse(call.db, `activity|${userIdOf(call)}`, HOUR_MS, call.now);
  if (used > AN_HOUR) refuse(429, 'TOO_MANY', t.tooManyRequests);
}

/** An entry as JSON text, as it is stored. @throws Refusal 413 TOO_LARGE */
function written(data: object): string {
  const text = JSON.stringify(data);
  return text.length > LONGEST ? refuse(413, 'TOO_LARGE', t.payloadTooLarge) : text;
}

export function activityRoutes({ analytics }: { readonly analytics: boolean }): Route[] {
  return [
    on(activity.savePageView, async ({ body: { data } }, call) => {
      await limit(call);
      await addActivity(call.db, [
        {
          kind: 'page',
          userId: userIdOf(call),
          country: call.caller.country,
          name: data.pageName,
          data: written(data),
          at: call.now,
        },
      ]);
      return { status: 'SUCCESS' as const };
    }),
    on(activity.collect, async ({ body }, call) => {
      if (!analytics) refuse(403, 'FEATURE_BLOCKED', t.featureOff);
      await limit(call);
      const { clientId, user } = body;
      await addActivity(
        call.db,
        body.events.map(({ name, properties, at }) => ({
          kind: 'event' as const,
          userId: userIdOf(call),
          country: call.caller.country,
          name,
          data: written({ clientId, user, at, properties }),
          at: call.now,
        })),
      );
      return { status: 'SUCCESS' as const };
    }),
    on(activity.forget, async (_input, call) => {
      await transact(call.db, async (tx) => {
        const who = await formerSelves(tx, userIdOf(call));
        await forgetActivity(tx, who);
        await forgetVisitors(tx, who);
      });
      return { status: 'SUCCESS' as const };
    }),
  ];
}
