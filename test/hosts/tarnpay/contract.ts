import * as z from 'zod/mini';

/** From the bridge to the server: a grant that is good once. */
export const LoginProof = z.object({ grantToken: z.string() });
export type LoginProof = z.output<typeof LoginProof>;

/** From the server to the bridge: what the app opens the payment by. */
export const PaymentDetails = z.object({ token: z.string() });
export type PaymentDetails = z.output<typeof PaymentDetails>;
