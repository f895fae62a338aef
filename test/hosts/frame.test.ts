import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInThisContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { beforeAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFrame } from '../../hosts/frame/bridge.ts';
import type { FromApp, FromPage } from '../../hosts/frame/protocol.ts';
// A module fetch does not run on fake timers.
import '../../hosts/frame/actions.ts';
import '../../src/bridge/back.ts';
import { script } from '../../src/build/script.ts';
import { root } from '../architecture/sources.ts';
import { makePhone, type PhoneOptions } from './phone.ts';
import { ACME, fate, ORDER_ID, orderFor, pass } from './stage.ts';

const SHOP = 'https://pizza.example';
const OTHER = 'https://second.acme.example';
const row = (more: object = {}) =>
  JSON.stringify({ name: 'acme', origins: [ACME, OTHER], blocked: [], pays: true, ...more });
const TOKEN = 'a.b.c';
const nonce = { nonce: 'nonce-1', interactive: true };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The app in a frame, and what is said to it and by it. */
function framed(options: PhoneOptions = {}) {
  const phone = makePhone({ url: `${SHOP}/in/frame/acme/`, parent: ACME, settings: { partner: row() }, ...options });
  const posted: { message: FromApp; to: string }[] = [];
  Object.assign(phone.frame, {
    postMessage: (message: FromApp, to: string) => void posted.push({ message, to }),
  });
  const bridge = createFrame({ window: phone.window });
  const session = () => posted.find(({ message }) => message.type === 'hello')!.message.session;
  const say = (data: unknown, from: { origin?: string; source?: unknown } = {}) =>
    phone.window.dispatchEvent(
      Object.assign(new Event('message'), { data, origin: ACME, source: phone.frame, ...from }),
    );
  const tell = (message: object, from: { origin?: string; source?: unknown } = {}) =>
    say({ miniApp: 1, session: session(), ...message }, from);
  const welcome = (capabilities = ['login', 'pay', 'share', 'address', 'close'], from = {}) =>
    tell({ type: 'welcome', version: 1, capabilities }, from);
  const calls = () => posted.flatMap(({ message }) => (message.type === 'call' ? [message] : []));
  return { phone, posted, bridge, say, tell, welcome, calls };
}

describe('whom the app talks to', () => {
  it('a page of an origin in the row, and nobody else', () => {
    const hosted = (parent: string | null, more: PhoneOptions = {}) => framed({ parent, ...more }).bridge.hosted;
    expect([hosted(ACME), hosted(OTHER), hosted(ACME, { hideAncestors: true })]).toEqual([true, true, true]);
    for (const parent of [
      ...[null, 'https://evil.example', 'https://acme.example.evil.example', 'http://acme.example'],
      ...['https://acme.example:8443', 'https://sub.acme.example', 'null'],
    ])
      expect(hosted(parent), String(parent)).toBe(false);
    expect(hosted('https://evil.example', { hideAncestors: true })).toBe(false);
    // The app's bundle at an address of no partner.
    expect(hosted(ACME, { settings: {} })).toBe(false);
  });

  it('greets that origin by name, more and more rarely, until it is welcomed', async () => {
    const { posted, bridge, welcome } = framed();
    await pass(20_000);
    expect(posted.every(({ to }) => to === ACME)).toBe(true);
    expect(posted.length).toBeLessThan(10);
    expect(posted[0]!.message).toEqual({
      miniApp: 1,
      session: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      type: 'hello',
      versions: [1],
    });
    welcome();
    await pass(20_000);
    expect(bridge.supports('payment')).toEqual({ state: 'available', via: 'host' });
    expect(posted.length).toBeLessThan(10);
  });

  it('where the browser does not say who is around, greets each of the row, and then speaks to the one that answered', async () => {
    const { posted, bridge, welcome } = framed({ hideAncestors: true, referrer: '' });
    await pass();
    expect(posted.map(({ to }) => to)).toEqual([ACME, OTHER]);
    welcome(undefined, { origin: OTHER });
    fate(bridge.login(nonce));
    await pass();
    expect(posted.slice(2)).toMatchObject([{ to: OTHER, message: { type: 'call', method: 'login' } }]);
  });

  it('alone, it says nothing to anybody', async () => {
    const { posted } = framed({ parent: 'https://evil.example' });
    await pass(10_000);
    expect(posted).toEqual([]);
  });
});

