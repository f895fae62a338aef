import { expect, test } from 'vitest';
import { hasSheet, type SheetMethod } from '../../src/bridge/paymentSheet.ts';

const AMOUNT = { label: 'Golden Oven Pizza', currency: 'INR', value: '141.00' };
const asked: unknown[] = [];
/** A browser whose sheet answers so whether the customer has a way to pay in it. */
const browser = (can: () => Promise<boolean>) =>
  ({
    PaymentRequest: class {
      constructor(...given: unknown[]) {
        asked.push(given);
      }
      canMakePayment = can;
    },
  }) as unknown as Window & typeof globalThis;
const method = (id: SheetMethod['id']): SheetMethod => ({
  id,
  label: id,
  supportedMethods: `https://${id}.example/pay`,
  data: { transactionInfo: { countryCode: 'IN' }, merchant: 'm' },
});

test.each([
  ['says yes', true, browser(async () => true)],
  ['says no', false, browser(async () => false)],
  ['fails', false, browser(() => Promise.reject(new Error('not now')))],
  [
    'may not be asked on this page',
    false,
    {
      PaymentRequest: function refused() {
        throw new TypeError('not here');
      },
    } as unknown as Window & typeof globalThis,
  ],
  ['is not there', false, {} as Window & typeof globalThis],
  ['has no page', false, undefined],
])("a browser's sheet that %s: offered %s", async (_, is, win) => {
  expect(await hasSheet(win, method('google'), AMOUNT)).toBe(is);
});

test("the sum goes to a sheet as its total, and where a sheet wants it so, into the sheet's own data", async () => {
  asked.length = 0;
  const win = browser(async () => true);
  await hasSheet(win, method('google'), AMOUNT);
  await hasSheet(win, method('apple'), AMOUNT);
  const total = { label: 'Golden Oven Pizza', amount: { currency: 'INR', value: '141.00' } };
  const info = { countryCode: 'IN', totalPriceStatus: 'FINAL', totalPrice: '141.00' };
  expect(asked).toEqual([
    [[{ supportedMethods: 'https://google.example/pay', data: { transactionInfo: info, merchant: 'm' } }], { total }],
    [
      [
        {
          supportedMethods: 'https://apple.example/pay',
          data: { transactionInfo: { countryCode: 'IN' }, merchant: 'm' },
        },
      ],
      { total },
    ],
  ]);
});
