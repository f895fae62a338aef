import * as push from '../../contract/push.ts';
import { mustBeFullMode } from '../call/features.ts';
import { errors, languageAsked } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, type Route } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import { dropSubscription, keepSubscription } from '../store/push.ts';

export const pushRoutes: Route[] = [
  on(push.key, async (_input, call) => {
    // A payment app shows notices of its own and forbids ours (product.md 1.4).
    mustBeFullMode(call.caller);
    return { publicKey: await call.services.push.publicKey(call.db) };
  }),
  on(push.subscribe, async ({ body: { subscription, mount } }, call) => {
    mustBeFullMode(call.caller);
    if (!call.services.push.takes(subscription.endpoint))
      refuse(422, 'PUSH_SERVICE', errors.pushUnknown, { field: 'subscription.endpoint' });
    await keepSubscription(call.db, {
      endpoint: subscription.endpoint,
      user_id: userIdOf(call),
      session_id: call.caller.sessionId,
      ...subscription.keys,
      mount,
      language: languageAsked(),
      created_at: call.now,
    });
    return {};
  }),
  on(push.unsubscribe, async ({ body }, call) => {
    await dropSubscription(call.db, body.endpoint, userIdOf(call));
    return {};
  }),
];
