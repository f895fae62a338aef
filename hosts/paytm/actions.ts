import * as z from 'zod/mini';
import { settle } from '../../src/bridge/call.ts';
import { DEADLINE_MS } from '../../src/bridge/deadlines.ts';
import { decode, Said } from '../../src/bridge/decode.ts';
import { lifecycleOf } from '../../src/bridge/defaults.ts';
import { webLink } from '../../src/bridge/web.ts';
import { hostCall, type OpenHost, sheetCall } from '../../src/bridge/defineHost.ts';
import type { Feature, PaymentOrder, PaymentOutcome } from '../../src/bridge/hostBridge.ts';
import type { HostError, HostErrorCode } from '../../src/bridge/hostError.ts';
import { locate } from '../../src/bridge/locate.ts';
import { decimal, detailsOf, isAmountOf, payOnce, unknownOutcome } from '../../src/bridge/payment/payment.ts';
import { setting } from '../../src/bridge/profile.ts';
import { unwrap } from '../../src/bridge/unwrap.ts';
import { type LoginProof, PaymentDetails } from './contract.ts';

const Text = () => z.nullish(Said);
/** null for anything that is no number of degrees: an empty text is not the equator. */
const Degrees = () =>
  z.pipe(
    z.transform((value: unknown) => {
      const degrees = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof degrees === 'number' && Math.abs(degrees) <= 180 ? degrees : null;
    }),
    z.nullable(z.number()),
  );
const Login = () => z.object({ authId: z.string().check(z.minLength(1)) });
const Address = () =>
  z.object({
    name: Text(),
    mobile: Text(),
    address1: z.string().check(z.minLength(1)),
    address2: Text(),
    area: Text(),
    city: Text(),
    state: Text(),
    pincode: Text(),
    latitude: z.optional(Degrees()),
    longitude: z.optional(Degrees()),
  });
const Paid = () =>
  z.object({
    STATUS: z.string(),
    ORDERID: Said,
    TXNAMOUNT: z.optional(Said),
    RESPCODE: z.optional(Said),
    CHECKSUMHASH: z.optional(z.string()),
  });

interface Spoken {
  readonly data: unknown;
  readonly code: string | undefined;
  readonly message: string | undefined;
}

/** A reply's codes are numbers or text, the reason has one of two names, and the whole may be JSON text. */
function hear(raw: unknown): Spoken {
  const { data, error, errorMessage, message } = Object(unwrap(raw)) as Record<string, unknown>;
  return {
    data,
    code: error === undefined || error === null || error === '' ? undefined : String(error),
    message: (errorMessage ?? message) as string | undefined,
  };
}

function outcome(order: PaymentOrder, { data, code }: Spoken): PaymentOutcome {
  // Both are documented as "reason unknown"; a reply that contradicts itself says as little.
  if (data === false || data === '' || code) return unknownOutcome('unclassified-reply');
  const receipt = unwrap(data);
  const read = z.safeParse(Paid(), receipt);
  if (!read.success) return unknownOutcome('malformed-reply');
  const { STATUS, ORDERID, TXNAMOUNT, RESPCODE = null, CHECKSUMHASH } = read.data;
  if (ORDERID !== order.transactionReferenceId || !isAmountOf(order, TXNAMOUNT))
    return unknownOutcome('unclassified-reply');
  if (STATUS === 'TXN_FAILURE') return { status: 'reported-failure', receipt, vendorCode: RESPCODE };
  if (STATUS === 'PENDING') return { status: 'reported-pending', receipt };
  if (STATUS === 'TXN_SUCCESS' && CHECKSUMHASH) return { status: 'reported-success', receipt };
  return unknownOutcome('unclassified-reply');
}

/** The first whole words that fit; if the first word does not, its beginning. */
function words(text: string, most: number): string {
  const cut = text.slice(0, most);
  return text.length <= most || text[most] === ' ' ? cut : cut.slice(0, cut.lastIndexOf(' ') + 1).trim() || cut;
}

/** What an error means; null: nothing that ends the call. The vendor documents 1 and 4 for the app, 2 and -1 by call. */
function meaning(feature: Feature, code: string | undefined): HostErrorCode | null {
  if (code === undefined) return null;
  if (code === '1') return 'UNSUPPORTED';
  if (code === '2') return 'INVALID_ARGUMENT';
  // Of an icon, 4 says that the phone is too old for one.
  if (code === '4') return feature === 'shortcut' ? 'UNAVAILABLE' : 'BLOCKED';
  if (code === '-1' && feature === 'address') return 'CANCELLED';
  if (code === '-1' && (feature === 'login' || feature === 'location')) return 'DENIED';
  return feature === 'payment' ? null : 'HOST_FAILURE';
}

