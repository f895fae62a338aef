import type { PaymentMode } from '../../contract/names.ts';
import type { SheetMethod } from '../../contract/cards.ts';
import type { PaymentStep } from '../../contract/payments.ts';
import { money } from '../../contract/price.ts';
import type { ApiError } from '../../contract/reply.ts';
import { PENDING_MINUTES } from '../../domain/orders.ts';
import type { Country } from '../../../country/shape.ts';
import type { Db } from '../store/db.ts';
import { newId, newToken } from '../store/ids.ts';
import { secret } from '../store/system.ts';
import { partnerSide } from './partners.ts';
import { decimal, isPaytmSignature, minorOf, PAYTM_CODE, PAYTM_TOKEN_MS, paytmBodyText, paytmEnvelope } from './paytm.ts';
import { sheetMethods } from './sheets.ts';
import { isSigned, sign } from './signing.ts';
import { EMBEDDED_PAYEE, upiLink, type Payee } from './upi.ts';

/** How long an attempt is looked after; then it is failed, and what arrives later is refunded. */
export const SETTLE_MS = PENDING_MINUTES * 60_000;
const PROVIDER_DEADLINE_MS = 5_000;

/** One attempt to pay an order, as a provider needs it. Amounts are minor units. */
export interface Attempt {
  readonly transactionId: string;
  readonly reference: string;
  readonly orderId: string;
  readonly mode: PaymentMode;
  readonly partner: string;
  readonly amount: number;
  readonly currency: string;
  readonly userId: string;
  readonly mobile: string;
  /** Mount of the app that started it, for example '/in/'. */
  readonly returnPath: string;
  readonly cardToken: string | null;
  /** Shown by the provider, at most 50 characters. */
  readonly note: string;
  readonly expiresAt: number;
  /** Of the link that it came through: whoever pays comes back to that. */
  readonly link?: string | null;
}

/** What a provider knows of an attempt. NONE: it never heard of it. CANCELLED: nobody can pay it any more. */
export interface ProviderStatus {
  readonly state: 'NONE' | 'WAITING' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'CANCELLED';
  /** Money that arrived; twice is possible. */
  readonly captures: readonly { id: string; amount: number; currency: string; at: number }[];
  /** Money that had left the customer and is given back by the provider itself. */
  readonly reversal: { id: string; amount: number; done: boolean } | null;
  readonly code: string | null;
}

/** Thrown by `start` when the provider said no for certain: nothing can be paid under this reference. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What is asked about an attempt afterwards; `details` are those of its row and name the host. */
export type Asked = Pick<Attempt, 'reference' | 'mode' | 'amount' | 'currency'> & { readonly details: string };
export interface Refund { readonly refundId: string; readonly reference: string; readonly captureId: string; readonly amount: number }

/** One way to move money. Every call is safe to repeat; everything but ProviderRefusal that is thrown means: unknown. */
export interface PaymentDoor {
  start(attempt: Attempt): Promise<PaymentStep>;
  /** Server to server: the only thing that makes an order paid. */
  status(attempt: Asked): Promise<ProviderStatus>;
  /** Closes an attempt that nobody has begun to pay; answers what is true afterwards. */
  cancel(attempt: Asked): Promise<ProviderStatus>;
  /** `refundId` is ours and makes it happen once. */
  refund(refund: Refund): Promise<{ done: boolean }>;
  /** The reference and status if the signature fits these bytes, else null. */
  notice(raw: string, signature: string): { reference: string; status: string } | null;
}

/** What the vault gives for a card. */
export interface VaultCard { readonly token: string; readonly lastFour: string; readonly bin: string; readonly brand: string }

/** Whatever moves money: the door of the mode, and of the host. */
export interface PaymentProvider extends Omit<PaymentDoor, 'refund' | 'notice'> {
  collect(attempt: Asked, vpa: string): Promise<ProviderStatus>;
  refund(refund: Refund & Pick<Asked, 'mode' | 'details'>): Promise<{ done: boolean }>;
  /** Card data goes straight to the vault. */
  vault(card: { number: string; expiry: string; cvv: string; name: string }): Promise<{ card: VaultCard } | { problems: ApiError[] }>;
  /** A kept card is used with its CVV: the token that comes back is for one checkout. */
  again(card: { token: string; cvv: string }): Promise<{ card: VaultCard } | { problems: ApiError[] }>;
  /** Makes the token of a checkout one that lasts; null when the vault does not know it. */
  keep(token: string): Promise<{ token: string; lastFour: string; brand: string; expiresAt: number } | null>;
  forget(token: string): Promise<void>;
  /** Payment sheets that this shop is registered for, and their own words to the bank. */
  sheets(country: Country): SheetMethod[];
  sheetToken(sheet: string, details: Readonly<Record<string, unknown>>): Promise<VaultCard | null>;
  sheetSession(sheet: string, validationUrl: string): Promise<Record<string, unknown> | null>;
  /** Whose notice this is: the reference and status if the signature fits these bytes, else null. */
  notice(from: string, raw: string, signature: string): { reference: string; status: string } | null;
}

