import type { ApiError } from '../../contract/reply.ts';
import { latinDigits } from '../../domain/phone.ts';

/** What is left of a card after the vault took it: never the number, never the CVV. */
export interface CardFacts { readonly bin: string; readonly lastFour: string; readonly brand: string; readonly expiresAt: number }

export function isLuhn(number: string): boolean {
  let sum = 0;
  for (let i = 0; i < number.length; i += 1) {
    let digit = Number(number[number.length - 1 - i]);
    if (i % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return number.length > 0 && sum % 10 === 0;
}

export function brandOf(number: string): string {
  if (/^4/.test(number)) return 'Visa';
  if (/^(5[1-5]|2(2[2-9]|[3-6]|7[01]|720))/.test(number)) return 'Mastercard';
  if (/^3[47]/.test(number)) return 'American Express';
  if (/^(60|65|81|82|508|353|356)/.test(number)) return 'RuPay';
  return 'Card';
}

/** 'MM/YY', 'MM/YYYY' or 'MMYY' as the first moment after the card's last month, epoch ms; null when unreadable. */
export function expiryOf(text: string): number | null {
  const match = /^\s*(\d{1,2})\s*[/-]?\s*(\d{2}|\d{4})\s*$/.exec(text);
  if (!match) return null;
  const month = Number(match[1]);
  const year = match[2]!.length === 2 ? 2000 + Number(match[2]) : Number(match[2]);
  return month < 1 || month > 12 ? null : Date.UTC(year, month, 1);
}

/** Digits of any script as 0-9, everything else as it was typed. */
function inLatin(text: string): string {
  return text.replace(/\p{Nd}/gu, latinDigits);
}

function cvvProblems(brand: string, cvv: string): ApiError[] {
  const length = brand === 'American Express' ? 4 : 3;
  if (new RegExp(`^\\d{${length}}$`).test(inLatin(cvv).trim())) return [];
  return [{ code: 'CARD_CVV', displayMsg: `Please enter the ${length} digits of your card's security code.`, field: 'cvv' }];
}

/** A card that was kept: still good, and its CVV typed anew. */
export function checkKept(card: { brand: string; expires_at: number }, cvv: string, now: number): ApiError[] {
  return [...(card.expires_at <= now ? [{ code: 'CARD_EXPIRY', displayMsg: CARD_EXPIRED, field: 'cardId' }] : []), ...cvvProblems(card.brand, cvv)];
}

const CARD_EXPIRED = 'This card has expired. Please use another one.';

/** Every problem of card data at once, each with its field; no problem gives the facts that may be kept. */
export function checkCard(card: { number: string; expiry: string; cvv: string }, now: number): { problems: ApiError[]; facts: CardFacts | null } {
  const problems: ApiError[] = [];
  const number = latinDigits(card.number);
  const isNumber = /^[\d\s-]*$/.test(inLatin(card.number)) && number.length >= 12 && number.length <= 19 && isLuhn(number);
  if (!isNumber) problems.push({ code: 'CARD_NUMBER', displayMsg: 'That card number is not right. Please check every digit.', field: 'number' });
  const expiresAt = expiryOf(inLatin(card.expiry));
  if (expiresAt === null) problems.push({ code: 'CARD_EXPIRY', displayMsg: 'Please enter the month and year on your card, for example 08/29.', field: 'expiry' });
  else if (expiresAt <= now) problems.push({ code: 'CARD_EXPIRY', displayMsg: CARD_EXPIRED, field: 'expiry' });
  problems.push(...cvvProblems(brandOf(number), card.cvv));
  if (problems.length > 0 || expiresAt === null) return { problems, facts: null };
  return { problems, facts: { bin: number.slice(0, 6), lastFour: number.slice(-4), brand: brandOf(number), expiresAt } };
}
