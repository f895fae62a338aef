import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { success } from './reply.ts';

/** Kinds of tokens in the specification, section 4. */
export const TokenKind = z.enum(['ANONYMOUS_USER', 'REFRESH_TOKEN', 'REFRESH_TOKEN_ANONYMOUS']);
export type TokenKind = z.output<typeof TokenKind>;

/** Only a logged-in user has a refresh token; having one means being logged in (product.md C51). */
export const Credentials = z.object({
  accessToken: z.string(),
  accessKeyId: z.string(),
  secretKey: z.string(),
  sessionToken: z.string(),
  authToken: z.string(),
  refreshToken: z.optional(z.string()),
});
export type Credentials = z.output<typeof Credentials>;

/** User attributes of the specification, section 3. */
export const UserAttributes = z.object({
  userId: z.string(),
  cartId: z.string(),
  mobile: z.optional(z.string()),
  firstName: z.optional(z.string()),
  lastName: z.optional(z.string()),
  email: z.optional(z.string()),
  loginType: z.optional(z.string()),
  cognitoId: z.optional(z.string()),
  cognitoLoggedin: z.optional(z.boolean()),
  emailVerified: z.optional(z.boolean()),
  phoneNumberVerified: z.optional(z.boolean()),
  sub: z.optional(z.string()),
  frequency: z.optional(z.number()),
  isVip: z.optional(z.boolean()),
});
export type UserAttributes = z.output<typeof UserAttributes>;

export const SessionReply = success({ credentials: Credentials, attributes: UserAttributes });
export type SessionReply = z.output<typeof SessionReply>;

/** Makes a new guest; also the second half of logging out. Guest ids begin with `anonymous`. */
export const anonymous = endpoint({
  method: 'POST',
  path: '/loginhandler/anonymoususer',
  aliases: ['/anonymoususer'],
  access: 'open',
  about: 'Makes a guest session.',
  reply: SessionReply,
});
export const refreshAnonymous = endpoint({
  method: 'POST',
  path: '/loginhandler/refreshtokenanonymous',
  aliases: ['/refreshtokenanonymous'],
  access: 'open',
  about: 'A fresh access token for a guest.',
  body: z.object({ userId: z.string(), sessionToken: z.optional(z.string()) }),
  reply: SessionReply,
});
/**
 * A refresh token is used once and replaced, and so is the access token. For 10 s the old ones still work, because other
 * tabs and calls are on their way with them. A reply that was lost is given again at any time, as long as nobody has used
 * anything of it; otherwise, using an old refresh token ends all sessions that came from the same login.
 */
export const refresh = endpoint({
  method: 'POST',
  path: '/loginhandler/refreshtoken',
  aliases: ['/refreshtoken'],
  access: 'open',
  about: 'A fresh access token for a logged-in user.',
  body: z.object({ userId: z.string(), refreshToken: z.string() }),
  reply: SessionReply,
});
/** Ends every other session of this account and returns how many there were. */
export const logoutOthers = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve1/logout/others',
  access: 'user',
  about: 'Signs out every other device of this account.',
  feature: 'logout',
  reply: success({ ended: z.int() }),
});
export const logout = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve1/logout',
  access: 'user',
  about: 'Ends the session on the server.',
  feature: 'logout',
  reply: success({}),
});
