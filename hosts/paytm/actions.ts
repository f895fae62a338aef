import * as z from 'zod/mini';
import { type Calls, CLOSE_TIMEOUT_MS, LOCATION_TIMEOUT_MS, settle, SHEET_TIMEOUT_MS } from '../../src/bridge/call.ts';
import { decode } from '../../src/bridge/decode.ts';
import { type Base, webLink } from '../../src/bridge/defaults.ts';
import { setting } from '../../src/bridge/profile.ts';
import type { Feature, Page, PaymentOrder, PaymentOutcome, HostActions, Support } from '../../src/bridge/hostBridge.ts';
import type { HostError } from '../../src/bridge/hostError.ts';
import { locate } from '../../src/bridge/locate.ts';
import { decimal, detailsOf, payOnce, unknownOutcome } from '../../src/bridge/payment.ts';
import { unwrap } from '../../src/bridge/unwrap.ts';
import { type LoginProof, PaymentDetails } from './contract.ts';

/** The guidelines call the address picker only "SelectAddress": not confirmed by the vendor yet. */
const ADDRESS_METHOD = 'SelectAddress';

const Text = z.nullish(z.string());
const Login = z.object({ authId: z.string().check(z.minLength(1)) });
const Address = z.object({
  name: Text,
  mobile: Text,
  address1: z.string().check(z.minLength(1)),
  address2: Text,
  area: Text,
  city: Text,
  state: Text,
  pincode: z.nullish(z.union([z.string(), z.number()])),
  latitude: z.nullish(z.coerce.number()),
  longitude: z.nullish(z.coerce.number()),
});
const Paid = z.object({
  STATUS: z.string(),
  ORDERID: z.string(),
  TXNAMOUNT: z.optional(z.string()),
  RESPCODE: z.optional(z.string()),
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
  const read = z.safeParse(Paid, receipt);
  if (!read.success) return unknownOutcome('malformed-reply');
  const { STATUS, ORDERID, TXNAMOUNT, RESPCODE = null, CHECKSUMHASH } = read.data;
  if (ORDERID !== order.transactionReferenceId || (TXNAMOUNT ?? decimal(order.amount)) !== decimal(order.amount))
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

/** The calls that a tap may start inside Paytm. `refused`: calls that this version of the app, or its policy, has refused before. */
export function paytmActions(
  win: Page | undefined,
  calls: Calls,
  base: Base,
  link: (path: string) => string,
  refused: Map<Feature, Support>,
): HostActions {
  const never = async (feature: Feature): Promise<never> => {
    throw calls.error('UNSUPPORTED', feature);
  };
  const listen = (feature: Feature, spoken: Spoken): Spoken => {
    const { code, message } = spoken;
    if (code === '1') refused.set(feature, { state: 'unavailable', because: 'host-version' });
    if (code === '4' && feature !== 'shortcut')
      refused.set(feature, { state: 'unavailable', because: 'blocked-by-host' });
    const because = refused.get(feature);
    const kind =
      because?.state === 'unavailable'
        ? code === '1'
          ? 'UNSUPPORTED'
          : 'BLOCKED'
        : code === '2'
          ? 'INVALID_ARGUMENT'
          : code === '4'
            ? 'UNAVAILABLE'
            : code === '-1' && feature === 'address'
              ? 'CANCELLED'
              : code === '-1' && (feature === 'login' || feature === 'location')
                ? 'DENIED'
                : code !== undefined && feature !== 'payment'
                  ? 'HOST_FAILURE'
                  : null;
    if (kind)
      throw calls.error(kind, feature, {
        retryable: kind === 'DENIED' || kind === 'HOST_FAILURE',
        vendorCode: code,
        vendorMessage: message,
      });
    return spoken;
  };
  const ask = async (
    feature: Feature,
    method: string,
    args: Readonly<Record<string, unknown>>,
    options: { timeoutMs: number; signal?: AbortSignal | undefined },
  ) => unwrap(listen(feature, hear(await calls.ask(feature, method, args, options))).data);

  /** true granted, false not (yet). */
  const permission = async (method: string, signal: AbortSignal | undefined) => {
    const said = await ask('location', method, { permission: 'location' }, { signal, timeoutMs: SHEET_TIMEOUT_MS });
    return Number((said as Record<string, unknown> | null)?.location) === 1;
  };

  return {
    async login(
      { interactive, clientId = setting(win, 'paytm-client') ?? '' },
      { signal: given, timeoutMs = SHEET_TIMEOUT_MS } = {},
    ) {
      // The host may always show its sheet, so a silent login cannot be promised.
      if (!interactive) return never('login');
      if (!clientId) throw calls.error('INVALID_ARGUMENT', 'login');
      return calls.sheet(
        'login',
        async (signal) => {
          const said = await ask('login', 'paytmFetchAuthCode', { clientId }, { signal, timeoutMs });
          // It also says `openId`, which proves nothing to the server.
          const { authId } = decode(calls, 'login', Login, said);
          return { kind: 'proof', proof: { authCode: authId } satisfies LoginProof };
        },
        given,
      );
    },
    getPhoneNumber: () => never('phoneNumber'),
    async getLocation({ signal: given, timeoutMs } = {}) {
      if (!base.hosted) return locate('paytm', win, { signal: given, timeoutMs });
      return calls.sheet(
        'location',
        async (signal) => {
          try {
            const granted =
              (await permission('paytmCheckPermission', signal)) ||
              (await permission('paytmRequestPermission', signal));
            if (!granted) throw calls.error('DENIED', 'location', { retryable: true });
          } catch (error) {
            // A version without the permission calls leaves asking to the phone's system.
            if ((error as HostError).code !== 'UNSUPPORTED') throw error;
            refused.delete('location');
          }
          return locate('paytm', win, { signal, timeoutMs: timeoutMs ?? LOCATION_TIMEOUT_MS });
        },
        given,
      );
    },
    pickAddress: ({ signal: given, timeoutMs = SHEET_TIMEOUT_MS } = {}) =>
      calls.sheet(
        'address',
        async (signal) => {
          const said = decode(
            calls,
            'address',
            Address,
            await ask('address', ADDRESS_METHOD, {}, { signal, timeoutMs }),
          );
          const text = (value: string | number | null | undefined) => (value ? String(value) : null);
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
        },
        given,
      ),
    async requestPayment(order, options = {}) {
      const { mid, txnToken } = detailsOf(calls, PaymentDetails, order);
      return payOnce(
        calls,
        base,
        order,
        'paytmPayment',
        { mid, orderId: order.transactionReferenceId, txnToken, amount: decimal(order.amount) },
        options,
        (raw) => outcome(order, listen('payment', hear(raw))),
      );
    },
    share: () => never('share'),
    offerShortcut: (name, { signal: given, timeoutMs = SHEET_TIMEOUT_MS } = {}) =>
      calls.sheet(
        'shortcut',
        async (signal) => {
          const said = await ask(
            'shortcut',
            'createAppShortcut',
            {
              uniqueId: 'home',
              shortLabel: words(name, 10),
              longLabel: words(name, 25),
              disabledMessage: name,
              deeplink: link('/'),
              image: webLink(win, '/icon.png'),
            },
            { signal, timeoutMs },
          );
          return (said as { success?: unknown } | null)?.success ? 'added' : 'dismissed';
        },
        given,
      ),
    /** The host may not answer; that the page goes out of sight shows that it has accepted. */
    close: ({ signal, timeoutMs = CLOSE_TIMEOUT_MS } = {}) =>
      settle<void>({
        host: 'paytm',
        feature: 'close',
        timeoutMs,
        signal,
        start(reply, fail) {
          const stop = base.onLifecycle((state) => {
            if (state !== 'hidden') return;
            stop();
            reply();
          });
          ask('close', 'popWindow', {}, { signal, timeoutMs })
            .then(() => reply(), fail)
            .finally(stop);
        },
      }),
  };
}
