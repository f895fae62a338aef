import * as z from 'zod/mini';
import type { PaymentStep } from '../../contract/payments.ts';
import type { ApiError } from '../../contract/reply.ts';
import { decimal } from '../../domain/money.ts';
import { upiLink } from '../../domain/upi.ts';
import type { HostContext } from '../call/hosts.ts';
import {
  type Attempt,
  type BankGateway,
  type Delivery,
  heard,
  mustBe,
  NotBelieved,
  type Notice,
  type Payee,
  ProviderRefusal,
  type ProviderStatus,
  type Refund,
  returnTo,
  textOf,
  type VaultCard,
} from '../call/payments.ts';
import { languageAsked } from '../call/language.ts';
import { bank as bankSettings } from '../environment.ts';
import { newId, newToken } from '../store/ids.ts';
import { isSafe } from './outside.ts';
import { isSigned, sign } from './signing.ts';
import { EMBEDDED_PAYEE } from './upi.ts';

const BANK = 'bank';
const PROVIDER_DEADLINE_MS = 5_000;

interface BankSettings {
  readonly url: string;
  readonly merchant: string;
  readonly secret: string;
}
/** The bank's answer to a status call: whose attempt it is, and what became of it. */
const StatusReply = z.object({
  merchant: z.string(),
  reference: z.string(),
  state: z.enum(['WAITING', 'PENDING', 'SUCCESS', 'FAILED', 'CANCELLED']),
  code: z.nullable(z.string()),
  captures: z.array(z.object({ id: z.string(), amount: z.int(), currency: z.string(), at: z.number() })),
  reversal: z.nullable(z.object({ id: z.string(), amount: z.int(), done: z.boolean() })),
});
/** The embedded bank. `secret` is the name of its secret, which all processes on one database share. */
export const EMBEDDED_BANK = { secret: 'bank', merchant: 'golden-oven', payee: EMBEDDED_PAYEE } as const;

