import type { Context } from 'hono';
import { BankOutcome } from '../../contract/development.ts';
import type { Aside, RawRoute } from '../http/route.ts';
import { addCard, cardByToken, chargeByReference, dropCard, useToken, type ChargeRow } from '../store/bank.ts';
import { newToken } from '../store/ids.ts';
import { closeCharge, collect, decide, openCharge, paytmStatusBody, refundMovement, statusOf, type NewCharge } from '../rules/bankDesk.ts';
import { chargePage, notFoundPage } from '../rules/bankPages.ts';
import { CARD_UNKNOWN } from '../../domain/messages.ts';
import { checkCard, checkKept } from '../rules/cards.ts';
import { EMBEDDED_MERCHANT, EMBEDDED_MID, EMBEDDED_PAYEE_VPA, embeddedSecrets } from '../rules/payments.ts';
import { decimal, isPaytmSignature, minorOf, PAYTM_CODE, PAYTM_TOKEN_MS, paytmBodyText, paytmEnvelope, paytmFormPayload, paytmSignature } from '../rules/paytm.ts';
import { sheetCard } from '../rules/sheets.ts';
import { isSame, isSigned, sign } from '../rules/signing.ts';
import { hostPaymentReply } from '../rules/upi.ts';

const JSON_TYPE = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const LARGEST_BODY = 64 * 1024;
/** What a sheet gave is paid with at once. */
const SHEET_LIFE_MS = 30 * 60_000;

type Answer = { readonly status: number; readonly reply: object };
type Question = Record<string, unknown>;

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One call of the bank's own interface: the question must be signed by the merchant, the reply is signed by the bank. */
function desk(path: string, work: (question: Question, aside: Aside) => Promise<Answer>): RawRoute {
  return {
    method: 'POST', path: `/bank/api/${path}`, embedded: true,
    async handler(context, aside) {
      const raw = await context.req.text();
      const nonce = context.req.header('x-bank-nonce') ?? '';
      const { bank: key } = await embeddedSecrets(aside.db);
      let answer: Answer;
      if (context.req.header('x-bank-merchant') !== EMBEDDED_MERCHANT || !isSigned(key, context.req.header('x-bank-signature') ?? '', 'question', path, nonce, raw)) {
        answer = { status: 401, reply: { code: 'SIGNATURE', message: 'This question is not signed by a merchant of this bank.' } };
        return new Response(JSON.stringify(answer.reply), { status: 401, headers: JSON_TYPE });
      }
      const question = parsed(raw);
      answer = question === null ? { status: 400, reply: { code: 'BAD_JSON', message: 'Not readable.' } } : await work(question, aside);
      const body = JSON.stringify(answer.reply);
      return new Response(body, { status: answer.status, headers: { ...JSON_TYPE, 'x-bank-signature': sign(key, 'reply', nonce, String(answer.status), body) } });
    },
  };
}

function parsed(raw: string): Question | null {
  if (raw.length > LARGEST_BODY) return null;
  try {
    const value = JSON.parse(raw) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Question) : null;
  } catch {
    return null;
  }
}

const unknownCharge: Answer = { status: 404, reply: { code: 'NO_CHARGE', message: 'No charge has this reference.' } };

/** The customer's page for a charge. A UPI reference alone is enough to pay, as in a QR code; other pages need their key. */
function pageUrl(charge: ChargeRow): string {
  const reference = encodeURIComponent(charge.reference);
  if (charge.channel === 'UPI' || charge.channel === 'GPAY') return `/bank/upi?tr=${reference}`;
  if (charge.channel === 'CARD') return `/bank/card/${reference}?key=${encodeURIComponent(charge.page_key)}`;
  return `/bank/redirect/${reference}?key=${encodeURIComponent(charge.page_key)}`;
}

