import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as errors from '#text/errors.ts';
import type { HostBridge } from '../../src/bridge/hostBridge.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import { money } from '../../src/contract/price.ts';
import { cardAtom } from '../../src/state/drafts/card.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import { apiAtom, hostAtom } from '../../src/state/first/seams.ts';
import { isPaymentSheetOpenAtom, takePaymentSheetAtom } from '../../src/state/payment/paymentSheet.ts';
import { popupAtom } from '../../src/state/base/popup.ts';

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

type Show = () => Promise<unknown>;
/** A page with a browser that has the interface, whose sheet ends so. */
function opened(show: Show, reply: () => Promise<unknown>, canMake: (method: string) => boolean = () => true) {
  const asked: object[] = [];
  class PaymentRequest extends EventTarget {
    readonly #methods: readonly { supportedMethods: string }[];
    readonly show = show;
    constructor(methods: readonly { supportedMethods: string }[], details: object) {
      super();
      this.#methods = methods;
      asked.push(details);
    }
    readonly abort = () => Promise.resolve();
    readonly canMakePayment = () => Promise.resolve(canMake(this.#methods[0]!.supportedMethods));
    readonly hasEnrolledInstrument = () => Promise.resolve(canMake(this.#methods[0]!.supportedMethods));
  }
  vi.stubGlobal('window', { PaymentRequest });
  const store = createStore();
  const call = vi.fn<(...given: [endpoint: unknown, input?: unknown]) => Promise<unknown>>(reply);
  store.set(countryAtom, countryConfig('in'));
  store.set(apiAtom, { call } as unknown as Api);
  store.set(hostAtom, { partner: '', forbids: new Set(), fullMode: true } as unknown as HostBridge);
  return { store, call, asked };
}
const CARD = { token: 'token-1', lastFour: '1234', brand: 'VISA' };

test('if the bank refuses, sheet and customer are told so; a payment sheet that does not open has asked for nothing', async () => {
  const complete = vi.fn<(result: string) => Promise<void>>(() => Promise.resolve());
  const refused = opened(
    () => Promise.resolve({ details: {}, complete }),
    () => Promise.reject(new Failure('offline')),
  );
  expect(await refused.store.set(takePaymentSheetAtom, METHOD, money(10_000))).toBe(false);
  expect([complete.mock.calls, refused.store.get(popupAtom)?.message, refused.store.get(cardAtom)]).toEqual([
    [['fail']],
    errors.connectionLost,
    null,
  ]);
  const broken = opened(
    () => Promise.reject(new Error('x')),
    () => Promise.resolve(CARD),
  );
  expect(await broken.store.set(takePaymentSheetAtom, METHOD, money(10_000))).toBe(false);
  expect([broken.store.get(popupAtom), broken.store.get(isPaymentSheetOpenAtom)]).toEqual([
    { message: errors.paymentFailed, right: { label: errors.ok } },
    false,
  ]);
  // Closed by the customer: nothing is said.
  const closed = opened(
    () => Promise.reject(new DOMException('closed', 'AbortError')),
    () => Promise.resolve(CARD),
  );
  expect(await closed.store.set(takePaymentSheetAtom, METHOD, money(10_000))).toBe(false);
  expect([closed.store.get(popupAtom), closed.call.mock.calls]).toEqual([null, []]);
});
