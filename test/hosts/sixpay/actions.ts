import * as z from 'zod/mini';
import { decode, Said } from '../../../src/bridge/decode.ts';
import { type OpenHost, sheetCall } from '../../../src/bridge/defineHost.ts';
import type { Feature, PaymentOrder, PaymentOutcome } from '../../../src/bridge/hostBridge.ts';
import { decimal, detailsOf, isAmountOf, payOnce, unknownOutcome } from '../../../src/bridge/payment/payment.ts';
import { unwrap } from '../../../src/bridge/unwrap.ts';
import { type LoginProof, PaymentDetails } from './contract.ts';

const Token = () => z.object({ token: z.string().check(z.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)) });
const Receipt = () =>
  z.object({
    state: z.string(),
    amount: Said,
    reference: z.string(),
    code: z.optional(Said),
    proof: z.string().check(z.minLength(1)),
  });

function outcome(order: PaymentOrder, raw: unknown): PaymentOutcome {
  const { result, error } = raw as { result?: unknown; error?: unknown };
  // This app does not say whether somebody cancelled: the server is asked.
  if (error) return unknownOutcome('unclassified-reply');
  const receipt = unwrap(result);
  if (!receipt || Object.keys(Object(receipt) as object).length === 0) return unknownOutcome('unclassified-reply');
  const read = z.safeParse(Receipt(), receipt);
  if (!read.success) return unknownOutcome('malformed-reply');
  const { state, amount, reference, code = null } = read.data;
  if (!isAmountOf(order, amount) || reference !== order.transactionReferenceId)
    return unknownOutcome('unclassified-reply');
  if (state === 'PAID') return { status: 'reported-success', receipt };
  if (state === 'WAITING') return { status: 'reported-pending', receipt };
  if (state === 'REFUSED') return { status: 'reported-failure', receipt, vendorCode: code };
  return unknownOutcome('unclassified-reply');
}

function told(host: OpenHost, feature: Feature, raw: unknown): string {
  const { result, error } = raw as { result?: unknown; error?: { code?: unknown; message?: string } };
  if (!error) return decode(host, feature, Token(), unwrap(result)).token;
  throw host.error('HOST_FAILURE', feature, {
    retryable: true,
    vendorCode: String(error.code),
    vendorMessage: error.message,
  });
}

export const login = /* @__PURE__ */ sheetCall('login', async (host, { nonce, interactive, clientId }, options) => {
  const raw = await host.ask('login', { nonce, silent: !interactive, shop: clientId }, options);
  return { kind: 'proof', proof: { token: told(host, 'login', raw) } satisfies LoginProof } as const;
});

export const getPhoneNumber = /* @__PURE__ */ sheetCall('phoneNumber', async (host, { nonce }, options) => ({
  token: told(host, 'phoneNumber', await host.ask('phoneNumber', { nonce }, options)),
}));

export const requestPayment = /* @__PURE__ */ sheetCall('payment', async (host, order, options) =>
  payOnce(
    host,
    order,
    {
      ...detailsOf(host, PaymentDetails, order),
      reference: order.transactionReferenceId,
      amount: decimal(order.amount),
    },
    options,
    (raw) => outcome(order, raw),
  ),
);
