import * as z from 'zod/mini';
import { decode } from '../../../src/bridge/decode.ts';
import { sheetCall } from '../../../src/bridge/defineHost.ts';
import { detailsOf, payOnce, unknownOutcome } from '../../../src/bridge/payment/payment.ts';
import { unwrap } from '../../../src/bridge/unwrap.ts';
import { type LoginProof, PaymentDetails } from './contract.ts';

/** What the script's promise came to. */
interface Said {
  readonly value?: unknown;
  readonly error?: unknown;
}
const Grant = () => z.object({ grantToken: z.string().check(z.minLength(1)) });
const Opened = () => z.object({ opened: z.literal(true) });

export const login = /* @__PURE__ */ sheetCall('login', async (host, { clientId }, options) => {
  const { value, error } = (await host.ask('login', { shop: clientId }, options)) as Said;
  if (error !== undefined) throw host.error('HOST_FAILURE', 'login', { retryable: true, cause: error });
  const { grantToken } = decode(host, 'login', Grant(), unwrap(value));
  return { kind: 'proof', proof: { grantToken } satisfies LoginProof } as const;
});

/** The app leaves the page and opens it again when it likes: only the server hears how the payment ended. */
export const requestPayment = /* @__PURE__ */ sheetCall('payment', async (host, order, options) =>
  payOnce(
    host,
    order,
    { ...detailsOf(host, PaymentDetails, order), reference: order.transactionReferenceId },
    options,
    (raw) => {
      const { value, error } = raw as Said;
      const isOpened = error === undefined && z.safeParse(Opened(), unwrap(value)).success;
      return unknownOutcome(isOpened ? 'no-reply-channel' : 'unclassified-reply');
    },
  ),
);
