import * as errors from '#text/errors.ts';
import { createStore } from 'jotai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { Failure } from '../../src/api/failure.ts';
import { codeDigits, codeProblem, CodeSent, oneTimeCode, waitLeft } from '../../src/state/consent/oneTimeCode.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { kept, openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { hostAtom } from '../../src/state/first/seams.ts';
import { customerAtom, forgetCustomerAtom } from '../../src/state/lib/forget.ts';
import { schemas } from '../../src/state/schemas.ts';

// The server is a list of answers here: what each noun sends and checks is tried with it in the noun's own test.

const NOW = Date.UTC(2026, 10, 29, 12);
const refused = (code: string, more: object = {}) =>
  new Failure('refused', { httpStatus: 422, errors: [{ code, displayMsg: `No: ${code}`, ...more }] });

let store: ReturnType<typeof createStore>;
let asked: string[];
/** What the next calls come to; after them each is taken. */
let fates: Failure[];
const answer = async (call: string) => {
  asked.push(call);
  const fate = fates.shift();
  if (fate) throw fate;
  return { resendInSeconds: 30, sendsLeft: 2 };
};

const Sent = z.nullable(z.extend(CodeSent, { mobile: z.string() }));
const numberAtom = customerAtom('98');
interface To {
  readonly mobile: string;
}
const common: Pick<Parameters<typeof oneTimeCode<To>>[0], 'to' | 'send' | 'check'> = {
  to: (get) => ({ mobile: get(numberAtom) }),
  send: (_get, ask, { mobile }, isAgain) => ask(() => answer(`${isAgain ? 'again' : 'send'} ${mobile}`)),
  check: async (_get, _set, prove, code) => {
    await prove(() => answer(code));
  },
};
const code = oneTimeCode<To>({
  ...common,
  sentAtom: kept({ key: 'test-code', schema: Sent, initial: null, forget: 'logout' }),
  wrongTo: (get) => ({ to: get(numberAtom) === '' ? errors.fieldEmpty : '' }),
});
const problems = () => store.get(code.problemsAtom);
const openPage = () => {
  store = createStore();
  store.set(hostAtom, { fullMode: true } as never);
  store.set(wakeAtom, schemas);
};

