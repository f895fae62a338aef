import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

/** The fields of the browser's PushSubscription. */
const Subscription = z.object({
  endpoint: text(700),
  keys: z.object({
    p256dh: text(120).check(z.regex(/^[\w-]{80,100}=*$/)),
    auth: text(40).check(z.regex(/^[\w-]{20,30}=*$/)),
  }),
});
type Subscription = z.output<typeof Subscription>;

/** Only for pages outside payment apps (403 inside one). */
export const key = endpoint({
  method: 'GET',
  path: '/notification-service/ve1/push/key',
  about: 'The public key that a browser subscribes with.',
  reply: success({ publicKey: z.string() }),
});
/** Error PUSH_SERVICE if the address is not a browser's push service. */
export const subscribe = endpoint({
  method: 'POST',
  path: '/notification-service/ve1/push',
  about: "News of this customer's orders for this browser.",
  body: z.object({
    subscription: Subscription,
    /** Where the app is mounted: '/in/'. */ mount: text(60).check(z.regex(/^\/([\w-]+\/)*$/)),
  }),
  reply: success({}),
});
export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/notification-service/ve1/push',
  about: 'No more news for this browser.',
  body: z.object({ endpoint: text(700) }),
  reply: success({}),
});
