import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import * as t from '#text/account.ts';
import type { Api } from '../../src/api/client.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/profile.ts';
import { detailAtom } from '../../src/state/checkout.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { popupAtom } from '../../src/state/popup.ts';
import {
  backToNumberAtom,
  changeNumberAtom,
  changedProfileAtom,
  checkEmailCodeAtom,
  dropProfileAtom,
  emailCodeAtom,
  emailErrorAtom,
  emailSentAtom,
  isEmailBusyAtom,
  isEmailOpenAtom,
  isNumberBusyAtom,
  isProfileBusyAtom,
  isProfileTypedAtom,
  newNumberAtom,
  numberCodesAtom,
  numberErrorsAtom,
  numberSentAtom,
  openEmailAtom,
  profileErrorsAtom,
  profileState,
  saveProfileAtom,
  sendEmailCodeAtom,
  sendNumberCodesAtom,
  typedProfileAtom,
  typeEmailCodeAtom,
  typeNumberAtom,
  typeNumberCodeAtom,
  typeProfileAtom,
} from '../../src/state/profile.ts';
import { renewSessionAtom, userAtom } from '../../src/state/session.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { codeFor, freshMobile, logIn } from '../server/people.ts';
import { fails, openCustomer, type Customer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
});
afterAll(() => server.stop());

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
const emailCode = async (email: string) => /\d{6}/.exec((await server.inbox(email))[0] ?? '')![0];

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
    expect(customer.get(isProfileBusyAtom)).toBe(true);
    // A second tap meanwhile is none.
    expect(await customer.set(saveProfileAtom)).toBe('');
    expect(await saving).toBe('');
    expect(customer.calls.filter((path) => path === contract.update.path)).toHaveLength(1);
    expect(customer.get(userAtom)).toMatchObject(ASHA);
    expect([customer.get(isProfileBusyAtom), customer.get(isProfileTypedAtom)]).toEqual([false, false]);
    expect([customer.get(toastAtom)?.message, customer.replaced]).toEqual([t.profileSaved, [PROFILE]]);
    // Lakshmi Iyer is somebody else, for whom this order is.
    expect(customer.get(detailAtom)).toEqual({
      fName: 'Asha',
      lName: 'Iyer',
      mobNo: mobile,
      email: 'asha@example.in',
    });
  });

  test('each wrong field is named, the first is looked at, and typing takes its words away alone', async () => {
    const { customer } = await known();
    type(customer, { firstName: 'Asha', email: 'asha@x' });
    const before = customer.calls.length;
    expect(await customer.set(saveProfileAtom)).toBe('lastName');
    expect(customer.get(profileErrorsAtom)).toEqual({ lastName: errors.lastNameMissing, email: errors.emailInvalid });
    expect(customer.calls).toHaveLength(before);
    type(customer, { lastName: 'R' });
    expect(customer.get(profileErrorsAtom)).toEqual({ email: errors.emailInvalid });
    customer.set(dropProfileAtom);
    expect([customer.get(profileErrorsAtom), customer.get(typedProfileAtom)]).toEqual([{}, NOBODY]);
  });

  test('nothing changed is said of the whole, which no field is wrong with, until something is typed', async () => {
    const { customer } = await known(ASHA);
    expect(await customer.set(saveProfileAtom)).toBe('');
    expect(customer.get(profileErrorsAtom)).toEqual({ form: errors.nothingChanged });
    type(customer, { lastName: 'Raos' });
    expect(customer.get(profileErrorsAtom)).toEqual({});
  });

  test('what was typed outlives a reload, and is what it was typed over until it is saved', async () => {
    const { customer } = await known(ASHA);
    type(customer, { lastName: 'Iyer' });
    const again = openCustomer(server, { device: customer.device });
    expect(again.get(typedProfileAtom)).toEqual({ ...ASHA, lastName: 'Iyer' });
    expect(await again.set(saveProfileAtom)).toBe('');
    expect(again.get(userAtom)).toMatchObject({ ...ASHA, lastName: 'Iyer' });
  });

  test('what another device has saved meanwhile is shown, and the next save is made over that', async () => {
    const { customer } = await known(ASHA);
    type(customer, { lastName: 'Iyer' });
    await customer.get(apiAtom).call(contract.update, { body: { ...ASHA, firstName: 'Usha' } });
    expect(await customer.set(saveProfileAtom)).toBe('');
    expect(customer.get(profileErrorsAtom)).toEqual({ form: expect.stringMatching(/\w/) });
    expect(customer.get(changedProfileAtom)).toEqual({ ...ASHA, firstName: 'Usha' });
    expect(customer.get(typedProfileAtom)).toEqual({ ...ASHA, lastName: 'Iyer' });
    expect(await customer.set(saveProfileAtom)).toBe('');
    expect(customer.get(changedProfileAtom)).toBeNull();
    expect(customer.get(userAtom)).toMatchObject({ ...ASHA, lastName: 'Iyer' });
  });

  test('what the server finds wrong stands beside its field', async () => {
    const { customer } = await known();
    type(customer, ASHA);
    const list = [
      { code: 'X', displayMsg: 'No such name.', field: 'lastName' },
      { code: 'Y', displayMsg: 'Of no field.', field: 'mobile' },
    ];
    fails(customer, contract.update, new Failure('refused', { errors: list }));
    expect(await customer.set(saveProfileAtom)).toBe('lastName');
    expect(customer.get(profileErrorsAtom)).toEqual({ lastName: 'No such name.' });
    expect(customer.get(popupAtom)).toBeNull();
  });

  test.each([
    ['offline', errors.connectionLost, null],
    ['timeout', errors.requestTimeout, null],
    ['broken', '', errors.internalServerError],
  ] as const)('a save that is %s loses nothing that was typed, and is said', async (kind, beside, inPopup) => {
    const { customer } = await known();
    type(customer, ASHA);
    fails(customer, contract.update, new Failure(kind));
    expect(await customer.set(saveProfileAtom)).toBe('');
    expect([customer.get(profileErrorsAtom), customer.get(popupAtom)?.message ?? null]).toEqual([
      { form: beside },
      inPopup,
    ]);
    expect([customer.get(typedProfileAtom), customer.get(isProfileBusyAtom), customer.went]).toEqual([ASHA, false, []]);
  });
});