const bankDesk: RawRoute[] = [
  desk('charges', async (question, { db, now }) => {
    const wish: NewCharge = {
      reference: text(question['reference']), channel: text(question['channel']) as NewCharge['channel'], amount: Number(question['amount']), currency: text(question['currency']),
      description: text(question['description']).slice(0, 80), payeeVpa: question['payeeVpa'] === null ? null : text(question['payeeVpa']),
      cardToken: question['cardToken'] === null ? null : text(question['cardToken']), returnUrl: text(question['returnUrl']), notifyUrl: text(question['notifyUrl']),
      expiresAt: Number(question['expiresAt']),
    };
    const opened = await openCharge(db, wish, now);
    if (!('charge' in opened)) return { status: 422, reply: opened };
    // Approved on the phone's own sheet, once: there is no page to show.
    const isDecided = wish.cardToken?.startsWith('sheet_') === true && opened.charge.channel === 'CARD';
    if (isDecided) {
      await decide(db, opened.charge.reference, null, now);
      await dropCard(db, wish.cardToken ?? '');
    }
    return { status: 200, reply: { chargeId: opened.charge.id, pageUrl: pageUrl(opened.charge), expiresAt: opened.charge.expires_at, isDecided } };
  }),
  desk('status', async (question, { db }) => {
    const charge = await chargeByReference(db, text(question['reference']));
    return charge === undefined ? unknownCharge : { status: 200, reply: await statusOf(db, charge) };
  }),
  desk('cancel', async (question, { db, now }) => {
    const charge = await closeCharge(db, text(question['reference']), now, PAYTM_CODE.cancelled);
    return charge === undefined ? unknownCharge : { status: 200, reply: await statusOf(db, charge) };
  }),
  desk('collect', async (question, { db, now }) => {
    const charge = await collect(db, text(question['reference']), text(question['vpa']), now);
    if (charge === 'INVALID_VPA') return { status: 422, reply: { code: 'INVALID_VPA', message: 'Not a UPI id.' } };
    return charge === undefined ? unknownCharge : { status: 200, reply: await statusOf(db, charge) };
  }),
  desk('refunds', async (question, { db, now }) => {
    const done = await refundMovement(db, {
      refundId: text(question['refundId']), reference: text(question['reference']), captureId: text(question['captureId']), amount: Number(question['amount']),
    }, now);
    return { status: 'code' in done ? 422 : 200, reply: done };
  }),
  desk('cards', async (question, { db, now }) => {
    const { problems, facts } = checkCard({ number: text(question['number']), expiry: text(question['expiry']), cvv: text(question['cvv']) }, now);
    if (facts === null) return { status: 422, reply: { problems } };
    const token = `card_${newToken()}`;
    await addCard(db, { token, bin: facts.bin, last_four: facts.lastFour, brand: facts.brand, expires_at: facts.expiresAt, created_at: now });
    return { status: 200, reply: { token, lastFour: facts.lastFour, bin: facts.bin, brand: facts.brand } };
  }),
  desk('cards/again', async (question, { db, now }) => {
    const card = await cardByToken(db, text(question['token']));
    if (card === undefined) return { status: 422, reply: { problems: [{ code: 'CARD_TOKEN', displayMsg: CARD_UNKNOWN, field: 'cardId' }] } };
    const problems = checkKept(card, text(question['cvv']), now);
    if (problems.length > 0) return { status: 422, reply: { problems } };
    const token = `card_${newToken()}`;
    await addCard(db, { ...card, token, created_at: now });
    return { status: 200, reply: { token, lastFour: card.last_four, bin: card.bin, brand: card.brand } };
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
    const card = sheetCard(text(question['sheet']), typeof details === 'object' && details !== null ? details as Record<string, unknown> : {});
    if (card === null) return { status: 422, reply: { code: 'SHEET_REFUSED', message: 'There is no payment in this.' } };
    const token = `sheet_${newToken()}`;
    await addCard(db, { token, bin: '', last_four: card.lastFour, brand: card.brand, expires_at: now + SHEET_LIFE_MS, created_at: now });
    return { status: 200, reply: { token, lastFour: card.lastFour, bin: '', brand: card.brand } };
  }),
  // Only a real bank is known to the makers of phones.
  desk('sheets/session', () => Promise.resolve({ status: 422, reply: { code: 'SHEET_OFF', message: 'The embedded bank is registered nowhere.' } })),
  desk('cards/forget', async (question, { db }) => {
    await dropCard(db, text(question['token']));
    return { status: 200, reply: {} };
  }),
];