describe('what the app believes', () => {
  const reply = (id: number, result: unknown) => ({ type: 'reply', id, result });

  it('nothing from another window or another origin, of another start, or before the welcome', async () => {
    const { phone, bridge, tell, say, welcome, calls } = framed();
    await pass();
    for (const from of [
      { source: {} },
      { source: null },
      { source: phone.window },
      { origin: 'https://evil.example' },
      { origin: SHOP },
      { origin: 'null' },
      // Listed, but not the one that is around this page.
      { origin: OTHER },
    ])
      welcome(undefined, from);
    tell({ type: 'network', networkType: 'none' });
    tell({ type: 'welcome', version: 1, capabilities: ['login'], session: 'x'.repeat(32) });
    tell({ type: 'welcome', version: 2, capabilities: ['login'] });
    expect(bridge.supports('login').state).toBe('unknown');
    expect(bridge.network.getSnapshot().isConnected).toBe(true);
    welcome();
    const login = fate(bridge.login(nonce));
    await pass();
    const { id } = calls()[0]!;
    for (const from of [{ source: {} }, { origin: 'https://evil.example' }, { origin: OTHER }])
      tell(reply(id, 'evil.evil.evil'), from);
    tell({ ...reply(id, 'evil.evil.evil'), session: 'y'.repeat(32) });
    say('evil');
    say(null);
    await pass();
    expect(login.done).toBe(false);
    tell(reply(id, TOKEN));
    await pass();
    expect(login.value).toEqual({ kind: 'proof', proof: { token: TOKEN } });
  });

  it('no message that is not one: too large, of another form, or for no call', async () => {
    const { bridge, tell, say, welcome, calls } = framed();
    await pass();
    welcome();
    const login = fate(bridge.login(nonce));
    await pass();
    const { id } = calls()[0]!;
    const poison = JSON.parse('{"__proto__":{"polluted":1},"type":"reply"}') as object;
    for (const message of [
      { type: 'reply' },
      { type: 'reply', id: String(id), result: TOKEN },
      { type: 'reply', id: -1, result: TOKEN },
      { type: 'reply', id: 1.5, result: TOKEN },
      { type: 'reply', id, error: 'no' },
      { type: 'reply', id: id + 7, result: TOKEN },
      { type: 'welcome', version: 1, capabilities: Array.from({ length: 1000 }, () => 'pay') },
      { type: 'welcome', version: 1, capabilities: 'everything' },
      { type: 'eval', code: 'alert(1)' },
      poison,
    ])
      tell(message);
    for (const data of [undefined, 5, [], { miniApp: 2 }, 'x'.repeat(1_000_000)]) say(data);
    await pass();
    expect(login.done).toBe(false);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    tell(reply(id, `a.b.${'c'.repeat(10_000)}`));
    await pass();
    expect(login.error?.code).toBe('MALFORMED_REPLY');
  });

  it('only what the page can: the rest is refused before it is asked', async () => {
    const { bridge, posted, welcome } = framed();
    await pass();
    welcome(['login']);
    const paid = fate(bridge.requestPayment(orderFor('frame')));
    await pass();
    expect(paid.error?.code).toBe('UNSUPPORTED');
    expect(posted.filter(({ message }) => message.type === 'call')).toEqual([]);
    expect(await bridge.unfinishedPayment()).toBeNull();
  });

  it('a claim to have paid is a claim: the order stays unfinished until the server has said so', async () => {
    const { bridge, tell, welcome, calls } = framed();
    await pass();
    welcome();
    const paid = fate(bridge.requestPayment(orderFor('frame')));
    await pass();
    const { id, args } = calls()[0]!;
    expect(args).toEqual({
      request: 'a.signed.request',
      reference: 'TR-1',
      amount: '649.05',
      currency: 'INR',
      note: 'Order 1',
      expiresAt: expect.any(Number) as number,
    });
    tell(reply(id, { status: 'paid' }));
    await pass();
    expect(paid.value).toEqual({ status: 'reported-success', receipt: { status: 'paid' } });
    expect(await bridge.unfinishedPayment()).toBe(ORDER_ID);
  });

  it('what it tells of the network, of back and of its sheets', async () => {
    const { phone, bridge, posted, tell, welcome, calls } = framed();
    await pass();
    welcome();
    const seen: string[] = [];
    bridge.on('network', ({ networkType }) => seen.push(networkType));
    bridge.on('lifecycle', (state) => seen.push(state));
    for (const networkType of ['none', 'wifi', 'carrier-pigeon']) {
      tell({ type: 'network', networkType });
      await pass(10);
    }
    tell({ type: 'pause' });
    tell({ type: 'resume' });
    expect(seen).toEqual(['none', 'wifi', 'unknown', 'hidden', 'shown']);

    let isOpen = true;
    bridge.on('back', () => {
      if (!isOpen) return 'default';
      isOpen = false;
      return 'handled';
    });
    await pass(10);
    tell({ type: 'back', id: 1 });
    await pass(400);
    tell({ type: 'back', id: 2 });
    await pass(400);
    expect(posted.flatMap(({ message }) => (message.type === 'back' ? [[message.id, message.handled]] : []))).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(phone.window.location.origin).toBe(SHOP);

    const address = fate(bridge.pickAddress());
    await pass();
    tell(
      reply(calls().at(-1)!.id, {
        line1: '4 Galle Road',
        city: 'Colombo',
        pincode: 300,
        latitude: 6.9,
        longitude: 79.8,
      }),
    );
    await pass();
    expect(address.value).toMatchObject({ line1: '4 Galle Road', pincode: '300', area: null, latitude: 6.9 });
    const left = fate(bridge.close());
    await pass(1_600);
    expect(left.error?.code).toBe('TIMEOUT');
  });
});

