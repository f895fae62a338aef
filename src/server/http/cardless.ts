import { isLuhn } from '../../domain/cards.ts';
import { DAY_MS } from '../../domain/time.ts';
import { latinDigits } from '../../domain/typedText.ts';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';

// A card number belongs in the bank's own fields (providers/CARD_FIELDS.md) and nowhere else. Customers type it where it
// does not belong all the same: into a note, a name, a message to the rider. It is turned away before anything is stored
// or logged.

const SHORTEST = 12;
const LONGEST = 19;
/** Up to this many signs between two digits still belong to one number. */
const GAP_AT_MOST = 3;
const BETWEEN_DIGITS = /[\s\p{Pd}\p{Cf}._·•/|]/u;
const BLANK = 32;
const COMMA = 44;
const OTHER_DIGIT = /[\p{Nd}\p{No}]/u;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/** Ids that our pages make: four numbers of 32 bits, with far more digits than a card. */
const PAGE_ID = /(?<!\d)\d{1,10}(?:-\d{1,10}){3}/g;
const PAGE_ID_DIGITS = 24;
/** Ids and hashes in hexadecimal, such as Apple's transactions: a run of digits in one may be as long as a card. */
const HEX = /(?<![\da-z])[\da-f]{32,256}(?![\da-z])/gi;
/** A number as a place on a map has two of, and what stands between them where a place is pasted. */
const DEGREES = /(?<![\d.])\d{1,3}\.\d{4,17}(?![\d.])/g;
const BETWEEN_DEGREES = /^(?: ?, ?|%2c)-?$/i;
/** A number with the prefix of one of our countries, and a time in ms (of 2001 to 2033): both may pass Luhn's check. */
const PHONE = /^(?:91[6-9]\d{9}|8801\d{9}|94\d{10})$/;
const TIME_MS = /^1\d{12}$/;
/** No card of twelve digits is anything but a Maestro; no bank of our countries gives those out, and none has since 2023. */
const SHORT_CARD = /^(?:5[0678]|6)/;
/** How long customers ask for help with a payment, with room. */
const REFERENCE_AGE_MS = 60 * DAY_MS;
/**
 * The reference by which UPI knows a payment (UTR, RRN): twelve digits, of which the first is the year's last and the
 * next three are the day of the year. Customers tell it when they ask where their money is. In years that end with a
 * six a card may begin so too, so only what was paid lately counts.
 */
function isReference(digits: string, now = Date.now()): boolean {
  const year = new Date(now).getUTCFullYear();
  const paidIn = year - ((year - Number(digits[0])) % 10);
  const day = Number(digits.slice(1, 4));
  const age = now - Date.UTC(paidIn, 0, day);
  return day >= 1 && day <= 366 && age > -2 * DAY_MS && age < REFERENCE_AGE_MS;
}
/** Banks give out cards that begin so; airlines, shops and phone numbers begin otherwise. */
const isBank = (first: number, second: number) =>
  (first >= 2 && first <= 6) || (first === 8 && (second === 1 || second === 2));
/** Phone numbers are written in groups of five or seven, cards are not, but for their last digits. */
const isUnlikeACard = (length: number) => length === 5 || length === 7;

const isNumber = (digits: string): boolean =>
  isLuhn(digits) &&
  !PHONE.test(digits) &&
  !TIME_MS.test(digits) &&
  (digits.length > SHORTEST || (SHORT_CARD.test(digits) && !isReference(digits)));

/** One letter stands for no more digits than this: a tenth. */
const DIGITS_OF_LETTER = 3;

/** The digits of a text, and where groups of them begin that stand close to one another. */
class Digits {
  #count = 0;
  #begins: number[] = [];
  readonly #codes: Uint8Array;
  /**
   * Luhn's sum of all digits before a place, where those at even places count twice, and where those at odd places do,
   * without its tens: from one place to another it is right where it is the same at both. A long text has as many such
   * pairs as letters.
   */
  readonly #sums: readonly [Uint8Array, Uint8Array];

