import * as z from 'zod/mini';
import { DEADLINE_MS } from '../../src/bridge/deadlines.ts';
import { decode } from '../../src/bridge/decode.ts';
import { hostCall, type OpenHost, sheetCall } from '../../src/bridge/defineHost.ts';
import type { Feature, PaymentOrder, PaymentOutcome } from '../../src/bridge/hostBridge.ts';
import type { HostErrorCode } from '../../src/bridge/hostError.ts';
import { decimal, detailsOf, isAmountOf, payOnce, unknownOutcome } from '../../src/bridge/payment/payment.ts';
import { unwrap } from '../../src/bridge/unwrap.ts';
import { type LoginProof, PaymentDetails } from './contract.ts';
import { ANSWERS, type Ask, ASKS } from './protocol.ts';

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: string | number; readonly message?: string | undefined };
}

const CODES: Readonly<Record<string, HostErrorCode>> = {
  CANCELLED: 'CANCELLED',
  DENIED: 'DENIED',
  UNSUPPORTED: 'UNSUPPORTED',
};

/** What the page has answered. @throws HostError where it has refused */
function told(host: OpenHost, feature: Feature, raw: unknown): unknown {
  const { result, error } = raw as Reply;
  if (!error) return unwrap(result);
  const code = CODES[error.code] ?? 'HOST_FAILURE';
  throw host.error(code, feature, {
    retryable: code === 'DENIED' || code === 'HOST_FAILURE',
    vendorCode: String(error.code),
    vendorMessage: error.message,
  });
}

/** Both sides are held to the same schema: what we ask as well as what is answered. */
const asking = <A extends Ask>(method: A, args: z.input<(typeof ASKS)[A]>): Readonly<Record<string, unknown>> =>
  ASKS[method].parse(args);

function outcome(order: PaymentOrder, raw: unknown): PaymentOutcome {
  const { result, error } = raw as Reply;
  // Also where it says that the customer has closed the sheet: the server asks, and closes the attempt.
  if (error) return unknownOutcome('unclassified-reply');
  const receipt = unwrap(result);
  if (!receipt || Object.keys(Object(receipt) as object).length === 0) return unknownOutcome('unclassified-reply');
  const read = z.safeParse(ANSWERS.pay, receipt);
  if (!read.success) return unknownOutcome('malformed-reply');
  const { status, amount, reference = order.transactionReferenceId, code = null } = read.data;
  if (!isAmountOf(order, amount) || reference !== order.transactionReferenceId)
    return unknownOutcome('unclassified-reply');
  if (status === 'paid') return { status: 'reported-success', receipt };
  if (status === 'pending') return { status: 'reported-pending', receipt };
  if (status === 'failed') return { status: 'reported-failure', receipt, vendorCode: code };
  return unknownOutcome('unclassified-reply');
}

export const login = /* @__PURE__ */ sheetCall(
  'login',
  async (host, { nonce, interactive, clientId = '' }, options) => {
    const args = asking('login', { nonce, audience: clientId, silent: !interactive });
    const token = decode(host, 'login', ANSWERS.login, told(host, 'login', await host.ask('login', args, options)));
    return { kind: 'proof', proof: { token } satisfies LoginProof } as const;
  },
);

export const requestPayment = /* @__PURE__ */ sheetCall('payment', async (host, order, options) => {
  const { request, currency, note } = detailsOf(host, PaymentDetails, order);
  const args = asking('pay', {
    request,
    reference: order.transactionReferenceId,
    amount: decimal(order.amount),
    currency,
    note,
    expiresAt: order.expiresAt,
  });
  return payOnce(host, order, args, options, (raw) => outcome(order, raw));
});

export const share = /* @__PURE__ */ sheetCall('share', async (host, { title, text, path }, options) => {
  const args = asking('share', { title, url: host.link(path), ...(text ? { text } : {}) });
  const said = told(host, 'share', await host.ask('share', args, options));
  return said === 'shared' || said === 'dismissed' ? said : 'unreported';
});

export const pickAddress = /* @__PURE__ */ sheetCall('address', async (host, options) => {
  const said = decode(host, 'address', ANSWERS.address, told(host, 'address', await host.ask('address', {}, options)));
  const text = (value: string | number | null | undefined) => (value ? String(value) : null);
  return {
    name: text(said.name),
    mobile: text(said.mobile),
    line1: said.line1,
    line2: text(said.line2),
    area: text(said.area),
    city: text(said.city),
    state: text(said.state),
    pincode: text(said.pincode),
    latitude: said.latitude ?? null,
    longitude: said.longitude ?? null,
  };
});

export const close = /* @__PURE__ */ hostCall('close', async (host, { signal, timeoutMs = DEADLINE_MS.close } = {}) => {
  told(host, 'close', await host.ask('close', {}, { signal, timeoutMs }));
});
