import * as z from 'zod/mini';
import { BankOutcome } from '../../../src/contract/development.ts';
import { money } from '../../../src/contract/price.ts';
import { decimal } from '../../../src/domain/money.ts';
import type { RawContext } from '../../../src/server/call/call.ts';
import { NotVouched } from '../../../src/server/call/hostLogin.ts';
import type { HostContext, HostSide } from '../../../src/server/call/hosts.ts';
import { t } from '../../../src/server/call/language.ts';
import {
  type PaymentGateway,
  ProviderRefusal,
  type ProviderStatus,
  returnTo,
  textOf,
  type Webhook,
} from '../../../src/server/call/payments.ts';
import type { RawRoute } from '../../../src/server/call/route.ts';
import { saidId, saidText } from '../../../src/server/call/said.ts';
import { isSame, isSigned, sign } from '../../../src/server/providers/signing.ts';
import { chargeByReference, type ChargeRow } from '../../../src/server/store/bank.ts';
import { putGrant, useCode } from '../../../src/server/store/vendors.ts';
import {
  closeCharge,
  decide,
  openChannel,
  openCharge,
  refundMovement,
  statusOf,
} from '../../../src/server/vendors/bankDesk.ts';
import { parsed, type Question, text } from '../../../src/server/vendors/bankInterface.ts';
import { ordered, phoneOf } from '../../../src/server/vendors/embedded.ts';
import { LoginProof, type PaymentDetails } from './contract.ts';

const SHOP = 'tarnpay-shop';
const CHANNEL = 'TARNPAY';
const DEADLINE_MS = 5_000;
const GRANT_LIFE_MS = 5 * 60_000;

// ---- How both sides sign: in Authorization, over the message in base64 and the path it goes to, with one of several keys.

const SALTS: Readonly<Record<string, string>> = { 1: 'tarnpay-salt-of-last-year', 2: 'tarnpay-salt' };
const KEY_INDEX = '2';

function sealed(path: string, message: object): { body: string; authorization: string } {
  const request = Buffer.from(JSON.stringify(message)).toString('base64');
  return {
    body: JSON.stringify({ request }),
    authorization: `Tarn ${sign(SALTS[KEY_INDEX]!, request, path)}###${KEY_INDEX}`,
  };
}

/** The message of a call; null when it is not signed with a key that we share, or for another path. */
function opened(path: string, authorization: string, body: string): Question | null {
  const [, signature = '', index = ''] = /^Tarn ([0-9a-f]+)###(\d+)$/.exec(authorization) ?? [];
  const request = text(parsed(body)?.['request']);
  const salt = SALTS[index];
  if (salt === undefined || !isSigned(salt, signature, request, path)) return null;
  return parsed(Buffer.from(request, 'base64').toString());
}

/** Calls the app's server. Null: it does not know what was asked about. */
const asker =
  ({ origin, outside }: HostContext) =>
  async (path: string, question: object): Promise<Question | null> => {
    const where = `/vendors/tarnpay${path}`;
    const { body, authorization } = sealed(where, question);
    const response = await outside.ask('tarnpay', origin() + where, {
      method: 'POST',
      body,
      headers: { authorization, 'content-type': 'application/json' },
      deadlineMs: DEADLINE_MS,
    });
    const reply = parsed(await response.text());
    if (response.status === 404) return null;
    if (!response.ok || reply === null) throw new Error(`TarnPay answered ${path} with ${response.status}.`);
    return reply;
  };

// ---- Our half: who somebody is, and their money.

const Person = z.object({ userId: saidId, name: saidText, phoneNumber: saidText });

const login: HostSide['login'] = (around) => {
  const ask = asker(around);
  return async ({ proof }) => {
    const { data: shown } = LoginProof.safeParse(proof);
    if (shown === undefined) throw new NotVouched('a proof of another vendor');
    const person = Person.safeParse(await ask('/oauth/user', { shop: SHOP, grantToken: shown.grantToken }));
    if (!person.success) throw new NotVouched('the grant stands for nobody');
    const { userId: subject, name, phoneNumber: mobile = null } = person.data;
    const [firstName, lastName] = name?.split(' ') ?? [];
    return { subject, mobile, firstName, lastName };
  };
};

function gateway(around: HostContext): PaymentGateway {
  const ask = asker(around);
  const statusBy = async (path: string, reference: string): Promise<ProviderStatus> => {
    const reply = await ask(path, { reference });
    return reply === null
      ? { reference: null, state: 'NONE', captures: [], reversal: null, code: null }
      : (reply as unknown as ProviderStatus);
  };
  return {
    isAway: () => around.outside.isAway('tarnpay'),
    async start(attempt) {
      const { transactionId, reference, amount, currency, note, expiresAt } = attempt;
      const reply = await ask('/pay/init', {
        reference,
        amount,
        currency,
        note,
        expiresAt,
        returnUrl: around.publicOrigin() + returnTo(attempt),
        notifyUrl: `${around.origin()}/webhooks/tarnpay`,
      });
      if (reply === null) throw new ProviderRefusal('INIT', '');
      return {
        kind: 'host',
        transactionId,
        amount: money(amount),
        transactionReferenceId: reference,
        expiresAt,
        details: { token: text(reply['token']) } satisfies PaymentDetails,
      };
    },
    status: ({ reference }) => statusBy('/pay/status', reference),
    cancel: ({ reference }) => statusBy('/pay/cancel', reference),
    async refund(refund) {
      const reply = await ask('/pay/refund', refund);
      if (reply === null) throw new Error('TarnPay refused a refund.');
      return { done: reply['done'] === true };
    },
  };
}

