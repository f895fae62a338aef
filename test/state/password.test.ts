import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as errors from '#text/errors.ts';
import * as t from '#text/password.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/passwords.ts';
import { addLineAtom, isCartWaitingAtom } from '../../src/state/first/cart.ts';
import { apiAtom, pathAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { refreshConfigAtom } from '../../src/state/base/config.ts';
import { isForgottenAtom } from '../../src/state/people/login.ts';
import { loginCode, mobileAtom, openLoginAtom } from '../../src/state/people/loginCode.ts';
import {
  changeDraftAtom,
  changePasswordAtom,
  choosePasswordAtom,
  forgotPasswordAtom,
  isPasswordOpenAtom,
  isPasswordWayAtom,
  loadStandingAtom,
  passwordAtom,
  passwordCode,
  passwordLoginAtom,
  passwordStandingAtom,
  standingErrorAtom,
} from '../../src/state/people/password.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { isLoggedInAtom, renewSessionAtom, userAtom } from '../../src/state/base/session.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { codeFor, freshMobile, logIn } from '../server/people.ts';
import { fails, openCustomer, type Customer } from './customer.ts';

const GOOD = 'correct horse battery';
let server: TestServer;
beforeAll(async () => {
  // A country that has the flag: a row of configuration.
  Object.assign(countryConfig('in'), { SHOW_LOAGIN_WITH_PASSWORD: true });
  server = await startServer({ settings: { distDir: null } });
});
afterAll(async () => {
  Object.assign(countryConfig('in'), { SHOW_LOAGIN_WITH_PASSWORD: false });
  await server.stop();
});

async function opened(path = '/login'): Promise<Customer> {
  const customer = openCustomer(server);
  await customer.get(apiAtom).ensureSession();
  await customer.set(refreshConfigAtom);
  customer.set(pathAtom, path);
  customer.set(openLoginAtom, new URLSearchParams(path.split('?')[1]), false);
  return customer;
}
/** Somebody who is logged in by a code a moment ago. */
async function member(mobile = freshMobile()) {
  const customer = openCustomer(server);
  customer.set(renewSessionAtom, (await logIn(server, mobile)).reply);
  await customer.set(loadStandingAtom);
  return { customer, mobile };
}
const typed = (change: Partial<{ password: string; current: string; code: string; next: string | null }>) => ({
  password: GOOD,
  current: '',
  code: '',
  next: null,
  ...change,
});
/** Types it all, at the address that leads on from there, and sends it. */
async function change(customer: Customer, { password, current, code, next }: ReturnType<typeof typed>) {
  customer.set(changeDraftAtom, { password, current });
  customer.set(passwordCode.typedAtom, code);
  customer.set(
    pathAtom,
    `/postorder-ui/profile/password${next === null ? '' : `?redirectUrl=${encodeURIComponent(next)}`}`,
  );
  return await customer.set(changePasswordAtom);
}
/** Somebody who has a password. */
async function owner() {
  const { customer, mobile } = await member();
  expect(await change(customer, typed({}))).toBe(true);
  return { customer, mobile };
}

describe('logging in', () => {
  test('the way by password is open where the server says so, and comes after that by code', async () => {
    const customer = openCustomer(server);
    customer.set(choosePasswordAtom, true);
    expect([customer.get(isPasswordOpenAtom), customer.get(isPasswordWayAtom)]).toEqual([false, false]);
    await customer.set(refreshConfigAtom);
    expect([customer.get(isPasswordOpenAtom), customer.get(isPasswordWayAtom)]).toEqual([true, true]);
    customer.set(loginCode.atom, { is: 'refused', problems: { password: 'x' } });
    customer.set(isForgottenAtom, true);
    customer.set(choosePasswordAtom, false);
    expect([
      customer.get(isPasswordWayAtom),
      customer.get(loginCode.problemsAtom),
      customer.get(isForgottenAtom),
    ]).toEqual([false, {}, false]);
  });

  test('a number that is none and a missing password are said at their fields, and nobody is asked', async () => {
    const customer = openCustomer(server);
    for (const [mobile, password, problems] of [
      [' ', GOOD, { to: errors.fieldEmpty }],
      ['98', GOOD, { to: errors.mobileInvalid({ digits: 10 }) }],
      ['9876543210', '', { password: errors.fieldEmpty }],
    ] as const) {
      customer.set(mobileAtom, mobile);
      customer.set(passwordAtom, password);
      expect(await customer.set(passwordLoginAtom)).toBe(false);
      expect([customer.get(loginCode.problemsAtom), customer.calls]).toEqual([problems, []]);
    }
  });

  test('number and password log in once, with the cart of the guest, to where one came from; nothing typed stays', async () => {
    const { mobile } = await owner();
    const customer = await opened('/login?redirectUrl=%2Foffers');
    customer.set(addLineAtom, { productId: 'PZ001', quantity: 1, size: 'R' });
    customer.set(mobileAtom, mobile);
    customer.set(passwordAtom, 'wrong horse battery');
    expect(await customer.set(passwordLoginAtom)).toBe(false);
    expect(customer.get(loginCode.problemsAtom)).toEqual({ password: expect.stringMatching(/\w/) });
    expect([customer.get(passwordAtom), customer.get(loginCode.busyAtom), customer.went]).toEqual([
      'wrong horse battery',
      '',
      [],
    ]);
    customer.set(passwordAtom, GOOD);
    const entering = customer.set(passwordLoginAtom);
    expect([customer.get(loginCode.busyAtom), customer.get(loginCode.problemsAtom)]).toEqual(['check', {}]);
    expect([await customer.set(passwordLoginAtom), await entering]).toEqual([false, true]);
    expect(customer.get(userAtom)).toMatchObject({ mobile, loginType: 'password' });
    expect([customer.get(mobileAtom), customer.get(passwordAtom), customer.get(loginCode.busyAtom)]).toEqual([
      '',
      '',
      '',
    ]);
    expect([customer.went, customer.get(isCartWaitingAtom)]).toEqual([['/offers'], false]);
  });

  test('a failure is said beside the password or over the page; an account that sleeps is offered to be brought back', async () => {
    const customer = await opened();
    customer.set(mobileAtom, freshMobile());
    customer.set(passwordAtom, GOOD);
    for (const kind of ['offline', 'broken'] as const) {
      fails(customer, contract.login, new Failure(kind));
      expect(await customer.set(passwordLoginAtom)).toBe(false);
      expect([Object.keys(customer.get(loginCode.problemsAtom)), customer.get(popupAtom)]).toEqual([
        ['password'],
        null,
      ]);
    }
    fails(customer, contract.login, new Failure('unrefreshed'));
    expect(await customer.set(passwordLoginAtom)).toBe(false);
    expect([customer.get(loginCode.problemsAtom), customer.get(popupAtom)?.message]).toEqual([
      {},
      errors.refreshFailed,
    ]);
    const said = { code: 'ACCOUNT_ASLEEP', displayMsg: 'It sleeps.', btnMsg: 'Wake it' };
    fails(customer, contract.login, new Failure('refused', { errors: [said] }));
    expect(await customer.set(passwordLoginAtom)).toBe(false);
    expect([customer.get(loginCode.problemsAtom), customer.get(popupAtom)]).toMatchObject([
      {},
      { message: 'It sleeps.', right: { label: 'Wake it' } },
    ]);
  });

  test('a forgotten one: a code as for everybody, which leads to where another one is chosen, and from there on', async () => {
    const customer = await opened('/login?redirectUrl=%2Foffers');
    const mobile = freshMobile();
    customer.set(mobileAtom, mobile);
    expect(await customer.set(forgotPasswordAtom)).toBe(true);
    expect([customer.get(isForgottenAtom), customer.get(loginCode.sentAtom)?.mobile]).toEqual([true, mobile]);
    customer.set(loginCode.typedAtom, await codeFor(server, mobile));
    expect(await customer.set(loginCode.check)).toBe(true);
    expect(customer.went.at(-1)).toBe('/postorder-ui/profile/password?redirectUrl=%2Foffers');
    expect([customer.get(isForgottenAtom), customer.get(isLoggedInAtom)]).toEqual([false, true]);
  });
});

describe('setting one', () => {
  test('who has just proven the number needs no other proof; too short, it is told how long', async () => {
    const { customer } = await member();
    expect(customer.get(passwordStandingAtom)).toEqual({ isSet: false, needsProof: false });
    expect(await change(customer, typed({ password: 'short' }))).toBe(false);
    expect(customer.get(passwordCode.problemsAtom)).toEqual({ password: t.hint({ count: 8 }) });
    const setting = change(customer, typed({ next: '/offers' }));
    expect([customer.get(passwordCode.busyAtom), customer.get(passwordCode.problemsAtom)]).toEqual(['check', {}]);
    expect([await change(customer, typed({})), await setting]).toEqual([false, true]);
    expect([customer.get(toastAtom)?.message, customer.replaced, customer.get(passwordCode.busyAtom)]).toEqual([
      t.saved({ count: 0 }),
      ['/offers'],
      '',
    ]);
    expect(customer.get(passwordStandingAtom)).toBeNull();
    await customer.set(loadStandingAtom);
    expect(customer.get(passwordStandingAtom)?.isSet).toBe(true);
    // A path that is none of ours leads to the account.
    expect(await change(customer, typed({ password: `${GOOD}!`, next: '//evil.example' }))).toBe(true);
    expect(customer.replaced).toEqual(['/offers', '/postorder-ui/profile']);
  });

  test('later the one before is the proof: without it or with another one nothing is changed', async () => {
    const { customer } = await owner();
    await server.advance(3_600);
    await customer.set(loadStandingAtom);
    expect(customer.get(passwordStandingAtom)).toEqual({ isSet: true, needsProof: true });
    customer.calls.length = 0;
    expect(await change(customer, typed({ password: 'another horse battery' }))).toBe(false);
    expect([customer.get(passwordCode.problemsAtom), customer.calls]).toEqual([{ current: errors.fieldEmpty }, []]);
    const wish = typed({ password: 'another horse battery', current: 'wrong horse' });
    expect(await change(customer, wish)).toBe(false);
    expect(customer.get(passwordCode.problemsAtom).current).toBeDefined();
    expect(await change(customer, { ...wish, current: GOOD })).toBe(true);
    expect(customer.get(toastAtom)?.message).toBe(t.saved({ count: 0 }));
  });

  test('or a code to the own number is', async () => {
    const { customer, mobile } = await owner();
    await server.advance(3_600);
    await customer.set(loadStandingAtom);
    await customer.set(passwordCode.send);
    expect([customer.get(passwordCode.sentAtom) !== null, customer.get(passwordCode.problemsAtom)]).toEqual([true, {}]);
    const wish = typed({ password: 'another horse battery', code: ' ' });
    expect(await change(customer, wish)).toBe(false);
    expect(customer.get(passwordCode.problemsAtom)).toEqual({ code: errors.fieldEmpty });
    const code = await codeFor(server, mobile);
    expect(await change(customer, { ...wish, code: code === '111111' ? '222222' : '111111' })).toBe(false);
    expect(customer.get(passwordCode.problemsAtom)).toEqual({ code: errors.otpWrong });
    expect(await change(customer, { ...wish, code })).toBe(true);
  });

  test('a proof that is wanted only when it is sent is asked for from then on', async () => {
    const { customer } = await owner();
    await customer.set(loadStandingAtom);
    expect(customer.get(passwordStandingAtom)?.needsProof).toBe(false);
    await server.advance(3_600);
    expect(await change(customer, typed({ password: 'another horse battery' }))).not.toBe(true);
    expect(customer.get(passwordStandingAtom)?.needsProof).toBe(true);
    expect(Object.values(customer.get(passwordCode.problemsAtom))).toEqual([expect.stringMatching(/\w/)]);
  });

  test('what is broken is shown over the page; a standing that cannot be known says why, and a guest has none', async () => {
    const { customer } = await member();
    fails(customer, contract.change, new Failure('unrefreshed'));
    expect(await change(customer, typed({}))).toBe(false);
    expect([customer.get(passwordCode.problemsAtom), customer.get(popupAtom)?.message]).toEqual([
      {},
      errors.refreshFailed,
    ]);
    fails(customer, contract.standing, new Failure('offline'));
    await customer.set(loadStandingAtom);
    expect(customer.get(standingErrorAtom)).toBe(errors.connectionLost);
    const guest = await opened();
    guest.calls.length = 0;
    guest.set(standingErrorAtom, 'x');
    await guest.set(loadStandingAtom);
    expect([guest.calls, guest.get(passwordStandingAtom), guest.get(standingErrorAtom)]).toEqual([[], null, '']);
  });
});
