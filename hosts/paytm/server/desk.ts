import { HOUR_MS } from '../../../src/domain/time.ts';
import { BankOutcome } from '../../../src/contract/development.ts';
import { decimal, minorOf } from '../../../src/domain/money.ts';
import type { RawContext } from '../../../src/server/call/call.ts';
import type { RawRoute } from '../../../src/server/call/route.ts';
import { isSame } from '../../../src/server/providers/signing.ts';
import {
  chargeByReference,
  type ChargeRow,
  type ChargeState,
  movementsOf,
  useToken,
} from '../../../src/server/store/bank.ts';
import type { Db } from '../../../src/server/store/db.ts';
import { secret } from '../../../src/server/store/system.ts';
import { decide, openChannel, openCharge, refundMovement, statusOf } from '../../../src/server/vendors/bankDesk.ts';
import {
  ANSWERS,
  isOwnForm,
  JSON_TYPE,
  parsed,
  type Question,
  text,
} from '../../../src/server/vendors/bankInterface.ts';
import { chargePage, notFoundPage } from '../../../src/server/vendors/bankPages.ts';
import {
  isPaytmSignature,
  PAYTM_CODE,
  PAYTM_TOKEN_MS,
  paytmBodyText,
  paytmEnvelope,
  paytmFormPayload,
  paytmSignature,
} from './checksum.ts';
import { EMBEDDED_KEY, EMBEDDED_MID, EMBEDDED_WEBSITE } from './merchant.ts';

/** The gateway's charges at the imitated bank, which keeps all money. */
export const CHANNEL = 'PAYTM';

export const deskKey = (db: Db): Promise<string> => secret(db, EMBEDDED_KEY.name, EMBEDDED_KEY.make);

const PAYTM_STATUS: Readonly<Record<ChargeState, string>> = {
  WAITING: 'PENDING',
  PENDING: 'PENDING',
  SUCCESS: 'TXN_SUCCESS',
  FAILED: 'TXN_FAILURE',
  CANCELLED: 'TXN_FAILURE',
};

/** Paytm writes its times without a zone, and means India's: `2020-07-24 15:13:02.0`. */
function indianTime(at: number): string {
  return new Date(at + 5.5 * HOUR_MS)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '.0');
}

/** What Paytm says of an order: with only what its pages document, so no second payment and no reversal. */
interface PaytmStatus {
  readonly resultInfo: { resultStatus: string; resultCode: string; resultMsg: string };
  readonly txnId?: string;
  readonly txnDate?: string;
}

/** A charge as the gateway reports it. Before the customer has begun to pay, there is no record of it. */
async function paytmStatusBody(db: Db, charge: ChargeRow): Promise<PaytmStatus & Record<string, unknown>> {
  const about = { mid: EMBEDDED_MID, orderId: charge.reference };
  if (charge.outcome === null)
    return { ...result('NO_RECORD_FOUND', PAYTM_CODE.noRecord, 'No Record Found'), ...about };
  const [first] = (await statusOf(db, charge)).captures;
  return {
    ...result(PAYTM_STATUS[charge.state], charge.code ?? PAYTM_CODE.pending, charge.state),
    ...about,
    txnId: first?.id ?? charge.id,
    txnAmount: decimal(charge.amount),
    txnType: 'SALE',
    paymentMode: 'PPI',
    gatewayName: 'EMBEDDED',
    txnDate: indianTime(first?.at ?? charge.changed_at),
  };
}

