import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import { loadCartAtom, syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom, cartCountAtom, isCartWaitingAtom } from '../../src/state/first/cart.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { app } from '../../src/contract/config.ts';
import {
  accountAddressesState,
  addressDetailAtom,
  addressesAtom,
  openAddressAtom,
  saveAddressAtom,
} from '../../src/state/places/addresses.ts';
import { syncFavouritesAtom } from '../../src/state/menu/favourites.ts';
import { favouritesAtom, toggleFavouriteAtom } from '../../src/state/first/favourites.ts';
import { appConfigAtom } from '../../src/state/first/config.ts';
import { feedbackQueryAtom, finalRedirectAtom, isOtpShownAtom, logoutAtom } from '../../src/state/people/login.ts';
import {
  changeMobileAtom,
  isOtpLimitAtom,
  mobileAtom,
  openLoginAtom,
  loginCode,
  socialWantedAtom,
} from '../../src/state/people/loginCode.ts';
import { choosePlaceAtom } from '../../src/state/places/places.ts';
import { lookAtPushAtom, pushAtom } from '../../src/state/consent/push.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { apiAtom, pathAtom } from '../../src/state/first/seams.ts';
import { isLoggedInAtom, sessionAtom, userAtom } from '../../src/state/base/session.ts';
import {
  ensureLoginAtom,
  isOutsideHostAtom,
  isOwnLoginAllowedAtom,
  isVendorLoginRunningAtom,
  isVendorLoginSilentAtom,
  leaveVendorLoginAtom,
  vendorLoginAtom,
} from '../../src/state/people/vendorLogin.ts';
import { DEVICE_HEADER } from '../../src/contract/challenge.ts';
import * as sessions from '../../src/contract/session.ts';
import * as social from '../../src/contract/social.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { codeFor, freshMobile } from '../server/people.ts';
import { fails, openCustomer, type Customer } from './customer.ts';

let server: TestServer;
const SAKET = { delType: 'DELIVERY' as const, lat: 28.5285, long: 77.219, text: 'Saket, New Delhi' };
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
});
afterAll(() => server.stop());
beforeEach(() => server.switches({ faults: [] }));
afterEach(() => void vi.useRealTimers());

