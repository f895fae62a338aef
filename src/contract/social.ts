import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text, TypedEmail } from './names.ts';
import { success } from './reply.ts';
import { SessionReply } from './session.ts';

const Source = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,19}$/));

/** The provider knows the customer and we do not yet: their number is asked and proven, once. */
const NumberWanted = success({
  next: z.literal('NUMBER'),
  source: Source,
  /** For `socialvalidatecode`, of the same session. */
  token: z.string(),
  expiresInSeconds: z.number(),
  firstName: z.optional(z.string()),
});
export type NumberWanted = z.output<typeof NumberWanted>;

/** The customer leaves the page for the provider's, and comes back to the login screen with `social=<state>`. */
export const begin = endpoint({
  method: 'POST',
  path: '/loginhandler/sociallogin/begin',
  isSecret: true,
  about: 'Where the provider asks the customer; errors SOCIAL_AWAY, SOCIAL_UNKNOWN, CHALLENGE, TOO_MANY.',
  feature: 'socialLogin',
  body: z.object({
    source: Source,
    /** The login screen to come back to. */
    page: z.optional(z.enum(['login', 'postorder-ui/login'])),
    /** Its parameter of the same name. */
    from: z.optional(text(40)),
  }),
  /** An address of the provider, or for the imitated one a path of this server. */
  reply: success({ url: z.string() }),
});
/**
 * Ends what `begin` began, once, and only in the session that began it. While the number is awaited, or a word on whether
 * an account that sleeps is to wake, the same state may be sent again.
 */
export const login = endpoint({
  method: 'POST',
  path: '/loginhandler/sociallogin',
  isSecret: true,
  about:
    'Logs in with what the provider said, or asks for the number; errors ACCOUNT_ASLEEP, SOCIAL_REFUSED, SOCIAL_LOGIN, SOCIAL_AWAY, SOCIAL_UNKNOWN.',
  feature: 'socialLogin',
  body: z.object({ source: z.optional(Source), state: text(80) }),
  reply: z.union([SessionReply, NumberWanted]),
});
/**
 * The number of somebody whom the provider knows, proven by a code that `login.sendOtp` sent: they join the account that
 * has the number, and the provider's person leads to it from then on.
 */
export const validate = endpoint({
  method: 'POST',
  path: '/loginhandler/socialvalidatecode',
  isSecret: true,
  about: 'Checks number and code of a social login and logs in; errors SOCIAL_LOGIN and those of validatecode.',
  feature: 'socialLogin',
  body: z.object({
    mobile: text(24),
    code: text(12),
    source: Source,
    token: text(80),
    email: z.optional(TypedEmail),
    firstName: z.optional(text(60)),
    lastName: z.optional(text(60)),
    screenName: z.optional(text(40)),
  }),
  reply: z.extend(SessionReply, { device: z.string() }),
});
