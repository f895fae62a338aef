import { typedNumber } from './typedText.ts';

/**
 * Whether a text is a UPI id: a local part of 2 to 256 characters, @, and a bank's handle that begins with a letter.
 */
export function isVpa(text: string): boolean {
  return /^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/.test(typedNumber(text));
}

/** The payee of a UPI link, and the purpose. */
export interface UpiRequest {
  readonly vpa: string;
  readonly name: string;
  /** The merchant's category, four digits. */
  readonly mcc: string;
  /** The `tr` of one attempt. */
  readonly reference: string;
  /** In rupees with two decimals. */
  readonly amount: string;
  readonly note: string;
  /** Where the order stands. */
  readonly url: string;
}

const NOTE_CHARACTERS = 50;

/**
 * The @ of a UPI id stands as it is, because some UPI apps take %40 for a part of the name. A space is %20: a + stays a +
 * there. Half of a pair of surrogates cannot be written at all.
 */
const written = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, '')).replaceAll('%40', '@');

/**
 * The link that a UPI app opens, and the text of the QR code (reference: hosts, section 4), as NPCI's specification of
 * deep links writes it.
 */
export function upiLink({ vpa, name, mcc, reference, amount, note, url }: UpiRequest): string {
  const fields = {
    pa: vpa,
    pn: name,
    mc: mcc,
    tr: reference,
    tid: reference,
    am: amount,
    cu: 'INR',
    tn: [...note].slice(0, NOTE_CHARACTERS).join(''),
    mode: '04',
    url,
  };
  return `upi://pay?${Object.entries(fields)
    .map(([key, value]) => `${key}=${written(value)}`)
    .join('&')}`;
}
