import * as z from 'zod/mini';
import type { PaymentStep } from '../../../src/contract/payments.ts';
import { money } from '../../../src/contract/price.ts';
import { decimal, minorOf } from '../../../src/domain/money.ts';
import type { HostContext } from '../../../src/server/call/hosts.ts';
import {
  type Attempt,
  mustBe,
  NotBelieved,
  type Notice,
  type PaymentGateway,
  ProviderRefusal,
  type ProviderStatus,
  type Refund,
  returnTo,
  SETTLE_MS,
  textOf,
  type Webhook,
} from '../../../src/server/call/payments.ts';
import type { PaymentDetails } from '../contract.ts';
import {
  isPaytmSignature,
  PAYTM_CODE,
  PAYTM_TOKEN_MS,
  paytmBodyText,
  paytmEnvelope,
  paytmFormPayload,
} from './checksum.ts';
import { merchant } from './merchant.ts';

const PAYTM = 'paytm';
const DEADLINE_MS = 5_000;

const Envelope = z.object({ head: z.optional(z.object({ signature: z.optional(z.string()) })) });
const Reply = z.looseObject({
  resultInfo: z.object({ resultStatus: z.string(), resultCode: z.string(), resultMsg: z.optional(z.string()) }),
});
/** Paytm's page about the call says nothing of a currency: it is compared where there is one. */
const StatusReply = z.object({
  ...Reply.shape,
  mid: z.optional(z.string()),
  orderId: z.optional(z.string()),
  txnId: z.optional(z.string()),
  txnAmount: z.optional(z.string()),
  currency: z.optional(z.string()),
  /** Of India, without saying so: `2020-07-24 15:13:02.0`. */
  txnDate: z.optional(z.string()),
});
type StatusReply = z.output<typeof StatusReply>;

/** When Paytm took the money, epoch ms; now where it is not readable. */
function takenAt({ txnDate = '' }: StatusReply): number {
  const at = Date.parse(`${txnDate.replace(' ', 'T').replace(/\.\d+$/, '')}+05:30`);
  return Number.isNaN(at) ? Date.now() : at;
}

/** Reads a reply, or throws. */
function read<S extends z.ZodMiniType>(schema: S, path: string, text: string): z.output<S> {
  const said = schema.safeParse(JSON.parse(text));
  if (!said.success) throw new NotBelieved(`Paytm's reply to ${path} is none: ${z.prettifyError(said.error)}`);
  return said.data;
}