let devices = 0;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  openStorage(`code-${(devices += 1)}`, () => {});
  [asked, fates] = [[], []];
  openPage();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a one-time code', () => {
  test('is sent, typed and checked, and forgotten then', async () => {
    store.set(numberAtom, '');
    expect([await store.set(code.send), problems(), asked]).toEqual([false, { to: errors.fieldEmpty }, []]);
    store.set(numberAtom, '98');
    expect(await store.set(code.check)).toBe(false);
    expect(await store.set(code.send)).toBe(true);
    expect(store.get(code.sentAtom)).toEqual({ mobile: '98', resendAt: NOW + 30_000, waitMs: 30_000, sendsLeft: 2 });
    expect(await store.set(code.type, '12345')).toBe(false);
    expect(asked).toEqual(['send 98']);
    // Six digits are checked by themselves.
    expect(await store.set(code.type, '123456')).toBe(true);
    expect([asked.slice(1), store.get(code.sentAtom), store.get(code.typedAtom)]).toEqual([['123456'], null, '']);
  });

  test('is sent again after its time, to where it went before; one of a moment ago is still good', async () => {
    await store.set(code.send);
    await store.set(code.type, '12');
    store.set(numberAtom, '77');
    fates = [refused('OTP_WAIT', { waitSeconds: 12 })];
    expect(await store.set(code.again)).toBe(true);
    // It is no failure, what was typed stays, and the time until the next one is known.
    expect([problems(), store.get(code.typedAtom)]).toEqual([{}, '12']);
    expect(store.get(code.sentAtom)).toEqual({ mobile: '98', resendAt: NOW + 12_000, waitMs: 12_000, sendsLeft: 2 });
    vi.setSystemTime(NOW + 31_000);
    expect(await store.set(code.again)).toBe(true);
    expect([store.get(code.sentAtom)!.resendAt, store.get(code.typedAtom)]).toEqual([NOW + 61_000, '']);
    expect(asked).toEqual(['send 98', 'again 98', 'again 98']);
    // Another number needs another code; how many more there may be is not known of one that only waits.
    fates = [refused('OTP_WAIT')];
    expect(await store.set(code.send)).toBe(true);
    expect(store.get(code.sentAtom)).toEqual({
      mobile: '77',
      resendAt: NOW + 61_000,
      waitMs: 30_000,
      sendsLeft: undefined,
    });
  });

  test("has the next one asked for after the server's own wait at most, wherever the phone's clock is put meanwhile", async () => {
    const left = () => waitLeft(store.get(code.sentAtom)!);
    await store.set(code.send);
    vi.setSystemTime(NOW - 86_400_000);
    expect(left()).toBe(30_000);
    vi.setSystemTime(NOW + 12_000);
    expect(left()).toBe(18_000);
    vi.setSystemTime(NOW + 86_400_000);
    expect(left()).toBe(0);
  });

  test.each(['OTP_WRONG', 'OTP_EXPIRED', 'OTP_TRIES'])('that is refused (%s) stays to be typed over', async (why) => {
    await store.set(code.send);
    fates = [refused(why)];
    expect(await store.set(code.type, '111111')).toBe(false);
    expect([problems(), store.get(code.typedAtom)]).toEqual([{ code: `No: ${why}` }, '111111']);
    // The same digits again are not tried again, and typing takes the sentence away.
    expect(await store.set(code.type, '111111')).toBe(false);
    await store.set(code.type, '11111');
    expect([problems(), asked.length]).toEqual([{}, 2]);
    expect(await store.set(code.again)).toBe(true);
    expect(await store.set(code.type, '222222')).toBe(true);
  });

  test('of which too many were asked for says so: beside the number at first, beside the code later', async () => {
    fates = [refused('OTP_LIMIT')];
    expect([await store.set(code.send), problems(), store.get(code.sentAtom)]).toEqual([
      false,
      { to: 'No: OTP_LIMIT' },
      null,
    ]);
    await store.set(code.send);
    fates = [refused('OTP_LIMIT')];
    expect([await store.set(code.again), problems()]).toEqual([false, { code: 'No: OTP_LIMIT' }]);
    expect(store.get(code.sentAtom)).not.toBeNull();
  });

  test('may be pasted with the words around it, in any script; what is none is told', () => {
    expect(codeDigits('Your code: १२३ ४५६. Valid for')).toBe('123456');
    expect(['', ' ', '123', '123456'].map((typed) => codeProblem(typed))).toEqual([
      errors.fieldEmpty,
      errors.fieldEmpty,
      errors.otpWrong,
      '',
    ]);
    expect(['', '12', '123456'].map((typed) => codeProblem(typed, () => 'Six, please.'))).toEqual([
      'Six, please.',
      'Six, please.',
      '',
    ]);
  });

  test('survives a killed page, with the time of the next one; a logout forgets it', async () => {
    await store.set(code.send);
    openPage();
    expect(store.get(code.sentAtom)).toEqual({ mobile: '98', resendAt: NOW + 30_000, waitMs: 30_000, sendsLeft: 2 });
    expect(await store.set(code.type, '123456')).toBe(true);
    await store.set(code.send);
    store.set(forgetCustomerAtom);
    expect(store.get(code.sentAtom)).toBeNull();
  });

  test.each([
    ['left', () => store.set(code.leave)],
    ['logged out of', () => store.set(forgetCustomerAtom)],
  ])('whose page is %s while it is sent does not come back, and another one can be asked for', async (_, end) => {
    let arrive = () => {};
    const slow = oneTimeCode<To>({
      ...common,
      sentAtom: code.sentAtom,
      send: async (_get, ask, { mobile }) => {
        await new Promise<void>((done) => {
          arrive = done;
        });
        return await ask(() => answer(`send ${mobile}`));
      },
    });
    const sending = store.set(slow.send);
    end();
    store.set(slow.leave);
    expect(store.get(slow.busyAtom)).toBe('');
    arrive();
    expect([await sending, store.get(slow.sentAtom)]).toEqual([false, null]);
  });

  test('is taken from its SMS while its field is there, unless another one was sent meanwhile', async () => {
    const answers: ((credential: object) => void)[] = [];
    vi.stubGlobal('OTPCredential', Object);
    vi.stubGlobal('navigator', { credentials: { get: () => new Promise((done) => answers.push(done)) } });
    const listen = (isShown: boolean) => store.set(code.listen, () => isShown);
    expect(await listen(true)).toBe(false);
    await store.set(code.send);
    const gone = listen(false);
    answers[0]!({ code: '111111' });
    expect([await gone, asked]).toEqual([false, ['send 98']]);
    const late = listen(true);
    vi.setSystemTime(NOW + 31_000);
    await store.set(code.again);
    answers[1]!({ code: '222222' });
    expect([await late, asked.length]).toEqual([false, 2]);
    const last = listen(true);
    answers[2]!({ code: '333333' });
    expect([await last, asked[2]]).toEqual([true, '333333']);
  });

  test('that cannot be checked is said over the page where the answer was broken, or beside it where a noun wishes it', async () => {
    await store.set(code.send);
    fates = [new Failure('broken')];
    expect([await store.set(code.type, '123456'), problems(), store.get(popupAtom)?.message]).toEqual([
      false,
      {},
      errors.internalServerError,
    ]);
    store.set(popupAtom, null);
    const beside = oneTimeCode<To>({ ...common, staysBeside: true, noCode: () => 'Six, please.' });
    await store.set(beside.send);
    expect([await store.set(beside.check), store.get(beside.problemsAtom)]).toEqual([false, { code: 'Six, please.' }]);
    fates = [new Failure('broken')];
    expect([await store.set(beside.type, '123456'), store.get(beside.problemsAtom), store.get(popupAtom)]).toEqual([
      false,
      { code: errors.internalServerError },
      null,
    ]);
  });

  test('waits for a button where more is sent with it; one that is tied to its page is not good on another', async () => {
    const tied = oneTimeCode<To, 'pin'>({
      ...common,
      isSentByButton: true,
      isTied: true,
      saysWait: true,
      wrongBeside: () => ({ pin: 'None.' }),
    });
    fates = [refused('OTP_WAIT', { waitSeconds: 9 })];
    expect([await store.set(tied.send), store.get(tied.sentAtom)]).toEqual([false, null]);
    await store.set(tied.send);
    fates = [refused('OTP_WAIT', { waitSeconds: 9 })];
    // Where it is to be said, it is said beside the code.
    expect([await store.set(tied.again), store.get(tied.problemsAtom)]).toEqual([false, { code: 'No: OTP_WAIT' }]);
    expect(store.get(tied.sentAtom)).toEqual({ mobile: '98', resendAt: NOW + 9000, waitMs: 9000, sendsLeft: 2 });
    expect([await store.set(tied.type, '123456'), asked.length]).toEqual([false, 3]);
    expect([await store.set(tied.check), store.get(tied.problemsAtom)]).toEqual([false, { pin: 'None.' }]);
  });
});
