import { MINUTE_MS } from '../../../src/domain/time.ts';
import { importJWK, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { BankOutcome } from '../../../src/contract/development.ts';
import type { RawContext } from '../../../src/server/call/call.ts';
import type { RawRoute } from '../../../src/server/call/route.ts';
import { chargeByReference, type ChargeRow } from '../../../src/server/store/bank.ts';
import type { Db } from '../../../src/server/store/db.ts';
import { secret } from '../../../src/server/store/system.ts';
import {
  closeCharge,
  decide,
  openChannel,
  openCharge,
  refundMovement,
  statusOf,
} from '../../../src/server/vendors/bankDesk.ts';
import { ordered, phoneOf } from '../../../src/server/vendors/embedded.ts';
import { SAMPLE } from './partners.ts';
import { newKey, PAYMENT_TYPE, publicHalf, signed } from './tokens.ts';

// The imitation of a partner's own server: its people, its key, and its payments, whose money is at the imitated bank.

const CHANNEL = 'PARTNER';
/** Under it nothing is signed that anybody should believe. */
const FORGED = 'frame-forged-key';

const keyNamed = (db: Db, name = 'frame-sample-key') => secret(db, name, newKey);

async function says(db: Db, claims: Record<string, unknown>): Promise<string> {
  return await signed(
    await keyNamed(db),
    { ...claims, iss: SAMPLE.issuer, aud: SAMPLE.audience },
    { now: Date.now() },
    PAYMENT_TYPE,
  );
}

const TokenOrder = z.object({
  nonce: z.optional(z.string()),
  aud: z.optional(z.string()),
  sub: z.optional(z.string()),
  expiresInSeconds: z.optional(z.number()),
  isForged: z.optional(z.boolean()),
});

const Request = z.object({
  action: z.enum(['pay', 'status', 'cancel', 'refund']),
  jti: z.string(),
  reference: z.string(),
  amount: z.number(),
  currency: z.optional(z.string()),
  note: z.optional(z.string()),
  refundId: z.optional(z.string()),
  captureId: z.optional(z.string()),
});
type Request = z.output<typeof Request>;

/** What the shop has signed, judged as a partner would judge it; null for anything else. */
async function heard(token: string, { db }: RawContext): Promise<Request | null> {
  try {
    const key = await importJWK(publicHalf(await secret(db, 'frame-shop-key', newKey)), 'ES256');
    const { payload } = await jwtVerify(token, key, { typ: PAYMENT_TYPE, audience: SAMPLE.issuer });
    return Request.parse(payload);
  } catch {
    return null;
  }
}

/** A charge at the bank, opened when this payment is first heard of. */
async function chargeOf(
  { reference, amount, currency = '', note = '' }: Request,
  request: globalThis.Request,
  aside: RawContext,
) {
  const known = await chargeByReference(aside.db, reference);
  if (known !== undefined) return known;
  const opened = await openCharge(
    aside.db,
    {
      reference,
      channel: CHANNEL,
      amount,
      currency,
      description: note,
      payeeVpa: null,
      cardToken: null,
      returnUrl: '',
      notifyUrl: new URL(`/webhooks/frame-${SAMPLE.name}`, request.url).href,
      expiresAt: aside.now + 15 * MINUTE_MS,
    },
    aside.now,
  );
  return 'charge' in opened ? opened.charge : null;
}

async function told(db: Db, charge: ChargeRow) {
  const { state, captures, reversal, code } = await statusOf(db, charge);
  return { reference: charge.reference, state, reversal, code, ...(state === 'SUCCESS' ? { captures } : {}) };
}

openChannel(CHANNEL, async (db, charge, { state }) => ({
  body: await says(db, { reference: charge.reference, state }),
  headers: { 'content-type': 'application/jwt' },
}));

async function answer(wish: Request, request: globalThis.Request, aside: RawContext): Promise<Record<string, unknown>> {
  const { db, now } = aside;
  const { reference, action } = wish;
  if (action === 'refund') {
    const done = await refundMovement(
      db,
      { refundId: wish.refundId ?? '', reference, captureId: wish.captureId ?? '', amount: wish.amount },
      now,
    );
    if ('code' in done) throw new Error(done.code);
    return { refundId: wish.refundId, done: done.done };
  }
  // A payment that was closed before it began stays closed.
  if (action === 'cancel' && (await chargeOf(wish, request, aside)) !== null)
    await closeCharge(db, reference, now, 'CANCELLED');
  const charge = await chargeByReference(db, reference);
  return charge === undefined ? { reference, state: 'NONE' } : await told(db, charge);
}

export const sampleRoutes: readonly RawRoute[] = [
  {
    method: 'GET',
    path: '/vendors/frame/keys',
    embedded: true,
    handler: async (_context, { db }) => Response.json({ keys: [publicHalf(await keyNamed(db))] }),
  },
  {
    method: 'POST',
    path: '/vendors/frame/identity',
    embedded: true,
    async handler(context, { db, now }) {
      const order = await ordered(TokenOrder, context.req.raw);
      if (order === null) return Response.json({ error: 'invalid_request' }, { status: 400 });
      const { sub = 'customer-1', nonce, aud = SAMPLE.audience, expiresInSeconds = 600, isForged } = order;
      const token = await signed(
        await keyNamed(db, isForged ? FORGED : undefined),
        {
          iss: SAMPLE.issuer,
          aud,
          sub,
          ...(nonce === undefined ? {} : { nonce }),
          given_name: 'Asha',
          family_name: 'Rao',
          phone_number: `+94${phoneOf(sub).slice(1)}`,
          phone_number_verified: true,
        },
        { now, lifeSeconds: expiresInSeconds },
      );
      return Response.json({ token });
    },
  },
  {
    method: 'POST',
    path: '/vendors/frame/pay',
    embedded: true,
    /** The customer has agreed, or not, in the sheet of the imitated payment app. */
    async handler(context, aside) {
      const order = await ordered(z.object({ request: z.string(), outcome: z.optional(BankOutcome) }), context.req.raw);
      const wish = order === null ? null : await heard(order.request, aside);
      const charge = wish?.action === 'pay' ? await chargeOf(wish, context.req.raw, aside) : null;
      if (order === null || charge === null) return Response.json({ error: 'no such payment' }, { status: 400 });
      const after = await decide(aside.db, charge.reference, order.outcome ?? null, aside.now);
      const state = after?.outcome === 'silent' ? 'PENDING' : after?.state;
      return Response.json({
        status: state === 'SUCCESS' ? 'paid' : state === 'FAILED' || state === 'CANCELLED' ? 'failed' : 'pending',
      });
    },
  },
  {
    method: 'POST',
    path: '/vendors/frame/payments',
    embedded: true,
    /** What the shop asks, server to server. */
    async handler(context, aside) {
      const wish = await heard(await context.req.text(), aside);
      if (wish === null || wish.action === 'pay') return new Response('', { status: 401 });
      const claims = await answer(wish, context.req.raw, aside);
      return new Response(await says(aside.db, { ...claims, jti: wish.jti }), {
        headers: { 'content-type': 'application/jwt' },
      });
    },
  },
];