describe("the email's code", () => {
  let count = 0;
  const fresh = () => ({ ...ASHA, email: `asha.${process.pid}.${(count += 1)}@example.in` });

  test('opening its sheet sends one code, which confirms the email once its six digits are there', async () => {
    const profile = fresh();
    const { customer } = await known(profile);
    customer.set(emailErrorAtom, 'of before');
    const opening = customer.set(openEmailAtom);
    expect([customer.get(isEmailOpenAtom), customer.get(emailErrorAtom)]).toEqual([true, '']);
    await opening;
    expect(customer.get(emailSentAtom)).toMatchObject({ email: profile.email, sendsLeft: 2 });
    const wait = customer.get(emailSentAtom)!.resendAt - Date.now();
    expect([wait > 20_000, wait <= 30_000]).toEqual([true, true]);
    // Opened again while that one is good, it sends no other.
    await customer.set(openEmailAtom);
    expect(await server.inbox(profile.email)).toHaveLength(1);

    const code = await emailCode(profile.email);
    customer.set(typeEmailCodeAtom, `${code.slice(0, 3)} x`);
    expect(customer.get(emailCodeAtom)).toBe(code.slice(0, 3));
    expect(await customer.set(checkEmailCodeAtom)).toBe(false);
    expect(customer.get(emailErrorAtom)).toBe(errors.otpWrong);
    customer.set(typeEmailCodeAtom, `${wrongOf(code)}9`);
    expect([customer.get(emailCodeAtom), customer.get(emailErrorAtom)]).toEqual([wrongOf(code), '']);
    await expect.poll(() => customer.get(emailErrorAtom)).toBe(errors.otpWrong);
    // The same digits again are no other code.
    const tries = () => customer.calls.filter((path) => path === contract.confirmEmail.path).length;
    customer.set(typeEmailCodeAtom, wrongOf(code));
    expect([customer.get(emailErrorAtom), tries()]).toEqual([errors.otpWrong, 1]);
    customer.set(typeEmailCodeAtom, code);
    expect(customer.get(isEmailBusyAtom)).toBe('check');
    expect(await customer.set(checkEmailCodeAtom)).toBe(false);
    await expect.poll(() => customer.get(userAtom)?.emailVerified).toBe(true);
    await expect.poll(() => customer.get(isEmailBusyAtom)).toBe('');
    expect([
      customer.get(isEmailOpenAtom),
      customer.get(emailCodeAtom),
      customer.get(emailSentAtom),
      customer.get(toastAtom)?.message,
    ]).toEqual([false, '', null, t.emailConfirmed]);
    expect(tries()).toBe(2);
  });

  test('asked for again at once, the one that is on its way is still good; later another one empties the field', async () => {
    const profile = fresh();
    const { customer } = await known(profile);
    customer.set(emailCodeAtom, '12');
    const sending = customer.set(sendEmailCodeAtom);
    expect(customer.get(isEmailBusyAtom)).toBe('send');
    await customer.set(sendEmailCodeAtom);
    await sending;
    expect([customer.get(isEmailBusyAtom), customer.get(emailCodeAtom)]).toEqual(['', '']);
    expect(customer.calls.filter((path) => path === contract.sendEmailCode.path)).toHaveLength(1);
    customer.set(emailCodeAtom, '34');
    await customer.set(sendEmailCodeAtom);
    expect([customer.get(emailErrorAtom), customer.get(emailCodeAtom)]).toEqual(['', '34']);
    expect(customer.get(emailSentAtom)).toMatchObject({ email: profile.email, sendsLeft: 1 });
    expect(customer.get(emailSentAtom)!.resendAt).toBeGreaterThan(Date.now());
    await server.advance(31);
    await customer.set(sendEmailCodeAtom);
    expect([customer.get(emailCodeAtom), customer.get(emailSentAtom)?.sendsLeft]).toEqual(['', 1]);
    expect(await server.inbox(profile.email)).toHaveLength(2);
  });

  test('nothing typed is said, nothing is sent to no email, and a code is of the email that it went to', async () => {
    const { customer } = await known();
    await customer.set(sendEmailCodeAtom);
    expect(customer.calls).not.toContain(contract.sendEmailCode.path);
    expect(customer.get(emailSentAtom)).toBeNull();
    expect(await customer.set(checkEmailCodeAtom)).toBe(false);
    expect(customer.get(emailErrorAtom)).toBe(errors.fieldEmpty);

    const { customer: other } = await known(fresh());
    await other.set(sendEmailCodeAtom);
    expect(other.get(emailSentAtom)).not.toBeNull();
    type(other, { email: fresh().email });
    expect(await other.set(saveProfileAtom)).toBe('');
    expect(other.get(emailSentAtom)).toBeNull();
  });

  test('a code that cannot be sent or checked is said where it was asked for', async () => {
    const { customer } = await known(fresh());
    fails(customer, contract.sendEmailCode, new Failure('offline'));
    await customer.set(openEmailAtom);
    expect([customer.get(emailErrorAtom), customer.get(emailSentAtom), customer.get(isEmailBusyAtom)]).toEqual([
      errors.connectionLost,
      null,
      '',
    ]);
    customer.set(emailCodeAtom, '123456');
    expect(await customer.set(checkEmailCodeAtom)).toBe(false);
    expect([customer.get(emailErrorAtom), customer.get(isEmailOpenAtom)]).toEqual([errors.otpFailed, true]);
  });
});