/** Hears a reply; a call that this version of the app, or its policy, refuses is not offered again. */
function listen(host: OpenHost, feature: Feature, raw: unknown): Spoken {
  const spoken = hear(raw);
  const kind = meaning(feature, spoken.code);
  if (!kind) return spoken;
  // A payment is asked for anew with each order: what was refused about one says nothing for good.
  if (feature !== 'location' && feature !== 'payment' && (kind === 'UNSUPPORTED' || kind === 'BLOCKED'))
    host.learn(feature, {
      state: 'unavailable',
      because: kind === 'BLOCKED' ? 'blocked-by-host' : 'host-version',
    });
  throw host.error(kind, feature, {
    retryable: kind === 'DENIED' || kind === 'HOST_FAILURE',
    vendorCode: spoken.code,
    vendorMessage: spoken.message,
  });
}

/** The data of a reply. */
const told = (host: OpenHost, feature: Feature, raw: unknown): unknown => unwrap(listen(host, feature, raw).data);

export const login = /* @__PURE__ */ sheetCall(
  'login',
  async (host, { clientId = setting(host.window, 'paytm-client') ?? '' }, options) => {
    if (!clientId) throw host.error('INVALID_ARGUMENT', 'login');
    const said = told(host, 'login', await host.ask('login', { clientId }, options));
    // It also says `openId`, which proves nothing to the server.
    const { authId } = decode(host, 'login', Login(), said);
    return { kind: 'proof', proof: { authCode: authId } satisfies LoginProof } as const;
  },
);

/** true granted, false not (yet). */
async function permission(host: OpenHost, method: string, signal: AbortSignal | undefined): Promise<boolean> {
  const options = { signal, timeoutMs: DEADLINE_MS.permission };
  const said = told(host, 'location', await host.calls.ask('location', method, { permission: 'location' }, options));
  return Number((said as Record<string, unknown> | null)?.location) === 1;
}

export const getLocation = /* @__PURE__ */ sheetCall('location', async (host, { signal, timeoutMs }) => {
  if (!host.transport.hosted) return locate(host, { signal, timeoutMs });
  try {
    const granted =
      (await permission(host, 'paytmCheckPermission', signal)) ||
      (await permission(host, 'paytmRequestPermission', signal));
    if (!granted) throw host.error('DENIED', 'location', { retryable: true });
  } catch (error) {
    // A version without the permission calls leaves asking to the phone's system.
    if ((error as HostError).code !== 'UNSUPPORTED') throw error;
  }
  return locate(host, { signal, timeoutMs: Math.min(timeoutMs, DEADLINE_MS.position) });
});

export const pickAddress = /* @__PURE__ */ sheetCall('address', async (host, options) => {
  const said = decode(host, 'address', Address(), told(host, 'address', await host.ask('address', {}, options)));
  const text = (value: string | null | undefined) => value || null;
  return {
    name: text(said.name),
    mobile: text(said.mobile),
    line1: said.address1,
    line2: text(said.address2),
    area: text(said.area),
    city: text(said.city),
    state: text(said.state),
    pincode: text(said.pincode),
    latitude: said.latitude ?? null,
    longitude: said.longitude ?? null,
  };
});

export const requestPayment = /* @__PURE__ */ sheetCall('payment', async (host, order, options) => {
  const { mid, txnToken } = detailsOf(host, PaymentDetails, order);
  return payOnce(
    host,
    order,
    { mid, orderId: order.transactionReferenceId, txnToken, amount: decimal(order.amount) },
    options,
    (raw) => outcome(order, listen(host, 'payment', raw)),
  );
});

export const offerShortcut = /* @__PURE__ */ sheetCall('shortcut', async (host, name, options) => {
  const asked = {
    uniqueId: 'home',
    shortLabel: words(name, 10),
    longLabel: words(name, 25),
    disabledMessage: name,
    deeplink: host.link('/'),
    image: webLink(host.window, '/icon.png'),
  };
  const said = told(host, 'shortcut', await host.ask('shortcut', asked, options));
  return (said as { success?: unknown } | null)?.success ? 'added' : 'dismissed';
});

/** The host may not answer; that the page goes out of sight shows that it has accepted. */
export const close = /* @__PURE__ */ hostCall('close', (host, { signal, timeoutMs = DEADLINE_MS.close } = {}) =>
  settle<void>({
    host: 'paytm',
    feature: 'close',
    timeoutMs,
    signal,
    start(reply, fail) {
      const stop = lifecycleOf(host).onLifecycle((state) => {
        if (state !== 'hidden') return;
        stop();
        reply();
      });
      host
        .ask('close', {}, { signal, timeoutMs })
        .then((raw) => listen(host, 'close', raw))
        .then(() => reply(), fail)
        .finally(stop);
    },
  }),
);
