import { randomUUID } from 'node:crypto';
import { errors } from 'jose';
import * as z from 'zod/mini';
import type { PaymentStep } from '../../../src/contract/payments.ts';
import { money } from '../../../src/contract/price.ts';
import type { HostContext } from '../../../src/server/call/hosts.ts';
import {
  type AttemptRecord,
  type Attempt,
  mustBe,
  NotBelieved,
  type PaymentGateway,
  type ProviderStatus,
  type Refund,
  SETTLE_MS,
  textOf,
  type Webhook,
} from '../../../src/server/call/payments.ts';
import type { PaymentDetails } from '../contract.ts';
import { judge, PAYMENT_TYPE, shopKey, signed, type TrustedPartner } from './tokens.ts';

const DEADLINE_MS = 5_000;
const LONGEST_ANSWER = 64 * 1024;
const id = z.string().check(z.minLength(1), z.maxLength(100));
const amount = z.int().check(z.gte(0));

const state = z.enum(['NONE', 'WAITING', 'PENDING', 'SUCCESS', 'FAILED', 'CANCELLED']);

const Answer = z.object({
  jti: z.string(),
  reference: z.string(),
  state,
  code: z.nullish(z.string().check(z.maxLength(100))),
  captures: z._default(z.array(z.object({ id, amount, currency: z.string(), at: z.int() })).check(z.maxLength(20)), []),
  reversal: z.nullish(z.object({ id, amount, done: z.boolean() })),
});
const Refunded = z.object({ jti: z.string(), refundId: z.string(), done: z.boolean() });
const Word = z.object({ reference: id, state });

/**
 * Whether the answer was judged, and found wrong. A key set that cannot be fetched or read says nothing about it; for one
 * that answers with another status than 200, or with no JSON, jose has no class of its own.
 */
const isJudged = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  error.code !== errors.JOSEError.code &&
  !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid);

/** The clock of this process: a token between two servers is as old as its way there. */
const clock = () => Date.now();

/**
 * Payments of a partner. The page asks for them with a request that we have signed; whether one was paid, the partner's server
 * tells ours. All that passes between the servers is a signed token; every answer holds the id of its question, so that
 * none can be used again.
 */
export function partnerGateway(host: string, partner: TrustedPartner & { readonly payments: string }) {
  return (around: HostContext): PaymentGateway => {
    const shop = shopKey(around);
    const judged = judge(partner, around);
    const asked = async (claims: object, lifeSeconds?: number) => {
      const jti = randomUUID();
      const addressed = { ...claims, iss: shop.issuer(), aud: partner.issuer, jti };
      const times = { now: clock(), ...(lifeSeconds === undefined ? {} : { lifeSeconds }) };
      return { jti, token: await signed(await shop.key(), addressed, times, PAYMENT_TYPE) };
    };

    async function ask<S extends z.ZodMiniType>(schema: S, question: { action: string; [claim: string]: unknown }) {
      const { jti, token } = await asked(question);
      const response = await around.outside.ask(host, new URL(partner.payments, around.origin()), {
        method: 'POST',
        body: token,
        headers: { 'content-type': 'application/jwt' },
        deadlineMs: DEADLINE_MS,
      });
      const text = await response.text();
      if (!response.ok || text.length > LONGEST_ANSWER)
        throw new Error(`${host} answered ${question.action} with ${response.status} and ${text.length} characters.`);
      const said = await judged(text.trim(), { now: clock() }, PAYMENT_TYPE).catch((error: unknown) => {
        throw isJudged(error) ? new NotBelieved(`${host} answered ${question.action}: ${String(error)}`) : error;
      });
      const answer = schema.safeParse(said);
      if (!answer.success)
        throw new NotBelieved(`${host} answered ${question.action}: ${z.prettifyError(answer.error)}`);
      mustBe('question', (answer.data as { jti: string }).jti, jti);
      return answer.data;
    }

    async function told(action: string, { reference, amount: due, currency }: AttemptRecord): Promise<ProviderStatus> {
      const answer = await ask(Answer, { action, reference, amount: due, currency });
      if ((answer.state === 'SUCCESS') !== answer.captures.length > 0)
        throw new NotBelieved(`${host} contradicts itself about ${reference}.`);
      return {
        state: answer.state,
        reference: answer.reference,
        code: answer.code ?? null,
        // Of two partners each has ids of its own.
        captures: answer.captures.map((one) => ({ ...one, id: `${host}:${one.id}` })),
        reversal: answer.reversal ? { ...answer.reversal, id: `${host}:${answer.reversal.id}` } : null,
      };
    }

    return {
      isAway: () => around.outside.isAway(host),
      async start(attempt: Attempt): Promise<PaymentStep> {
        const { transactionId, reference, currency, note, expiresAt } = attempt;
        const { token } = await asked(
          { action: 'pay', reference, amount: attempt.amount, currency, note, order: attempt.orderId },
          SETTLE_MS / 1000,
        );
        return {
          kind: 'host',
          transactionId,
          amount: money(attempt.amount),
          transactionReferenceId: reference,
          expiresAt,
          details: { request: token, currency, note } satisfies PaymentDetails,
        };
      },
      status: (attempt) => told('status', attempt),
      cancel: (attempt) => told('cancel', attempt),
      async refund({ refundId, reference, captureId, amount: back }: Refund) {
        const answer = await ask(Refunded, {
          action: 'refund',
          reference,
          refundId,
          captureId: captureId.slice(host.length + 1),
          amount: back,
        });
        if (answer.refundId !== refundId) throw new Error(`${host} told of another refund.`);
        return { done: answer.done };
      },
    };
  };
}

/** A partner's word that something has happened to a payment: signed, and still only a reason to ask. */
export function partnerWebhook(partner: TrustedPartner) {
  return (around: HostContext): Webhook => {
    const judged = judge(partner, around);
    return async (delivery) => {
      try {
        const word = Word.parse(await judged(textOf(delivery).trim(), { now: clock() }, PAYMENT_TYPE));
        return [{ reference: word.reference, status: word.state }];
      } catch {
        return null;
      }
    };
  };
}
