import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';
import { SessionReply } from './session.ts';

/** What a host's bridge handed over; the server alone decides whether it is true. */
export const VendorCredential = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('google-id-token'), idToken: text(8000), nonce: text(200),
    phoneToken: z.optional(text(8000)),
  }),
  /** Of a host that signs its tokens as it likes; its half on the server reads them. */
  z.object({ kind: z.literal('host-token'), token: text(8000), nonce: text(200), phoneToken: z.optional(text(8000)) }),
  z.object({ kind: z.literal('paytm-auth-code'), authCode: text(400), openId: z.nullable(text(200)) }),
]);
export type VendorCredential = z.output<typeof VendorCredential>;

/** A nonce of ours, single-use, five minutes. */
export const nonce = endpoint({
  method: 'POST', path: '/auth-service/micro-app/ve1/{vendor}/nonce', about: 'A nonce for the vendor\'s identity token.',
  reply: success({ nonce: z.string() }),
});
export const auth = endpoint({
  method: 'POST', path: '/auth-service/micro-app/ve1/{vendor}/auth', about: 'Logs in with the host\'s identity; error VENDOR_LOGIN.',
  body: z.object({ credential: VendorCredential }), reply: SessionReply,
});
