import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/social.ts';
import { refreshConfigAtom } from '../../src/state/base/config.ts';
import { addLineAtom, isCartWaitingAtom } from '../../src/state/first/cart.ts';
import { apiAtom, originAtom, pathAtom } from '../../src/state/first/seams.ts';
import { mobileAtom, openLoginAtom, loginCode, socialWantedAtom } from '../../src/state/people/loginCode.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { isLoggedInAtom, renewSessionAtom, userAtom } from '../../src/state/base/session.ts';
import {
  beginSocialAtom,
  enterSocialAtom,
  socialTasks,
  leaveSocialAtom,
  socialLeavingAtom,
  socialProvidersAtom,
} from '../../src/state/people/social.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { codeFor, freshMobile, logIn } from '../server/people.ts';
import { fails, openCustomer, type Customer } from './customer.ts';

const DOORKEY = 'doorkey';
let server: TestServer;
const assign = vi.fn<(address: string) => void>();
let onShow: (() => void) | null = null;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
  vi.stubGlobal('location', { assign, hostname: '' });
  vi.stubGlobal('addEventListener', (name: string, act: () => void) => {
    if (name === 'pageshow') onShow = act;
  });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});
beforeEach(() => {
  assign.mockClear();
  onShow = null;
});

async function opened(path = '/login'): Promise<Customer> {
  const customer = openCustomer(server);
  customer.set(originAtom, server.url);
  await customer.set(refreshConfigAtom);
  customer.set(pathAtom, path);
  customer.set(openLoginAtom, new URLSearchParams(path.split('?')[1]), false);
  return customer;
}
const enter = (customer: Customer) =>
  customer.set(enterSocialAtom, new URLSearchParams(customer.get(pathAtom).split('?')[1]));
/** Leaves for the provider, says yes there as this person, and is back on the login's page. */
async function through(customer: Customer, email: string): Promise<void> {
  await customer.set(beginSocialAtom, DOORKEY);
  const url = assign.mock.calls.at(-1)![0];
  const html = await (await fetch(url)).text();
  const body = new URLSearchParams(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
      ([, name, value]): [string, string] => [name!, value!.replaceAll('&#38;', '&')],
    ),
  );
  for (const [name, value] of Object.entries({ name: 'Asha Rao', answer: 'allow', behaviour: 'good', email }))
    body.set(name, value);
  const go = async (address: string, init: RequestInit = {}) =>
    new URL(
      (await fetch(new URL(address, server.url), { redirect: 'manual', ...init })).headers.get('location')!,
      server.url,
    );
  const callback = await go('/vendors/oidc/consent', { method: 'POST', body });
  const page = await go(callback.pathname + callback.search);
  customer.set(pathAtom, page.pathname.replace('/in', '') + page.search);
}
const freshEmail = () => `asha${freshMobile()}@doorkey.example`;

test('providers are offered where the server names them, and in no step that must not be left', async () => {
  const customer = await opened();
  expect(customer.get(socialProvidersAtom).map(({ source }) => source)).toContain(DOORKEY);
  expect((await opened('/payment?noRedirect=true')).get(socialProvidersAtom)).toEqual([]);
  expect(openCustomer(server).get(socialProvidersAtom)).toEqual([]);
});

test('leaving for a provider takes the cart along, once; who comes back by the back button finds the page as it was', async () => {
  const customer = await opened('/postorder-ui/login?from=cart');
  customer.set(addLineAtom, { productId: 'PZ001', quantity: 1, size: 'R' });
  customer.set(socialTasks.refuse, { source: 'of before' });
  const leaving = customer.set(beginSocialAtom, DOORKEY);
  expect([customer.get(socialLeavingAtom), customer.get(socialTasks.problemsAtom).source ?? '']).toEqual([DOORKEY, '']);
  await Promise.all([customer.set(beginSocialAtom, 'other'), leaving]);
  expect([assign.mock.calls.length, customer.get(isCartWaitingAtom), customer.get(socialLeavingAtom)]).toEqual([
    1,
    false,
    DOORKEY,
  ]);
  onShow!();
  expect(customer.get(socialLeavingAtom)).toBe('');
  fails(customer, contract.begin, new Failure('offline'));
  await customer.set(beginSocialAtom, DOORKEY);
  expect([customer.get(socialLeavingAtom), customer.get(socialTasks.problemsAtom).source ?? '']).toEqual([
    '',
    errors.connectionLost,
  ]);
});