/** A form that another site filled in is not the customer's word. */
function isOwnForm(context: Context): boolean {
  const site = context.req.header('sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

const ANSWERS: Readonly<Record<string, BankOutcome | null>> = { approve: null, decline: 'failure', pending: 'pending' };

async function chargeFor(context: Context, { db }: Aside): Promise<ChargeRow | undefined> {
  const charge = await chargeByReference(db, context.req.param('reference') ?? '');
  return charge !== undefined && isSame(charge.page_key, context.req.query('key') ?? '') ? charge : undefined;
}

const bankPages: RawRoute[] = [
  ...['/bank/card/:reference', '/bank/redirect/:reference'].map((path): RawRoute => ({
    method: 'GET', path, embedded: true,
    async handler(context, aside) {
      const charge = await chargeFor(context, aside);
      return charge === undefined ? notFoundPage() : chargePage(charge, '/bank/answer');
    },
  })),
  {
    method: 'GET', path: '/bank/upi', embedded: true,
    async handler(context, { db }) {
      const charge = await chargeByReference(db, context.req.query('tr') ?? '');
      return charge === undefined || (charge.channel !== 'UPI' && charge.channel !== 'GPAY') ? notFoundPage() : chargePage(charge, '/bank/answer');
    },
  },
  {
    method: 'POST', path: '/bank/answer', embedded: true,
    async handler(context, { db, now }) {
      const form = new URLSearchParams(await context.req.text());
      const charge = await chargeByReference(db, form.get('reference') ?? '');
      const isUpi = charge?.channel === 'UPI' || charge?.channel === 'GPAY';
      if (charge === undefined || !isOwnForm(context) || (!isUpi && !isSame(charge.page_key, form.get('key') ?? ''))) return notFoundPage();
      const asked = ANSWERS[form.get('answer') ?? ''];
      if (asked === undefined) return notFoundPage();
      await decide(db, charge.reference, asked, now);
      // The payer's own app stays open and shows what became of it; the bank's page hands back.
      return new Response(null, { status: 303, headers: { location: isUpi ? pageUrl(charge) : charge.return_url, 'cache-control': 'no-store' } });
    },
  },
  {
    method: 'POST', path: '/bank/upi/pay', embedded: true,
    /** What a host does with a UPI request on the customer's yes; answers in the documented form. */
    async handler(context, { db, now }) {
      const question = parsed(await context.req.text());
      const charge = await chargeByReference(db, text(question?.['transactionReferenceId']));
      if (question === null || charge === undefined || (charge.channel !== 'GPAY' && charge.channel !== 'UPI')) {
        return new Response(JSON.stringify({ code: 'NO_CHARGE' }), { status: 404, headers: JSON_TYPE });
      }
      const amount = question['amount'];
      const fits = amount === charge.amount || minorOf(String(amount ?? '')) === charge.amount;
      if (!fits || question['payeeVpa'] !== charge.payee_vpa) return new Response(JSON.stringify({ code: 'REQUEST_CHANGED' }), { status: 422, headers: JSON_TYPE });
      const outcome = BankOutcome.safeParse(question['outcome']);
      const after = await decide(db, charge.reference, outcome.success ? outcome.data : null, now) ?? charge;
      const { bank: key } = await embeddedSecrets(db);
      const status = after.outcome === 'silent' ? 'SUBMITTED' : after.state === 'SUCCESS' ? 'SUCCESS' : after.state === 'FAILED' || after.state === 'CANCELLED' ? 'FAILURE' : 'SUBMITTED';
      const reply = hostPaymentReply({
        status, amount: charge.amount, reference: charge.reference, payeeVpa: charge.payee_vpa ?? EMBEDDED_PAYEE_VPA, bankId: charge.id, expiresAt: now + 60_000,
        signature: sign(key, 'host', charge.reference, status),
      });
      return new Response(JSON.stringify(reply), { headers: JSON_TYPE });
    },
  },
];

/** One signed call of the gateway; a wrong signature is answered unsigned with 227. */
export function gateway(path: string, work: (body: Question, aside: Aside) => Promise<object>): RawRoute {
  return {
    method: 'POST', path: `/vendors/paytm${path}`, embedded: true,
    async handler(context, aside) {
      const raw = await context.req.text();
      const { paytmKey: key } = await embeddedSecrets(aside.db);
      const bodyText = paytmBodyText(raw);
      const envelope = parsed(raw);
      const body = bodyText === null ? null : parsed(bodyText);
      const head = envelope?.['head'] as { signature?: unknown } | undefined;
      const headNames = Object.keys(head ?? {});
      const isRight = bodyText !== null && body !== null && headNames.length === 1 && isPaytmSignature(bodyText, key, text(head?.signature)) && body['mid'] === EMBEDDED_MID;
      if (!isRight) {
        return new Response(JSON.stringify({ body: { resultInfo: { resultStatus: 'F', resultCode: PAYTM_CODE.checksum, resultMsg: 'Checksum provided is invalid' } } }), { headers: JSON_TYPE });
      }
      return new Response(paytmEnvelope(await work(body, aside), key), { headers: JSON_TYPE });
    },
  };
}

export const result = (resultStatus: string, resultCode: string, resultMsg: string) => ({ resultInfo: { resultStatus, resultCode, resultMsg } });

interface HostPayment { orderId: string; mid: string; txnToken: string; amount: string; outcome: BankOutcome | null }

/** Checks a token and plays the customer's answer; the code says why nothing was played. */
async function payWithToken(aside: Aside, wish: HostPayment): Promise<{ charge: ChargeRow; code: string | null } | null> {
  const { db, now } = aside;
  const charge = await chargeByReference(db, wish.orderId);
  if (charge === undefined || charge.channel !== 'PAYTM' || wish.mid !== EMBEDDED_MID) return null;
  if (charge.token === null || !isSame(charge.token, wish.txnToken)) return { charge, code: PAYTM_CODE.checksum };
  if (now >= Math.min(charge.created_at + PAYTM_TOKEN_MS, charge.expires_at)) return { charge, code: PAYTM_CODE.expired };
  if (minorOf(wish.amount) !== charge.amount) return { charge, code: PAYTM_CODE.checksum };
  if (!await useToken(db, charge.id)) return { charge, code: PAYTM_CODE.duplicate };
  return { charge: await decide(db, charge.reference, wish.outcome, now) ?? charge, code: null };
}

/** The fields a host hands to the page, with the checksum a real one carries. */
async function hostFields(aside: Aside, charge: ChargeRow, code: string | null): Promise<Record<string, string>> {
  const status = await paytmStatusBody(aside.db, charge) as { resultInfo: { resultStatus: string; resultCode: string; resultMsg: string }; txnId?: string };
  const isSilent = code === null && charge.outcome === 'silent';
  const fields: Record<string, string> = {
    ORDERID: charge.reference, MID: EMBEDDED_MID, TXNID: status.txnId ?? '', TXNAMOUNT: decimal(charge.amount), PAYMENTMODE: 'PPI', CURRENCY: charge.currency,
    TXNDATE: new Date(aside.now).toISOString(), GATEWAYNAME: 'EMBEDDED', BANKTXNID: charge.id, BANKNAME: 'EMBEDDED',
    STATUS: code !== null ? 'TXN_FAILURE' : isSilent ? 'PENDING' : status.resultInfo.resultStatus,
    RESPCODE: code ?? (isSilent ? PAYTM_CODE.pending : status.resultInfo.resultCode), RESPMSG: code === null ? charge.state : 'Not possible',
  };
  const { paytmKey } = await embeddedSecrets(aside.db);
  return { ...fields, CHECKSUMHASH: paytmSignature(paytmFormPayload(fields), paytmKey) };
}

const paytmGateway: RawRoute[] = [
  gateway('/theia/api/v1/initiateTransaction', async (body, { db, now }) => {
    const reference = text(body['orderId']);
    const amount = body['txnAmount'] as { value?: unknown; currency?: unknown } | undefined;
    const minor = minorOf(text(amount?.value));
    if (body['websiteName'] !== 'WEBSTAGING' || minor === null || amount?.currency !== 'INR') return result('F', PAYTM_CODE.system, 'System error');
    const known = await chargeByReference(db, reference);
    if (known !== undefined && (known.state !== 'WAITING' || known.amount !== minor)) return result('F', PAYTM_CODE.duplicate, 'Duplicate order id');
    const callback = text(body['callbackUrl']);
    const origin = /^https?:\/\/[^/]+/.exec(callback)?.[0] ?? '';
    const opened = await openCharge(db, {
      reference, channel: 'PAYTM', amount: minor, currency: 'INR', description: reference, payeeVpa: null, cardToken: null,
      returnUrl: callback, notifyUrl: `${origin}/webhooks/paytm`, expiresAt: known?.expires_at ?? now + PAYTM_TOKEN_MS,
    }, now);
    if (!('charge' in opened)) return result('F', opened.code === 'REFERENCE_USED' ? PAYTM_CODE.duplicate : PAYTM_CODE.system, opened.message);
    return { ...result('S', known === undefined ? PAYTM_CODE.initiated : PAYTM_CODE.initiatedAgain, 'Success'), txnToken: opened.charge.token };
  }),
  gateway('/v3/order/status', async (body, { db }) => {
    const charge = await chargeByReference(db, text(body['orderId']));
    return charge?.channel === 'PAYTM' ? await paytmStatusBody(db, charge) : result('TXN_FAILURE', PAYTM_CODE.duplicate, 'Invalid order id');
  }),
  gateway('/refund/apply', async (body, { db, now }) => {
    const done = await refundMovement(db, {
      refundId: text(body['refId']), reference: text(body['orderId']), captureId: text(body['txnId']), amount: minorOf(text(body['refundAmount'])) ?? -1,
    }, now);
    if ('code' in done) return result('TXN_FAILURE', PAYTM_CODE.system, done.code);
    return done.done ? result('TXN_SUCCESS', '10', 'Refund successful') : result('PENDING', PAYTM_CODE.refundPending, 'Refund request was raised');
  }),
  gateway('/embedded/close', async (body, { db, now }) => {
    await closeCharge(db, text(body['orderId']), now, PAYTM_CODE.cancelled);
    return result('S', PAYTM_CODE.initiated, 'Success');
  }),
  {
    method: 'POST', path: '/vendors/paytm/pay', embedded: true,
    /** What the host's `paytmPayment` hands back: `{data: "<JSON>"}`, `{data: false}` or `{data: ""}`. */
    async handler(context, aside) {
      const question = parsed(await context.req.text());
      const outcome = BankOutcome.safeParse(question?.['outcome']);
      const paid = question === null ? null : await payWithToken(aside, {
        orderId: text(question['orderId']), mid: text(question['mid']), txnToken: text(question['txnToken']), amount: String(question['amount'] ?? ''),
        outcome: outcome.success ? outcome.data : null,
      });
      const data = paid === null ? '' : paid.code === null && paid.charge.outcome === 'silent' ? false : JSON.stringify(await hostFields(aside, paid.charge, paid.code));
      return new Response(JSON.stringify({ data }), { headers: JSON_TYPE });
    },
  },
  {
    method: 'GET', path: '/vendors/paytm/theia/api/v1/showPaymentPage', embedded: true,
    async handler(context, { db }) {
      const charge = await chargeByReference(db, context.req.query('orderId') ?? '');
      if (charge?.token == null || context.req.query('mid') !== EMBEDDED_MID || !isSame(charge.token, context.req.query('txnToken') ?? '')) return notFoundPage();
      return chargePage({ ...charge, page_key: charge.token }, '/vendors/paytm/answer');
    },
  },
  {
    method: 'POST', path: '/vendors/paytm/answer', embedded: true,
    async handler(context, aside) {
      const form = new URLSearchParams(await context.req.text());
      const asked = ANSWERS[form.get('answer') ?? ''];
      if (asked === undefined || !isOwnForm(context)) return notFoundPage();
      const charge = await chargeByReference(aside.db, form.get('reference') ?? '');
      const paid = charge && await payWithToken(aside, {
        orderId: charge.reference, mid: EMBEDDED_MID, txnToken: form.get('key') ?? '', amount: decimal(charge.amount), outcome: asked,
      });
      if (paid == null) return notFoundPage();
      // The callback is told by address, since a page without scripts cannot post on; it is a hint only.
      const back = new URL(paid.charge.return_url);
      return new Response(null, { status: 303, headers: { location: `${back.pathname}${back.search}`, 'cache-control': 'no-store' } });
    },
  },
];

/** Everything of the embedded bank and of the embedded Paytm gateway; outside the contract. */
export const bankRoutes: readonly RawRoute[] = [...bankDesk, ...bankPages, ...paytmGateway];
