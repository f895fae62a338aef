import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../../src/state/first/lib/ids.ts';
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
  ['an address', 'Flat 12, 3rd floor, 110001 Delhi'],
  ['a PNR and a train', '4111111111 12951'],
  ['a date with a time', '2026-11-28 11:24:57'],
  ['an amount', 'Rs 1,000.00 and 2,500.00'],
  ['nothing', ''],
])('what is none passes: %s', (_what, text) => {
  expect(holdsCardNumber(text)).toBe(false);
});

test('ids that pages make pass, however many', () => {
  for (let at = 0; at < 5_000; at += 1)
    expect([holdsCardNumber(newId()), holdsCardNumber(randomUUID())]).toEqual([false, false]);
});

test('a long text of digits takes as long as any other', () => {
  for (const part of ['1', '4 ', '41', '4-1.', '٤', '𝟜 ', ' ', '4\u200b'])
    expect(typeof holdsCardNumber(part.repeat(256 * 1024))).toBe('boolean');
});