describe('the number', () => {
  async function asked(now = freshMobile(), to = freshMobile()) {
    const { customer } = await known(ASHA, now);
    // The code of the login was sent a moment ago.
    await server.advance(31);
    customer.set(typeNumberAtom, to);
    expect(await customer.set(sendNumberCodesAtom)).toBe(true);
    return { customer, now, to, oldCode: await codeFor(server, now), newCode: await codeFor(server, to) };
  }

  test.each([
    ['', errors.fieldEmpty],
    ['98', errors.mobileInvalid({ digits: 10 })],
  ])('%j is told what is wrong with it, until it is typed anew, and nobody is asked', async (typed, sentence) => {
    const { customer } = await known();
    const before = customer.calls.length;
    customer.set(typeNumberAtom, typed);
    expect(await customer.set(sendNumberCodesAtom)).toBe(false);
    expect([customer.get(numberErrorsAtom), customer.calls.length]).toEqual([{ mobile: sentence }, before]);
    customer.set(typeNumberAtom, `${typed}1`);
    expect([customer.get(numberErrorsAtom), customer.get(newNumberAtom)]).toEqual([{}, `${typed}1`]);
    expect(customer.get(isNumberBusyAtom)).toBe('');
  });

  test('both codes change it: the checkout follows, who else was logged in is counted, and nothing of it is left', async () => {
    const { customer, now, to, oldCode, newCode } = await asked();
    customer.set(detailAtom, { fName: 'Asha', lName: 'Rao', mobNo: now, email: 'asha@example.in' });
    expect(customer.get(numberSentAtom)).toMatchObject({ mobile: to, sendsLeft: 2 });
    const wait = customer.get(numberSentAtom)!.resendAt - Date.now();
    expect([wait > 20_000, wait <= 30_000]).toEqual([true, true]);

    expect(await customer.set(changeNumberAtom)).toBe('newCode');
    expect(customer.get(numberErrorsAtom)).toEqual({ newCode: errors.fieldEmpty, oldCode: errors.fieldEmpty });
    customer.set(typeNumberCodeAtom, 'newCode', `${newCode}7`);
    expect([customer.get(numberErrorsAtom), customer.get(numberCodesAtom)]).toEqual([{}, { oldCode: '', newCode }]);
    customer.set(typeNumberCodeAtom, 'oldCode', '12');
    expect(await customer.set(changeNumberAtom)).toBe('oldCode');
    expect(customer.get(numberErrorsAtom)).toEqual({ oldCode: errors.otpWrong });
    customer.set(typeNumberCodeAtom, 'oldCode', wrongOf(oldCode));
    expect(await customer.set(changeNumberAtom)).toBe('oldCode');
    expect(customer.get(numberErrorsAtom)).toEqual({ oldCode: errors.otpWrong });
    customer.set(typeNumberCodeAtom, 'newCode', wrongOf(newCode));
    customer.set(typeNumberCodeAtom, 'oldCode', oldCode);
    expect(await customer.set(changeNumberAtom)).toBe('newCode');
    expect(customer.get(numberErrorsAtom)).toEqual({ newCode: errors.otpWrong });

    customer.set(typeNumberCodeAtom, 'newCode', newCode);
    const changing = customer.set(changeNumberAtom);
    expect(customer.get(isNumberBusyAtom)).toBe('check');
    expect([await customer.set(changeNumberAtom), await changing]).toEqual(['', '']);
    expect(customer.calls.filter((path) => path === contract.changeNumber.path)).toHaveLength(3);
    expect([customer.get(userAtom)?.mobile, customer.get(detailAtom).mobNo]).toEqual([to, to]);
    expect([customer.get(toastAtom)?.message, customer.replaced]).toEqual([t.numberChanged({ count: 0 }), [PROFILE]]);
    expect([
      customer.get(newNumberAtom),
      customer.get(numberSentAtom),
      customer.get(numberCodesAtom),
      customer.get(numberErrorsAtom),
      customer.get(isNumberBusyAtom),
    ]).toEqual(['', null, { oldCode: '', newCode: '' }, {}, '']);
  });

  test('one send at a time, the new number first; codes of a moment ago are as good; going back keeps the number', async () => {
    const { customer, to } = await asked();
    customer.calls.length = 0;
    const sending = customer.set(sendNumberCodesAtom);
    expect(customer.get(isNumberBusyAtom)).toBe('send');
    expect(await customer.set(sendNumberCodesAtom)).toBe(false);
    expect(await sending).toBe(true);
    expect(customer.calls).toEqual([contract.sendNumberCode.path, contract.sendNumberCode.path]);
    expect(customer.get(numberSentAtom)).toMatchObject({ mobile: to, sendsLeft: 1 });
    customer.set(typeNumberCodeAtom, 'newCode', '123');
    customer.set(backToNumberAtom);
    expect([customer.get(numberSentAtom), customer.get(numberCodesAtom), customer.get(newNumberAtom)]).toEqual([
      null,
      { oldCode: '', newCode: '' },
      to,
    ]);
    // Without codes there is nothing to check.
    expect(await customer.set(changeNumberAtom)).toBe('');
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
    customer.set(typeNumberAtom, freshMobile());
    expect(await customer.set(sendNumberCodesAtom)).toBe(true);
    expect(customer.get(numberSentAtom)!.sendsLeft).toBe(1);
    expect(customer.get(numberSentAtom)!.resendAt - Date.now()).toBeGreaterThan(60_000);
  });

  test('the own number is refused beside it, before any code to it; what fails later stands beside the code', async () => {
    const { customer, mobile } = await known(ASHA);
    await server.advance(31);
    customer.set(typeNumberAtom, mobile);
    expect(await customer.set(sendNumberCodesAtom)).toBe(false);
    expect(customer.get(numberErrorsAtom)).toEqual({ mobile: serverText.numberSame });
    expect([customer.get(numberSentAtom), customer.get(isNumberBusyAtom)]).toEqual([null, '']);

    const { customer: later } = await asked();
    fails(later, contract.sendNumberCode, new Failure('offline'));
    expect(await later.set(sendNumberCodesAtom)).toBe(false);
    expect(later.get(numberErrorsAtom)).toEqual({ newCode: errors.connectionLost });
    fails(later, contract.sendNumberCode, new Failure('broken'));
    expect(await later.set(sendNumberCodesAtom)).toBe(false);
    expect([later.get(numberErrorsAtom), later.get(popupAtom)?.message]).toEqual([{}, errors.internalServerError]);
  });

  test("somebody else's number leads back to another one, with the reason; a broken answer leaves the codes there", async () => {
    const taken = freshMobile();
    await logIn(server, taken);
    await server.advance(31);
    const { customer, oldCode, newCode } = await asked(undefined, taken);
    customer.set(typeNumberCodeAtom, 'oldCode', oldCode);
    customer.set(typeNumberCodeAtom, 'newCode', newCode);
    expect(await customer.set(changeNumberAtom)).toBe('mobile');
    expect(customer.get(numberErrorsAtom)).toEqual({ mobile: serverText.numberTaken });
    expect([customer.get(numberSentAtom), customer.get(newNumberAtom)]).toEqual([null, taken]);

    const other = await asked();
    other.customer.set(typeNumberCodeAtom, 'oldCode', other.oldCode);
    other.customer.set(typeNumberCodeAtom, 'newCode', other.newCode);
    fails(other.customer, contract.changeNumber, new Failure('broken'));
    expect(await other.customer.set(changeNumberAtom)).toBe('');
    expect([other.customer.get(numberErrorsAtom), other.customer.get(popupAtom)?.message]).toEqual([
      {},
      errors.internalServerError,
    ]);
    expect([other.customer.get(numberCodesAtom).newCode, other.customer.get(isNumberBusyAtom)]).toEqual([
      other.newCode,
      '',
    ]);
  });
});
