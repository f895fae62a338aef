import { expect, test } from 'vitest';
import { consentTo, CONSENT_VERSIONS, joinedConsents, mayI } from '../../src/domain/consents.ts';
import { framesOf, impersonal, screenOf } from '../../src/domain/pageErrors.ts';
import { analyticsEvent, campaignOf } from '../../src/domain/telemetry.ts';
import { isVpa } from '../../src/domain/upi.ts';

test.each([
  ['asha@okbank', true],
  ['  asha.k_1-2@ybl ', true],
  ['ab@a1', true],
  [`${'a'.repeat(256)}@${'b'.repeat(64)}`, true],
  [`${'a'.repeat(257)}@ybl`, false],
  [`ab@${'b'.repeat(65)}`, false],
  ['a@ybl', false],
  ['asha@y', false],
  ['asha@1bl', false],
  ['as ha@ybl', false],
  ['asha@ybl.com', false],
  ['asha@ok-bank', false],
  ['ashaybl', false],
  ['x asha@ybl', false],
])('a UPI id is written so, or not: %j: %s', (text, is) => {
  expect(isVpa(text)).toBe(is);
});

test('of two memories of what somebody agreed to, what was said last of each purpose holds', () => {
  const said = (purpose: 'news' | 'usage', given: boolean, at: number, version = CONSENT_VERSIONS[purpose]) => ({
    purpose,
    given,
    version,
    at,
  });
  const joined = joinedConsents(
    [said('usage', true, 1), said('news', false, 5)],
    [said('news', true, 4), said('usage', false, 2)],
  );
  expect(joined).toEqual([said('news', false, 5), said('usage', false, 2)]);
  expect(mayI('news', [said('news', false, 1), said('news', true, 2)])).toBe(true);
  expect(mayI('news', [said('news', true, 1), said('news', false, 2)])).toBe(false);
  expect(mayI('news', [said('usage', true, 1)])).toBe(false);
  expect(mayI('news', [said('news', true, 1, 'an older sentence')])).toBe(false);
  expect(mayI('news', [])).toBe(false);
  const [no, yes] = [said('news', false, 2), said('news', true, 1)];
  expect([consentTo('news', [yes, no]), consentTo('news', [no]), consentTo('usage', [no])]).toEqual([
    no,
    no,
    undefined,
  ]);
  // A yes to the sentence of today holds, but not over what was said after it.
  expect(consentTo('news', [yes, said('news', true, 2, 'an older sentence')])).toBeUndefined();
});

test("a fault's place is read as each browser writes it, and its address is left out", () => {
  const place = (name: string, file: string, line: number, column: number) => ({ name, file, line, column });
  expect(
    framesOf(
      [
        'TypeError: x is not a function',
        '    at pay (https://pizza.example/in/main-ABC.js?v=2:10:20)',
        '    at async https://pizza.example/in/cart.js:1:2',
        'tap@https://pizza.example/in/menu.js#a:3:4',
        `${'n'.repeat(70)}@b.js:5:6`,
      ].join('\n'),
    ),
  ).toEqual([
    place('pay', 'main-ABC.js', 10, 20),
    place('', 'cart.js', 1, 2),
    place('tap', 'menu.js', 3, 4),
    place('n'.repeat(60), 'b.js', 5, 6),
  ]);
  expect(framesOf(Array.from({ length: 30 }, () => 'a@b.js:1:2').join('\n'))).toHaveLength(20);
});

test('a line of a stack that names no place is left out', () => {
  for (const text of ['', 'TypeError: x', '    at pay (native)', 'a@b.js:5', 'at b.js:5:', 'at :5'])
    expect(framesOf(text)).toEqual([]);
  expect(framesOf('    at   pay   ( https://pizza.example/main.js:10:20 )')).toEqual([]);
  expect(framesOf('  at new Pay (https://pizza.example/main.js:10:20)  ')).toEqual([
    { name: 'new Pay', file: 'main.js', line: 10, column: 20 },
  ]);
  expect(framesOf('@https://pizza.example/:1:2')).toEqual([{ name: '', file: '', line: 1, column: 2 }]);
});

test('what is told of a fault says nothing about a person', () => {
  expect(impersonal('http://pizza.example/a#b and https://pizza.example/?q=1')).toBe(
    'http://pizza.example/a and https://pizza.example/',
  );
  // What has no digit is a word, however long; what has one, anywhere in it, is an id.
  expect(impersonal('isDeliveredOnlyWithinTheCircle')).toBe('isDeliveredOnlyWithinTheCircle');
  for (const id of ['1bcdefghijklmnop', 'abcdefghijklmno1', 'abcdefg-hijklmn_7', '-abcdefg-1234567890'])
    expect(impersonal(`of ${id}.`), id).toMatch(/^of -?\[id\]\.$/);
  expect(impersonal('abcdefghijklmn1')).toBe('abcdefghijklmn1');
  expect(impersonal('of 1234567, +1234567, 123456 and 12 34 56')).toBe('of [number], [number], 123456 and [number]');
  expect(impersonal('at 1.2.3, (+94) 77')).toBe('at 1.2.3, (+94) 77');
  expect(screenOf(`/${'ab/'.repeat(40)}`)).toHaveLength(80);
  expect(screenOf('/a12/b1/menu#x')).toBe('/a12/b1/menu');
  expect(screenOf(`/${'a'.repeat(24)}/${'b'.repeat(26)}`)).toBe(`/${'a'.repeat(24)}/…`);
  expect(impersonal('at https://pizza.example/in/pay?token=abc#x by asha.k@example.com')).toBe(
    'at https://pizza.example/in/pay by [email]',
  );
  expect(impersonal('call +94 77 123 4567 about 0123456789abcdef01')).toBe('call [number] about [id]');
  expect(impersonal(`Unexpected "${'a'.repeat(24)}" at 5`)).toBe('Unexpected "[text]" at 5');
  expect(impersonal(`Unexpected "${'a'.repeat(23)}"`)).toBe(`Unexpected "${'a'.repeat(23)}"`);
  expect(screenOf('/order/1234/pay?x=1')).toBe('/order/…/pay');
  expect(screenOf(`/shared/${'a'.repeat(25)}/A_B/x%20y/menu`)).toBe('/shared/…/…/…/menu');
});

test('an event is told with the currency that analytics expect and the one of the order, which it cannot replace', () => {
  expect(analyticsEvent('add', 5, 'LKR', { dish: 'a', currency: 'USD' })).toEqual({
    name: 'add',
    at: 5,
    properties: { dish: 'a', currency: 'INR', orderCurrency: 'LKR' },
  });
  expect(analyticsEvent('open', 6, 'BDT').properties).toEqual({ currency: 'INR', orderCurrency: 'BDT' });
  expect(campaignOf({ utm_source: 'a', utm_campaign: 'c' })).toEqual({ source: 'a', medium: '', name: 'c' });
  expect(campaignOf({ utm_medium: 'b' })).toEqual({ source: '', medium: 'b', name: '' });
});

// A pattern that looks anew from every letter would take minutes to hours for these (FRAME did: 41 s for 6 KB).
test.each(['a', ' ', '1', '(', '@', ':', '/', '"', '-', 'at ', 'a@', 'http://', '1:', '\u0301'])(
  'an error of 64 KB of %j is read and made impersonal as fast as it is long',
  (part) => {
    const text = part.repeat(65_536 / part.length);
    expect(framesOf(`at ${text}x\n${text}`).length).toBeLessThanOrEqual(2);
    expect(impersonal(`${text}x`).length).toBeLessThanOrEqual(text.length + 100);
  },
);
