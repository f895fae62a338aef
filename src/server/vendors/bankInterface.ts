import { MINUTE_MS } from '../../domain/time.ts';
import type { Context } from 'hono';
import { BankOutcome } from '../../contract/development.ts';
import type { RawRoute } from '../call/route.ts';
import type { RawContext } from '../call/call.ts';
import { addCard, cardByToken, chargeByReference, dropCard, type ChargeRow } from '../store/bank.ts';
import type { Db } from '../store/db.ts';
import { newToken } from '../store/ids.ts';
import {
  closeCharge,
  collect,
  decide,
  openCharge,
  bankSecret,
  refundMovement,
  statusOf,
  type NewCharge,
} from './bankDesk.ts';
import { BANK_CODE } from './bank.ts';
import { chargePage, notFoundPage } from './bankPages.ts';
import { t } from '../call/language.ts';
import { typedFor } from './cardFields.ts';
import { checkKept } from './cards.ts';
import { EMBEDDED_BANK } from '../providers/bank.ts';
import { sheetCard } from '../providers/paymentSheets.ts';
import { isSame, isSigned, sign } from '../providers/signing.ts';

export const JSON_TYPE = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const LARGEST_BODY = 64 * 1024;
/** How long (ms) the token of a payment sheet is valid. Normally it is used at once. */
const SHEET_LIFE_MS = 30 * MINUTE_MS;

type Answer = { readonly status: number; readonly reply: object };
export type Question = Record<string, unknown>;

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One call of the bank's API. The merchant must sign the question, and the bank signs the reply. */
function desk(path: string, work: (question: Question, aside: RawContext) => Promise<Answer>): RawRoute {
  return {
    method: 'POST',
    path: `/bank/api/${path}`,
    embedded: true,
    async handler(context, aside) {
      const raw = await context.req.text();
      const nonce = context.req.header('x-bank-nonce') ?? '';
      const key = await bankSecret(aside.db);
      let answer: Answer;
      if (
        context.req.header('x-bank-merchant') !== EMBEDDED_BANK.merchant ||
        !isSigned(key, context.req.header('x-bank-signature') ?? '', 'question', path, nonce, raw)
      ) {
        answer = {
          status: 401,
          reply: { code: 'SIGNATURE', message: 'This question is not signed by a merchant of this bank.' },
        };
        return new Response(JSON.stringify(answer.reply), { status: 401, headers: JSON_TYPE });
      }
      const question = parsed(raw);
      answer =
        question === null
          ? { status: 400, reply: { code: 'BAD_JSON', message: 'Not readable.' } }
          : await work(question, aside);
      const body = JSON.stringify(answer.reply);
      return new Response(body, {
        status: answer.status,
        headers: { ...JSON_TYPE, 'x-bank-signature': sign(key, 'reply', nonce, String(answer.status), body) },
      });
    },
  };
}

export function parsed(raw: string): Question | null {
  if (raw.length > LARGEST_BODY) return null;
  try {
    const value = JSON.parse(raw) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Question) : null;
  } catch {
    return null;
  }
}

const unknownCharge: Answer = { status: 404, reply: { code: 'NO_CHARGE', message: 'No charge has this reference.' } };

const unknownCard = (field: string): Answer => ({
  status: 422,
  reply: { problems: [{ code: 'CARD_TOKEN', displayMsg: t.cardUnknown, field }] },
});

const told = async (db: Db, charge: ChargeRow): Promise<Answer> => ({
  status: 200,
  reply: { merchant: EMBEDDED_BANK.merchant, ...(await statusOf(db, charge)) },
});

/**
 * The customer's page for a charge. Anybody with the reference of a UPI charge can pay it, as with a QR code; all other
 * pages need their key.
 */
function pageUrl(charge: ChargeRow): string {
  const reference = encodeURIComponent(charge.reference);
  if (charge.channel === 'UPI') return `/bank/upi?tr=${reference}`;
  if (charge.channel === 'CARD') return `/bank/card/${reference}?key=${encodeURIComponent(charge.page_key)}`;
  return `/bank/redirect/${reference}?key=${encodeURIComponent(charge.page_key)}`;
}

