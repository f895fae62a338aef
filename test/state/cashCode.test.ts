import * as errors from '#text/errors.ts';
import { createStore } from 'jotai';
import { scryptSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as challenge from '../../src/contract/challenge.ts';
import * as contract from '../../src/contract/payments.ts';
import { cashCode, isCashCodeSentAtom, openCashCodeAtom } from '../../src/state/payment/cashCode.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { apiAtom, hostAtom, navigateAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { fundsChoiceAtom, wholeModeOf, wishOf } from '../../src/state/payment/funds.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { nextStepAtom } from '../../src/state/orders/orders.ts';
import { schemas } from '../../src/state/schemas.ts';
import { deviceTokenAtom } from '../../src/state/base/session.ts';

const NOW = Date.UTC(2026, 10, 25, 12);
const TX = 'T-1';
type Step = Extract<contract.PaymentStep, { kind: 'cod-otp' }>;
const step = (sent?: boolean) =>
  ({ kind: 'cod-otp', transactionId: TX, ...(sent === undefined ? {} : { sent }) }) as Step;
const problem = () => store.get(cashCode.problemsAtom).code ?? store.get(cashCode.problemsAtom).to ?? '';
const open = (at: Step) => {
  store.set(nextStepAtom, at);
  return store.set(openCashCodeAtom);
};
const isSent = () => store.get(isCashCodeSentAtom);
const resendAt = () => store.get(cashCode.sentAtom)?.resendAt;
const order = (orderStatus: string) =>
  ({
    orderId: 'ORD-1',
    transactionId: TX,
    orderStatus,
    placedAt: NOW,
    steps: [],
    payment: { state: 'PENDING' },
  }) as never;
const refused = (code: string, more: object = {}) =>
  new Failure('refused', { httpStatus: 422, errors: [{ code, displayMsg: `No: ${code}`, ...more }] });

let store: ReturnType<typeof createStore>;
let went: unknown[][];
let sent: { readonly body: object; readonly headers: Readonly<Record<string, string>> }[];
/** What the next calls for a code come to; after them each is taken. */
let fates: (object | Failure | Promise<object>)[];
let devices = 0;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  openStorage(`cash-${(devices += 1)}`, () => {});
  [store, went, sent, fates] = [createStore(), [], [], []];
  store.set(countryAtom, countryConfig('in'));
  store.set(hostAtom, { fullMode: true } as never);
  store.set(navigateAtom, { go: (...to) => void went.push(to) });
  store.set(apiAtom, {
    call: async (
      { path }: { path: string },
      input: { body: object },
      options?: { headers: Record<string, string> },
    ) => {
      if (path === contract.codOtp.path) {
        sent.push({ body: input.body, headers: options?.headers ?? {} });
        const fate = await Promise.resolve(fates.shift() ?? {});
        if (fate instanceof Failure) throw fate;
        return { resendInSeconds: 45, ...fate };
      }
      if (path === challenge.ask.path) {
        const target = scryptSync('2', 'salt', 16, { N: 2, r: 8, p: 1 }).toString('hex');
        return { challenge: { token: 'work', salt: 'salt', target, cost: 2, upTo: 5, expiresAt: NOW + 60_000 } };
      }
      return { order: order('ORDER PLACED'), next: null };
    },
  } as unknown as Api);
  store.set(wakeAtom, schemas);
  store.set(nextStepAtom, step());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the code of a cash order', () => {
  test('that was sent with the order may be asked for anew when its time is over, and not before', async () => {
    store.set(journalAtom, { key: 'k', orderId: 'ORD-1', step: 'watching', at: NOW - 10_000 });
    await open(step());
    expect([sent, resendAt(), isSent()]).toEqual([[], NOW + 20_000, true]);
    // A later one that is known of counts.
    store.set(cashCode.sentAtom, { transactionId: TX, resendAt: NOW + 50_000 });
    await open(step(true));
    expect(resendAt()).toBe(NOW + 50_000);
  });

  test('that was not sent yet is asked for at once, and once', async () => {
    store.set(nextStepAtom, step(false));
    expect([isSent(), resendAt()]).toEqual([false, 0]);
    await open(step(false));
    expect([sent.map(({ body }) => body), resendAt()]).toEqual([[{}], NOW + 45_000]);
    expect(isSent()).toBe(true);
    await open(step(false));
    expect(sent).toHaveLength(1);
    store.set(nextStepAtom, { ...step(false), transactionId: 'T-2' });
    expect(isSent()).toBe(false);
    store.set(nextStepAtom, null);
    await store.set(openCashCodeAtom);
    expect([isSent(), store.get(cashCode.sentAtom), sent.length]).toEqual([false, null, 1]);
  });
});

