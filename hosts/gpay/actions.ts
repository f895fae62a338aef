import * as z from 'zod/mini';
import { type Calls, LOCATION_TIMEOUT_MS, SHEET_TIMEOUT_MS, SILENT_LOGIN_TIMEOUT_MS } from '../../src/bridge/call.ts';
import { decode } from '../../src/bridge/decode.ts';
import type { Base } from '../../src/bridge/defaults.ts';
import type { Feature, Page, PaymentOrder, PaymentOutcome, HostActions } from '../../src/bridge/hostBridge.ts';
import { locate } from '../../src/bridge/locate.ts';
import { decimal, detailsOf, payOnce, unknownOutcome } from '../../src/bridge/payment.ts';
import { unwrap } from '../../src/bridge/unwrap.ts';
import { type LoginProof, PaymentDetails } from './contract.ts';
import type { PaymentDataRequest } from './sdk.d.ts';

const Jwt = z.string().check(z.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/));
const Place = z.object({
  latitude: z.number().check(z.gte(-90), z.lte(90)),
  longitude: z.number().check(z.gte(-180), z.lte(180)),
});
const Reply = z.object({
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
                  amount: z.optional(z.string()),
                  txnRef: z.optional(z.string()),
                  responseCode: z.optional(z.string()),
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
  const read = z.safeParse(Reply, receipt);
  if (!read.success) return unknownOutcome('malformed-reply');
  const said = read.data.paymentMethodData.tokenizationData.token.signedMessage.paymentMethodDetails ?? {};
  // The vendor's own pages spell it in two ways. A reply without it comes from a promise that was fulfilled.
  const { status = 'SUCCESS', Status = status, amount = decimal(order.amount), responseCode = null } = said;
  if (amount !== decimal(order.amount)) return unknownOutcome('unclassified-reply');
  if ((said.txnRef ?? order.transactionReferenceId) !== order.transactionReferenceId)
    return unknownOutcome('unclassified-reply');
  if (Status === 'SUCCESS') return { status: 'reported-success', receipt };
  if (Status === 'SUBMITTED') return { status: 'reported-pending', receipt };
  if (Status === 'FAILURE') return { status: 'reported-failure', receipt, vendorCode: responseCode };
  return unknownOutcome('unclassified-reply');
}

/** The calls that a tap may start inside gpay. */
export function gpayActions(
  win: Page | undefined,
  calls: Calls,
  base: Base,
  link: (path: string) => string,
): HostActions {
  const never = async (feature: Feature): Promise<never> => {
    throw calls.error('UNSUPPORTED', feature);
  };
  const ask = async (
    feature: Feature,
    method: string,
    args: Readonly<Record<string, unknown>>,
    options: { timeoutMs: number; signal?: AbortSignal | undefined },
  ) => {
    const { value, error } = (await calls.ask(feature, method, args, options)) as { value?: unknown; error?: unknown };
    if (error === undefined) return value;
    // What a rejection means is not documented: it may be tried again, and is not shown as a refusal.
    throw calls.error('HOST_FAILURE', feature, {
      retryable: true,
      vendorMessage: String((error as Error).message ?? error),
      cause: error,
    });
  };

  return {
    login(
      { nonce, interactive },
      { signal: given, timeoutMs = interactive ? SHEET_TIMEOUT_MS : SILENT_LOGIN_TIMEOUT_MS } = {},
    ) {
      const show = async (signal = given) =>
        ({
          kind: 'proof',
          proof: {
            idToken: decode(
              calls,
              'login',
              Jwt,
              await ask('login', 'getIdentity', { nonce, skipPrompt: !interactive }, { signal, timeoutMs }),
            ),
          } satisfies LoginProof,
        }) as const;
      return interactive ? calls.sheet('login', show, given) : show();
    },
    getPhoneNumber: ({ nonce }, { signal: given, timeoutMs = SHEET_TIMEOUT_MS } = {}) =>
      calls.sheet(
        'phoneNumber',
        async (signal) => ({
          token: decode(
            calls,
            'phoneNumber',
            Jwt,
            await ask('phoneNumber', 'getPhoneNumber', { nonce }, { signal, timeoutMs }),
          ),
        }),
        given,
      ),
    async getLocation({ signal: given, timeoutMs = SHEET_TIMEOUT_MS + LOCATION_TIMEOUT_MS } = {}) {
      if (!base.hosted) return locate('gpay', win, { signal: given, timeoutMs });
      return calls.sheet(
        'location',
        async (signal) => ({
          ...decode(calls, 'location', Place, await ask('location', 'getCurrentLocation', {}, { signal, timeoutMs })),
          accuracy: null,
        }),
        given,
      );
    },
    pickAddress: () => never('address'),
    async requestPayment(order, options = {}) {
      const { transactionReferenceId } = order;
      const { payeeVpa, payeeName, mcc, referenceUrl, note } = detailsOf(calls, PaymentDetails, order);
      const request: PaymentDataRequest = {
        apiVersion: 2,
        apiVersionMinor: 0,
        allowedPaymentMethods: [
          { type: 'UPI', parameters: { payeeVpa, payeeName, mcc, transactionReferenceId, referenceUrl } },
        ],
        transactionInfo: {
          countryCode: 'IN',
          currencyCode: 'INR',
          totalPriceStatus: 'FINAL',
          totalPrice: decimal(order.amount),
          transactionNote: note,
        },
      };
      return payOnce(calls, base, order, 'requestPayment', { ...request }, options, (raw) => outcome(order, raw));
    },
    share: ({ title, text, path }, { signal: given, timeoutMs = SHEET_TIMEOUT_MS } = {}) =>
      calls.sheet(
        'share',
        async (signal) => {
          // Whether a dismissed sheet rejects is not documented, so both ends are `unreported`.
          await calls.ask(
            'share',
            'requestSharing',
            { title, url: link(path), ...(text ? { text } : {}) },
            { signal, timeoutMs },
          );
          return 'unreported' as const;
        },
        given,
      ),
    offerShortcut: () => never('shortcut'),
    close: () => never('close'),
  };
}
