import { decimal } from '../../domain/money.ts';
import type { Payee } from '../call/payments.ts';

/** The payee of the embedded bank. 5814 is the merchant category of quick-service restaurants. */
export const EMBEDDED_PAYEE: Payee = { vpa: 'goldenoven@embeddedbank', name: 'Golden Oven Pizza', mcc: '5814' };

/**
 * The link that a UPI app opens, and the text of the QR code (reference: hosts, section 4). `reference` is the `tr` of
 * one attempt, `note` has at most 50 characters, `amount` is in minor units.
 */
export function upiLink(
  payee: Payee,
  request: { reference: string; amount: number; note: string; url: string },
): string {
  const fields: [string, string][] = [
    ['pa', payee.vpa],
    ['pn', payee.name],
    ['mc', payee.mcc],
    ['tr', request.reference],
    ['tid', request.reference],
    ['am', decimal(request.amount)],
    ['cu', 'INR'],
    ['tn', request.note.slice(0, 50)],
    ['mode', '04'],
    ['url', request.url],
  ];
  return `upi://pay?${fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}
