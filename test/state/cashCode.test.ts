import * as errors from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { createStore } from 'jotai';
import { scryptSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as challenge from '../../src/contract/challenge.ts';
import * as contract from '../../src/contract/payments.ts';
import { cashCode, isCashCodeSentAtom, openCashCodeAtom } from '../../src/state/payment/cashCode.ts';
import { waitOf } from '../../src/state/consent/challenge.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { apiAtom, hostAtom, navigateAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { fundsChoiceAtom, wholeModeOf, wishOf } from '../../src/state/payment/funds.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { nextStepAtom, orderAtom, putOrderAtom } from '../../src/state/orders/orders.ts';
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

  test('of which it is not known whether it was sent is checked all the same', async () => {
    fates = [new Failure('timeout')];
    await open(step(false));
    expect([problem(), isSent()]).toEqual([errors.requestTimeout, false]);
    expect(await store.set(cashCode.type, '123456')).toBe(true);
    expect(sent.map(({ body }) => body)).toEqual([{}, { code: '123456' }]);
  });

  test('one at a time is asked for; a wait is no error, and says how long it is', async () => {
    let answer: (said: object) => void = () => undefined;
    fates = [
      new Promise((done) => {
        answer = done;
      }),
    ];
    const first = store.set(cashCode.send);
    expect(store.get(cashCode.busyAtom)).toBe('send');
    await store.set(cashCode.send);
    answer({});
    await first;
    expect([sent.length, store.get(cashCode.busyAtom)]).toEqual([1, '']);
    fates = [refused('OTP_WAIT', { waitSeconds: 12 }), refused('OTP_WAIT'), refused('OTP_LIMIT')];
    await store.set(cashCode.send);
    expect([resendAt(), problem()]).toEqual([NOW + 12_000, '']);
    await open({ ...step(false), transactionId: 'T-2' });
    expect([resendAt(), isSent()]).toEqual([NOW + 30_000, true]);
    await open({ ...step(false), transactionId: 'T-3' });
    expect([problem(), isSent()]).toEqual(['No: OTP_LIMIT', false]);
    await store.set(cashCode.send);
    expect(problem()).toBe('');
  });

  test('is sent as soon as six digits of any script are there, once for what was typed, and leads to the order', async () => {
    store.set(putOrderAtom, order('PENDING'));
    expect(await store.set(cashCode.type, '12 3')).toBe(false);
    expect([store.get(cashCode.typedAtom), sent]).toEqual(['123', []]);
    expect(await store.set(cashCode.check)).toBe(false);
    expect([problem(), sent]).toEqual([t.codeShort, []]);
    fates = [refused('OTP_WRONG')];
    expect(await store.set(cashCode.type, '१२३४५६')).toBe(false);
    expect([problem(), store.get(cashCode.typedAtom), store.get(cashCode.busyAtom)]).toEqual([
      'No: OTP_WRONG',
      '123456',
      '',
    ]);
    expect(await store.set(cashCode.type, '123456')).toBe(false);
    expect([sent.map(({ body }) => body), went]).toEqual([[{ code: '123456' }], []]);
    expect(await store.set(cashCode.type, '6543219')).toBe(true);
    expect(sent.at(-1)!.body).toEqual({ code: '654321' });
    expect([store.get(cashCode.typedAtom), problem(), went]).toEqual(['', '', [['/order/ORD-1', { replace: true }]]]);
    expect((store.get(orderAtom) as { orderStatus: string } | null)?.orderStatus).toBe('ORDER PLACED');
  });

  test('is taken from its SMS where it is still waited for, and a new wait ends the one before', async () => {
    const asked: { signal: AbortSignal; answer(said: unknown): void }[] = [];
    vi.stubGlobal('OTPCredential', function OTPCredential() {});
    vi.stubGlobal('navigator', {
      credentials: {
        get: ({ signal }: { signal: AbortSignal }) =>
          new Promise((answer, fail) => {
            signal.addEventListener('abort', () => fail(new Error('aborted')));
            asked.push({ signal, answer });
          }),
      },
    });
    store.set(nextStepAtom, null);
    expect(await store.set(cashCode.listen, () => true)).toBe(false);
    store.set(nextStepAtom, step());
    const first = store.set(cashCode.listen, () => true);
    const second = store.set(cashCode.listen, () => true);
    await first;
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    store.set(nextStepAtom, { ...step(), transactionId: 'T-2' });
    asked[1]!.answer({ code: '111111' });
    expect([await second, sent]).toEqual([false, []]);
    const third = store.set(cashCode.listen, () => false);
    asked[2]!.answer({ code: '333333' });
    expect([await third, sent]).toEqual([false, []]);
    const fourth = store.set(cashCode.listen, () => true);
    asked[3]!.answer({ code: '222222' });
    expect([await fourth, sent.map(({ body }) => body)]).toEqual([true, [{ code: '222222' }]]);
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

  test('a refusal says how long to wait, or the usual time is taken', () => {
    expect([waitOf(refused('A', { waitSeconds: 7 }), 30), waitOf(refused('A'), 30), waitOf(null, 30)]).toEqual([
      7, 30, 30,
    ]);
    expect([waitOf(new Failure('offline'), 30), waitOf('text', 30)]).toEqual([30, 30]);
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
