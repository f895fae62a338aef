import * as z from 'zod/mini';
import { money } from '../../../src/contract/price.ts';
import type { RawRoute } from '../../../src/server/call/route.ts';
import { ordered, phoneOf } from '../../../src/server/vendors/embedded.ts';
import { NotVouched } from '../../../src/server/call/hostLogin.ts';
import type { HostSide } from '../../../src/server/call/hosts.ts';
import { t } from '../../../src/server/call/language.ts';
import {
  heard,
  type PaymentGateway,
  type ProviderStatus,
  textOf,
  type Webhook,
} from '../../../src/server/call/payments.ts';
import { isSigned, sign } from '../../../src/server/providers/signing.ts';
import { LoginProof, type PaymentDetails } from './contract.ts';

const SHOP = 'sixpay-shop';
/** What the invented app and the shop know each other by. */
const SECRETS = {
  identity: 'sixpay-identity',
  phone: 'sixpay-phone',
  ticket: 'sixpay-ticket',
  notice: 'sixpay-notice',
};
const TOKEN_LIFE_SECONDS = 600;

// ---- Its account: tokens of three parts, signed with a secret of the shop's.

const Claims = z.object({
  sub: z.string().check(z.minLength(1)),
  aud: z.literal(SHOP),
  nonce: z.string(),
  exp: z.number(),
  name: z.optional(z.string()),
  phone: z.optional(z.string()),
});

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(kind: 'identity' | 'phone', claims: object): string {
  const said = `${base64url({ kind })}.${base64url(claims)}`;
  return `${said}.${sign(SECRETS[kind], said)}`;
}

function claimsOf(kind: 'identity' | 'phone', token: string, now: number): z.output<typeof Claims> {
  const [head = '', body = '', signature = ''] = token.split('.');
  if (!isSigned(SECRETS[kind], signature, `${head}.${body}`)) throw new NotVouched(`${kind} token is not sixpay's`);
  const claims = Claims.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()));
  if (!claims.success || claims.data.exp * 1000 <= now)
    throw new NotVouched(`${kind} token is too old or another shop's`);
  return claims.data;
}

const TokenOrder = z.object({
  nonce: z.string(),
  sub: z.string(),
  aud: z.optional(z.string()),
  expiresInSeconds: z.optional(z.number()),
});

const tokens = (['identity', 'phone'] as const).map((kind): RawRoute => ({
  method: 'POST',
  path: `/vendors/sixpay/${kind}`,
  embedded: true,
  async handler(context, { now }) {
    const order = await ordered(TokenOrder, context.req.raw);
    if (order === null) return Response.json({ error: 'invalid' }, { status: 400 });
    const { sub, nonce, aud = SHOP, expiresInSeconds = TOKEN_LIFE_SECONDS } = order;
    const more = kind === 'identity' ? { name: 'Mira Sen' } : { phone: `+91${phoneOf(sub)}` };
    return Response.json({
      token: tokenOf(kind, { sub, aud, nonce, exp: Math.floor(now / 1000) + expiresInSeconds, ...more }),
    });
  },
}));

// ---- Its money: a ticket per attempt, and a gateway that remembers what became of it.

interface Charge {
  readonly amount: number;
  state: ProviderStatus['state'];
  becomes: ProviderStatus['state'] | null;
  refunded: Set<string>;
}
const charges = new Map<string, Charge>();
const ENDS: Readonly<Record<string, Pick<Charge, 'state' | 'becomes'>>> = {
  failure: { state: 'FAILED', becomes: null },
  pending: { state: 'PENDING', becomes: null },
  'pending-then-success': { state: 'PENDING', becomes: 'SUCCESS' },
  'pending-then-failure': { state: 'PENDING', becomes: 'FAILED' },
};

function statusOf(reference: string): ProviderStatus {
  const charge = charges.get(reference);
  if (charge === undefined) return { state: 'NONE', reference: null, captures: [], reversal: null, code: null };
  const { state, amount, becomes } = charge;
  if (becomes !== null) Object.assign(charge, { state: becomes, becomes: null });
  return {
    state,
    reference,
    reversal: null,
    code: state === 'FAILED' ? '267' : null,
    captures: state === 'SUCCESS' ? [{ id: `sixpay:${reference}`, amount, currency: 'INR', at: Date.now() }] : [],
  };
}

