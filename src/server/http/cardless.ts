import { isLuhn } from '../../domain/cards.ts';
import { latinDigits } from '../../domain/phone.ts';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';

// A card number belongs in the bank's own fields (providers/CARD_FIELDS.md) and nowhere else. Customers type it where it
// does not belong all the same: into a note, a name, a message to the rider. It is turned away before anything is stored
// or logged.

const SHORTEST = 12;
const LONGEST = 19;
/** So many signs between two digits still belong to one number. */
const GAP_AT_MOST = 3;
const BETWEEN_DIGITS = /[\s\p{Pd}\p{Cf}._·•]/u;
const OTHER_DIGIT = /[\p{Nd}\p{No}]/u;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/** Ids that our pages make: four numbers of 32 bits, with far more digits than a card. */
const PAGE_ID = /\d{1,10}(?:-\d{1,10}){3}/g;
const PAGE_ID_DIGITS = 24;
/** A number with the prefix of one of our countries, and a time in ms (of 2001 to 2033): both may pass Luhn's check. */
const PHONE = /^(?:91[6-9]\d{9}|8801\d{9}|94\d{10})$/;
const TIME_MS = /^1\d{12}$/;
/** Banks give out cards that begin so; airlines, shops and phone numbers begin otherwise. */
const BANK = /^(?:[2-6]|8[12])/;
/** Phone numbers are written in groups of five or seven, cards are not, but for their last digits. */
const UNLIKE_A_CARD = [5, 7];

const isNumber = (digits: string): boolean => isLuhn(digits) && !PHONE.test(digits) && !TIME_MS.test(digits);

/** Whether the groups of digits that follow one another are together a card number, from one of them to a later one. */
function isAmong(groups: readonly string[]): boolean {
  return groups.some((first, from) => {
    if (first.length >= SHORTEST && first.length <= LONGEST && isNumber(first)) return true;
    if (!BANK.test(first + (groups[from + 1] ?? ''))) return false;
    let digits = first;
    for (let next = from + 1; next < groups.length && digits.length <= LONGEST; next += 1) {
      if (UNLIKE_A_CARD.includes(groups[next - 1]!.length)) return false;
      digits += groups[next]!;
      if (digits.length >= SHORTEST && digits.length <= LONGEST && isNumber(digits)) return true;
    }
    return false;
  });
}

/**
 * Whether a text holds a card number: 12 to 19 digits of any script that pass Luhn's check, together or in groups with
 * spaces and dashes between, inside other text too.
 */
export function holdsCardNumber(text: string): boolean {
  if (text.length < SHORTEST) return false;
  let groups: string[] = [];
  let group = '';
  let gap = 0;
  const closed = (): void => {
    if (group !== '') groups.push(group);
    group = '';
  };
  const plain = text
    .replace(UUID, '#')
    .replace(PAGE_ID, (id) => (id.replaceAll('-', '').length >= PAGE_ID_DIGITS ? '#' : id));
  for (const char of `${plain}#`) {
    const digit =
      char >= '0' && char <= '9' ? char : char > '\u007f' && OTHER_DIGIT.test(char) ? latinDigits(char) : '';
    if (digit !== '') {
      gap = 0;
      group += digit;
      continue;
    }
    closed();
    gap += 1;
    if (gap <= GAP_AT_MOST && BETWEEN_DIGITS.test(char)) continue;
    if (groups.length > 0 && isAmong(groups)) return true;
    groups = [];
  }
  return false;
}

/** What is digits alone by contract, and belongs to no card: ids that clients make, places in a list, phone numbers. */
const ID = /^(?:operationId|afterOperation|lineIds?|again|after|key|pnr|mobile|mobNo)$/;
/** What a payment app tells of a payment, with ids of digits alone; it is judged by its signature, and not kept. */
const RECEIPT = 'receipt';
/** Deeper than any contract goes: what is below is dropped. */
const DEEPEST = 32;
/** E-vouchers have 16 digits, some of which pass Luhn's check; only a hash of them is kept. */
const VOUCHERS = /^\/payment-service\/[^/]+\/egv\//;
/** The calls by which an order comes about, is paid and looked after. */
const ABOUT_MONEY =
  /^\/(?:agg|cart-service|customer-service|feedback-service|jfl-payment-aggregator|order-service|payment-service|promo-service|tracker-service|ucr-api|wallet-service)\//;

/** The path of the first field that holds a card number; null: none does. */
function fieldWithCard(value: unknown, isVoucher: boolean, path: readonly string[] = []): string | null {
  if (typeof value === 'string' || typeof value === 'number') {
    const name = path.findLast((step) => !/^\d+$/.test(step)) ?? '';
    const text = String(value);
    if ((ID.test(name) && /^[+\d-]*$/.test(text)) || name === RECEIPT || (isVoucher && name === 'number')) return null;
    return holdsCardNumber(text) ? path.join('.') : null;
  }
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = holdsCardNumber(name) ? '' : fieldWithCard(inner, isVoucher, [...path, name]);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Turns a call about money away that holds a card number: in its path, its query, its body (fields that no contract names
 * included) or a header of ours.
 * @throws Refusal 422 CARD_NUMBER_HERE
 */
export function mustBeCardless(path: string, input: unknown): void {
  if (!ABOUT_MONEY.test(path)) return;
  const field = fieldWithCard(input, VOUCHERS.test(path));
  if (field !== null) refuse(422, 'CARD_NUMBER_HERE', t.cardNumberHere, field === '' ? {} : { field });
}