describe('work that the server wants first', () => {
  test('is done, said so, and the call made again with its answer and with what is known of the device', async () => {
    store.set(deviceTokenAtom, 'known-device');
    fates = [refused('CHALLENGE')];
    const shown: unknown[] = [];
    store.sub(toastAtom, () => shown.push(store.get(toastAtom)?.message));
    await store.set(cashCode.send);
    expect(shown).toEqual([errors.proving, undefined]);
    expect(sent.map(({ headers }) => headers)).toEqual([
      { [challenge.DEVICE_HEADER]: 'known-device' },
      { [challenge.DEVICE_HEADER]: 'known-device', [challenge.ANSWER_HEADER]: 'work.2' },
    ]);
    expect([store.get(toastAtom), problem()]).toEqual([null, '']);
  });

  test('is done twice at most, and not for another refusal', async () => {
    fates = [refused('CHALLENGE'), refused('CHALLENGE'), refused('CHALLENGE')];
    await store.set(cashCode.send);
    expect([sent.length, problem()]).toEqual([3, 'No: CHALLENGE']);
    fates = [refused('OTHER')];
    await store.set(cashCode.send);
    expect([sent.length, problem()]).toEqual([4, 'No: OTHER']);
  });

  test('ends when the customer says so, and the call is not made again', async () => {
    fates = [refused('CHALLENGE')];
    const labels: unknown[] = [];
    store.sub(toastAtom, () => {
      const { label, act } = store.get(toastAtom)?.action ?? {};
      if (label) labels.push(label);
      act?.();
    });
    await store.set(cashCode.send);
    expect([labels, sent.length, store.get(toastAtom), store.get(cashCode.busyAtom)]).toEqual([
      [errors.provingStop],
      1,
      null,
      '',
    ]);
  });
});

describe('balances that pay', () => {
  const voucher = (voucherId: string, amount: number) => ({ voucherId, lastFour: '1234', balance: 500, amount });
  const funds = (wallet: number | null, rest: number, ...amounts: number[]) =>
    ({
      wallet: wallet === null ? null : { balance: 500, amount: wallet },
      vouchers: amounts.map((amount, at) => voucher(`V-${at}`, amount)),
      rest,
    }) as never;

  test('are asked for with exactly what was shown, and nothing of those that give nothing', () => {
    expect([wishOf(funds(null, 0)), wishOf(funds(0, 100, 0))]).toEqual([null, null]);
    expect(wishOf(funds(200, 0, 0))).toEqual({ wallet: 200 });
    expect(wishOf(funds(0, 0, 300, 0))).toEqual({ vouchers: [{ voucherId: 'V-0', amount: 300 }] });
    expect(wishOf(funds(1, 0, 2))).toEqual({ wallet: 1, vouchers: [{ voucherId: 'V-0', amount: 2 }] });
  });

  test('pay an order wholly where nothing is left, and then give it its mode', () => {
    expect([wholeModeOf(undefined), wholeModeOf(funds(200, 1)), wholeModeOf(funds(null, 0))]).toEqual([
      null,
      null,
      null,
    ]);
    expect([wholeModeOf(funds(200, 0)), wholeModeOf(funds(200, 0, 5)), wholeModeOf(funds(null, 0, 5))]).toEqual([
      'WALLET',
      'EGV',
      'EGV',
    ]);
    expect(store.get(fundsChoiceAtom)).toEqual({});
  });
});