/** Client of Paytm's payment gateway (reference: hosts, section 4), or of its imitation, which has the same interface. */
export function gateway(around: HostContext): PaymentGateway {
  /**
   * Asks a signed question.
   * @returns the exact text of the reply's body
   * @throws NotBelieved when the reply is not signed with our key; Paytm's pages promise a signature for each of these calls
   */
  async function ask(path: string, body: object): Promise<string> {
    const { url, key } = await merchant(around);
    const response = await around.outside.ask(PAYTM, `${url}${path}`, {
      method: 'POST',
      body: paytmEnvelope(body, key),
      deadlineMs: DEADLINE_MS,
      headers: { 'content-type': 'application/json' },
    });
    const text = await response.text();
    const bodyText = paytmBodyText(text);
    if (!response.ok || bodyText === null) throw new Error(`Paytm answered ${path} with ${response.status}.`);
    const { head } = read(Envelope, path, text);
    if (!isPaytmSignature(bodyText, key, head?.signature ?? ''))
      throw new NotBelieved(`Paytm's reply to ${path} is not signed with our key: ${bodyText.slice(0, 200)}`);
    return bodyText;
  }
  const answered = async (path: string, body: object) => read(Reply, path, await ask(path, body));

  /**
   * The documented ends: TXN_SUCCESS, TXN_FAILURE, PENDING (400, 402) and NO_RECORD_FOUND (331). A transaction that was
   * initiated and never begun has no record, or no transaction id yet.
   */
  async function status(attempt: { reference: string; amount: number; currency: string }): Promise<ProviderStatus> {
    const { mid } = await merchant(around);
    const said = read(StatusReply, 'order/status', await ask('/v3/order/status', { mid, orderId: attempt.reference }));
    const { resultStatus, resultCode: code } = said.resultInfo;
    const isUnknown = resultStatus === 'NO_RECORD_FOUND' || code === PAYTM_CODE.duplicate;
    // Only an answer that there is nothing may leave out what it is about.
    if (!isUnknown || said.mid !== undefined) mustBe('merchant', said.mid, mid);
    if (!isUnknown || said.orderId !== undefined) mustBe('order id', said.orderId, attempt.reference);
    const { currency = 'INR' } = said;
    const none = { reference: said.orderId ?? null, captures: [], reversal: null, code };
    if (isUnknown) return { ...none, state: 'NONE' };
    if (resultStatus === 'TXN_SUCCESS') {
      const amount = minorOf(said.txnAmount ?? '');
      if (amount === null || !said.txnId) throw new NotBelieved('Paytm reported a success without an amount or id.');
      return {
        ...none,
        state: 'SUCCESS',
        captures: [{ id: `paytm:${said.txnId}`, amount, currency, at: takenAt(said) }],
      };
    }
    mustBe('currency', currency, attempt.currency);
    if (said.txnAmount !== undefined) mustBe('amount', minorOf(said.txnAmount), attempt.amount);
    if (resultStatus === 'PENDING') return { ...none, state: said.txnId ? 'PENDING' : 'WAITING' };
    // Its "server down" and "invalid merchant" are called failures too; they say nothing of the transaction.
    if (resultStatus === 'TXN_FAILURE' && code !== PAYTM_CODE.system && code !== PAYTM_CODE.expired)
      return { ...none, state: 'FAILED', reversal: 'UNTOLD' };
    throw new Error(`Paytm cannot say what became of an order: ${resultStatus} ${code}`);
  }
  return {
    isAway: () => around.outside.isAway(PAYTM),
    async start(attempt: Attempt): Promise<PaymentStep> {
      const { mid, website, url, isEmbedded } = await merchant(around);
      const body = await answered(
        `/theia/api/v1/initiateTransaction?mid=${encodeURIComponent(mid)}&orderId=${encodeURIComponent(attempt.reference)}`,
        {
          requestType: 'Payment',
          mid,
          websiteName: website,
          orderId: attempt.reference,
          callbackUrl: `${isEmbedded ? around.origin() : around.publicOrigin()}/webhooks/paytm/callback?back=${encodeURIComponent(returnTo(attempt))}`,
          txnAmount: { value: decimal(attempt.amount), currency: attempt.currency },
          userInfo: {
            custId: attempt.userId.slice(0, 60),
            ...(attempt.mobile === '' ? {} : { mobile: attempt.mobile }),
          },
        },
      );
      const info = body.resultInfo;
      if (info.resultStatus !== 'S' || typeof body['txnToken'] !== 'string') {
        if (info.resultCode === PAYTM_CODE.system) throw new Error(`Paytm: ${info.resultMsg}`);
        throw new ProviderRefusal(info.resultCode, info.resultMsg ?? '');
      }
      const txnToken = body['txnToken'];
      const { transactionId, reference } = attempt;
      const expiresAt = Math.min(attempt.expiresAt, attempt.expiresAt - SETTLE_MS + PAYTM_TOKEN_MS);
      if (attempt.host === 'paytm')
        return {
          kind: 'host',
          transactionId,
          amount: money(attempt.amount),
          transactionReferenceId: reference,
          expiresAt,
          details: { mid, txnToken } satisfies PaymentDetails,
        };
      const page = `/theia/api/v1/showPaymentPage?mid=${encodeURIComponent(mid)}&orderId=${encodeURIComponent(reference)}&txnToken=${encodeURIComponent(txnToken)}`;
      return {
        kind: 'redirect',
        transactionId,
        paymentUrl: isEmbedded ? `/vendors/paytm${page}` : `${url}${page}`,
        expiresAt,
        app: { name: 'Paytm', path: '/paytmForm' },
      };
    },
    status,
    /** The fields that the app gives to the page are those of the webhook's form, with its CHECKSUMHASH. */
    async receipt(attempt, receipt) {
      const own = await merchant(around);
      const fields = Fields.safeParse(JSON.parse(receipt));
      if (
        !fields.success ||
        !isPaytmSignature(paytmFormPayload(fields.data), own.key, fields.data['CHECKSUMHASH'] ?? '')
      )
        throw new NotBelieved('a receipt that Paytm has not signed for us');
      const { MID, ORDERID, TXNAMOUNT = '', CURRENCY, STATUS = '' } = fields.data;
      mustBe('merchant', MID, own.mid);
      mustBe('order id', ORDERID, attempt.reference);
      mustBe('amount', minorOf(TXNAMOUNT), attempt.amount);
      mustBe('currency', CURRENCY, attempt.currency);
      return STATUS === 'TXN_SUCCESS' ? 'SUCCESS' : STATUS === 'PENDING' ? 'PENDING' : 'FAILED';
    },
    /** The gateway cannot be told to close an attempt, so this is the same question. */
    cancel: status,
    /** The gateway refuses a refund id that it has had before, so it is asked for what it knows of it first. */
    async refund(refund: Refund): Promise<{ done: boolean }> {
      const about = { mid: (await merchant(around)).mid, orderId: refund.reference, refId: refund.refundId };
      const known = (await answered('/v2/refund/status', about)).resultInfo.resultStatus;
      if (known === 'TXN_SUCCESS' || known === 'PENDING') return { done: known === 'TXN_SUCCESS' };
      const { resultInfo: info } = await answered('/refund/apply', {
        ...about,
        txnType: 'REFUND',
        txnId: refund.captureId.replace(/^paytm:/, ''),
        refundAmount: decimal(refund.amount),
      });
      if (info.resultStatus !== 'PENDING' && info.resultStatus !== 'TXN_SUCCESS')
        throw new Error(`Paytm refused a refund: ${info.resultCode} ${info.resultMsg}`);
      return { done: info.resultStatus === 'TXN_SUCCESS' };
    },
  };
}

