import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { brandOf, isLuhn } from '../../src/domain/cards.ts';
import { withTimeout } from '../../src/domain/withTimeout.ts';
import { deviceName, deviceType } from '../../src/domain/device.ts';
import { hasFundsConflict, leftOf, voucherNumber, voucherPin, writtenNumber } from '../../src/domain/funds.ts';
import { memoryCode } from '../../src/domain/memory.ts';
import { passwordLength } from '../../src/domain/password.ts';

test.each([
  ['Visa', ['4', '4111']],
  ['Mastercard', ['51', '55', '2222', '2229', '23', '26', '270', '271', '2720']],
  ['American Express', ['34', '37']],
  ['RuPay', ['60', '65', '81', '82', '508', '353', '356']],
  ['Card', ['', '9', '50', '56', '1551', '220', '221', '272', '28', '35', '36', '134', '509', '354', '160', '14']],
])('a card is a %s by how its number begins', (brand, numbers) => {
  for (const number of numbers) expect(brandOf(number), number).toBe(brand);
});

test('a number of a card is checked by its last digit', () => {
  for (const number of ['4111111111111111', '5555555555554444', '378282246310005', '0'])
    expect(isLuhn(number)).toBe(true);
  for (const number of ['4111111111111112', '5555555555554445', '', '1', '18'])
    expect(isLuhn(number)).toBe(number === '18');
  // Of a pair of digits each, one ends it rightly.
  expect(Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0')).filter(isLuhn)).toEqual([
    ...['00', '18', '26', '34', '42', '59', '67', '75', '83', '91'],
  ]);
  expect(['109', '117', '125', '900', '901', '919'].filter(isLuhn)).toEqual(['109', '117', '125', '901', '919']);
});

test.each([
  ['Mozilla/5.0 (Linux; Android 14) Chrome/120 Mobile Safari/537.36', 'mobile', 'Chrome · Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile Safari/604.1',
    'mobile',
    'Safari · iPhone',
  ],
  ['Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) CriOS/120 Safari/604.1', 'tablet', 'Chrome · iPad'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/120 Safari/537.36 Edg/120.0', 'desktop', 'Edge · Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14) Firefox/120', 'desktop', 'Firefox · Mac'],
  ['Mozilla/5.0 (X11; CrOS x86_64) Chrome/120 Safari/537.36', 'desktop', 'Chrome · Chromebook'],
  ['Mozilla/5.0 (Linux; Android 13; Tablet) SamsungBrowser/23 Chrome/115', 'tablet', 'Samsung · Android'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/120 OPR/106', 'desktop', 'Opera · Linux'],
  ['Somebrowser on Windows', 'desktop', 'Windows'],
  ['Firefox/1', 'desktop', 'Firefox'],
  ['curl', 'desktop', null],
])('a device is called what people call it: %s', (agent, type, name) => {
  expect([deviceType(agent), deviceName(agent)]).toEqual([type, name]);
});

test('an e-voucher has 16 digits and a pin of 6, in any script and however they are parted', () => {
  expect(voucherNumber('6011 2222-3333 4444')).toBe('6011222233334444');
  expect(voucherNumber('६०११२२२२३३३३४४४४')).toBe('6011222233334444');
  for (const typed of ['', '6011 2222 3333 444', '6011 2222 3333 4444 5']) expect(voucherNumber(typed)).toBeNull();
  expect(writtenNumber('6011222233334444')).toBe('6011 2222 3333 4444');
  expect([voucherPin('12 34 56'), voucherPin('12345'), voucherPin('1234567')]).toEqual(['123456', null, null]);
});

test.each([
  [false, 1, 'COD', false],
  [false, 0, 'EGV', false],
  [true, 0, null, false],
  [true, 0, 'UPI', false],
  [true, 1, null, true],
  [true, 0, 'COD', true],
  [true, 0, 'EGV', true],
])('the wallet (%s) beside %s e-vouchers and %s is a conflict: %s', (wallet, vouchers, mode, is) => {
  expect(hasFundsConflict({ wallet, vouchers, mode })).toBe(is);
});

test('what is left of a total is what the parts have not paid', () => {
  expect(leftOf(500, undefined)).toBe(500);
  expect(leftOf(500, [{ amount: 120 }, { amount: 80 }])).toBe(300);
});

test('a code is read however it is typed, and no letter or digit that looks like another is in one', () => {
  expect(memoryCode(' ABCD efgh ')).toBe('abcd-efgh');
  expect(memoryCode('ab2d-ef9z')).toBe('ab2d-ef9z');
  for (const typed of ['', 'abcd-efg', 'abcd-efghj', 'abid-efgh', 'abcl-efgh', 'aboc-efgh', 'ab0d-efgh', 'abcd-ef1h'])
    expect(memoryCode(typed), typed).toBeNull();
  expect([passwordLength('नमस्ते'), passwordLength('é'), passwordLength('👍🏽')]).toEqual([6, 1, 2]);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what comes in time is taken, what does not is given up, and no clock is left behind', async () => {
  expect(await withTimeout(Promise.resolve(1), 10)).toBe(1);
  await expect(withTimeout(Promise.reject(new Error('no')), 10)).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
  const late = withTimeout(new Promise(() => undefined), 10).catch(String);
  await vi.advanceTimersByTimeAsync(9);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toBe('Error: Async call timeout limit reached');
});
