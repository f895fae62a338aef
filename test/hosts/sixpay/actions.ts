import * as z from 'zod/mini';
import { type Calls, SHEET_TIMEOUT_MS, SILENT_LOGIN_TIMEOUT_MS } from '../../../src/bridge/call.ts';
import { decode } from '../../../src/bridge/decode.ts';
import type { Base } from '../../../src/bridge/defaults.ts';
import type { Feature, Page, PaymentOrder, PaymentOutcome, HostActions } from '../../../src/bridge/hostBridge.ts';
import { locate } from '../../../src/bridge/locate.ts';
import { decimal, detailsOf, payOnce, unknownOutcome } from '../../../src/bridge/payment.ts';
import { unwrap } from '../../../src/bridge/unwrap.ts';
import { type LoginProof, PaymentDetails } from './contract.ts';

const Token = z.object({ token: z.string().check(z.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)) });
const Receipt = z.object({
  state: z.string(),
  amount: z.string(),
  reference: z.string(),
  code: z.optional(z.string()),
  proof: z.string().check(z.minLength(1)),
});

function outcome(order: PaymentOrder, raw: unknown): PaymentOutcome {
  const { result, error } = raw as { result?: unknown; error?: unknown };
  // This app does not say whether somebody cancelled: the server is asked.
  if (error !== undefined) return unknownOutcome('unclassified-reply');
  const receipt = unwrap(result);
  if (!receipt || Object.keys(Object(receipt) as object).length === 0) return unknownOutcome('unclassified-reply');
  const read = z.safeParse(Receipt, receipt);
  if (!read.success) return unknownOutcome('malformed-reply');
  const { state, amount, reference, code = null } = read.data;
  if (amount !== decimal(order.amount) || reference !== order.transactionReferenceId)
    return unknownOutcome('unclassified-reply');
  if (state === 'PAID') return { status: 'reported-success', receipt };
  if (state === 'WAITING') return { status: 'reported-pending', receipt };
  if (state === 'REFUSED') return { status: 'reported-failure', receipt, vendorCode: code };
  return unknownOutcome('unclassified-reply');
}

/** What a tap may start inside sixpay. */
export function sixpayActions(win: Page | undefined, calls: Calls, base: Base): HostActions {
  const never = async (feature: Feature): Promise<never> => {
    throw calls.error('UNSUPPORTED', feature);
  };
  const token = async (
    feature: Feature,
    method: string,
    args: Readonly<Record<string, unknown>>,
    options: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<string> => {
    const { result, error } = (await calls.ask(feature, method, args, options)) as {
      result?: unknown;
      error?: { code?: unknown; message?: string };
    };
    if (error)
      throw calls.error('HOST_FAILURE', feature, {
        retryable: true,
        vendorCode: String(error.code),
        ...(error.message === undefined ? {} : { vendorMessage: error.message }),
      });
    return decode(calls, feature, Token, unwrap(result)).token;
  };
  return {
    login(
      { nonce, interactive, clientId },
      { signal: given, timeoutMs = interactive ? SHEET_TIMEOUT_MS : SILENT_LOGIN_TIMEOUT_MS } = {},
    ) {
      const show = async (signal = given) =>
        ({
          kind: 'proof',
          proof: {
            token: await token(
              'login',
              'identify',
              { nonce, silent: !interactive, shop: clientId },
              { signal, timeoutMs },
            ),
          } satisfies LoginProof,
        }) as const;
      return interactive ? calls.sheet('login', show, given) : show();
    },
    getPhoneNumber: ({ nonce }, { signal: given, timeoutMs = SHEET_TIMEOUT_MS } = {}) =>
      calls.sheet(
        'phoneNumber',
        async (signal) => ({
          token: await token('phoneNumber', 'phone', { nonce }, { signal, timeoutMs }),
        }),
        given,
      ),
    getLocation: ({ signal, timeoutMs } = {}) => locate('sixpay', win, { signal, timeoutMs }),
    pickAddress: () => never('address'),
    async requestPayment(order, options = {}) {
      return payOnce(
        calls,
        base,
        order,
        'pay',
        {
          ...detailsOf(calls, PaymentDetails, order),
          reference: order.transactionReferenceId,
          amount: decimal(order.amount),
        },
        options,
        (raw) => outcome(order, raw),
      );
    },
    share: () => never('share'),
    offerShortcut: () => never('shortcut'),
    close: () => never('close'),
  };
}
