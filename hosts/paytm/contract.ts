import * as z from 'zod/mini';

/** From the bridge to the server: a code that is good once. */
export const LoginProof = z.object({ authCode: z.string() });
export type LoginProof = z.output<typeof LoginProof>;

/** From the server to the bridge: what the payment sheet needs beside the reference and the amount. */
export const PaymentDetails = z.object({ mid: z.string(), txnToken: z.string() });
export type PaymentDetails = z.output<typeof PaymentDetails>;
