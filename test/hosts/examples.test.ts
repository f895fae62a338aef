import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openHost } from '../../src/bridge/defineHost.ts';
import { createEight, eight, followNetwork, logIn, login, pay, share, whileOpen } from './examples.ts';
import { makePhone, makeStorage } from './phone.ts';
import { end, fate, ORDER_ID, orderFor, pass, stage } from './stage.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const valueOf = async <T>(promise: Promise<T>) => (await end(promise)).value;

it('each example for authors of hosts is one that is compiled and played here', () => {
  const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, file), 'utf8');
  const code = read('examples.ts');
  const shown = [...read('../../hosts/AUTHORS.md').matchAll(/```ts\n([^]*?)```/g)].map((match) => match[1] as string);
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((block) => !code.includes(block))).toEqual([]);
  const names = [...code.matchAll(/^export (?:const|async function|function) (\w+)/gm)].map((match) => match[1]);
  expect(names.filter((name) => !shown.some((block) => block.includes(` ${name}`)))).toEqual([]);
});

it('a host that somebody writes after the page logs in and shares by its version', async () => {
  const asked: { id: number; method: string; args: unknown }[] = [];
  const { window } = makePhone({ userAgent: 'Mozilla/5.0 EightPay/2.3', url: 'https://pizza.example/in/eightpay/' });
  const EightPay = { postMessage: (call: string) => void asked.push(JSON.parse(call)) };
  const bridge = createEight({ window });
  const login = logIn(bridge, 'n', async () => {});
  setTimeout(() => Object.assign(window, { EightPay }), 1_000);
  const state = fate(login);
  await pass(1_250);
  expect(asked).toEqual([{ id: 1, method: 'whoIsIt', args: { nonce: 'n' } }]);
  window.dispatchEvent(new CustomEvent('eightpayreply', { detail: { id: 1, token: 'signed' } }));
  await pass();
  expect(state.value).toBe('in');
  const shared = fate(bridge.share({ title: 'Pizza', text: 'Look', path: '/menu' }));
  await pass();
  expect(asked[1]).toEqual({
    id: 2,
    method: 'tellOthers',
    args: { title: 'Pizza', url: 'https://pizza.example/menu' },
  });
  window.dispatchEvent(new CustomEvent('eightpayreply', { detail: { id: 2 } }));
  await pass();
  expect(shared.value).toBe('unreported');
});

it('its calls can be used alone, without the bridge', async () => {
  const { window } = makePhone({ userAgent: 'Mozilla/5.0 EightPay/2.4' });
  const postMessage = vi.fn();
  Object.assign(window, { EightPay: { postMessage } });
  const host = openHost(eight, { window });
  const shared = fate(share(host, { title: 'Pizza', text: 'Look', path: '/menu' }));
  const silent = fate(login(host, { nonce: 'n', interactive: false }));
  await pass();
  expect(postMessage.mock.calls).toEqual([[expect.stringContaining('"text":"Look"')]]);
  expect(silent.error?.code).toBe('UNSUPPORTED');
  window.dispatchEvent(new CustomEvent('eightpayreply', { detail: { id: 1 } }));
  await pass();
  expect(shared.value).toBe('unreported');
});

it('login: in, refused, and elsewhere', async () => {
  const sent = vi.fn(async () => {});
  expect(await valueOf(logIn(stage('paytm').bridge, 'n', sent))).toBe('in');
  expect(sent).toHaveBeenCalledWith(expect.objectContaining({ kind: 'proof' }));
  const { bridge, fake } = stage('paytm');
  fake.set({ consented: false, login: 'deny' });
  expect(await valueOf(logIn(bridge, 'n', sent))).toBe('refused');
  const plain = createEight({ window: makePhone().window });
  expect(await valueOf(logIn(plain, 'n', sent))).toBe('elsewhere');
});

it('payment: the server is asked about what was killed, then about what the sheet said', async () => {
  const storage = makeStorage();
  const { bridge, open } = stage('gpay', { phone: { storage } });
  const asked: string[] = [];
  const answers = ['open', 'paid', 'paid'];
  const statusOf = async (orderId: string) => {
    asked.push(orderId);
    return answers.shift()!;
  };
  expect(await valueOf(pay(bridge, orderFor('gpay'), statusOf))).toBe('open');
  expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
  // The page is loaded again, and pays another order.
  const later = open();
  expect(await valueOf(pay(later, orderFor('gpay', { orderId: 'ORD-2' }), statusOf))).toBe('paid');
  expect(asked).toEqual([ORDER_ID, ORDER_ID, 'ORD-2']);
  expect(await later.unfinishedPayment()).toBe(null);
});

it('back closes what lies over the page, and nothing once it is closed', async () => {
  const { bridge, phone } = stage('paytm');
  const close = vi.fn();
  const stop = whileOpen(bridge, close);
  await pass();
  phone.history.back();
  await pass(500);
  expect(close).toHaveBeenCalledTimes(1);
  stop();
  await pass(500);
  phone.history.back();
  await pass(500);
  expect(close).toHaveBeenCalledTimes(1);
});

it('the banner follows the network', async () => {
  const { bridge, fake } = stage('browser');
  const banner: boolean[] = [];
  const stop = followNetwork(bridge, (isOffline) => banner.push(isOffline));
  fake.set({ browserNetwork: 'offline' });
  await pass();
  fake.set({ browserNetwork: 'same' });
  await pass();
  stop();
  fake.set({ browserNetwork: 'offline' });
  await pass();
  expect(banner).toEqual([false, true, false]);
});