/** Waits for what the network brings, while the time of this process hardly moves. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await vi.advanceTimersByTimeAsync(1);
    await new Promise((done) => {
      setImmediate(done);
    });
  }
}
async function settled<T>(promise: Promise<T>): Promise<T> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  promise.then(end, end);
  await until(() => isDone);
  return promise;
}
const open = (customer: Customer, path: string, isOtp = false) => {
  customer.set(pathAtom, path);
  customer.set(openLoginAtom, new URLSearchParams(path.split('?')[1]), isOtp);
};
async function asked(customer = openCustomer(server), path = '/login') {
  const mobile = freshMobile();
  open(customer, path);
  customer.set(mobileAtom, mobile);
  expect(await customer.set(loginCode.send)).toBe(true);
  return { customer, mobile, code: await codeFor(server, mobile) };
}
async function logIn(path = '/login', customer = openCustomer(server)) {
  const { code, mobile } = await asked(customer, path);
  customer.set(loginCode.typedAtom, code);
  expect(await customer.set(loginCode.check)).toBe(true);
  return { customer, mobile };
}

describe('the number', () => {
  test.each([
    [0, '/loginhandler/login'],
    [1, '/sso-aggregation/ve3/forgotpassword'],
    [2, '/sso-aggregation/ve4/forgotpassword'],
    [9, '/loginhandler/login'],
  ])('variant %i of the app config asks at %s [AUTH-08] [API-17]', async (otpVariant, path) => {
    const customer = openCustomer(server);
    const { config } = await customer.get(apiAtom).call(app, {});
    customer.set(appConfigAtom, { ...config, otpVariant });
    await asked(customer);
    expect(customer.calls).toContain(path);
  });

  test('asked again at once: the wait is said beside the code, which is still good [AUTH-09]', async () => {
    const { customer, mobile, code } = await asked();
    customer.set(mobileAtom, mobile);
    expect(await customer.set(loginCode.send)).toBe(false);
    expect(customer.get(loginCode.problemsAtom)).toEqual({
      code: expect.stringMatching(/^Please wait \d+ seconds? before/),
    });
    expect(customer.get(loginCode.sentAtom)!.resendAt).toBeGreaterThan(Date.now());
    customer.set(loginCode.typedAtom, code);
    expect(await customer.set(loginCode.check)).toBe(true);
  });

  const LIMIT = /^Too many codes were asked for\. You can ask for another in \d+ minutes\.$/;
  test('too many codes: the limit is flagged and said; with from=Address it leads to the cart [AUTH-12] [ERR-27]', async () => {
    const { customer, mobile } = await asked();
    // From the fourth on, the device works for each.
    for (const _again of [2, 3, 4, 5, 6]) {
      await server.advance(31);
      expect(await customer.set(loginCode.again)).toBe(true);
    }
    await server.advance(31);
    expect(await customer.set(loginCode.again)).toBe(false);
    expect(customer.get(loginCode.problemsAtom)).toEqual({ code: expect.stringMatching(LIMIT) });
    expect(customer.get(isOtpLimitAtom)).toBe(true);
    open(customer, '/login?from=Address');
    customer.set(mobileAtom, mobile);
    expect(await customer.set(loginCode.send)).toBe(false);
    expect(customer.went.at(-1)).toBe('/cart');
    expect(customer.get(popupAtom)?.message).toMatch(LIMIT);
  });
});

describe('the code', () => {
  test('a wrong, an old and a worn-out one each say so beside the field [AUTH-17] [ERR-47]', async () => {
    const { customer, code } = await asked();
    const wrong = code === '111111' ? '222222' : '111111';
    for (let tries = 1; tries <= 5; tries += 1) {
      customer.set(loginCode.typedAtom, wrong);
      expect(await customer.set(loginCode.check)).toBe(false);
      expect(customer.get(loginCode.problemsAtom)).toEqual({
        code: tries < 5 ? errors.otpWrong : serverText.otpTries,
      });
    }
    const late = await asked();
    await server.advance(301);
    late.customer.set(loginCode.typedAtom, late.code);
    await late.customer.set(loginCode.check);
    expect(late.customer.get(loginCode.problemsAtom).code).toBe(serverText.otpExpired);
    expect(late.customer.get(popupAtom)).toBeNull();
  });
});

test('another number: that of the code is in the field again, and the step is the one before, not one more', async () => {
  const { customer, mobile } = await asked(undefined, '/postorder-ui/login?from=cart');
  customer.set(mobileAtom, '');
  customer.set(loginCode.atom, { is: 'refused', problems: { code: 'x' } });
  customer.set(changeMobileAtom);
  expect([customer.get(mobileAtom), customer.get(loginCode.problemsAtom), customer.get(isOtpShownAtom)]).toEqual([
    mobile,
    {},
    false,
  ]);
  expect(customer.replaced).toEqual(['/postorder-ui/login?from=cart']);
  const inside = (await asked(undefined, '/payment?noRedirect=true')).customer;
  inside.set(changeMobileAtom);
  expect([inside.went, inside.get(isOtpShownAtom)]).toEqual([[], false]);
});

test('a device that was logged in before is known by it when it asks for a code again', async () => {
  const { customer } = await logIn();
  await customer.set(logoutAtom);
  const api = customer.get(apiAtom);
  const headers: unknown[] = [];
  customer.set(apiAtom, {
    ...api,
    call: ((...given: Parameters<Api['call']>) => {
      if (given[0].path.startsWith('/loginhandler/')) headers.push(given[2]?.headers);
      return api.call(...given);
    }) as Api['call'],
  });
  await server.advance(31);
  const { code } = await asked(customer);
  customer.set(loginCode.typedAtom, code);
  expect(await customer.set(loginCode.check)).toBe(true);
  expect(headers.length).toBeGreaterThan(1);
  expect(headers.every((one) => (one as Record<string, string> | undefined)?.[DEVICE_HEADER])).toBe(true);
});

test('who has said elsewhere who they are proves the number for both; where that is too late, the code is good for itself', async () => {
  const { customer, code } = await asked();
  const wanted = { source: 'google', label: 'Google', token: 'tok', firstName: 'Asha', expiresAt: Date.now() + 60_000 };
  customer.set(socialWantedAtom, wanted);
  fails(
    customer,
    social.validate,
    new Failure('refused', { errors: [{ code: 'SOCIAL_LOGIN', displayMsg: 'Too late.' }] }),
  );
  customer.set(loginCode.typedAtom, code);
  expect(await customer.set(loginCode.check)).toBe(false);
  expect([customer.get(socialWantedAtom), customer.get(loginCode.problemsAtom)]).toEqual([null, { code: 'Too late.' }]);
  expect(await customer.set(loginCode.check)).toBe(true);
});

describe('after the code', () => {
  test.each([
    ['/login?from=profile', '/'],
    ['/login?from=Address', '/cart'],
    ['/login?redirectUrl=%2Foffers&from=cart', '/offers'],
  ])('%s leads to %s, once [AUTH-13] [AUTH-14]', async (path, target) => {
    const { customer } = await logIn(path);
    expect(customer.went.at(-1)).toBe(target);
    expect(customer.get(finalRedirectAtom)).toBe('');
    expect(customer.get(toastAtom)?.message).toContain('You are logged in');
  });

  test('a feedback link gets its query back [AUTH-15]', async () => {
    const customer = openCustomer(server);
    customer.set(feedbackQueryAtom, 'orderId=9');
    await logIn('/login?redirectUrl=%2Fuf', customer);
    expect(customer.went.at(-1)).toBe('/uf?orderId=9');
  });

  test("the guest's cart, addresses and favourites come along, and the checkout knows the number [CART-X09] [AUTH-21]", async () => {
    const customer = openCustomer(server);
    await customer.get(apiAtom).ensureSession();
    customer.set(toggleFavouriteAtom, 'PZ002');
    await customer.set(choosePlaceAtom, SAKET);
    await customer.set(openAddressAtom, null);
    customer.set(addressDetailAtom, (now) => now && { ...now, houseNo: '12B', address: 'Press Enclave Road' });
    expect(await customer.set(saveAddressAtom)).toBe(true);
    customer.set(addLineAtom, { productId: 'PZ001', quantity: 2, size: 'R' });
    await customer.set(syncCartAtom);
    const guestId = customer.get(userAtom)!.userId;
    const { mobile } = await logIn('/login', customer);
    await customer.set(loadCartAtom);
    expect([customer.get(isCartWaitingAtom), customer.get(cartCountAtom)]).toEqual([false, 2]);
    expect(customer.get(userAtom)!.userId).not.toBe(guestId);
    expect(customer.get(detailAtom).mobNo).toBe(mobile);
    await customer.set(syncFavouritesAtom);
    // In the account, not only on this device.
    const elsewhere = openCustomer(server);
    elsewhere.set(sessionAtom, customer.get(sessionAtom));
    await elsewhere.set(syncFavouritesAtom);
    await elsewhere.set(accountAddressesState.load);
    expect([...elsewhere.get(favouritesAtom)]).toEqual(['PZ002']);
    expect(elsewhere.get(addressesAtom)).toMatchObject([{ houseNo: '12B' }]);
  });
});

describe('logging out', () => {
  test('a server that does not answer leaves everything as it was', async () => {
    const { customer } = await logIn();
    const api = customer.get(apiAtom);
    customer.set(apiAtom, {
      ...api,
      call: ((endpoint, input, options) =>
        endpoint.path === sessions.logout.path
          ? Promise.reject(new Failure('offline'))
          : api.call(endpoint, input, options)) as Api['call'],
    });
    await customer.set(logoutAtom);
    expect([customer.get(isLoggedInAtom), customer.get(popupAtom)?.message]).toEqual([true, errors.connectionLost]);
  });

  test("news of this customer's orders comes to this browser no more [AUTH-28] [ORD-X03]", async () => {
    const { customer } = await logIn();
    let isHeld = true;
    const held = {
      endpoint: 'https://fcm.googleapis.com/fcm/send/x',
      unsubscribe: () => {
        isHeld = false;
        return Promise.resolve(true);
      },
    };
    vi.stubGlobal('Notification', { permission: 'granted' });
    vi.stubGlobal('navigator', {
      serviceWorker: {
        getRegistration: () =>
          Promise.resolve({ pushManager: { getSubscription: () => Promise.resolve(isHeld ? held : null) } }),
      },
    });
    try {
      await customer.set(lookAtPushAtom);
      expect(customer.get(pushAtom)).toBe('on');
      await customer.set(logoutAtom);
      expect([isHeld, customer.get(pushAtom), customer.get(isLoggedInAtom)]).toEqual([false, 'offered', false]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('inside a payment app there is no logging out [MINI-15]', async () => {
    const customer = openCustomer(server, { host: 'gpay' });
    await customer.set(vendorLoginAtom);
    await customer.set(logoutAtom);
    expect([customer.get(isLoggedInAtom), customer.went]).toEqual([true, []]);
  });
});

describe.each(['gpay', 'paytm'] as const)('inside %s', (host) => {
  test('the host vouches for the customer, and the checkout knows name and number [MINI-06]', async () => {
    const customer = openCustomer(server, { host });
    expect(await customer.set(ensureLoginAtom)).toBe(true);
    expect(customer.get(isLoggedInAtom)).toBe(true);
    expect(customer.get(userAtom)?.loginType).toBe(host);
    expect(customer.get(detailAtom)).toMatchObject({
      fName: expect.stringMatching(/\w/),
      mobNo: expect.stringMatching(/^\d{10}$/),
    });
  });

  test('refused: the popup says so, browsing and ordering go on as a guest, and Retry logs in [MINI-X05] [MINI-23] [ERR-06]', async () => {
    const customer = openCustomer(server, { host, controls: { login: 'deny' } });
    expect(await customer.set(ensureLoginAtom)).toBe(true);
    const popup = customer.get(popupAtom)!;
    expect(popup.message).toBe('We are unable to login , Please retry or exit to native app');
    expect([popup.right?.label, popup.left?.label]).toEqual(['Retry', host === 'paytm' ? 'Exit' : undefined]);
    expect([customer.get(isLoggedInAtom), customer.get(userAtom)?.userId]).toEqual([
      false,
      expect.stringMatching(/^anonymous/),
    ]);
    customer.set(popupAtom, null);
    // Not asked a second time by itself.
    await customer.set(ensureLoginAtom);
    expect(customer.get(popupAtom)).toBeNull();
    customer.fake!.set({ login: 'grant' });
    popup.right!.act!();
    await expect.poll(() => customer.get(isLoggedInAtom)).toBe(true);
  });

  test('a number that is not shared leaves the login standing [MINI-06]', async () => {
    const customer = openCustomer(server, { host, controls: { phone: 'deny' } });
    await customer.set(vendorLoginAtom);
    expect(customer.get(isLoggedInAtom)).toBe(true);
  });

  test('two who ask at once share one sheet', async () => {
    const customer = openCustomer(server, { host });
    expect(await Promise.all([customer.set(vendorLoginAtom), customer.set(vendorLoginAtom)])).toEqual([true, true]);
    expect(customer.calls.filter((path) => path.endsWith('/auth'))).toHaveLength(1);
  });

  test('a host that never answers: the page says so, and one goes on as a guest or asks again [MINI-X05]', async () => {
    const customer = openCustomer(server, { host, controls: { login: 'silent' } });
    const asked = () => customer.fake!.log.filter(({ method }) => /getIdentity|paytmFetchAuthCode/.test(method)).length;
    const isSilent = () => customer.get(isVendorLoginSilentAtom);
    const silence = async (times: number) => {
      await until(() => asked() === times);
      await vi.advanceTimersByTimeAsync(2_800);
      expect(isSilent()).toBe(false);
      await vi.advanceTimersByTimeAsync(200);
      expect([isSilent(), customer.get(popupAtom)]).toEqual([true, null]);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const guest = customer.set(ensureLoginAtom);
    await silence(1);
    void customer.set(leaveVendorLoginAtom);
    expect(await settled(guest)).toBe(true);
    expect([isSilent(), customer.get(isVendorLoginRunningAtom), customer.get(isLoggedInAtom)]).toEqual([
      false,
      false,
      false,
    ]);
    expect([customer.get(popupAtom), customer.get(userAtom)?.userId]).toEqual([
      null,
      expect.stringMatching(/^anonymous/),
    ]);
    const first = customer.set(vendorLoginAtom);
    await silence(2);
    customer.fake!.set({ login: 'grant' });
    // Whoever waits for the first is served by the second.
    expect(await settled(Promise.all([customer.set(vendorLoginAtom), first]))).toEqual([true, true]);
    vi.useRealTimers();
    expect([asked(), isSilent(), customer.get(isLoggedInAtom), customer.get(popupAtom)]).toEqual([
      3,
      false,
      true,
      null,
    ]);
  });

  test('outside of it nobody can vouch: no sheet, no popup, a guest [MINI-X05]', async () => {
    const customer = openCustomer(server, { host, isOutside: true });
    expect(customer.get(isOutsideHostAtom)).toBe(true);
    expect([await customer.set(vendorLoginAtom), await customer.set(ensureLoginAtom)]).toEqual([false, true]);
    expect([customer.get(popupAtom), customer.get(isLoggedInAtom)]).toEqual([null, false]);
  });
});

test('a number that the host never tells is gone without, and the login stands', async () => {
  const customer = openCustomer(server, { host: 'gpay', controls: { phone: 'silent' } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const login = customer.set(vendorLoginAtom);
  await until(() => customer.fake!.log.some(({ method }) => method === 'getPhoneNumber'));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(customer.get(isVendorLoginSilentAtom)).toBe(true);
  void customer.set(leaveVendorLoginAtom);
  expect(await settled(login)).toBe(true);
  vi.useRealTimers();
  expect([customer.get(isLoggedInAtom), customer.get(isVendorLoginSilentAtom)]).toEqual([true, false]);
});

test('our own form is for hosts that allow one', () => {
  expect([
    openCustomer(server).get(isOwnLoginAllowedAtom),
    openCustomer(server, { host: 'paytm' }).get(isOwnLoginAllowedAtom),
  ]).toEqual([true, false]);
});

test('in a browser a guest is enough for the checkout [AUTH-01]', async () => {
  const customer = openCustomer(server);
  expect(await customer.set(ensureLoginAtom)).toBe(true);
  expect([customer.get(userAtom)?.userId, customer.get(popupAtom)]).toEqual([
    expect.stringMatching(/^anonymous/),
    null,
  ]);
});

test('a page around the app logs in by its token; one that has no login is not asked, and says nothing of it', async () => {
  const known = openCustomer(server, { host: 'frame', user: 'mira' });
  await known.host.ready();
  expect(await known.set(ensureLoginAtom)).toBe(true);
  expect([known.get(isLoggedInAtom), known.get(userAtom)?.firstName]).toEqual([true, 'Asha']);
  const bare = openCustomer(server, { host: 'frame', controls: { reply: 'missing-method', replyOn: 'login' } });
  await bare.host.ready();
  expect(await bare.set(ensureLoginAtom)).toBe(true);
  expect([bare.get(isLoggedInAtom), bare.get(popupAtom)]).toEqual([false, null]);
});