describe('the script for the page around', () => {
  let text = '';
  beforeAll(async () => {
    vi.useRealTimers();
    text = await script(path.join(root, 'hosts/frame/embed.ts'), { cc: 'in' });
  });

  it('takes at most 1.5 KB, and nothing from the app but types', () => {
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(1_500);
    expect(readFileSync(path.join(root, 'hosts/frame/embed.ts'), 'utf8')).not.toMatch(/^import (?!type)/m);
  });

  /** A page that loads it, and the app in its frame. */
  function around(answers: object = {}, dataset: Record<string, string> = { host: 'acmePay' }) {
    const said: { message: FromPage; to: string }[] = [];
    const contentWindow = { postMessage: (message: FromPage, to: string) => void said.push({ message, to }) };
    const frame = { style: {}, contentWindow, src: '' };
    const after = vi.fn();
    const page = new EventTarget() as EventTarget & { acmePay?: unknown };
    page.acmePay = answers;
    const document = {
      currentScript: { src: `${SHOP}/lk/frame/acme/embed.js`, dataset, title: '', after },
      createElement: () => frame,
    };
    // A classic script sees the page's own globals.
    const run = runInThisContext(`(window, document, addEventListener) => {${text}}`) as (...own: unknown[]) => void;
    run(page, document, page.addEventListener.bind(page));
    const say = (message: object, from: { origin?: string; source?: unknown } = {}) =>
      page.dispatchEvent(
        Object.assign(new Event('message'), {
          data: { miniApp: 1, session: 's'.repeat(32), ...message },
          origin: SHOP,
          source: contentWindow,
          ...from,
        }),
      );
    return { page, frame, said, say, after, hello: () => say({ type: 'hello', versions: [1] }) };
  }

  it('puts the app beside itself, from where the script came, whatever path it is given', () => {
    const { after, frame } = around();
    expect(after).toHaveBeenCalledWith(frame);
    expect(frame.src).toBe(`${SHOP}/lk/frame/acme/`);
    for (const [given, leads] of [
      ['menu', 'menu'],
      ['//evil.example', 'evil.example'],
      ['javascript:alert(1)', 'javascript:alert(1)'],
      ['https://evil.example', 'https://evil.example'],
    ] as const)
      expect(around({}, { path: given }).frame.src).toBe(`${SHOP}/lk/frame/acme/${leads}`);
  });

  it('answers the app by the functions of the page, to the app alone', async () => {
    const login = vi.fn(async () => TOKEN);
    const { said, say, hello } = around({
      login,
      pay: () => {
        throw Object.assign(new Error('Closed'), { code: 'CANCELLED' });
      },
      secret: 'not for the app',
    });
    hello();
    say({ type: 'call', id: 1, method: 'login', args: { nonce: 'n' } });
    say({ type: 'call', id: 2, method: 'pay', args: {} });
    for (const [id, method] of ['secret', 'constructor', '__proto__', 'share'].entries())
      say({ type: 'call', id: id + 3, method, args: {} });
    await pass();
    expect(login).toHaveBeenCalledWith({ nonce: 'n' });
    expect(said.every(({ to, message }) => to === SHOP && message.session === 's'.repeat(32))).toBe(true);
    const replies = said.map(({ message }) => message).filter((message) => message.type === 'reply');
    expect(said[0]!.message).toMatchObject({ type: 'welcome', version: 1, capabilities: ['login', 'pay'] });
    expect(replies.find(({ id }) => id === 1)).toMatchObject({ result: TOKEN });
    expect(replies.find(({ id }) => id === 2)).toMatchObject({ error: { code: 'CANCELLED', message: 'Closed' } });
    expect(replies.filter(({ id }) => id > 2).map(({ error }) => error?.code)).toEqual([
      'UNSUPPORTED',
      'UNSUPPORTED',
      'UNSUPPORTED',
      'FAILED',
    ]);
  });

  it('hears nobody but the app in its frame', async () => {
    const login = vi.fn(async () => TOKEN);
    const { page, said, say, hello } = around({ login });
    const call = { type: 'call', id: 1, method: 'login', args: {} };
    say(call);
    hello();
    const before = said.length;
    for (const from of [{ origin: 'https://evil.example' }, { origin: 'null' }, { source: page }, { source: null }]) {
      say({ type: 'hello', versions: [1] }, from);
      say(call, from);
    }
    say({ ...call, session: 'another'.repeat(4) });
    page.dispatchEvent(Object.assign(new Event('message'), { data: null, origin: SHOP, source: null }));
    await pass();
    expect([login.mock.calls, said.length]).toEqual([[], before]);
  });

  it('waits for functions that come later than itself, and tells the app what the page tells it', async () => {
    const { page, said, hello, say } = around();
    delete page.acmePay;
    hello();
    expect(said).toEqual([]);
    let app: { back(): Promise<boolean>; network(type: string): void } | undefined;
    page.acmePay = { ready: (ready: typeof app) => (app = ready) };
    hello();
    app!.network('none');
    const handled = fate(app!.back());
    const { id } = said.at(-1)!.message as { id: number };
    say({ type: 'back', id, handled: true });
    const unanswered = fate(app!.back());
    await pass(500);
    expect([handled.value, unanswered.value]).toEqual([true, false]);
    expect(said.map(({ message }) => message.type)).toEqual(['welcome', 'network', 'back', 'back']);
  });
});
