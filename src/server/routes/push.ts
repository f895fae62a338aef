import * as push from '../../contract/push.ts';
import * as messages from '../../domain/messages.ts';
import { refuse } from '../http/refusal.ts';
import { on, userIdOf, type Call, type Route } from '../http/route.ts';
import { onLogin } from '../rules/sessions.ts';
import { dropSubscription, keepSubscription, moveSubscriptions } from '../store/push.ts';

/** A payment app shows its own notices, and forbids ours (product.md 1.4). */
function mustBeStandalone(call: Call): void {
  if (call.caller.partner !== 'web') refuse(403, 'FEATURE_BLOCKED', messages.FEATURE_OFF);
}

export const pushRoutes: Route[] = [
  on(push.key, async (_input, call) => {
    mustBeStandalone(call);
    return { status: 'SUCCESS' as const, publicKey: await call.services.push.publicKey(call.db) };
  }),
  on(push.subscribe, async ({ body: { subscription, mount } }, call) => {
    mustBeStandalone(call);
    if (!call.services.push.takes(subscription.endpoint)) refuse(422, 'PUSH_SERVICE', messages.PUSH_UNKNOWN, { field: 'subscription.endpoint' });
    await keepSubscription(call.db, { endpoint: subscription.endpoint, user_id: userIdOf(call), ...subscription.keys, mount, created_at: call.now });
    return { status: 'SUCCESS' as const };
  }),
  on(push.unsubscribe, async ({ body }, call) => {
    await dropSubscription(call.db, body.endpoint, userIdOf(call));
    return { status: 'SUCCESS' as const };
  }),
];

onLogin((tx, move) => moveSubscriptions(tx, move.guestUserId, move.userId));
