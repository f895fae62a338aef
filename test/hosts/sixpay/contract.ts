import * as z from 'zod/mini';

/** From the bridge to the server: a token that holds the nonce. */
export const LoginProof = z.object({ token: z.string() });
export type LoginProof = z.output<typeof LoginProof>;

/** From the server to the bridge: what the sheet opens with, beside the reference and the amount. */
export const PaymentDetails = z.object({ shop: z.string(), ticket: z.string() });
export type PaymentDetails = z.output<typeof PaymentDetails>;