test('the first time only the number is missing, which a code proves; the next time the provider is enough', async () => {
  const email = freshEmail();
  const customer = await opened('/login?from=cart');
  await through(customer, email);
  expect(customer.get(pathAtom)).toMatch(/^\/login\?.*social=/);
  const entering = enter(customer);
  expect(customer.get(socialTasks.isBusyAtom)).toBe(true);
  await entering;
  expect([customer.get(socialTasks.isBusyAtom), customer.get(isLoggedInAtom)]).toEqual([false, false]);
  expect(customer.get(socialWantedAtom)).toMatchObject({ source: DOORKEY, label: 'Doorkey', firstName: 'Asha' });
  expect(customer.get(socialWantedAtom)!.expiresAt).toBeGreaterThan(Date.now());
  // The address is not tried again by a reload.
  expect(customer.replaced).toEqual(['/login?from=cart']);
  const mobile = freshMobile();
  customer.set(mobileAtom, mobile);
  expect(await customer.set(loginCode.send)).toBe(true);
  customer.set(loginCode.typedAtom, await codeFor(server, mobile));
  expect(await customer.set(loginCode.check)).toBe(true);
  expect([customer.get(userAtom), customer.get(socialWantedAtom)]).toMatchObject([
    { mobile, loginType: DOORKEY, email },
    null,
  ]);

  const again = await opened('/login?redirectUrl=%2Foffers');
  await through(again, email);
  await enter(again);
  expect([again.get(userAtom)?.mobile, again.get(socialWantedAtom), again.went.at(-1)]).toEqual([
    mobile,
    null,
    '/offers',
  ]);
});

test('a way back that leads nowhere is said once, on the screen without it; a page that was reloaded finds who is logged in', async () => {
  const customer = await opened('/login?from=cart&social=nothing');
  await enter(customer);
  expect([
    customer.get(socialTasks.problemsAtom).source === undefined,
    customer.get(popupAtom),
    customer.replaced,
  ]).toEqual([false, null, ['/login?from=cart']]);
  await enter(customer);
  expect(customer.get(socialTasks.problemsAtom).source ?? '').not.toBe('');
  await enter(customer);
  expect(customer.get(socialTasks.problemsAtom).source ?? '').toBe('');

  const known = await opened('/login?redirectUrl=%2Foffers&social=used');
  known.set(renewSessionAtom, (await logIn(server)).reply);
  known.calls.length = 0;
  await enter(known);
  expect([known.calls, known.went]).toEqual([[], ['/offers']]);
});

test('an account that sleeps is offered to be brought back; what was said of it too long ago is forgotten', async () => {
  const customer = await opened('/login?social=x');
  const said = { code: 'ACCOUNT_ASLEEP', displayMsg: 'It sleeps.' };
  fails(customer, contract.login, new Failure('refused', { errors: [said] }));
  await enter(customer);
  expect([customer.get(popupAtom)?.message, customer.get(socialTasks.problemsAtom).source ?? '']).toEqual([
    'It sleeps.',
    '',
  ]);
  const wanted = { source: DOORKEY, label: 'Doorkey', token: 't', firstName: 'Asha', expiresAt: Date.now() + 60_000 };
  customer.set(socialWantedAtom, wanted);
  customer.set(socialLeavingAtom, DOORKEY);
  await enter(customer);
  expect([customer.get(socialWantedAtom), customer.get(socialLeavingAtom)]).toEqual([wanted, '']);
  customer.set(socialWantedAtom, { ...wanted, expiresAt: Date.now() - 1 });
  await enter(customer);
  expect(customer.get(socialWantedAtom)).toBeNull();
  customer.set(socialWantedAtom, wanted);
  customer.set(leaveSocialAtom);
  expect(customer.get(socialWantedAtom)).toBeNull();
  expect(customer.get(apiAtom)).toBeDefined();
});