const gateway = (): PaymentGateway => ({
  async start({ transactionId, reference, amount, expiresAt }) {
    if (!charges.has(reference))
      charges.set(reference, { amount, state: 'WAITING', becomes: null, refunded: new Set() });
    const ticket = sign(SECRETS.ticket, reference, String(amount));
    return {
      kind: 'host',
      transactionId,
      amount: money(amount),
      transactionReferenceId: reference,
      expiresAt,
      details: { shop: SHOP, ticket } satisfies PaymentDetails,
    };
  },
  status: async ({ reference }) => statusOf(reference),
  async cancel({ reference }) {
    const charge = charges.get(reference);
    if (charge?.state === 'WAITING') charge.state = 'CANCELLED';
    return statusOf(reference);
  },
  async refund({ refundId, reference }) {
    charges.get(reference)?.refunded.add(refundId);
    return { done: true };
  },
});

/** Its own place for a signature, like every provider's. */
const webhook: Webhook = async (delivery) => {
  const text = textOf(delivery);
  if (!isSigned(SECRETS.notice, delivery.headers.get('sixpay-signature') ?? '', text)) return null;
  return heard(text, ({ reference, status }) => [reference, status]);
};

const Pay = z.object({
  shop: z.literal(SHOP),
  ticket: z.string(),
  reference: z.string(),
  amount: z.string(),
  outcome: z.optional(z.string()),
});

const pay: RawRoute = {
  method: 'POST',
  path: '/vendors/sixpay/pay',
  embedded: true,
  async handler(context) {
    const order = await ordered(Pay, context.req.raw);
    const charge = order === null ? undefined : charges.get(order.reference);
    const isRight =
      order !== null &&
      charge !== undefined &&
      isSigned(SECRETS.ticket, order.ticket, order.reference, String(charge.amount)) &&
      order.amount === (charge.amount / 100).toFixed(2);
    if (!isRight) return Response.json({ error: 'no such ticket' }, { status: 400 });
    if (charge.state === 'WAITING') {
      Object.assign(charge, ENDS[order.outcome ?? ''] ?? { state: 'SUCCESS', becomes: null });
      // The shop hears of it from the app itself, before its page does.
      const body = JSON.stringify({ reference: order.reference, status: charge.state });
      await fetch(new URL('/webhooks/sixpay', context.req.url), {
        method: 'POST',
        body,
        headers: { 'sixpay-signature': sign(SECRETS.notice, body) },
      });
    }
    const state = charge.state === 'SUCCESS' ? 'PAID' : charge.state === 'FAILED' ? 'REFUSED' : 'WAITING';
    return Response.json({ state, proof: sign(SECRETS.notice, order.reference, state) });
  },
};

export const host: HostSide = {
  name: 'sixpay',
  partnerName: 'SixPay',
  app: {
    name: 'SixPay',
    colour: '#5b2a86',
    ink: '#ffffff',
    switches: [
      {
        control: 'token',
        legend: 'Its proof of who you are',
        hint: 'The server checks it and refuses a bad one.',
        choices: [
          { value: 'good', text: 'Good' },
          { value: 'expired', text: 'Expired' },
          { value: 'wrong-audience', text: 'For another app' },
          { value: 'wrong-keys', text: 'Forged' },
        ],
      },
    ],
  },
  clientId: () => SHOP,
  countries: ['IN'],
  payment: {
    mode: 'HOST',
    label: 'SixPay',
    get about() {
      return t.payInsideAbout({ app: 'SixPay' });
    },
    gateway,
  },
  login:
    () =>
    async (credential, { now, useNonce, doubt }) => {
      const proof = LoginProof.safeParse(credential.proof);
      if (!proof.success) throw new NotVouched('a proof of another vendor');
      const who = claimsOf('identity', proof.data.token, now);
      if (who.nonce !== credential.nonce) throw new NotVouched('another nonce');
      if (!(await useNonce(credential.nonce))) throw new NotVouched('nonce unknown, used or too old');
      const [firstName, lastName] = (who.name ?? '').split(' ');
      let mobile: string | null = null;
      try {
        if (credential.phoneToken !== undefined) {
          const number = claimsOf('phone', credential.phoneToken, now);
          if (number.nonce !== who.nonce || number.sub !== who.sub) throw new NotVouched("another login's number");
          mobile = number.phone ?? null;
        }
      } catch (error) {
        // The identity alone is a login; a number that is not proven is asked for later, with a code.
        doubt(String(error));
      }
      return { subject: who.sub, mobile, firstName, lastName };
    },
  webhook: () => webhook,
  routes: [...tokens, pay],
};
