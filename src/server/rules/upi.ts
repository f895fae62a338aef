import { decimal } from './paytm.ts';

/** Who is paid in UPI links and host payments. */
export interface Payee { readonly vpa: string; readonly name: string; readonly mcc: string }

/** 5814 is the merchant category of quick-service restaurants. */
export const EMBEDDED_PAYEE: Payee = { vpa: 'goldenoven@embeddedbank', name: 'Golden Oven Pizza', mcc: '5814' };

/**
 * The link a UPI app opens, and the text of the QR code (reference: hosts, section 4). `reference` is the `tr` of
 * one attempt, `note` at most 50 characters, `amount` minor units.
 */
export function upiLink(payee: Payee, request: { reference: string; amount: number; note: string; url: string }): string {
  const fields: [string, string][] = [
    ['pa', payee.vpa], ['pn', payee.name], ['mc', payee.mcc], ['tr', request.reference], ['tid', request.reference],
    ['am', decimal(request.amount)], ['cu', 'INR'], ['tn', request.note.slice(0, 50)], ['mode', '04'], ['url', request.url],
  ];
  return `upi://pay?${fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** A UPI id: a local part of 2 to 256 characters, @, and a bank's handle of letters. */
export function isVpa(text: string): boolean {
  return /^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/.test(text.trim());
}

/**
 * What a host answers to a UPI request, in the documented form: the token is JSON in a string,
 * and its signed message is JSON in a string again.
 */
export function hostPaymentReply(outcome: { status: 'SUCCESS' | 'SUBMITTED' | 'FAILURE'; amount: number; reference: string; payeeVpa: string; bankId: string; expiresAt: number; signature: string }): object {
  const signedMessage = JSON.stringify({
    messageExpiration: String(outcome.expiresAt), paymentMethod: 'UPI',
    paymentMethodDetails: {
      status: outcome.status, responseCode: outcome.status === 'SUCCESS' ? '00' : outcome.status === 'FAILURE' ? 'U30' : 'U28',
      amount: decimal(outcome.amount), txnRef: outcome.reference, toVpa: outcome.payeeVpa, txnId: outcome.bankId,
    },
  });
  return {
    apiVersion: 2, apiVersionMinor: 0,
    paymentMethodData: {
      type: 'UPI',
      tokenizationData: { type: 'DIRECT', token: JSON.stringify({ protocolVersion: 'ECv1', signature: outcome.signature, signedMessage }) },
    },
  };
}