const bankDesk: RawRoute[] = [
  desk('charges', async (question, { db, now }) => {
    const wish: NewCharge = {
      reference: text(question['reference']),
      channel: text(question['channel']),
      amount: Number(question['amount']),
      currency: text(question['currency']),
      description: text(question['description']).slice(0, 80),
      payeeVpa: question['payeeVpa'] === null ? null : text(question['payeeVpa']),
      cardToken: question['cardToken'] === null ? null : text(question['cardToken']),
      returnUrl: text(question['returnUrl']),
      notifyUrl: text(question['notifyUrl']),
      expiresAt: Number(question['expiresAt']),
    };
    const opened = await openCharge(db, wish, now);
    if (!('charge' in opened)) return { status: 422, reply: opened };
    // The customer approved this charge in the phone's payment sheet, which counts once: no page is needed.
    const isDecided = wish.cardToken?.startsWith('sheet_') === true && opened.charge.channel === 'CARD';
    if (isDecided) {
      await decide(db, opened.charge.reference, null, now);
      await dropCard(db, wish.cardToken ?? '');
    }
    return {
      status: 200,
      reply: {
        chargeId: opened.charge.id,
        pageUrl: pageUrl(opened.charge),
        expiresAt: opened.charge.expires_at,
        isDecided,
      },
    };
  }),
  desk('status', async (question, { db }) => {
    const charge = await chargeByReference(db, text(question['reference']));
    return charge === undefined ? unknownCharge : await told(db, charge);
  }),
  desk('cancel', async (question, { db, now }) => {
    const charge = await closeCharge(db, text(question['reference']), now, BANK_CODE.cancelled);
    return charge === undefined ? unknownCharge : await told(db, charge);
  }),
  desk('collect', async (question, { db, now }) => {
    const charge = await collect(db, text(question['reference']), text(question['vpa']), now);
    if (charge === 'INVALID_VPA') return { status: 422, reply: { code: 'INVALID_VPA', message: 'Not a UPI id.' } };
    return charge === undefined ? unknownCharge : await told(db, charge);
  }),
  desk('refunds', async (question, { db, now }) => {
    const done = await refundMovement(
      db,
      {
        refundId: text(question['refundId']),
        reference: text(question['reference']),
        captureId: text(question['captureId']),
        amount: Number(question['amount']),
      },
      now,
    );
    return { status: 'code' in done ? 422 : 200, reply: done };
  }),
  desk('cards/take', async (question, { db, now }) => {
    const typed = await typedFor(db, text(question['token']), now);
    if (typed?.kind !== 'card') return unknownCard('token');
    const token = `card_${newToken()}`;
    const { bin, lastFour, brand, fingerprint, expiresAt } = typed;
    await addCard(db, { token, bin, last_four: lastFour, brand, fingerprint, expires_at: expiresAt, created_at: now });
    return { status: 200, reply: { token, lastFour, bin, brand, fingerprint } };
  }),
  desk('cards/again', async (question, { db, now }) => {
    const card = await cardByToken(db, text(question['token']));
    if (card === undefined) return unknownCard('cardId');
    const typed = await typedFor(db, text(question['typed']), now);
    if (typed?.kind !== 'cvv') return unknownCard('token');
    const problems = checkKept(card, typed.digits, now);
    if (problems.length > 0) return { status: 422, reply: { problems } };
    const token = `card_${newToken()}`;
    await addCard(db, { ...card, token, created_at: now });
    return {
      status: 200,
      reply: { token, lastFour: card.last_four, bin: card.bin, brand: card.brand, fingerprint: card.fingerprint },
    };
  }),
  desk('cards/keep', async (question, { db, now }) => {
    const card = await cardByToken(db, text(question['token']));
    if (card === undefined) return unknownCharge;
    const token = `kept_${newToken()}`;
    await addCard(db, { ...card, token, created_at: now });
    return { status: 200, reply: { token, lastFour: card.last_four, brand: card.brand, expiresAt: card.expires_at } };
  }),
  desk('sheets/token', async (question, { db, now }) => {
    const details = question['details'];
    const card = sheetCard(
      text(question['sheet']),
      typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {},
    );
    if (card === null)
      return { status: 422, reply: { code: 'SHEET_REFUSED', message: 'There is no payment in this.' } };
    const token = `sheet_${newToken()}`;
    await addCard(db, {
      token,
      bin: '',
      last_four: card.lastFour,
      brand: card.brand,
      fingerprint: '',
      expires_at: now + SHEET_LIFE_MS,
      created_at: now,
    });
    return { status: 200, reply: { token, lastFour: card.lastFour, bin: '', brand: card.brand } };
  }),
  // The makers of phones register real banks only.
  desk('sheets/session', () =>
    Promise.resolve({ status: 422, reply: { code: 'SHEET_OFF', message: 'The embedded bank is registered nowhere.' } }),
  ),
  desk('cards/forget', async (question, { db }) => {
    await dropCard(db, text(question['token']));
    return { status: 200, reply: {} };
  }),
];

/** Whether a form comes from our own page. A form that another site submits is not the customer's decision. */
export function isOwnForm(context: Context): boolean {
  const site = context.req.header('sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

export const ANSWERS: Readonly<Record<string, BankOutcome | null>> = {
  approve: null,
  decline: 'failure',
  pending: 'pending',
};

async function chargeFor(context: Context, { db }: RawContext): Promise<ChargeRow | undefined> {
  const charge = await chargeByReference(db, context.req.param('reference') ?? '');
  return charge !== undefined && isSame(charge.page_key, context.req.query('key') ?? '') ? charge : undefined;
}

const bankPages: RawRoute[] = [
  ...['/bank/card/:reference', '/bank/redirect/:reference'].map((path): RawRoute => ({
    method: 'GET',
    path,
    embedded: true,
    async handler(context, aside) {
      const charge = await chargeFor(context, aside);
      return charge === undefined ? notFoundPage() : chargePage(charge, '/bank/answer');
    },
  })),
  {
    method: 'GET',
    path: '/bank/upi',
    embedded: true,
    async handler(context, { db }) {
      const charge = await chargeByReference(db, context.req.query('tr') ?? '');
      return charge?.channel !== 'UPI' ? notFoundPage() : chargePage(charge, '/bank/answer');
    },
  },
  {
    method: 'POST',
    path: '/bank/answer',
    embedded: true,
    async handler(context, { db, now }) {
      const form = new URLSearchParams(await context.req.text());
      const charge = await chargeByReference(db, form.get('reference') ?? '');
      const isUpi = charge?.channel === 'UPI';
      if (charge === undefined || !isOwnForm(context) || (!isUpi && !isSame(charge.page_key, form.get('key') ?? '')))
        return notFoundPage();
      const asked = ANSWERS[form.get('answer') ?? ''];
      if (asked === undefined) return notFoundPage();
      await decide(db, charge.reference, asked, now);
      // A UPI page stays open and shows the result, as the payer's app would. Other pages of the bank lead back to the
      // shop.
      return new Response(null, {
        status: 303,
        headers: { location: isUpi ? pageUrl(charge) : charge.return_url, 'cache-control': 'no-store' },
      });
    },
  },
];

/** All routes of the embedded bank; they are not part of the contract. */
export const bankRoutes: readonly RawRoute[] = [...bankDesk, ...bankPages];
