import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { Api } from '../../src/api/client.ts';
import { money } from '../../src/contract/price.ts';
import { cardAtom } from '../../src/state/checkout.ts';
import { countryAtom } from '../../src/state/country.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { isPaymentSheetOpenAtom, takePaymentSheetAtom } from '../../src/state/paymentSheet.ts';
import { popupAtom } from '../../src/state/popup.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const METHOD = { id: 'google', label: 'Google Pay', supportedMethods: 'https://google.com/pay', data: {} } as const;

test("a browser's payment sheet that never answers is opened anew by the next tap, and only one card comes of it", async () => {
  const aborted = vi.fn(async () => {});
  const shows: ((answer: object) => void)[] = [];
  class PaymentRequest extends EventTarget {
    readonly show = () => new Promise((resolve) => shows.push(resolve));
    readonly abort = aborted;
  }
  vi.stubGlobal('window', { PaymentRequest });
  const store = createStore();
  store.set(countryAtom, countryConfig('in'));
  const call = vi.fn(async () => ({ token: 'token-1', lastFour: '1234', brand: 'VISA' }));
  store.set(apiAtom, { call } as unknown as Api);
  const tap = () => store.set(takePaymentSheetAtom, METHOD, money(10_000));
  const first = tap();
  expect([await tap(), store.get(isPaymentSheetOpenAtom), shows.length]).toEqual([false, true, 1]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(store.get(isPaymentSheetOpenAtom)).toBe(false);
  const second = tap();
  expect([await first, aborted.mock.calls.length, shows.length]).toEqual([false, 1, 2]);
  expect(store.get(isPaymentSheetOpenAtom)).toBe(true);
  const answer = { details: { card: 'one' }, complete: async () => {} };
  shows[1]!(answer);
  expect(await second).toBe(true);
  // The first one answers after all.
  shows[0]!(answer);
  await vi.advanceTimersByTimeAsync(0);
  expect([call.mock.calls.length, store.get(cardAtom)?.token]).toEqual([1, 'token-1']);
  expect([store.get(isPaymentSheetOpenAtom), store.get(popupAtom)]).toEqual([false, null]);
});