export interface BankSettings { readonly url: string; readonly merchant: string; readonly secret: string; readonly payee: Payee }
export interface PaytmSettings { readonly url: string; readonly mid: string; readonly key: string; readonly website: string }

/** Secrets of the embedded bank and of the embedded Paytm; the same for all processes on one database. */
export async function embeddedSecrets(db: Db): Promise<{ bank: string; paytmKey: string }> {
  return {
    bank: await secret(db, 'bank', newToken),
    paytmKey: await secret(db, 'paytm-key', () => newToken().replace(/[^A-Za-z0-9]/g, 'x').slice(0, 16)),
  };
}

export const EMBEDDED_MERCHANT = 'golden-oven';
export const EMBEDDED_MID = 'GoldenOvenDemo001';
export const EMBEDDED_PAYEE_VPA = EMBEDDED_PAYEE.vpa;

/**
 * The payment provider of this server. Without configuration both doors lead to the embedded bank at `origin`; with
 * BANK_URL, BANK_MERCHANT, BANK_SECRET, BANK_VPA or PAYTM_URL, PAYTM_MID, PAYTM_KEY, PAYTM_WEBSITE they lead outside.
 */
export function paymentProvider(options: {
  readonly origin: () => string;
  readonly secrets: { bank: string; paytmKey: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
}): PaymentProvider {
  const env = options.environment;
  /** What others reach us by; the embedded doors use the server's own address, which always works. */
  const ways = (isEmbedded: boolean) => ({ toUs: () => (isEmbedded ? options.origin() : env['PUBLIC_ORIGIN'] ?? options.origin()), toPages: () => env['PUBLIC_ORIGIN'] ?? options.origin() });
  const bank = bankProvider(() => ({
    url: env['BANK_URL'] ?? options.origin(), merchant: env['BANK_MERCHANT'] ?? EMBEDDED_MERCHANT, secret: env['BANK_SECRET'] ?? options.secrets.bank,
    payee: { ...EMBEDDED_PAYEE, vpa: env['BANK_VPA'] ?? EMBEDDED_PAYEE.vpa },
  }), ways(env['BANK_URL'] === undefined));
  const paytm = paytmProvider(() => ({
    url: env['PAYTM_URL'] ?? `${options.origin()}/vendors/paytm`, mid: env['PAYTM_MID'] ?? EMBEDDED_MID,
    key: env['PAYTM_KEY'] ?? options.secrets.paytmKey, website: env['PAYTM_WEBSITE'] ?? 'WEBSTAGING',
  }), ways(env['PAYTM_URL'] === undefined), env['PAYTM_URL'] === undefined);
  const doors = new Map<string, PaymentDoor>();
  const ofHost = (name: string): PaymentDoor => {
    const door = doors.get(name) ?? partnerSide(name).door?.(options);
    if (door === undefined) throw new Error(`the host ${name} has no payment of its own`);
    doors.set(name, door);
    return door;
  };
  const of = (mode: PaymentMode, host: () => string): PaymentDoor => (mode === 'HOST' ? ofHost(host()) : mode === 'PAYTM' ? paytm : mode === 'LINK' ? nobody : bank);
  const asked = ({ mode, details }: Pick<Asked, 'mode' | 'details'>) => of(mode, () => (JSON.parse(details) as { partner: string }).partner);
  return {
    start: (attempt) => of(attempt.mode, () => attempt.partner).start(attempt),
    status: (attempt) => asked(attempt).status(attempt),
    cancel: (attempt) => asked(attempt).cancel(attempt),
    collect: (attempt, vpa) => bank.collect(attempt, vpa),
    refund: ({ mode, details, ...refund }) => asked({ mode, details }).refund(refund),
    vault: bank.vault,
    again: bank.again,
    keep: bank.keep,
    forget: bank.forget,
    sheets: (country) => sheetMethods(country, env, env['BANK_MERCHANT'] ?? EMBEDDED_MERCHANT),
    sheetToken: bank.sheetToken,
    sheetSession: bank.sheetSession,
    notice: (from, raw, signature) => (from === 'bank' ? bank : from === 'paytm' ? paytm : ofHost(from)).notice(raw, signature),
  };
}

/** Our page in the app that the customer comes back to; a path, so that it works behind any proxy. */
export function returnTo(attempt: Pick<Attempt, 'returnPath' | 'orderId' | 'transactionId' | 'link'>): string {
  if (attempt.link) return `${attempt.returnPath}pay/${encodeURIComponent(attempt.link)}?transactionId=${encodeURIComponent(attempt.transactionId)}`;
  return `${attempt.returnPath}payment/${encodeURIComponent(attempt.orderId)}?transactionId=${encodeURIComponent(attempt.transactionId)}`;
}

/** A signature does not make words readable. */
function heard(text: string, pick: (body: Record<string, unknown>) => readonly [unknown, unknown]): { reference: string; status: string } | null {
  try {
    const [reference, status] = pick(JSON.parse(text) as Record<string, unknown>);
    return typeof reference === 'string' && typeof status === 'string' ? { reference, status } : null;
  } catch {
    return null;
  }
}

/** A link that nobody has used: no money can move under its own reference, and it is closed as soon as somebody asks. */
const nobody: PaymentDoor = {
  start: () => Promise.resolve({ kind: 'none' }),
  status: () => Promise.resolve({ state: 'WAITING', captures: [], reversal: null, code: null }),
  cancel: () => Promise.resolve({ state: 'CANCELLED', captures: [], reversal: null, code: 'CANCELLED' }),
  refund: () => Promise.reject(new Error('nothing was paid under a link itself')),
  notice: () => null,
};

interface Ways { toUs(): string; toPages(): string }

function bankProvider(settings: () => BankSettings, ways: Ways) {
  /** Signed both ways: the nonce binds a reply to its question. */
  async function ask(path: string, question: object): Promise<{ status: number; reply: Record<string, unknown> }> {
    const { url, merchant, secret: key } = settings();
    const body = JSON.stringify(question);
    const nonce = newId('q');
    const response = await fetch(`${url}/bank/api/${path}`, {
      method: 'POST', body, signal: AbortSignal.timeout(PROVIDER_DEADLINE_MS), redirect: 'error',
      headers: {
        'content-type': 'application/json', 'x-bank-merchant': merchant, 'x-bank-nonce': nonce, 'x-bank-signature': sign(key, 'question', path, nonce, body),
      },
    });
    const text = await response.text();
    if (!isSigned(key, response.headers.get('x-bank-signature') ?? '', 'reply', nonce, String(response.status), text)) {
      throw new Error(`The bank's reply to ${path} (${response.status}) is not signed by the bank.`);
    }
    return { status: response.status, reply: JSON.parse(text) as Record<string, unknown> };
  }
  async function statusBy(path: string, question: object): Promise<ProviderStatus> {
    const { status, reply } = await ask(path, question);
    if (status === 404) return { state: 'NONE', captures: [], reversal: null, code: null };
    if (status !== 200) throw new Error(`The bank answered ${path} with ${status}.`);
    return reply as unknown as ProviderStatus;
  }
  return {
    async start(attempt: Attempt): Promise<PaymentStep> {
      const { payee } = settings();
      const { status, reply } = await ask('charges', {
        reference: attempt.reference, channel: attempt.mode, amount: attempt.amount, currency: attempt.currency, description: attempt.note,
        payeeVpa: attempt.mode === 'UPI' || attempt.mode === 'GPAY' ? payee.vpa : null, cardToken: attempt.cardToken,
        returnUrl: returnTo(attempt), notifyUrl: `${ways.toUs()}/webhooks/bank`, expiresAt: attempt.expiresAt,
      });
      if (status === 422) throw new ProviderRefusal(String(reply['code']), String(reply['message']));
      if (status !== 200) throw new Error(`The bank answered charges with ${status}.`);
      const expiresAt = Number(reply['expiresAt']);
      const { transactionId, reference } = attempt;
      if (attempt.mode === 'UPI') {
        const link = upiLink(payee, { reference, amount: attempt.amount, note: attempt.note, url: `${ways.toPages()}${returnTo(attempt)}` });
        return { kind: 'upi', transactionId, link, expiresAt, payerUrl: String(reply['pageUrl']) };
      }
      if (attempt.mode === 'GPAY') {
        return {
          kind: 'gpay', transactionId, amount: money(attempt.amount), payeeVpa: payee.vpa, payeeName: payee.name, mcc: payee.mcc,
          transactionReferenceId: reference, referenceUrl: `${ways.toPages()}${returnTo(attempt)}`, note: attempt.note, expiresAt,
        };
      }
      // A sheet has asked the customer already: the bank has its answer, and the status call tells it.
      if (reply['isDecided'] === true) return { kind: 'none' };
      return { kind: 'redirect', transactionId, paymentUrl: String(reply['pageUrl']), expiresAt };
    },
    status: (attempt: { reference: string }) => statusBy('status', { reference: attempt.reference }),
    cancel: (attempt: { reference: string }) => statusBy('cancel', { reference: attempt.reference }),
    collect: (attempt: { reference: string }, vpa: string) => statusBy('collect', { reference: attempt.reference, vpa }),
    async refund(refund: { refundId: string; reference: string; captureId: string; amount: number }): Promise<{ done: boolean }> {
      const { status, reply } = await ask('refunds', refund);
      if (status !== 200) throw new Error(`The bank answered refunds with ${status}: ${String(reply['code'])}`);
      return { done: reply['done'] === true };
    },
    async vault(card: { number: string; expiry: string; cvv: string; name: string }) {
      const { status, reply } = await ask('cards', card);
      if (status === 422) return { problems: reply['problems'] as ApiError[] };
      if (status !== 200) throw new Error(`The bank answered cards with ${status}.`);
      return { card: reply as unknown as VaultCard };
    },
    async again(card: { token: string; cvv: string }) {
      const { status, reply } = await ask('cards/again', card);
      if (status === 422) return { problems: reply['problems'] as ApiError[] };
      if (status !== 200) throw new Error(`The bank answered cards/again with ${status}.`);
      return { card: reply as unknown as VaultCard };
    },
    async keep(token: string) {
      const { status, reply } = await ask('cards/keep', { token });
      if (status === 404) return null;
      if (status !== 200) throw new Error(`The bank answered cards/keep with ${status}.`);
      return reply as unknown as { token: string; lastFour: string; brand: string; expiresAt: number };
    },
    async sheetToken(sheet: string, details: Readonly<Record<string, unknown>>): Promise<VaultCard | null> {
      const { status, reply } = await ask('sheets/token', { sheet, details });
      if (status === 422) return null;
      if (status !== 200) throw new Error(`The bank answered sheets/token with ${status}.`);
      return reply as unknown as VaultCard;
    },
    async sheetSession(sheet: string, validationUrl: string): Promise<Record<string, unknown> | null> {
      const { status, reply } = await ask('sheets/session', { sheet, validationUrl });
      return status === 200 ? reply['session'] as Record<string, unknown> : null;
    },
    async forget(token: string): Promise<void> {
      const { status } = await ask('cards/forget', { token });
      if (status !== 200) throw new Error(`The bank answered cards/forget with ${status}.`);
    },
    notice(raw: string, signature: string): { reference: string; status: string } | null {
      if (!isSigned(settings().secret, signature, 'notice', raw)) return null;
      return heard(raw, ({ reference, status }) => [reference, status]);
    },
  };
}

/** Paytm's server flow (reference: hosts, section 4); the embedded gateway speaks the same. */
function paytmProvider(settings: () => PaytmSettings, ways: Ways, isEmbedded: boolean) {
  async function ask(path: string, body: object): Promise<Record<string, unknown>> {
    const { url, key } = settings();
    const response = await fetch(`${url}${path}`, {
      method: 'POST', body: paytmEnvelope(body, key), signal: AbortSignal.timeout(PROVIDER_DEADLINE_MS), redirect: 'error', headers: { 'content-type': 'application/json' },
    });
    const text = await response.text();
    const bodyText = paytmBodyText(text);
    if (!response.ok || bodyText === null) throw new Error(`Paytm answered ${path} with ${response.status}.`);
    const head = (JSON.parse(text) as { head?: { signature?: string } }).head;
    // A refusal for a wrong signature comes unsigned; anything that carries a signature must carry ours.
    if (head?.signature !== undefined && !isPaytmSignature(bodyText, key, head.signature)) throw new Error(`Paytm's reply to ${path} is not signed with our key.`);
    return JSON.parse(bodyText) as Record<string, unknown>;
  }
  const infoOf = (body: Record<string, unknown>) => body['resultInfo'] as { resultStatus: string; resultCode: string; resultMsg: string };

  async function status(attempt: { reference: string; amount: number; currency: string }): Promise<ProviderStatus> {
    const { mid } = settings();
    const body = await ask('/v3/order/status', { mid, orderId: attempt.reference });
    const info = infoOf(body);
    const none = { captures: [], reversal: null, code: info.resultCode };
    if (info.resultStatus === 'TXN_SUCCESS') {
      const amount = minorOf(String(body['txnAmount'] ?? ''));
      if (amount === null || typeof body['txnId'] !== 'string') throw new Error('Paytm reported a success without an amount or id.');
      // Further captures are an extension of the embedded gateway; the real one reports one.
      const more = (body['furtherTxns'] as { txnId: string; txnAmount: string }[] | undefined) ?? [];
      return {
        state: 'SUCCESS', reversal: null, code: info.resultCode,
        captures: [{ txnId: body['txnId'], txnAmount: String(body['txnAmount']) }, ...more]
          .map((txn) => ({ id: `paytm:${txn.txnId}`, amount: minorOf(txn.txnAmount) ?? -1, currency: 'INR', at: Number(body['txnAt'] ?? Date.now()) })),
      };
    }
    // Asked about an order it never saw, the gateway answers with the duplicate's code.
    if (info.resultStatus === 'TXN_FAILURE' && info.resultCode === PAYTM_CODE.duplicate) return { ...none, state: 'NONE' };
    if (info.resultStatus === 'TXN_FAILURE') {
      const reversed = body['reversal'] as { id: string; amount: string; done: boolean } | undefined;
      return { ...none, state: 'FAILED', reversal: reversed === undefined ? null : { id: `paytm:${reversed.id}`, amount: minorOf(reversed.amount) ?? 0, done: reversed.done } };
    }
    return { ...none, state: info.resultCode === PAYTM_CODE.pending && body['isBegun'] === false ? 'WAITING' : 'PENDING' };
  }
  return {
    async start(attempt: Attempt): Promise<PaymentStep> {
      const { mid, website, url } = settings();
      const body = await ask(`/theia/api/v1/initiateTransaction?mid=${encodeURIComponent(mid)}&orderId=${encodeURIComponent(attempt.reference)}`, {
        requestType: 'Payment', mid, websiteName: website, orderId: attempt.reference,
        callbackUrl: `${ways.toUs()}/webhooks/paytm/callback?back=${encodeURIComponent(returnTo(attempt))}`,
        txnAmount: { value: decimal(attempt.amount), currency: attempt.currency },
        userInfo: { custId: attempt.userId.slice(0, 60), ...(attempt.mobile === '' ? {} : { mobile: attempt.mobile }) },
      });
      const info = infoOf(body);
      if (info.resultStatus !== 'S' || typeof body['txnToken'] !== 'string') {
        if (info.resultCode === PAYTM_CODE.system) throw new Error(`Paytm: ${info.resultMsg}`);
        throw new ProviderRefusal(info.resultCode, info.resultMsg);
      }
      const txnToken = body['txnToken'];
      const page = `/theia/api/v1/showPaymentPage?mid=${encodeURIComponent(mid)}&orderId=${encodeURIComponent(attempt.reference)}&txnToken=${encodeURIComponent(txnToken)}`;
      return {
        kind: 'paytm', transactionId: attempt.transactionId, orderId: attempt.reference, mid, txnToken, amount: money(attempt.amount),
        expiresAt: Math.min(attempt.expiresAt, attempt.expiresAt - SETTLE_MS + PAYTM_TOKEN_MS),
        paymentUrl: attempt.partner === 'paytm' ? null : isEmbedded ? `/vendors/paytm${page}` : `${url}${page}`,
      };
    },
    status,
    /** The gateway has no way to close an attempt from outside: only its own word counts. */
    async cancel(attempt: { reference: string; amount: number; currency: string }): Promise<ProviderStatus> {
      if (!isEmbedded) return await status(attempt);
      await ask('/embedded/close', { mid: settings().mid, orderId: attempt.reference });
      return await status(attempt);
    },
    async refund(refund: { refundId: string; reference: string; captureId: string; amount: number }): Promise<{ done: boolean }> {
      const info = infoOf(await ask('/refund/apply', {
        mid: settings().mid, txnType: 'REFUND', orderId: refund.reference, txnId: refund.captureId.replace(/^paytm:/, ''),
        refId: refund.refundId, refundAmount: decimal(refund.amount),
      }));
      if (info.resultStatus !== 'PENDING' && info.resultStatus !== 'TXN_SUCCESS') throw new Error(`Paytm refused a refund: ${info.resultCode} ${info.resultMsg}`);
      return { done: info.resultStatus === 'TXN_SUCCESS' };
    },
    notice(raw: string, signature: string): { reference: string; status: string } | null {
      const bodyText = paytmBodyText(raw);
      if (bodyText === null || !isPaytmSignature(bodyText, settings().key, signature)) return null;
      return heard(bodyText, ({ orderId, resultInfo }) => [orderId, (resultInfo as { resultStatus?: unknown } | undefined)?.resultStatus]);
    },
  };
}