/** The documented payment webhook: the fields of a page's callback, as a form. */
openChannel(CHANNEL, async (db, charge, { state, code }) => {
  const told = await formFields(db, charge, result(PAYTM_STATUS[state], code, state));
  return {
    body: new URLSearchParams(told).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
});

/** Answers a signed call of the gateway; a wrong signature gets code 227 in an unsigned reply. */
export function gateway(path: string, work: (body: Question, aside: RawContext) => Promise<object>): RawRoute {
  return {
    method: 'POST',
    path: `/vendors/paytm${path}`,
    embedded: true,
    async handler(context, aside) {
      const raw = await context.req.text();
      const key = await deskKey(aside.db);
      const bodyText = paytmBodyText(raw);
      const envelope = parsed(raw);
      const body = bodyText === null ? null : parsed(bodyText);
      const head = envelope?.['head'] as { signature?: unknown } | undefined;
      const headNames = Object.keys(head ?? {});
      const isRight =
        bodyText !== null &&
        body !== null &&
        headNames.length === 1 &&
        isPaytmSignature(bodyText, key, text(head?.signature)) &&
        body['mid'] === EMBEDDED_MID;
      if (!isRight) {
        return new Response(
          JSON.stringify({
            body: {
              resultInfo: {
                resultStatus: 'F',
                resultCode: PAYTM_CODE.checksum,
                resultMsg: 'Checksum provided is invalid',
              },
            },
          }),
          { headers: JSON_TYPE },
        );
      }
      return new Response(paytmEnvelope(await work(body, aside), key), { headers: JSON_TYPE });
    },
  };
}

export function result(resultStatus: string, resultCode: string, resultMsg: string): Pick<PaytmStatus, 'resultInfo'> {
  return { resultInfo: { resultStatus, resultCode, resultMsg } };
}

interface HostPayment {
  orderId: string;
  mid: string;
  txnToken: string;
  amount: string;
  outcome: BankOutcome | null;
}

/** Checks a transaction token and acts as the customer answered; returns a result code when nothing was done. */
async function payWithToken(
  aside: RawContext,
  wish: HostPayment,
): Promise<{ charge: ChargeRow; code: string | null } | null> {
  const { db, now } = aside;
  const charge = await chargeByReference(db, wish.orderId);
  if (charge === undefined || charge.channel !== CHANNEL || wish.mid !== EMBEDDED_MID) return null;
  if (charge.token === null || !isSame(charge.token, wish.txnToken)) return { charge, code: PAYTM_CODE.checksum };
  if (now >= Math.min(charge.created_at + PAYTM_TOKEN_MS, charge.expires_at))
    return { charge, code: PAYTM_CODE.expired };
  if (minorOf(wish.amount) !== charge.amount) return { charge, code: PAYTM_CODE.checksum };
  if (!(await useToken(db, charge.id))) return { charge, code: PAYTM_CODE.duplicate };
  return { charge: (await decide(db, charge.reference, wish.outcome, now)) ?? charge, code: null };
}

/** The fields of a form about a payment, with the checksum that they have from Paytm. */
async function formFields(
  db: Db,
  charge: ChargeRow,
  { resultInfo }: Pick<PaytmStatus, 'resultInfo'>,
): Promise<Record<string, string>> {
  const { txnId = '', txnDate = '' } = await paytmStatusBody(db, charge);
  const fields: Record<string, string> = {
    ORDERID: charge.reference,
    MID: EMBEDDED_MID,
    TXNID: txnId,
    TXNAMOUNT: decimal(charge.amount),
    PAYMENTMODE: 'PPI',
    CURRENCY: charge.currency,
    TXNDATE: txnDate,
    STATUS: resultInfo.resultStatus,
    RESPCODE: resultInfo.resultCode,
    RESPMSG: resultInfo.resultMsg,
    GATEWAYNAME: 'EMBEDDED',
    BANKTXNID: charge.id,
    BANKNAME: 'EMBEDDED',
  };
  return { ...fields, CHECKSUMHASH: paytmSignature(paytmFormPayload(fields), await deskKey(db)) };
}

/** The fields that the host returns to the page. `code`: why nothing was done. */
async function hostFields(db: Db, charge: ChargeRow, code: string | null): Promise<Record<string, string>> {
  const known =
    code !== null
      ? result('TXN_FAILURE', code, 'Not possible')
      : charge.outcome === 'silent'
        ? result('PENDING', PAYTM_CODE.pending, charge.state)
        : await paytmStatusBody(db, charge);
  return await formFields(db, charge, known);
}

/** The refund with the merchant's id, of the order that the question names. */
async function refundKnown(db: Db, body: Question) {
  const charge = await chargeByReference(db, text(body['orderId']));
  if (charge?.channel !== CHANNEL) return undefined;
  return (await movementsOf(db, charge.id)).find(({ id, kind }) => kind === 'refund' && id === text(body['refId']));
}

/** The imitation of Paytm's payment gateway. */
export const deskRoutes: readonly RawRoute[] = [
  gateway('/theia/api/v1/initiateTransaction', async (body, { db, now }) => {
    const reference = text(body['orderId']);
    const amount = body['txnAmount'] as { value?: unknown; currency?: unknown } | undefined;
    const minor = minorOf(text(amount?.value));
    if (body['websiteName'] !== EMBEDDED_WEBSITE || minor === null || amount?.currency !== 'INR')
      return result('F', PAYTM_CODE.system, 'System error');
    const known = await chargeByReference(db, reference);
    if (known !== undefined && (known.state !== 'WAITING' || known.amount !== minor))
      return result('F', PAYTM_CODE.duplicate, 'Duplicate order id');
    const callback = text(body['callbackUrl']);
    const origin = /^https?:\/\/[^/]+/.exec(callback)?.[0] ?? '';
    const opened = await openCharge(
      db,
      {
        reference,
        channel: CHANNEL,
        amount: minor,
        currency: 'INR',
        description: reference,
        payeeVpa: null,
        cardToken: null,
        returnUrl: callback,
        notifyUrl: `${origin}/webhooks/paytm`,
        expiresAt: known?.expires_at ?? now + PAYTM_TOKEN_MS,
      },
      now,
    );
    if (!('charge' in opened))
      return result('F', opened.code === 'REFERENCE_USED' ? PAYTM_CODE.duplicate : PAYTM_CODE.system, opened.message);
    return {
      ...result('S', known === undefined ? PAYTM_CODE.initiated : PAYTM_CODE.initiatedAgain, 'Success'),
      txnToken: opened.charge.token,
    };
  }),
  gateway('/v3/order/status', async (body, { db }) => {
    const charge = await chargeByReference(db, text(body['orderId']));
    return charge?.channel === CHANNEL
      ? await paytmStatusBody(db, charge)
      : result('TXN_FAILURE', PAYTM_CODE.duplicate, 'Invalid order id');
  }),
  gateway('/v2/refund/status', async (body, { db }) => {
    const refund = await refundKnown(db, body);
    if (refund === undefined) return result('TXN_FAILURE', PAYTM_CODE.refundUnknown, 'Record not found');
    return refund.done_at === null
      ? result('PENDING', PAYTM_CODE.refundPending, 'Refund request was raised')
      : result('TXN_SUCCESS', '10', 'Refund successful');
  }),
  gateway('/refund/apply', async (body, { db, now }) => {
    if ((await refundKnown(db, body)) !== undefined)
      return result('TXN_FAILURE', PAYTM_CODE.refundRepeated, 'Refund Already Raised');
    const done = await refundMovement(
      db,
      {
        refundId: text(body['refId']),
        reference: text(body['orderId']),
        captureId: text(body['txnId']),
        amount: minorOf(text(body['refundAmount'])) ?? -1,
      },
      now,
    );
    if ('code' in done) return result('TXN_FAILURE', PAYTM_CODE.system, done.code);
    return result('PENDING', PAYTM_CODE.refundPending, 'Refund request was raised');
  }),
  {
    method: 'POST',
    path: '/vendors/paytm/pay',
    embedded: true,
    /** What the host's `paytmPayment` returns: `{data: "<JSON>"}`, `{data: false}` or `{data: ""}`. */
    async handler(context, aside) {
      const question = parsed(await context.req.text());
      const outcome = BankOutcome.safeParse(question?.['outcome']);
      const paid =
        question === null
          ? null
          : await payWithToken(aside, {
              orderId: text(question['orderId']),
              mid: text(question['mid']),
              txnToken: text(question['txnToken']),
              amount: String(question['amount'] ?? ''),
              outcome: outcome.success ? outcome.data : null,
            });
      const data =
        paid === null
          ? ''
          : paid.code === null && paid.charge.outcome === 'silent'
            ? false
            : JSON.stringify(await hostFields(aside.db, paid.charge, paid.code));
      return new Response(JSON.stringify({ data }), { headers: JSON_TYPE });
    },
  },
  {
    method: 'GET',
    path: '/vendors/paytm/theia/api/v1/showPaymentPage',
    embedded: true,
    async handler(context, { db }) {
      const charge = await chargeByReference(db, context.req.query('orderId') ?? '');
      if (
        charge?.token == null ||
        context.req.query('mid') !== EMBEDDED_MID ||
        !isSame(charge.token, context.req.query('txnToken') ?? '')
      )
        return notFoundPage();
      return chargePage({ ...charge, page_key: charge.token }, '/vendors/paytm/answer', 'Embedded Paytm form');
    },
  },
  {
    method: 'POST',
    path: '/vendors/paytm/answer',
    embedded: true,
    async handler(context, aside) {
      const form = new URLSearchParams(await context.req.text());
      const asked = ANSWERS[form.get('answer') ?? ''];
      if (asked === undefined || !isOwnForm(context)) return notFoundPage();
      const charge = await chargeByReference(aside.db, form.get('reference') ?? '');
      const paid =
        charge &&
        (await payWithToken(aside, {
          orderId: charge.reference,
          mid: EMBEDDED_MID,
          txnToken: form.get('key') ?? '',
          amount: decimal(charge.amount),
          outcome: asked,
        }));
      if (paid == null) return notFoundPage();
      // The result is in the address, since a page without scripts cannot send a form; it is only a hint.
      const back = new URL(paid.charge.return_url);
      return new Response(null, {
        status: 303,
        headers: { location: `${back.pathname}${back.search}`, 'cache-control': 'no-store' },
      });
    },
  },
];
