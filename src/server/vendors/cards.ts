import type { ApiError } from '../../contract/reply.ts';
import { brandOf, isLuhn } from '../../domain/cards.ts';
import { latinDigits } from '../../domain/typedText.ts';
import { t } from '../call/language.ts';

/** What is kept of a card after the vault has taken it: never the number or the CVV. */
export interface CardFacts {
  readonly bin: string;
  readonly lastFour: string;
  readonly brand: string;
  readonly expiresAt: number;
}

/**
 * Reads 'MM/YY', 'MM/YYYY' or 'MMYY'. Returns the first moment after the card's last month (epoch ms), or null when the
 * text is unreadable.
 */
export function expiryOf(text: string): number | null {
  const match = /^(\d{1,2})[/-]?(\d{2}|\d{4})$/.exec(text.replace(/\s/g, ''));
  if (!match) return null;
  const month = Number(match[1]);
  const year = match[2]!.length === 2 ? 2000 + Number(match[2]) : Number(match[2]);
  return month < 1 || month > 12 ? null : Date.UTC(year, month, 1);
}

/** Converts digits of any script to 0-9 and leaves everything else as it is. */
function inLatin(text: string): string {
  return text.replace(/\p{Nd}/gu, latinDigits);
}

/** How many digits the security code of a card has. */
const cvvDigits = (brand: string) => (brand === 'American Express' ? 4 : 3);
const wrongCvv = (brand: string): ApiError => ({
  code: 'CARD_CVV',
  displayMsg: t.cardCvv({ digits: cvvDigits(brand) }),
  field: 'cvv',
});

/** Checks the form of a security code. */
export function checkCvv(brand: string, cvv: string): ApiError[] {
  const digits = inLatin(cvv).trim();
  return /^\d+$/.test(digits) && digits.length === cvvDigits(brand) ? [] : [wrongCvv(brand)];
}

/** Checks a saved card: that it has not expired, and that its security code was typed with so many digits. */
export function checkKept(card: { brand: string; expires_at: number }, typed: number, now: number): ApiError[] {
  return [
    ...(card.expires_at <= now ? [{ code: 'CARD_EXPIRY', displayMsg: t.cardOver, field: 'cardId' }] : []),
    ...(typed === cvvDigits(card.brand) ? [] : [wrongCvv(card.brand)]),
  ];
}

/**
 * Checks the data of a card. Returns all problems at once, each with its field; without problems also the facts that
 * may be kept.
 */
export function checkCard(
  card: { number: string; expiry: string; cvv: string },
  now: number,
): { problems: ApiError[]; facts: CardFacts | null } {
  const problems: ApiError[] = [];
  const number = latinDigits(card.number);
  const isNumber =
    /^[\d\s-]*$/.test(inLatin(card.number)) && number.length >= 12 && number.length <= 19 && isLuhn(number);
  if (!isNumber)
    problems.push({
      code: 'CARD_NUMBER',
      displayMsg: t.cardNumber,
      field: 'number',
    });
  const expiresAt = expiryOf(inLatin(card.expiry));
  if (expiresAt === null)
    problems.push({
      code: 'CARD_EXPIRY',
      displayMsg: t.cardExpiry,
      field: 'expiry',
    });
  else if (expiresAt <= now) problems.push({ code: 'CARD_EXPIRY', displayMsg: t.cardOver, field: 'expiry' });
  problems.push(...checkCvv(brandOf(number), card.cvv));
  if (problems.length > 0 || expiresAt === null) return { problems, facts: null };
  return {
    problems,
    facts: { bin: number.slice(0, 6), lastFour: number.slice(-4), brand: brandOf(number), expiresAt },
  };
}
