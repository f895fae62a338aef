import { createHash, randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { isLuhn } from '../../src/domain/cards.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newId } from '../../src/state/first/lib/ids.ts';
import { HELD_AT_MOST_MS, heldMs } from '../kit/holding.ts';
import { holdsCardNumber } from '../../src/server/http/cardless.ts';

const NATIVE = (zero: number, digits: string) =>
  [...digits].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');

test.each([
  ['Visa', '4111111111111111'],
  ['Visa of 13 digits', '4222222222222'],
  ['Visa of 19 digits', '4000000000000000006'],
  ['Mastercard', '5555555555554444'],
  ['Mastercard of the 2 series', '2223003122003222'],
  ['American Express', '3782 822463 10005'],
  ['Diners', '3056-930902-5904'],
  ['RuPay', '6521 1111 1111 1110'],
  ['RuPay that begins with 82', '8200 0000 0000 0001'],
  ['Maestro of 12 digits', '501800000009'],
  ['a number that no bank gives', '9999999999999995'],
  ['spaces', '4111 1111 1111 1111'],
  ['single digits', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'],
  ['dashes', '4111-1111-1111-1111'],
  ['long dashes', '4111–1111—1111‑1111'],
  ['dots', '4111.1111.1111.1111'],
  ['slashes', '4111/1111/1111/1111'],
  ['bars', '4111|1111|1111|1111'],
  ['commas', '4111,1111,1111,1111'],
  ['tens in circles', '④⑪①⑪⑪⑪⑪⑪⑪'],
  ['two spaces and lines', '4111  1111\n1111\t1111'],
  ['no-break spaces', '4111\u00a01111\u202f1111\u20091111'],
  ['what nobody sees', '4111\u200b1111\u20601111\ufeff1111'],
  ['Devanagari', NATIVE(0x966, '4111111111111111')],
  ['Bengali', NATIVE(0x9e6, '4111111111111111')],
  ['Tamil', NATIVE(0xbe6, '4111111111111111')],
  ['Sinhala', NATIVE(0xde6, '4111111111111111')],
  ['fullwidth', NATIVE(0xff10, '4111111111111111')],
  ['scripts mixed', `4111 ${NATIVE(0x966, '1111')} 1111 ${NATIVE(0xbe6, '1111')}`],
  ['inside words', 'Please take card4111111111111111, thank you'],
  ['with the rest of the card', 'Asha 4111 1111 1111 1111 12/39 123'],
  ['after a flat number', '12 4111 1111 1111 1111'],
  ['after a phone number', '9876543210, 4111111111111111'],
  ['after the number of a line', '1.4111111111111111'],
  ['behind a place', '28.6412345, 77.2212345 4111 1111 1111 1111'],
])('a card number is seen: %s', (_what, text) => {
  expect(holdsCardNumber(text)).toBe(true);
  expect(holdsCardNumber(`x ${text} y`)).toBe(true);
});

test.each([
  ['a wrong digit', '4111111111111112'],
  ['11 digits', '41111111112'],
  ['20 digits', '41111111111111111110'],
  ['first digits and last ones', '411111 and 1111'],
  ['masked', '4111 11XX XXXX 1111'],
  ['a phone number of India', '919876543213'],
  ['with its plus', '+91 98765 43210'],
  ['two phone numbers', '98765 43210 98765 43210'],
  ['a phone number of Bangladesh', '8801712345674'],
  ['a time', '1764329123455'],
  ['an id of ours', 'ord_4111111111111112Abc'],
  ['a UUID of digits', '41111111-1111-4111-8111-111111111111'],
  ['an id that a page makes', '4042322160-1431655765-2863311530-3435973836'],
  ['a place', '28.6412345, 77.2212345'],
  ['a place as some devices say it', '28.63153849293940,77.21670012345670'],
  ['one in the address of a map', 'https://maps.example/?q=28.63153849293948%2C77.21670012345678'],
  ['an address', 'Flat 12, 3rd floor, 110001 Delhi'],
  ['a PNR and a train', '4111111111 12951'],
  ['numbers of orders', '4111, 1111, 1111, 1111'],
  ['a date with a time', '2026-11-28 11:24:57'],
  ['an amount', 'Rs 1,000.00 and 2,500.00'],
  ['nothing', ''],
])('what is none passes: %s', (_what, text) => {
  expect(holdsCardNumber(text)).toBe(false);
});

/** Twelve digits that pass Luhn's check and begin so. */
const twelve = (begins: string, at: number) => {
  const body = `${begins}${String(at).padStart(11 - begins.length, '0')}`;
  return '0123456789'
    .split('')
    .map((last) => body + last)
    .find((number) => isLuhn(number))!;
};

test('references of UPI payments pass, those too that look like cards; a card of twelve or more digits does not', () => {
  const dayOf = (at: number) => {
    const year = new Date(at).getUTCFullYear();
    return `${year % 10}${String(Math.floor((at - Date.UTC(year, 0, 1)) / DAY_MS) + 1).padStart(3, '0')}`;
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    for (const now of ['2026-11-28', '2026-01-02', '2025-03-01', '2027-01-01', '2036-12-31']) {
      vi.setSystemTime(Date.parse(`${now}T20:00:00Z`));
      for (let days = 0; days < 45; days += 1) {
        const reference = twelve(dayOf(Date.now() - days * DAY_MS), (days * 1_234_567) % 10_000_000);
        const written = [reference, `UTR ${reference}`, reference.replaceAll(/(\d{4})(?=\d)/g, '$1 ')];
        expect(written.filter((text) => holdsCardNumber(text))).toEqual([]);
      }
    }
    vi.setSystemTime(Date.parse('2026-11-28T20:00:00Z'));
    // Of a day that has not come, of half a year ago, and of no day.
    for (const begins of ['6350', '6140', '6759', '6000', '5018', '5612', '5893'])
      expect(holdsCardNumber(twelve(begins, 4_711))).toBe(true);
    // Longer ones are cards, whatever day they begin with.
    for (const card of ['6331101999990016', '6331111111111000008']) expect(holdsCardNumber(card)).toBe(isLuhn(card));
    expect(holdsCardNumber('6331 1019 9999 0016')).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('ids that pages make pass, however many', () => {
  for (let at = 0; at < 5_000; at += 1)
    expect([holdsCardNumber(newId()), holdsCardNumber(randomUUID())]).toEqual([false, false]);
});

test('ids and hashes in hexadecimal pass, as a payment sheet gives them, however many', () => {
  const ids = Array.from({ length: 5_000 }, (_, at) => createHash('sha256').update(`${at}`).digest('hex'));
  expect(ids.filter((id) => holdsCardNumber(id) || holdsCardNumber(`"transactionId":"${id}"`))).toEqual([]);
  expect(holdsCardNumber('4111111111111111'.repeat(4))).toBe(false);
  expect(holdsCardNumber(`${ids[0]} 4111111111111111`)).toBe(true);
});

test.each([
  '1',
  '4 ',
  '1.1111,',
  '1.11111111111111111 ',
  '44 ',
  '8 1 ',
  '4444 ',
  '41',
  '4-1.',
  '٤',
  '①',
  '⅒',
  '𝟜 ',
  ' ',
  '4\u200b',
])('a text as long as a call takes is read within what one may be held, whatever it repeats: %s', async (part) => {
  const text = part.repeat((256 * 1024) / part.length);
  expect(await heldMs(() => holdsCardNumber(text))).toBeLessThan(HELD_AT_MOST_MS);
});