/** Paytm's library signs null as an empty text. */
const Fields = z.record(
  z.string(),
  z.pipe(
    z.nullable(z.string()),
    z.transform((text) => text ?? ''),
  ),
);
const Told = z.object({
  mid: z.string(),
  orderId: z.string(),
  status: z.optional(z.string()),
  resultInfo: z.optional(z.object({ resultStatus: z.string() })),
});

/** The message in JSON: `{head: {signature}, body}`. Older merchants get the fields of a status reply. */
function toldInJson(envelope: string, bodyText: string, key: string) {
  const { head } = read(Envelope, 'the webhook', envelope);
  if (!isPaytmSignature(bodyText, key, head?.signature ?? '')) return null;
  const { mid, orderId, status, resultInfo } = read(Told, 'the webhook', bodyText);
  return { mid, reference: orderId, status: status ?? resultInfo?.resultStatus ?? '' };
}

/** The documented payment webhook: a form whose field CHECKSUMHASH signs the others. */
function toldInForm(text: string, key: string) {
  const form = [...new URLSearchParams(text)];
  const fields = Object.fromEntries(form);
  const { MID: mid, ORDERID: reference, STATUS: status = '', CHECKSUMHASH: signature = '' } = fields;
  const isWhole = mid !== undefined && reference !== undefined && form.length === Object.keys(fields).length;
  return isWhole && isPaytmSignature(paytmFormPayload(fields), key, signature) ? { mid, reference, status } : null;
}

/** What the gateway tells by itself about a payment, in either form. */
export function webhook(around: HostContext): Webhook {
  return async (delivery): Promise<Notice[] | null> => {
    const text = textOf(delivery);
    const own = await merchant(around);
    try {
      const bodyText = paytmBodyText(text);
      const told = bodyText === null ? toldInForm(text, own.key) : toldInJson(text, bodyText, own.key);
      if (told === null || told.mid !== own.mid) return null;
      return [{ reference: told.reference, status: told.status }];
    } catch {
      // No JSON, or not what is documented.
      return null;
    }
  };
}
