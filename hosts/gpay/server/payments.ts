import { MINUTE_MS } from '../../../src/domain/time.ts';
import { BankOutcome } from '../../../src/contract/development.ts';
import type { PaymentStep } from '../../../src/contract/payments.ts';
import { money } from '../../../src/contract/price.ts';
import { decimal, minorOf } from '../../../src/domain/money.ts';
import type { HostContext } from '../../../src/server/call/hosts.ts';
import { type Attempt, type PaymentGateway, returnTo } from '../../../src/server/call/payments.ts';
import type { RawRoute } from '../../../src/server/call/route.ts';
import { EMBEDDED_PAYEE } from '../../../src/server/providers/upi.ts';
import { chargeByReference } from '../../../src/server/store/bank.ts';
import { decide } from '../../../src/server/vendors/bankDesk.ts';
import { JSON_TYPE, parsed, text } from '../../../src/server/vendors/bankInterface.ts';
import type { PaymentDetails } from '../contract.ts';
import { embeddedSignature, merchantSettings, receipts } from './receipts.ts';

/** A payment inside Google Pay arrives by UPI at the shop's bank; Google Pay itself only asks the customer. */
export function gateway(around: HostContext): PaymentGateway {
  const { bank, environment, publicOrigin } = around;
  const merchantId = environment.read(merchantSettings)?.merchantId;
  return {
    ...bank,
    receipt: receipts(around, () => bank.payee().vpa),
    async start(attempt: Attempt): Promise<PaymentStep> {
      const { expiresAt } = await bank.charge(attempt, 'UPI');
      const payee = bank.payee();
      return {
        kind: 'host',
        transactionId: attempt.transactionId,
        amount: money(attempt.amount),
        transactionReferenceId: attempt.reference,
        expiresAt,
        details: {
          payeeVpa: payee.vpa,
          payeeName: payee.name,
          mcc: payee.mcc,
          referenceUrl: `${publicOrigin()}${returnTo(attempt)}`,
          note: attempt.note,
          ...(merchantId === undefined ? {} : { merchantId }),
        } satisfies PaymentDetails,
      };
    },
  };
}

/**
 * What a host answers to a UPI request, in the documented form: the token is JSON in a string,
 * and its signed message is JSON in a string again.
 */
export async function hostPaymentReply(outcome: {
  status: 'SUCCESS' | 'SUBMITTED' | 'FAILURE';
  amount: number;
  reference: string;
  payeeVpa: string;
  bankId: string;
  expiresAt: number;
  sign(message: string): Promise<string>;
}): Promise<object> {
  const signedMessage = JSON.stringify({
    messageExpiration: String(outcome.expiresAt),
    paymentMethod: 'UPI',
    paymentMethodDetails: {
      status: outcome.status,
      responseCode: outcome.status === 'SUCCESS' ? '00' : outcome.status === 'FAILURE' ? 'U30' : 'U28',
      amount: decimal(outcome.amount),
      txnRef: outcome.reference,
      toVpa: outcome.payeeVpa,
      txnId: outcome.bankId,
    },
  });
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    paymentMethodData: {
      type: 'UPI',
      tokenizationData: {
        type: 'DIRECT',
        token: JSON.stringify({ protocolVersion: 'ECv1', signature: await outcome.sign(signedMessage), signedMessage }),
      },
    },
  };
}

/** The imitation of Google Pay: pays at the imitated bank when the customer agrees, and answers in the documented form. */
export const pay: RawRoute = {
  method: 'POST',
  path: '/vendors/google/pay',
  embedded: true,
  async handler(context, { db, now }) {
    const question = parsed(await context.req.text());
    const charge = await chargeByReference(db, text(question?.['transactionReferenceId']));
    if (question === null || charge?.channel !== 'UPI') {
      return new Response(JSON.stringify({ code: 'NO_CHARGE' }), { status: 404, headers: JSON_TYPE });
    }
    const amount = question['amount'];
    const fits = amount === charge.amount || minorOf(String(amount ?? '')) === charge.amount;
    if (!fits || question['payeeVpa'] !== charge.payee_vpa)
      return new Response(JSON.stringify({ code: 'REQUEST_CHANGED' }), { status: 422, headers: JSON_TYPE });
    const outcome = BankOutcome.safeParse(question['outcome']);
    const after = (await decide(db, charge.reference, outcome.success ? outcome.data : null, now)) ?? charge;
    const status =
      after.outcome === 'silent'
        ? 'SUBMITTED'
        : after.state === 'SUCCESS'
          ? 'SUCCESS'
          : after.state === 'FAILED' || after.state === 'CANCELLED'
            ? 'FAILURE'
            : 'SUBMITTED';
    const reply = await hostPaymentReply({
      status,
      amount: charge.amount,
      reference: charge.reference,
      payeeVpa: charge.payee_vpa ?? EMBEDDED_PAYEE.vpa,
      bankId: charge.id,
      expiresAt: now + MINUTE_MS,
      sign: (message) => embeddedSignature(db, message),
    });
    return new Response(JSON.stringify(reply), { headers: JSON_TYPE });
  },
};
