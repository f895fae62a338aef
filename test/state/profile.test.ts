import { describe, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import * as t from '#text/account.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/profile.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import {
  backToNumberAtom,
  emailCode,
  emailSentAtom,
  isEmailOpenAtom,
  isProfileTypedAtom,
  newNumberAtom,
  numberCode,
  oldCodeAtom,
  openEmailAtom,
  profileState,
  profileTask,
  saveProfileAtom,
  typedProfileAtom,
  typeOldCodeAtom,
  typeProfileAtom,
} from '../../src/state/people/profile.ts';
import { renewSessionAtom, userAtom } from '../../src/state/base/session.ts';
import { startServer } from '../kit/server.ts';
import { codeFor, freshMobile, logIn } from '../server/people.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

const ASHA = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.in' };
const NOBODY = { firstName: '', lastName: '', email: '' };
const PROFILE = '/postorder-ui/profile';

/** Somebody who is logged in, with the profile that is given. */
async function known(profile?: typeof ASHA, mobile = freshMobile()) {
  const customer = openCustomer(server);
  customer.set(renewSessionAtom, (await logIn(server, mobile)).reply);
  if (profile) await customer.get(apiAtom).call(contract.update, { body: profile });
  await customer.set(profileState.load);
  return { customer, mobile };
}
function type(customer: Customer, profile: Partial<typeof ASHA>): void {
  for (const [field, text] of Object.entries(profile)) customer.set(typeProfileAtom, field as keyof typeof ASHA, text);
}
const wrongOf = (code: string) => (code === '111111' ? '222222' : '111111');
const codeByEmail = async (email: string) => /\d{6}/.exec((await server.inbox(email))[0] ?? '')![0];

describe('names and email', () => {
  test('what is typed is saved without the white space around it, said, and followed by the checkout where it said the same', async () => {
    const { customer, mobile } = await known();
    expect([customer.get(typedProfileAtom), customer.get(isProfileTypedAtom)]).toEqual([NOBODY, false]);
    customer.set(detailAtom, { fName: '', lName: 'Iyer', mobNo: mobile, email: '' });
    type(customer, { ...ASHA, firstName: ' Asha ' });
    expect([customer.get(typedProfileAtom), customer.get(isProfileTypedAtom)]).toEqual([
      { ...ASHA, firstName: ' Asha ' },
      true,
    ]);
    const saving = customer.set(saveProfileAtom);
    expect(customer.get(profileTask.busyAtom)).toBe('send');
    // A second tap meanwhile is none.
    expect(await customer.set(saveProfileAtom)).toBe(false);
    expect(await saving).toBe(true);
    expect(customer.calls.filter((path) => path === contract.update.path)).toHaveLength(1);
    expect(customer.get(userAtom)).toMatchObject(ASHA);
    expect([customer.get(profileTask.busyAtom), customer.get(isProfileTypedAtom)]).toEqual(['', false]);
    expect([customer.get(toastAtom)?.message, customer.replaced]).toEqual([t.profileSaved, [PROFILE]]);
    // Lakshmi Iyer is somebody else, for whom this order is.
    expect(customer.get(detailAtom)).toEqual({
      fName: 'Asha',
      lName: 'Iyer',
      mobNo: mobile,
      email: 'asha@example.in',
    });
  });

  test('nothing changed is said of the whole, which no field is wrong with, until something is typed', async () => {
    const { customer } = await known(ASHA);
    expect(await customer.set(saveProfileAtom)).toBe(false);
    expect(customer.get(profileTask.problemsAtom)).toEqual({ form: errors.nothingChanged });
    type(customer, { lastName: 'Raos' });
    expect(customer.get(profileTask.problemsAtom)).toEqual({});
  });

  test('what the server finds wrong stands beside its field', async () => {
    const { customer } = await known();
    type(customer, ASHA);
    const list = [
      { code: 'X', displayMsg: 'No such name.', field: 'lastName' },
      { code: 'Y', displayMsg: 'Of no field.', field: 'mobile' },
    ];
    fails(customer, contract.update, new Failure('refused', { errors: list }));
    expect(await customer.set(saveProfileAtom)).toBe(false);
    expect(customer.get(profileTask.problemsAtom)).toEqual({ lastName: 'No such name.' });
    expect(customer.get(popupAtom)).toBeNull();
  });
});

describe("the email's code", () => {
  let count = 0;
  const fresh = () => ({ ...ASHA, email: `asha.${process.pid}.${(count += 1)}@example.in` });

  test('opening its sheet sends one code, which confirms the email once its six digits are there', async () => {
    const profile = fresh();
    const { customer } = await known(profile);
    await customer.set(openEmailAtom);
    expect(customer.get(emailSentAtom)).toMatchObject({ email: profile.email, sendsLeft: 2 });
    // Opened again while that one is good, it sends no other.
    await customer.set(openEmailAtom);
    expect(await server.inbox(profile.email)).toHaveLength(1);

    const code = await codeByEmail(profile.email);
    expect(await customer.set(emailCode.type, wrongOf(code))).toBe(false);
    expect(customer.get(emailCode.problemsAtom).code).toBe(errors.otpWrong);
    expect(await customer.set(emailCode.type, code)).toBe(true);
    expect(customer.get(userAtom)?.emailVerified).toBe(true);
    expect([customer.get(isEmailOpenAtom), customer.get(emailSentAtom), customer.get(toastAtom)?.message]).toEqual([
      false,
      null,
      t.emailConfirmed,
    ]);
  });

  test('nothing typed is said, nothing is sent to no email, and a code is of the email that it went to', async () => {
    const { customer } = await known();
    await customer.set(openEmailAtom);
    expect(customer.calls).not.toContain(contract.sendEmailCode.path);
    expect(customer.get(emailSentAtom)).toBeNull();

    const { customer: other } = await known(fresh());
    await other.set(emailCode.send);
    expect(other.get(emailSentAtom)).not.toBeNull();
    expect(await other.set(emailCode.check)).toBe(false);
    expect(other.get(emailCode.problemsAtom)).toEqual({ code: errors.fieldEmpty });
    type(other, { email: fresh().email });
    expect(await other.set(saveProfileAtom)).toBe(true);
    expect(other.get(emailSentAtom)).toBeNull();
  });
});

