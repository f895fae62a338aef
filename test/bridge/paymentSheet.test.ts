import { expect, test, vi } from 'vitest';
import { hasSheet, openSheet, type SheetMethod } from '../../src/bridge/payment/paymentSheet.ts';

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

/** A browser whose sheet is shown so, and what happens to it. */
function opened(show: () => Promise<unknown>, abort: () => Promise<void> = async () => {}) {
  const sheets: EventTarget[] = [];
  const win = {
    PaymentRequest: class extends EventTarget {
      show = show;
      abort = abort;
      constructor() {
        super();
        sheets.push(this);
      }
    },
  } as unknown as Window & typeof globalThis;
  const leave = new AbortController();
  const session = vi.fn(async (url: string) => ({ of: url }));
  const answer = openSheet(win, method('apple'), AMOUNT, session, leave.signal);
  return { answer, leave, session, sheet: () => sheets[0]! };
}

test('what the customer gave in a sheet is told, and the sheet hears whether it was taken', async () => {
  const heard: string[] = [];
  const complete = async (how: string) => void heard.push(how);
  const answer = await opened(async () => ({ details: { card: 'one' }, complete })).answer;
  expect(answer?.details).toEqual({ card: 'one' });
  await answer?.done(true);
  await answer?.done(false);
  expect(heard).toEqual(['success', 'fail']);
});

test('a sheet that the customer closes is no answer, and any other end of it is an error', async () => {
  const closed = Object.assign(new Error('closed'), { name: 'AbortError' });
  expect(await opened(() => Promise.reject(closed)).answer).toBeNull();
  await expect(opened(() => Promise.reject(new TypeError('too late'))).answer).rejects.toThrow('too late');
  const stop = new AbortController().signal;
  const none = {} as Window & typeof globalThis;
  await expect(openSheet(none, method('apple'), AMOUNT, async () => ({}), stop)).rejects.toThrow('no payment sheet');
});

test('who leaves a sheet closes it, also one that does not let itself be closed', async () => {
  for (const abort of [async () => {}, () => Promise.reject(new Error('not now'))]) {
    const closes = vi.fn(abort);
    const { answer, leave } = opened(() => new Promise(() => undefined), closes);
    leave.abort();
    expect(await answer).toBeNull();
    expect(closes).toHaveBeenCalledTimes(1);
  }
});

test('a sheet that asks who the shop is hears it from the address that it names', async () => {
  const { session, sheet } = opened(() => new Promise(() => undefined));
  const complete = vi.fn();
  sheet().dispatchEvent(
    Object.assign(new Event('merchantvalidation'), { validationURL: 'https://apple.example/session', complete }),
  );
  expect(session.mock.calls).toEqual([['https://apple.example/session']]);
  expect(await complete.mock.calls[0]![0]).toEqual({ of: 'https://apple.example/session' });
});