/** The client for the bank. When no bank is configured, it talks to the embedded bank on this server. */
export function bankGateway({ environment, origin, publicOrigin, secret, outside }: Omit<HostContext, 'bank'>) {
  const own = environment.read(bankSettings);
  const settings = async (): Promise<BankSettings> =>
    own ?? {
      url: origin(),
      merchant: EMBEDDED_BANK.merchant,
      secret: await secret(EMBEDDED_BANK.secret, newToken),
    };
  const payee = (): Payee => (own === null ? EMBEDDED_PAYEE : { ...EMBEDDED_PAYEE, vpa: own.vpa });
  /** Origin for the bank's webhook calls. The embedded bank uses the server's own address, which always works. */
  const toUs = () => (own === null ? origin() : publicOrigin());

  /**
   * Calls the bank. Both sides sign, and the nonce ties the reply to this question.
   * @throws NotBelieved when an answer is not signed by the bank; any other Error when it gives none
   */
  async function ask(path: string, question: object): Promise<{ status: number; reply: Record<string, unknown> }> {
    const { url, merchant, secret: key } = await settings();
    const body = JSON.stringify(question);
    const nonce = newId('q');
    const response = await outside.ask(BANK, `${url}/bank/api/${path}`, {
      method: 'POST',
      body,
      deadlineMs: PROVIDER_DEADLINE_MS,
      headers: {
        'content-type': 'application/json',
        // The bank's messages about a wrong card must be in the customer's language.
        'accept-language': languageAsked(),
        'x-bank-merchant': merchant,
        'x-bank-nonce': nonce,
        'x-bank-signature': sign(key, 'question', path, nonce, body),
      },
    });
    const text = await response.text();
    if (!isSigned(key, response.headers.get('x-bank-signature') ?? '', 'reply', nonce, String(response.status), text)) {
      const ReplyError = response.ok ? NotBelieved : Error;
      throw new ReplyError(`The bank's reply to ${path} (${response.status}) is not signed by the bank.`);
    }
    return { status: response.status, reply: JSON.parse(text) as Record<string, unknown> };
  }
  async function statusBy(path: string, question: object): Promise<ProviderStatus> {
    const { status, reply } = await ask(path, question);
    if (status === 404) return { state: 'NONE', reference: null, captures: [], reversal: null, code: null };
    if (status !== 200) throw new Error(`The bank answered ${path} with ${status}.`);
    const read = StatusReply.safeParse(reply);
    if (!read.success) throw new NotBelieved(`The bank's reply to ${path} is none: ${z.prettifyError(read.error)}`);
    const { merchant, ...known } = read.data;
    mustBe('merchant', merchant, (await settings()).merchant);
    return known;
  }
  async function charge(attempt: Attempt, channel: string) {
    const { status, reply } = await ask('charges', {
      reference: attempt.reference,
      channel,
      amount: attempt.amount,
      currency: attempt.currency,
      description: attempt.note,
      payeeVpa: channel === 'UPI' ? payee().vpa : null,
      cardToken: attempt.cardToken,
      choice: attempt.choice ?? null,
      returnUrl: returnTo(attempt),
      notifyUrl: `${toUs()}/webhooks/bank`,
      expiresAt: attempt.expiresAt,
    });
    if (status === 422) throw new ProviderRefusal(String(reply['code']), String(reply['message']));
    if (status !== 200) throw new Error(`The bank answered charges with ${status}.`);
    const pageUrl = String(reply['pageUrl']);
    // The embedded bank's pages are ours: a path.
    if (!isSafe(pageUrl) && !/^\/[^/\\]/.test(pageUrl)) throw new NotBelieved(`The bank's page is no page: ${pageUrl}`);
    return {
      expiresAt: Number(reply['expiresAt']),
      pageUrl,
      isDecided: reply['isDecided'] === true,
    };
  }
  return {
    payee,
    isAway: () => outside.isAway(BANK),
    charge,
    async start(attempt: Attempt): Promise<PaymentStep> {
      const { expiresAt, pageUrl, isDecided } = await charge(attempt, attempt.mode);
      const { transactionId, reference } = attempt;
      if (attempt.mode === 'UPI') {
        const link = upiLink({
          ...payee(),
          reference,
          amount: decimal(attempt.amount),
          note: attempt.note,
          url: `${publicOrigin()}${returnTo(attempt)}`,
        });
        return { kind: 'upi', transactionId, link, expiresAt, payerUrl: pageUrl };
      }
      // The customer has already approved in the payment sheet: there is no page to open, and the status call returns
      // the result.
      if (isDecided) return { kind: 'none' };
      return { kind: 'redirect', transactionId, paymentUrl: pageUrl, expiresAt };
    },
    status: (attempt: { reference: string }) => statusBy('status', { reference: attempt.reference }),
    cancel: (attempt: { reference: string }) => statusBy('cancel', { reference: attempt.reference }),
    collect: (attempt: { reference: string }, vpa: string) =>
      statusBy('collect', { reference: attempt.reference, vpa }),
    async refund(refund: Refund): Promise<{ done: boolean }> {
      const { status, reply } = await ask('refunds', refund);
      if (status !== 200) throw new Error(`The bank answered refunds with ${status}: ${String(reply['code'])}`);
      return { done: reply['done'] === true };
    },
    async take(token: string) {
      const { status, reply } = await ask('cards/take', { token });
      if (status === 422) return { problems: reply['problems'] as ApiError[] };
      if (status !== 200) throw new Error(`The bank answered cards/take with ${status}.`);
      return { card: reply as unknown as VaultCard };
    },
    async again(card: { token: string; typed: string }) {
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
      return status === 200 ? (reply['session'] as Record<string, unknown>) : null;
    },
    async forget(token: string): Promise<void> {
      const { status } = await ask('cards/forget', { token });
      if (status !== 200) throw new Error(`The bank answered cards/forget with ${status}.`);
    },
    async webhook(delivery: Delivery): Promise<readonly Notice[] | null> {
      const text = textOf(delivery);
      const signature = delivery.headers.get('x-bank-signature') ?? '';
      if (!isSigned((await settings()).secret, signature, 'notice', text)) return null;
      return heard(text, ({ reference, status }) => [reference, status]);
    },
  } satisfies BankGateway & Record<string, unknown>;
}
