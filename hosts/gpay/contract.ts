import * as z from 'zod/mini';

/** From the bridge to the server: an identity token that holds the nonce. */
export const LoginProof = z.object({ idToken: z.string() });
export type LoginProof = z.output<typeof LoginProof>;

/** From the server to the bridge: the payee of the UPI request. */
export const PaymentDetails = z.object({
  payeeVpa: z.string(),
  payeeName: z.string(),
  mcc: z.string(),
  referenceUrl: z.string(),
  note: z.string(),
  /** Our merchant id at Google, where there is one. */
  merchantId: z.optional(z.string()),
});
export type PaymentDetails = z.output<typeof PaymentDetails>;
