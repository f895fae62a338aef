import * as errors from '#text/errors.ts';
import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as copy from '../../src/contract/copy.ts';
import * as deletion from '../../src/contract/deletion.ts';
import * as favourites from '../../src/contract/favouriteOrders.ts';
import { copyAccess, copyAtom, copyName, copyCode, makeCopyNowAtom } from '../../src/state/people/copy.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import {
  deletionCode,
  deleteNumberlessAtom,
  handedOverAtom,
  isMoneyGivenUpAtom,
  sleepsUntilAtom,
  standingState,
} from '../../src/state/people/deletion.ts';
import { isEasyAtom, oneTapOrdersAtom, oneTapState } from '../../src/state/orders/favouriteOrders.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { apiAtom, hostAtom } from '../../src/state/first/seams.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { schemas } from '../../src/state/schemas.ts';
import { sessionAtom } from '../../src/state/base/session.ts';

let store: ReturnType<typeof createStore>;
/** Every call, and how each is answered: a failure is thrown. */
let calls: { readonly path: string; readonly input: object }[];
let answers: Map<string, unknown>;
let devices = 0;
beforeEach(() => {
  openStorage(`leaving-${(devices += 1)}`, () => {});
  [store, calls, answers] = [createStore(), [], new Map()];
  store.set(countryAtom, countryConfig('in'));
  store.set(hostAtom, { fullMode: true } as never);
  store.set(apiAtom, {
    ensureSession: async () => {},
    call: async ({ method, path }: { method: string; path: string }, input: object) => {
      calls.push({ path: `${method} ${path}`, input });
      const answer = answers.get(`${method} ${path}`);
      if (answer instanceof Failure) throw answer;
      return answer ?? {};
    },
  } as unknown as Api);
  store.set(wakeAtom, schemas);
});
afterEach(() => void vi.unstubAllGlobals());
interface Named {
  readonly method: string;
  readonly path: string;
}
const nameOf = ({ method, path }: Named) => `${method} ${path}`;
const answer = (endpoint: Named, said: unknown) => answers.set(nameOf(endpoint), said);
const to = (endpoint: Named) => calls.filter(({ path }) => path === nameOf(endpoint)).map(({ input }) => input);
const refused = (code: string, more: object = {}) =>
  new Failure('refused', { httpStatus: 422, errors: [{ code, displayMsg: `No: ${code}`, ...more }] });
const logIn = () =>
  store.set(sessionAtom, { credentials: { refreshToken: 'r' }, attributes: { userId: 'U-1' } } as never);

test('an account is put to sleep by a code, with the money that was given up, and the device forgets it', async () => {
  logIn();
  answer(deletion.look, { standing: { wallet: 500 } });
  await store.set(standingState.load);
  store.set(deletionCode.sentAtom, { resendAt: 1 });
  expect(await store.set(deletionCode.check)).toBe(false);
  expect([store.get(deletionCode.problemsAtom), to(deletion.ask)]).toEqual([{ code: errors.fieldEmpty }, []]);
  await store.set(deletionCode.type, '123456');
  for (const code of ['ORDER_OPEN', 'BALANCE_LEFT', 'OTP_WRONG']) {
    store.set(isMoneyGivenUpAtom, code !== 'OTP_WRONG');
    answer(deletion.ask, refused(code));
    expect(await store.set(deletionCode.check)).toBe(false);
    expect([store.get(deletionCode.problemsAtom).code, store.get(isMoneyGivenUpAtom)]).toEqual([`No: ${code}`, false]);
  }
  // What stands in the way is looked at anew, but not for a code that is wrong.
  expect([to(deletion.look).length, to(deletion.ask).at(0), to(deletion.ask).at(-1)]).toEqual([
    3,
    { body: { code: '123456', giveUp: 500 } },
    { body: { code: '123456' } },
  ]);
  answer(deletion.ask, { deletesAt: 99, vouchers: [{ number: '1' }] });
  expect(await store.set(deletionCode.check)).toBe(true);
  expect([store.get(sleepsUntilAtom), store.get(handedOverAtom), store.get(sessionAtom)]).toEqual([
    99,
    [{ number: '1' }],
    null,
  ]);
});

test('one without a number needs no code; what goes wrong is said', async () => {
  logIn();
  answer(deletion.ask, refused('ORDER_OPEN'));
  store.set(isMoneyGivenUpAtom, true);
  await store.set(deleteNumberlessAtom);
  expect([store.get(popupAtom), store.get(sleepsUntilAtom)]).toMatchObject([{ message: 'No: ORDER_OPEN' }, null]);
  answer(deletion.ask, { deletesAt: 99 });
  await store.set(deleteNumberlessAtom);
  expect([to(deletion.ask), store.get(sleepsUntilAtom), store.get(handedOverAtom)]).toEqual([
    [{ body: {} }, { body: {} }],
    99,
    [],
  ]);
});

test('a copy of what is known is made with a code, or by a login of just now; its file has the day in its name', async () => {
  const made = { madeAt: Date.UTC(2026, 10, 22, 23) } as never;
  expect(copyName(made)).toBe('golden-oven-my-data-2026-11-22.json');
  answer(copy.make, { copy: made });
  await store.set(copyCode.type, '123456');
  store.set(copyCode.sentAtom, { resendAt: 1 });
  expect(await store.set(copyCode.check)).toBe(true);
  expect([to(copy.make), store.get(copyAtom), store.get(copyCode.sentAtom)]).toEqual([
    [{ body: { code: '123456' } }],
    made,
    null,
  ]);
  const [first, second] = [store.set(makeCopyNowAtom), store.set(makeCopyNowAtom)];
  expect(store.get(copyCode.busyAtom)).toBe('make');
  await Promise.all([first, second]);
  expect([to(copy.make).slice(1), store.get(copyCode.busyAtom)]).toEqual([[{ body: {} }], '']);
  // The login has grown old: whether a code is needed is asked anew.
  answer(copy.make, refused('LOGIN_OLD'));
  answer(copy.look, { isCodeNeeded: true });
  await store.set(makeCopyNowAtom);
  expect([store.get(copyAccess.atom).data, store.get(popupAtom), store.get(copyCode.busyAtom)]).toMatchObject([
    { isCodeNeeded: true },
    { message: 'No: LOGIN_OLD' },
    '',
  ]);
});

test('three orders are offered in one tap: what fits the hour first, each once', async () => {
  const cards = (...ids: string[]) => ids.map((orderId) => ({ orderId }));
  const offered = async (easy: object | null, kept: readonly object[]) => {
    answer(favourites.easy, { favourite: easy });
    answer(favourites.summary, { orderSummary: kept });
    await store.set(oneTapState.load);
    return [
      store
        .get(oneTapOrdersAtom)
        .map(({ orderId }) => orderId)
        .join(''),
      store.get(isEasyAtom),
    ];
  };
  expect([store.get(oneTapOrdersAtom), store.get(isEasyAtom)]).toEqual([[], false]);
  expect(await offered({ orderId: 'B' }, cards('A', 'B', 'C', 'D'))).toEqual(['BAC', true]);
  expect(await offered(null, cards('A', 'B', 'C', 'D'))).toEqual(['ABC', false]);
  expect(await offered({ orderId: 'B' }, [])).toEqual(['B', true]);
});