const webhook: Webhook = async (delivery) => {
  const message = opened(delivery.path, delivery.headers.get('authorization') ?? '', textOf(delivery));
  if (message === null) return null;
  const { reference, state } = message;
  return typeof reference === 'string' && typeof state === 'string' ? [{ reference, status: state }] : [];
};

// ---- The imitation of the app and of its server, with its money at the imitated bank.

openChannel(CHANNEL, async (_db, charge, { state, code }) => {
  const { pathname } = new URL(charge.notify_url);
  const { body, authorization } = sealed(pathname, { reference: charge.reference, state, code });
  return { body, headers: { authorization } };
});

/** Answers a signed call of the shop; null: not known. */
const desk = (path: string, work: (question: Question, aside: RawContext) => Promise<object | null>): RawRoute => ({
  method: 'POST',
  path: `/vendors/tarnpay${path}`,
  embedded: true,
  async handler({ req }, aside) {
    const question = opened(req.path, req.header('authorization') ?? '', await req.text());
    if (question === null) return Response.json({ code: 'UNAUTHORIZED' }, { status: 401 });
    const reply = await work(question, aside);
    return Response.json(reply ?? { code: 'NOT_FOUND' }, { status: reply === null ? 404 : 200 });
  },
});

async function statusReply(question: Question, { db }: RawContext): Promise<object | null> {
  const charge = await chargeByReference(db, text(question['reference']));
  return charge?.channel === CHANNEL ? await statusOf(db, charge) : null;
}

const Init = z.object({
  reference: z.string(),
  amount: z.number(),
  currency: z.string(),
  note: z.string(),
  expiresAt: z.number(),
  returnUrl: z.string(),
  notifyUrl: z.string(),
});
const Refund = z.object({ refundId: z.string(), reference: z.string(), captureId: z.string(), amount: z.number() });

const server = [
  desk('/oauth/user', async ({ shop, grantToken }, { db, now }) => {
    const person = shop === SHOP ? await useCode(db, text(grantToken), SHOP, now) : null;
    return person === null ? null : (JSON.parse(person) as object);
  }),
  desk('/pay/init', async (question, { db, now }) => {
    const asked = Init.safeParse(question);
    if (!asked.success) return null;
    const { note: description, ...wish } = asked.data;
    const done = await openCharge(db, { ...wish, description, channel: CHANNEL, payeeVpa: null, cardToken: null }, now);
    return 'charge' in done ? { token: done.charge.token } : null;
  }),
  desk('/pay/status', statusReply),
  desk('/pay/cancel', async (question, aside) => {
    await closeCharge(aside.db, text(question['reference']), aside.now, 'CLOSED');
    return await statusReply(question, aside);
  }),
  desk('/pay/refund', async (question, { db, now }) => {
    const asked = Refund.safeParse(question);
    const done = asked.success ? await refundMovement(db, asked.data, now) : null;
    return done !== null && 'done' in done ? done : null;
  }),
];

const Grant = z.object({ shop: z.string(), sub: z.string() });
const Paying = z.object({ reference: z.string(), token: z.string(), outcome: z.optional(BankOutcome) });

/** What the app on the phone asks its own server: `work` answers for a payment whose token is right. */
const app = (
  path: string,
  work: (charge: ChargeRow, asked: z.output<typeof Paying>, aside: RawContext) => Promise<object>,
) => ({
  method: 'POST' as const,
  path: `/vendors/tarnpay/app/${path}`,
  embedded: true,
  async handler({ req }: Parameters<RawRoute['handler']>[0], aside: RawContext) {
    const asked = await ordered(Paying, req.raw);
    const charge = asked === null ? undefined : await chargeByReference(aside.db, asked.reference);
    if (asked === null || charge?.token == null || !isSame(charge.token, asked.token))
      return Response.json({ code: 'NO_PAYMENT' }, { status: 400 });
    return Response.json(await work(charge, asked, aside));
  },
});

const phone: readonly RawRoute[] = [
  {
    method: 'POST',
    path: '/vendors/tarnpay/app/grant',
    embedded: true,
    async handler({ req }, { db, now }) {
      const order = await ordered(Grant, req.raw);
      if (order === null) return Response.json({ code: 'BAD_REQUEST' }, { status: 400 });
      const person = { userId: order.sub, name: 'Leela Menon', phoneNumber: `+91${phoneOf(order.sub)}` };
      const grant = { kind: 'code', clientId: order.shop, person, endsAt: now + GRANT_LIFE_MS } as const;
      return Response.json({ grantToken: await putGrant(db, grant) });
    },
  },
  app('open', async ({ amount, description, return_url }) => {
    const { pathname, search } = new URL(return_url);
    return { amount: decimal(amount), note: description, returnTo: `${pathname}${search}` };
  }),
  app('pay', async ({ reference }, { outcome = null }, { db, now }) => {
    await decide(db, reference, outcome, now);
    return {};
  }),
];

export const host: HostSide = {
  name: 'tarnpay',
  partnerName: 'TarnPay',
  app: {
    name: 'TarnPay',
    colour: '#0f5257',
    ink: '#ffffff',
    switches: [
      {
        control: 'authCode',
        legend: 'Its login grant',
        hint: 'The server exchanges it once and refuses it the second time.',
        choices: [
          { value: 'fresh', text: 'Fresh' },
          { value: 'reused', text: 'Used before' },
        ],
      },
    ],
  },
  clientId: () => SHOP,
  countries: ['IN'],
  payment: {
    mode: 'HOST',
    label: 'TarnPay',
    get about() {
      return t.payInsideAbout({ app: 'TarnPay' });
    },
    gateway,
  },
  login,
  webhook: () => webhook,
  routes: [...server, ...phone],
};