  constructor(most: number) {
    this.#codes = new Uint8Array(most);
    this.#sums = [new Uint8Array(most + 1), new Uint8Array(most + 1)];
  }

  /** @param isFirst whether a new group begins with it */
  add(digits: string, isFirst: boolean): void {
    if (isFirst) this.#begins.push(this.#count);
    const [even, odd] = this.#sums;
    for (let index = 0; index < digits.length; index += 1) {
      const at = this.#count;
      const code = digits.charCodeAt(index);
      const once = code - 48;
      const twice = once > 4 ? once * 2 - 9 : once * 2;
      this.#codes[at] = code;
      even[at + 1] = (even[at]! + (at % 2 === 0 ? twice : once)) % 10;
      odd[at + 1] = (odd[at]! + (at % 2 === 0 ? once : twice)) % 10;
      this.#count += 1;
    }
  }

  #isNumber(from: number, to: number): boolean {
    if (to - from < SHORTEST || to - from > LONGEST) return false;
    // The last digit counts once.
    const sums = this.#sums[to % 2]!;
    return sums[to] === sums[from] && isNumber(String.fromCharCode(...this.#codes.subarray(from, to)));
  }

  /** Whether groups that follow one another are together a card number, from one of them to a later one; then forgets them. */
  closeGroups(): boolean {
    const begins = this.#begins;
    if (begins.length === 0) return false;
    this.#begins = [];
    const end = (group: number) => begins[group + 1] ?? this.#count;
    // From the last one on: with which of its followers a group is long enough, and which may no longer join it, is known then.
    let [nearest, farthest] = [begins.length, begins.length - 1];
    for (let group = begins.length - 1; group >= 0; group -= 1) {
      const from = begins[group]!;
      if (this.#isNumber(from, end(group))) return true;
      if (isUnlikeACard(end(group) - from)) farthest = group;
      while (nearest - 1 > group && end(nearest - 1) - from >= SHORTEST) nearest -= 1;
      if (!isBank(this.#codes[from]! - 48, this.#codes[from + 1]! - 48)) continue;
      for (let next = nearest; next <= farthest && end(next) - from <= LONGEST; next += 1)
        if (this.#isNumber(from, end(next))) return true;
    }
    return false;
  }
}

/** Digits outside ASCII and their values; there are fewer than two thousand. */
const others = new Map<number, string>();
function digitsOf(code: number): string {
  if (code < 128) return code >= 48 && code <= 57 ? '0123456789'[code - 48]! : '';
  const known = others.get(code);
  if (known !== undefined) return known;
  const char = String.fromCodePoint(code);
  if (!OTHER_DIGIT.test(char)) return '';
  const digits = latinDigits(char);
  others.set(code, digits);
  return digits;
}

/** Whether there may be so many digits in it; most texts have fewer. */
function mayHold(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length && digits < SHORTEST; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) digits += DIGITS_OF_LETTER;
    else if (code >= 48 && code <= 57) digits += 1;
  }
  return digits >= SHORTEST;
}

/** The text without the places on a map in it, whose decimals may be as long as a card. */
function withoutPlaces(text: string): string {
  let plain = '';
  let done = 0;
  let before: { readonly from: number; readonly to: number } | null = null;
  for (const { index: from, 0: degrees } of text.matchAll(DEGREES)) {
    const to = from + degrees.length;
    const isPlace: boolean =
      before !== null && BETWEEN_DEGREES.test(text.slice(before.to, Math.min(from, before.to + 5)));
    if (isPlace) {
      plain += `${text.slice(done, before!.from)}#`;
      done = to;
    }
    before = isPlace ? null : { from, to };
  }
  return plain + text.slice(done);
}

/** The text without ids and places. Each pattern is tried only where a sign is that it must have: a call may be long. */
function withoutIds(text: string): string {
  let plain = text;
  if (plain.includes('.')) plain = withoutPlaces(plain);
  const isJoined = plain.includes('-');
  if (isJoined) plain = plain.replace(UUID, '#');
  if (/[a-f]/i.test(plain)) plain = plain.replace(HEX, (id) => (/[a-f]/i.test(id) ? '#' : id));
  if (isJoined) plain = plain.replace(PAGE_ID, (id) => (id.replaceAll('-', '').length >= PAGE_ID_DIGITS ? '#' : id));
  return plain;
}

/**
 * Whether a text holds a card number: 13 to 19 digits of any script that pass Luhn's check, or 12 that may be a Maestro's,
 * together or in groups with spaces and dashes between, inside other text too.
 */
export function holdsCardNumber(text: string): boolean {
  if (!mayHold(text)) return false;
  let isInGroup = false;
  let gap = 0;
  const plain = withoutIds(text);
  const found = new Digits(plain.length * DIGITS_OF_LETTER);
  // By their numbers: a text of 256 KB would make as many strings.
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.codePointAt(at)!;
    if (code > 0xffff) at += 1;
    const digits = digitsOf(code);
    if (digits !== '') {
      found.add(digits, !isInGroup);
      isInGroup = true;
      gap = 0;
      continue;
    }
    isInGroup = false;
    gap += 1;
    // With a blank behind it, it is between two numbers of a list.
    const isBetween =
      code === COMMA
        ? digitsOf(plain.codePointAt(at + 1) ?? BLANK) !== ''
        : code === BLANK || BETWEEN_DIGITS.test(String.fromCodePoint(code));
    if ((gap > GAP_AT_MOST || !isBetween) && found.closeGroups()) return true;
  }
  return found.closeGroups();
}

/** Fields of digits that are no card by contract: ids that clients make, places in a list, phone numbers. */
const ID = /^(?:operationId|afterOperation|lineIds?|again|after|key|pnr|mobile|mobNo)$/;
/** What a payment app tells of a payment, with ids of digits alone, which its signature judges; and passwords. Neither is kept. */
const NOT_KEPT = /^(?:receipt|password|current)$/;
/** Deeper than any contract goes: what is below is dropped. */
const DEEPEST = 32;
/** E-vouchers have 16 digits, some of which pass Luhn's check; only a hash of them is kept. */
const VOUCHERS = /^\/payment-service\/[^/]+\/egv\//;
/**
 * Calls of which no typed text is kept: what pages and vendors say of themselves, with ids that may be digits, and what is
 * looked up by a place, with decimals as long as a card.
 */
const UNTYPED =
  /^\/(?:analytics-service|auth-service|development|events|locator-service|notification-service|page-error-service|security|server-side|user-activity-tracking|sso-aggregation\/ve2\/finger-print)(?:\/|$)/;

/** The path of the first field that holds a card number; null: none does. */
function fieldWithCard(value: unknown, isVoucher: boolean, path: readonly string[] = []): string | null {
  // A number with decimals is a place on the map: some devices say one by as many digits as a card has.
  if (typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))) {
    const name = path.findLast((step) => !/^\d+$/.test(step)) ?? '';
    const text = String(value);
    if ((ID.test(name) && /^[+\d-]*$/.test(text)) || NOT_KEPT.test(name) || (isVoucher && name === 'number'))
      return null;
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
 * Turns a call away that holds a card number: in its path, its query, its body (fields that no contract names included) or
 * a header of ours.
 * @throws Refusal 422 CARD_NUMBER_HERE
 */
export function mustBeCardless(path: string, input: unknown): void {
  if (UNTYPED.test(path)) return;
  const field = fieldWithCard(input, VOUCHERS.test(path));
  if (field !== null) refuse(422, 'CARD_NUMBER_HERE', t.cardNumberHere, field === '' ? {} : { field });
}
