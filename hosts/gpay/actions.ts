import * as z from 'zod/mini';
import { decode, Said } from '../../src/bridge/decode.ts';
import { type OpenHost, sheetCall } from '../../src/bridge/defineHost.ts';
import type { Feature, PaymentOrder, PaymentOutcome } from '../../src/bridge/hostBridge.ts';
import { locate } from '../../src/bridge/locate.ts';
import { decimal, detailsOf, isAmountOf, payOnce, unknownOutcome } from '../../src/bridge/payment/payment.ts';
import { unwrap } from '../../src/bridge/unwrap.ts';
import { type LoginProof, PaymentDetails } from './contract.ts';
import type { PaymentDataRequest } from './sdk.d.ts';

const Jwt = () => z.string().check(z.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/));
const Place = () =>
  z.object({
    latitude: z.number().check(z.gte(-90), z.lte(90)),
    longitude: z.number().check(z.gte(-180), z.lte(180)),
  });
const Reply = () =>
  z.object({
    paymentMethodData: z.object({
      tokenizationData: z.object({
        token: z.pipe(
          z.transform(unwrap),
          z.object({
            signature: z.string().check(z.minLength(1)),
            signedMessage: z.pipe(
              z.transform(unwrap),
              z.object({
                paymentMethodDetails: z.optional(
                  z.looseObject({
                    Status: z.optional(z.string()),
                    status: z.optional(z.string()),
                    amount: z.optional(Said),
                    txnRef: z.optional(Said),
                    responseCode: z.optional(Said),
                  }),
                ),
              }),
            ),
          }),
        ),
      }),
    }),
  });

/** Reads a payment's reply. It is only what the page was told; an unsigned or unreadable reply is never a success. */
function outcome(order: PaymentOrder, raw: unknown): PaymentOutcome {
  const { value, error } = raw as { value?: unknown; error?: unknown };
  // A rejection does not say why: cancelled and failed look alike, so the server is asked.
  if (error !== undefined) return unknownOutcome('unclassified-reply');
  const receipt = unwrap(value);
  if (!(receipt as { paymentMethodData?: unknown } | null)?.paymentMethodData)
    return unknownOutcome('unclassified-reply');
  const read = z.safeParse(Reply(), receipt);
  if (!read.success) return unknownOutcome('malformed-reply');
  const said = read.data.paymentMethodData.tokenizationData.token.signedMessage.paymentMethodDetails ?? {};
  // The vendor's own pages spell it in two ways. A reply without it comes from a promise that was fulfilled.
  const { status = 'SUCCESS', Status = status, amount, responseCode = null } = said;
  if (!isAmountOf(order, amount)) return unknownOutcome('unclassified-reply');
  if ((said.txnRef ?? order.transactionReferenceId) !== order.transactionReferenceId)
    return unknownOutcome('unclassified-reply');
  if (Status === 'SUCCESS') return { status: 'reported-success', receipt };
  if (Status === 'SUBMITTED') return { status: 'reported-pending', receipt };
  if (Status === 'FAILURE') return { status: 'reported-failure', receipt, vendorCode: responseCode };
  return unknownOutcome('unclassified-reply');
}

/** What the host's promise was fulfilled with. */
const told = (host: OpenHost, feature: Feature, raw: unknown): unknown => {
  const { value, error } = raw as { value?: unknown; error?: unknown };
  if (error === undefined) return value;
  // What a rejection means is not documented: it may be tried again, and is not shown as a refusal.
  throw host.error('HOST_FAILURE', feature, {
    retryable: true,
    vendorMessage: String((error as Error).message ?? error),
    cause: error,
  });
};

export const login = /* @__PURE__ */ sheetCall('login', async (host, { nonce, interactive }, options) => {
  const raw = await host.ask('login', { nonce, skipPrompt: !interactive }, options);
  const idToken = decode(host, 'login', Jwt(), told(host, 'login', raw));
  return { kind: 'proof', proof: { idToken } satisfies LoginProof } as const;
});

export const getPhoneNumber = /* @__PURE__ */ sheetCall('phoneNumber', async (host, { nonce }, options) => {
  const raw = await host.ask('phoneNumber', { nonce }, options);
  return { token: decode(host, 'phoneNumber', Jwt(), told(host, 'phoneNumber', raw)) };
});

export const getLocation = /* @__PURE__ */ sheetCall('location', async (host, options) => {
  if (!host.transport.hosted) return locate(host, options);
  const raw = await host.ask('location', {}, options);
  return { ...decode(host, 'location', Place(), told(host, 'location', raw)), accuracy: null };
});

export const requestPayment = /* @__PURE__ */ sheetCall('payment', async (host, order, options) => {
  const { transactionReferenceId } = order;
  const { payeeVpa, payeeName, mcc, referenceUrl, note, merchantId } = detailsOf(host, PaymentDetails, order);
  const request: PaymentDataRequest = {
    apiVersion: 2,
    apiVersionMinor: 0,
    allowedPaymentMethods: [
      { type: 'UPI', parameters: { payeeVpa, payeeName, mcc, transactionReferenceId, referenceUrl } },
    ],
    ...(merchantId === undefined ? {} : { merchantInfo: { merchantId } }),
    transactionInfo: {
      countryCode: 'IN',
      currencyCode: 'INR',
      totalPriceStatus: 'FINAL',
      totalPrice: decimal(order.amount),
      transactionNote: note,
    },
  };
  return payOnce(host, order, { ...request }, options, (raw) => outcome(order, raw));
});

/** Whether a dismissed sheet rejects is not documented, so both ends are `unreported`. */
export const share = /* @__PURE__ */ sheetCall('share', async (host, { title, text, path }, options) => {
  await host.ask('share', { title, url: host.link(path), ...(text ? { text } : {}) }, options);
  return 'unreported';
});
