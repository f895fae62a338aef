import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';
import { SessionReply } from './session.ts';

/** What a host's bridge handed over. The host's server part reads it, and it alone decides whether it is genuine. */
export const VendorCredential = z.object({
  /** The nonce that we gave to the bridge. */
  nonce: text(200),
  /** The host's proof of who somebody is; nothing in between reads it. */
  proof: z.record(z.string().check(z.regex(/^\w{1,40}$/)), text(8000)),
  phoneToken: z.optional(text(8000)),
});
export type VendorCredential = z.output<typeof VendorCredential>;

/** A nonce made by us: for one use, valid for five minutes. */
export const nonce = endpoint({
  method: 'POST',
  path: '/auth-service/micro-app/ve1/{vendor}/nonce',
  isSecret: true,
  about: "A nonce for the vendor's identity token.",
  reply: success({ nonce: z.string() }),
});
export const auth = endpoint({
  method: 'POST',
  path: '/auth-service/micro-app/ve1/{vendor}/auth',
  isSecret: true,
  about: "Logs in with the host's identity; error VENDOR_LOGIN.",
  body: z.object({ credential: VendorCredential }),
  reply: SessionReply,
});
