import * as z from 'zod/mini';

/** From the bridge to the server: the partner's identity token, which holds the nonce. */
export const LoginProof = z.object({ token: z.string() });
export type LoginProof = z.output<typeof LoginProof>;

/** From the server to the bridge: the payment as we ask the partner for it, signed by us, and what its sheet may show. */
export const PaymentDetails = z.object({ request: z.string(), currency: z.string(), note: z.string() });
export type PaymentDetails = z.output<typeof PaymentDetails>;