describe('the number', () => {
  async function asked(now = freshMobile(), to = freshMobile()) {
    const { customer } = await known(ASHA, now);
    // The code of the login was sent a moment ago.
    await server.advance(31);
    customer.set(newNumberAtom, to);
    expect(await customer.set(numberCode.send)).toBe(true);
    return { customer, now, to, oldCode: await codeFor(server, now), newCode: await codeFor(server, to) };
  }

  test('both codes change it: the checkout follows, who else was logged in is counted, and nothing of it is left', async () => {
    const { customer, now, to, oldCode, newCode } = await asked();
    customer.set(detailAtom, { fName: 'Asha', lName: 'Rao', mobNo: now, email: 'asha@example.in' });
    expect(await customer.set(numberCode.check)).toBe(false);
    expect(customer.get(numberCode.problemsAtom)).toEqual({ code: errors.fieldEmpty, oldCode: errors.fieldEmpty });
    void customer.set(numberCode.type, newCode);
    customer.set(typeOldCodeAtom, wrongOf(oldCode));
    expect(await customer.set(numberCode.check)).toBe(false);
    expect(customer.get(numberCode.problemsAtom)).toEqual({ oldCode: errors.otpWrong });
    void customer.set(numberCode.type, wrongOf(newCode));
    customer.set(typeOldCodeAtom, oldCode);
    expect(await customer.set(numberCode.check)).toBe(false);
    expect(customer.get(numberCode.problemsAtom)).toEqual({ code: errors.otpWrong });

    void customer.set(numberCode.type, newCode);
    expect(await customer.set(numberCode.check)).toBe(true);
    expect([customer.get(userAtom)?.mobile, customer.get(detailAtom).mobNo]).toEqual([to, to]);
    expect([customer.get(toastAtom)?.message, customer.replaced]).toEqual([t.numberChanged({ count: 0 }), [PROFILE]]);
    expect([
      customer.get(newNumberAtom),
      customer.get(numberCode.sentAtom),
      customer.get(numberCode.typedAtom),
      customer.get(oldCodeAtom),
    ]).toEqual(['', null, '', '']);
  });

  test('one send at a time, the new number first; codes of a moment ago are as good; going back keeps the number', async () => {
    const { customer, to } = await asked();
    customer.calls.length = 0;
    const sending = customer.set(numberCode.send);
    expect(customer.get(numberCode.busyAtom)).toBe('send');
    expect(await customer.set(numberCode.send)).toBe(false);
    expect(await sending).toBe(true);
    expect(customer.calls).toEqual([contract.sendNumberCode.path, contract.sendNumberCode.path]);
    expect(customer.get(numberCode.sentAtom)).toMatchObject({ mobile: to, sendsLeft: 2 });
    void customer.set(numberCode.type, '123');
    customer.set(backToNumberAtom);
    expect([
      customer.get(numberCode.sentAtom),
      customer.get(numberCode.typedAtom),
      customer.get(newNumberAtom),
    ]).toEqual([null, '', to]);
    // Without codes there is nothing to check.
    expect(await customer.set(numberCode.check)).toBe(false);
  });

  test('another code can be asked for once that is so for both numbers, and as often as for the one with fewer left', async () => {
    const { customer } = await known(ASHA);
    await server.advance(31);
    const api = customer.get(apiAtom);
    customer.set(apiAtom, {
      ...api,
      call: (async (endpoint, input, options) => {
        const reply = (await api.call(endpoint, input, options)) as object;
        const isOld = (input as unknown as { body: { to: string } }).body.to === 'OLD';
        return isOld ? { ...reply, resendInSeconds: 90, sendsLeft: 1 } : reply;
      }) as Api['call'],
    });
    customer.set(newNumberAtom, freshMobile());
    expect(await customer.set(numberCode.send)).toBe(true);
    expect(customer.get(numberCode.sentAtom)!.sendsLeft).toBe(1);
    expect(customer.get(numberCode.sentAtom)!.resendAt - Date.now()).toBeGreaterThan(60_000);
  });

  test('the own number is refused beside it, before any code to it', async () => {
    const { customer, mobile } = await known(ASHA);
    await server.advance(31);
    customer.set(newNumberAtom, mobile);
    expect(await customer.set(numberCode.send)).toBe(false);
    expect(customer.get(numberCode.problemsAtom)).toEqual({ to: serverText.numberSame });
    expect([customer.get(numberCode.sentAtom), customer.get(numberCode.busyAtom)]).toEqual([null, '']);
  });

  test("somebody else's number leads back to another one, with the reason", async () => {
    const taken = freshMobile();
    await logIn(server, taken);
    await server.advance(31);
    const { customer, oldCode, newCode } = await asked(undefined, taken);
    customer.set(typeOldCodeAtom, oldCode);
    void customer.set(numberCode.type, newCode);
    expect(await customer.set(numberCode.check)).toBe(false);
    expect(customer.get(numberCode.problemsAtom)).toEqual({ to: serverText.numberTaken });
    expect([customer.get(numberCode.sentAtom), customer.get(newNumberAtom)]).toEqual([null, taken]);
  });
});
