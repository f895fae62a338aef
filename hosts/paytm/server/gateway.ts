import type { PaymentStep } from '../../../src/contract/payments.ts';
import { money } from '../../../src/contract/price.ts';
import { decimal, minorOf } from '../../../src/domain/money.ts';
import type { Around } from '../../../src/server/call/hosts.ts';
import {
  type Attempt,
  heard,
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
import { isPaytmSignature, PAYTM_CODE, PAYTM_TOKEN_MS, paytmBodyText, paytmEnvelope } from './checksum.ts';
import { merchant } from './merchant.ts';

const DEADLINE_MS = 5_000;

/** Client of Paytm's payment gateway (reference: hosts, section 4), or of its imitation, which has the same interface. */
export function gateway(around: Around): PaymentGateway {
  async function ask(path: string, body: object): Promise<Record<string, unknown>> {
    const { url, key } = await merchant(around);
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body: paytmEnvelope(body, key),
      signal: AbortSignal.timeout(DEADLINE_MS),
      redirect: 'error',
      headers: { 'content-type': 'application/json' },
    });
    const text = await response.text();
    const bodyText = paytmBodyText(text);
    if (!response.ok || bodyText === null) throw new Error(`Paytm answered ${path} with ${response.status}.`);
    const head = (JSON.parse(text) as { head?: { signature?: string } }).head;
    // Only a refusal for a wrong signature comes unsigned. Any signature must be right.
    if (head?.signature !== undefined && !isPaytmSignature(bodyText, key, head.signature))
      throw new Error(`Paytm's reply to ${path} is not signed with our key.`);
    return JSON.parse(bodyText) as Record<string, unknown>;
  }
  const infoOf = (body: Record<string, unknown>) =>
    body['resultInfo'] as { resultStatus: string; resultCode: string; resultMsg: string };

  async function status(attempt: { reference: string; amount: number; currency: string }): Promise<ProviderStatus> {
    const { mid } = await merchant(around);
    const body = await ask('/v3/order/status', { mid, orderId: attempt.reference });
    const info = infoOf(body);
    const none = { captures: [], reversal: null, code: info.resultCode };
    if (info.resultStatus === 'TXN_SUCCESS') {
      const amount = minorOf(String(body['txnAmount'] ?? ''));
      if (amount === null || typeof body['txnId'] !== 'string')
        throw new Error('Paytm reported a success without an amount or id.');
      // Several captures exist only in the imitation; the real gateway reports one.
      const more = (body['furtherTxns'] as { txnId: string; txnAmount: string }[] | undefined) ?? [];
      return {
        state: 'SUCCESS',
        reversal: null,
        code: info.resultCode,
        captures: [{ txnId: body['txnId'], txnAmount: String(body['txnAmount']) }, ...more].map((txn) => ({
          id: `paytm:${txn.txnId}`,
          amount: minorOf(txn.txnAmount) ?? -1,
          currency: 'INR',
          at: Number(body['txnAt'] ?? Date.now()),
        })),
      };
    }
    // The gateway uses the code for a duplicate also for an order that it has never seen.
    if (info.resultStatus === 'TXN_FAILURE' && info.resultCode === PAYTM_CODE.duplicate)
      return { ...none, state: 'NONE' };
    if (info.resultStatus === 'TXN_FAILURE') {
      const reversed = body['reversal'] as { id: string; amount: string; done: boolean } | undefined;
      return {
        ...none,
        state: 'FAILED',
        reversal:
          reversed === undefined
            ? null
            : { id: `paytm:${reversed.id}`, amount: minorOf(reversed.amount) ?? 0, done: reversed.done },
      };
    }
    return {
      ...none,
      state: info.resultCode === PAYTM_CODE.pending && body['isBegun'] === false ? 'WAITING' : 'PENDING',
    };
  }
  return {
    async start(attempt: Attempt): Promise<PaymentStep> {
      const { mid, website, url, isEmbedded } = await merchant(around);
      const body = await ask(
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
      const info = infoOf(body);
      if (info.resultStatus !== 'S' || typeof body['txnToken'] !== 'string') {
        if (info.resultCode === PAYTM_CODE.system) throw new Error(`Paytm: ${info.resultMsg}`);
        throw new ProviderRefusal(info.resultCode, info.resultMsg);
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
    /** The gateway cannot be told to close an attempt; only its own status counts. */
    async cancel(attempt: { reference: string; amount: number; currency: string }): Promise<ProviderStatus> {
      const { mid, isEmbedded } = await merchant(around);
      if (isEmbedded) await ask('/embedded/close', { mid, orderId: attempt.reference });
      return await status(attempt);
    },
    async refund(refund: Refund): Promise<{ done: boolean }> {
      const info = infoOf(
        await ask('/refund/apply', {
          mid: (await merchant(around)).mid,
          txnType: 'REFUND',
          orderId: refund.reference,
          txnId: refund.captureId.replace(/^paytm:/, ''),
          refId: refund.refundId,
          refundAmount: decimal(refund.amount),
        }),
      );
      if (info.resultStatus !== 'PENDING' && info.resultStatus !== 'TXN_SUCCESS')
        throw new Error(`Paytm refused a refund: ${info.resultCode} ${info.resultMsg}`);
      return { done: info.resultStatus === 'TXN_SUCCESS' };
    },
  };
}

/** What the gateway tells by itself about a payment. */
export function webhook(around: Around): Webhook {
  return async (delivery) => {
    const envelope = textOf(delivery);
    const bodyText = paytmBodyText(envelope);
    if (bodyText === null || !isPaytmSignature(bodyText, (await merchant(around)).key, signatureIn(envelope)))
      return null;
    return heard(bodyText, ({ orderId, resultInfo }) => [
      orderId,
      (resultInfo as { resultStatus?: unknown } | undefined)?.resultStatus,
    ]);
  };
}

/** The gateway's signature is in the message itself: `head.signature`. */
function signatureIn(envelope: string): string {
  try {
    const { head } = JSON.parse(envelope) as { head?: { signature?: unknown } };
    return typeof head?.signature === 'string' ? head.signature : '';
  } catch {
    return '';
  }
}
