import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gpay } from '../../hosts/gpay/host.ts';
import { createBridge } from '../../src/bridge/createBridge.ts';
import { defineHost, hostCall, openHost, sheetCall } from '../../src/bridge/defineHost.ts';
import type { HostId, NetworkType } from '../../src/bridge/hostBridge.ts';
import type { HostProfile } from '../../src/bridge/profile.ts';
import { injectedTransport, numbered, scriptTransport } from '../../src/bridge/transports.ts';
import { fate, stage } from '../hosts/stage.ts';
import { makePhone } from '../hosts/phone.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const profileOf = (version: string | null, hosted = true): HostProfile => ({
  id: 'seven' as HostId,
  version,
  hosted,
  forbids: new Set(),
  partner: 'seven' as 'gpay',
  fullMode: false,
  clientType: 'web app-gpay',
  apiKeyName: 'seven' as HostId,
  blockedFeatures: [],
  primaryPaymentId: 'HOST',
  launch: { href: '', path: null, params: {} },
});

interface Seven {
  readonly hosted?: boolean;
  readonly late?: boolean;
  /** What the host says of its network once it is there; one that does not say has none of this. */
  readonly network?: () => NetworkType;
}

/** A host as somebody else would write it: the sheet for sharing since 2.0, with a text since 2.10, and never a title. */
function seven(version: string | null, { hosted = true, late = false, network }: Seven = {}) {
  const asked: unknown[] = [];
  const answers: ((raw: unknown) => void)[] = [];
  let isThere = !late;
  const host = defineHost({
    profile: () => profileOf(version, hosted),
    transport: (_win, profile) =>
      injectedTransport(profile, {
        present: () => isThere,
        ready: [undefined, 'sevenready'],
        call: (method, args, reply) => {
          asked.push([method, args]);
          answers.push(reply);
        },
      }),
    calls: {
      login: { method: 'who', parameters: { silent: false } },
      share: { method: 'tell', since: '2.0', parameters: { text: '2.10', title: false } },
      close: { method: 'bye', orWeb: true },
    },
    ...(network && { network: () => async () => (isThere ? network() : null) }),
  });
  const actions = {
    login: sheetCall('login', async (own, { nonce }, options) => {
      const token = (await own.ask('login', { nonce }, options)) as string;
      return { kind: 'proof', proof: { token } } as const;
    }),
    share: sheetCall('share', async (own, { path }, options) => {
      await own.ask('share', { link: own.link(path) }, options);
      return 'unreported' as const;
    }),
    close: hostCall('close', async (own, { signal, timeoutMs = 100 } = {}) => {
      await own.ask('close', {}, { signal, timeoutMs });
    }),
  };
  const { window } = makePhone({ url: 'https://pizza.example/in/seven/' });
  const bridge = createBridge(host, async () => actions)({ window });
  return { asked, answers, bridge, arrive: () => (isThere = true) };
}

describe('supports()', () => {
  const shareOf = (version: string | null) => {
    const { bridge } = seven(version);
    return [bridge.supports('share'), bridge.supports('share', 'text'), bridge.supports('share', 'title')];
  };
  const old = { state: 'unavailable', because: 'host-version' };
  const never = { state: 'unavailable', because: 'not-implemented' };

  it("answers by the host's version, for a call and for what it takes", () => {
    expect(shareOf('1.9.9')).toEqual([old, old, old]);
    expect(shareOf('2.9')).toEqual([{ state: 'unknown' }, old, never]);
    expect(shareOf('2.10')).toEqual([{ state: 'unknown' }, { state: 'unknown' }, never]);
    expect(shareOf('10')).toEqual([{ state: 'unknown' }, { state: 'unknown' }, never]);
    expect(shareOf(null)).toEqual([{ state: 'unknown' }, { state: 'unknown' }, never]);
  });

  it('says of each real host what its calls take', () => {
    const says = (id: 'browser' | 'gpay' | 'paytm') => {
      const { bridge } = stage(id);
      return [
        bridge.supports('login', 'silent').state,
        bridge.supports('location', 'accuracy').state,
        bridge.supports('share', 'text').state,
        bridge.supports('shortcut', 'name').state,
      ];
    };
    expect(says('gpay')).toEqual(['available', 'unavailable', 'available', 'unavailable']);
    expect(says('paytm')).toEqual(['unavailable', 'available', 'unavailable', 'unknown']);
    expect(says('browser')).toEqual(['available', 'available', 'available', 'unavailable']);
    const { bridge, phone } = stage('browser');
    Object.defineProperty(phone.window.navigator, 'share', { value: undefined });
    expect(bridge.supports('share')).toEqual({ state: 'available', via: 'web' });
    expect(bridge.supports('share', 'text')).toEqual(never);
  });

  it('is what a call heeds: what it refuses does not reach the host', async () => {
    const { bridge, asked } = seven('1.0');
    const shared = fate(bridge.share({ title: 'Pizza', path: '/' }));
    const silent = fate(bridge.login({ nonce: 'n', interactive: false }));
    await vi.advanceTimersByTimeAsync(0);
    expect([shared.error?.code, silent.error?.code, asked]).toEqual(['UNSUPPORTED', 'UNSUPPORTED', []]);
    expect(seven('9', { hosted: false }).bridge.supports('login')).toEqual({
      state: 'unavailable',
      because: 'outside-host',
    });
  });
});

describe('a host that somebody defines', () => {
  it('has its own calls, and all else as a browser has it', async () => {
    const { bridge, asked, answers } = seven('3.0');
    const login = fate(bridge.login({ nonce: 'n', interactive: true }));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([['who', { nonce: 'n' }]]);
    answers[0]!('token');
    await vi.advanceTimersByTimeAsync(0);
    expect(login.value).toEqual({ kind: 'proof', proof: { token: 'token' } });
    expect(bridge.link('/menu')).toBe('https://pizza.example/menu');
    expect(bridge.supports('vibrate').state).toBe('unavailable');
    await bridge.storage.set('a', '1');
    expect(await bridge.storage.get('a')).toBe('1');
    const paid = fate(bridge.requestPayment({} as never));
    await vi.advanceTimersByTimeAsync(0);
    expect(paid.error?.code).toBe('UNSUPPORTED');
  });

  it('is there from the first, with nothing of what it declares, where nothing says how it is reached', async () => {
    const host = openHost(
      defineHost({
        profile: () => profileOf('9'),
        calls: { login: { method: 'who' }, share: { method: 'tell', since: '2.0' } },
      }),
      { window: makePhone({ url: 'https://pizza.example/in/seven/' }).window },
    );
    const lacking = { state: 'unavailable', because: 'host-version' };
    expect([host.supports('login'), host.supports('share')]).toEqual([lacking, lacking]);
    expect(host.calls.isThere()).toBe(true);
    await host.transport.whenPresent(new AbortController().signal);
  });

  it('may come without its event, and then is told once', async () => {
    const { bridge, arrive } = seven('3.0', { late: true });
    const heard = vi.fn();
    const stop = bridge.on('support', heard);
    const ready = fate(bridge.ready());
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ready.done).toBe(false);
    arrive();
    await vi.advanceTimersByTimeAsync(250);
    expect([ready.done, ready.error, heard.mock.calls.length]).toEqual([true, undefined, 1]);
    stop();
    stop();
    bridge.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the network of a host', () => {
  it('is asked for when a late host has come, and again until there is one, while somebody listens', async () => {
    let says: NetworkType = 'none';
    const { bridge, arrive } = seven('3.0', { late: true, network: () => says });
    const heard: NetworkType[] = [];
    const stop = bridge.on('network', ({ networkType }) => heard.push(networkType));
    void bridge.ready();
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([]);
    arrive();
    await vi.advanceTimersByTimeAsync(250);
    expect(heard).toEqual(['none']);
    expect(bridge.network.getSnapshot()).toEqual({ isConnected: false, networkType: 'none' });
    says = '3g';
    await vi.advanceTimersByTimeAsync(60_000);
    expect(heard).toEqual(['none', '3g']);
    stop();
    bridge.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('what a host says of the network', () => {
  /** A host that is asked, and answers when it is let. */
  function nine() {
    const answers: ((type: NetworkType) => void)[] = [];
    const heard: Record<string, () => void> = {};
    const { window } = makePhone({ url: 'https://pizza.example/in/nine/' });
    const host = defineHost({
      profile: () => profileOf('1'),
      transport: (_win, profile) => ({
        ...injectedTransport(profile, { present: () => true, ready: [undefined, 'x'], call: () => undefined }),
        listen: (name, handler) => {
          heard[name] = () => handler({ raw: null, preventDefault: () => undefined });
          return () => Reflect.deleteProperty(heard, name);
        },
      }),
      calls: {},
      network: () => () =>
        new Promise((answer) => {
          answers.push(answer);
        }),
    });
    const bridge = createBridge(host, async () => ({}))({ window });
    const told: NetworkType[] = [];
    const listen = () => bridge.on('network', ({ networkType }) => told.push(networkType));
    const answer = async (at: number, type: NetworkType) => {
      answers[at]!(type);
      await vi.advanceTimersByTimeAsync(0);
    };
    return { window, bridge, answers, answer, told, listen, says: (name: string) => heard[name]?.() };
  }

  it('is asked with the first listener, and of many changes meanwhile but once more', async () => {
    const { window, answers, answer, told, listen, says } = nine();
    says('network');
    expect(answers).toHaveLength(0);
    const stop = listen();
    const other = listen();
    expect(answers).toHaveLength(1);
    for (const name of ['online', 'pageshow']) window.dispatchEvent(new Event(name));
    says('network');
    window.document.dispatchEvent(new Event('visibilitychange'));
    expect(answers).toHaveLength(1);
    await answer(0, '3g');
    expect([answers.length, told]).toEqual([2, ['3g', '3g']]);
    await answer(1, '4g');
    expect([answers.length, told]).toEqual([2, ['3g', '3g', '4g', '4g']]);
    says('network');
    expect(answers).toHaveLength(3);
    stop();
    other();
    await answer(2, 'wifi');
    says('network');
    window.dispatchEvent(new Event('online'));
    expect([answers.length, told.length]).toEqual([3, 4]);
    // It begins anew.
    listen();
    expect(answers).toHaveLength(4);
  });

  it('is asked again every five seconds while it says that there is none, and somebody listens', async () => {
    const { bridge, answers, answer, told, listen } = nine();
    const stop = listen();
    await answer(0, 'none');
    expect([told, bridge.network.getSnapshot().isConnected]).toEqual([['none'], false]);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(answers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(answers).toHaveLength(2);
    await answer(1, 'none');
    expect(told).toEqual(['none']);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([answers.length, vi.getTimerCount()]).toEqual([2, 0]);
    const asked = fate(bridge.network.getNetworkType());
    await answer(2, 'none');
    expect(asked.value).toEqual({ isConnected: false, networkType: 'none' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(answers).toHaveLength(3);
    // Who does not know leaves it to the browser.
    const again = fate(bridge.network.getNetworkType());
    await answer(3, 'unknown');
    expect(again.value).toEqual({ isConnected: true, networkType: 'unknown' });
  });

  it('a host that says that the page is in front ends the waiting for its sheet, and one that is done with does not', async () => {
    const heard: Record<string, () => void> = {};
    const host = openHost(
      defineHost({
        profile: () => profileOf('1'),
        transport: (_win, profile) => ({
          ...injectedTransport(profile, { present: () => true, ready: [undefined, 'x'], call: () => undefined }),
          listen: (name, handler) => {
            heard[name] = () => handler({ raw: null, preventDefault: () => undefined });
            return () => Reflect.deleteProperty(heard, name);
          },
        }),
        calls: { address: { supported: () => ({ state: 'unknown' }) } },
      }),
      { window: undefined },
    );
    const pick = sheetCall('address', () => new Promise(() => undefined));
    fate(pick(host));
    heard['resume']!();
    const second = fate(pick(host));
    const third = fate(pick(host));
    await vi.advanceTimersByTimeAsync(0);
    expect([second.error?.code, third.error?.code]).toEqual([undefined, 'BUSY']);
    host.calls.dispose();
    expect(heard['resume']).toBeUndefined();
  });
});

describe('who listens to the back button', () => {
  const settle = async () => {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(10);
  };
  it('and has left before its code came leaves no entry behind; who stays is asked until the bridge is done with', async () => {
    const { bridge, phone } = stage('browser');
    const asked: string[] = [];
    bridge.on('back', () => {
      asked.push('left');
      return 'handled';
    })();
    await settle();
    expect(phone.depth()).toBe(1);
    bridge.on('back', () => {
      asked.push('stays');
      return 'handled';
    });
    await settle();
    phone.history.back();
    await settle();
    expect([asked, phone.depth()]).toEqual([['stays'], 2]);
    bridge.dispose();
    await settle();
    phone.history.back();
    await settle();
    expect(asked).toEqual(['stays']);
  });
});

describe('events', () => {
  it('are heard until the listener has been taken off, which may be done twice', () => {
    const { bridge, phone } = stage('browser');
    const heard: string[] = [];
    const stop = bridge.on('network', ({ networkType }) => heard.push(networkType));
    const other = bridge.on('lifecycle', (state) => heard.push(state));
    const online = (is: boolean) => {
      Object.defineProperty(phone.window.navigator, 'onLine', { configurable: true, value: is });
      phone.window.dispatchEvent(new Event(is ? 'online' : 'offline'));
    };
    online(false);
    phone.window.dispatchEvent(new Event('pagehide'));
    stop();
    stop();
    other();
    online(true);
    phone.window.dispatchEvent(new Event('pageshow'));
    expect(heard).toEqual(['none', 'hidden']);
  });
});

describe('what the phone does by itself', () => {
  it('tells of its network as it is now, whether anybody listens or not', async () => {
    const { bridge, phone } = stage('browser');
    const online = (is: boolean) => {
      Object.defineProperty(phone.window.navigator, 'onLine', { configurable: true, value: is });
      phone.window.dispatchEvent(new Event(is ? 'online' : 'offline'));
    };
    expect(bridge.network.getSnapshot().isConnected).toBe(true);
    online(false);
    expect(bridge.network.getSnapshot().isConnected).toBe(false);
    const stop = bridge.on('network', () => undefined);
    Object.defineProperty(phone.window.navigator, 'onLine', { configurable: true, value: true });
    // Somebody listens: what they were told stands until the phone tells of another.
    expect(bridge.network.getSnapshot().isConnected).toBe(false);
    stop();
    expect(bridge.network.getSnapshot().isConnected).toBe(true);
    const given = fate(bridge.network.getNetworkType({ signal: AbortSignal.abort() }));
    await vi.advanceTimersByTimeAsync(0);
    expect(given.error?.code).toBe('ABORTED');
  });
});

describe('ready transports', () => {
  it('fetch a script once it is wanted, wait for a global that comes later, and fetch it again after a failure', async () => {
    const { window, elements } = makePhone();
    let sdk: object | undefined;
    const transport = scriptTransport(
      window,
      { id: 'gpay', hosted: true },
      { src: 'https://sdk.example/', sdk: () => sdk },
    );
    const host = openHost(gpay, { window, transport });
    const scripts = () => elements.filter(({ tag }) => tag === 'script');
    expect(scripts()).toEqual([]);
    const first = fate(host.calls.ready());
    await vi.advanceTimersByTimeAsync(0);
    scripts()[0]!.onerror!();
    await vi.advanceTimersByTimeAsync(0);
    expect(first.error?.code).toBe('NOT_READY');
    const second = fate(host.calls.ready());
    await vi.advanceTimersByTimeAsync(0);
    expect(scripts().map(({ src }) => src)).toEqual(['https://sdk.example/']);
    scripts()[0]!.onload!();
    await vi.advanceTimersByTimeAsync(500);
    expect(second.done).toBe(false);
    sdk = { getIdentity: () => undefined };
    await vi.advanceTimersByTimeAsync(250);
    expect([second.done, second.error]).toEqual([true, undefined]);
    expect([transport.has('getIdentity'), transport.has('other')]).toEqual([true, false]);
  });

  it('give each numbered call its own reply, in any order', () => {
    const sent: number[] = [];
    const { call, reply } = numbered((id) => sent.push(id));
    const heard: unknown[] = [];
    call('a', {}, (raw) => heard.push(['a', raw]));
    call('b', {}, (raw) => heard.push(['b', raw]));
    reply(sent[1]!, 2);
    reply(sent[0]!, 1);
    reply(99, 'nobody asked');
    expect(heard).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });
});

const web = () => ({ state: 'available', via: 'web' }) as const;

describe('how a call gets there', () => {
  it('a script is asked with what there is to say, and its promise is the answer', async () => {
    const { window, elements } = makePhone();
    const asked: unknown[] = [];
    const sdk = {
      works: (args?: unknown) => (asked.push(args), Promise.resolve('done')),
      says: () => 'at once',
      fails: () => Promise.reject(new Error('closed')),
      failsSilently: () => Promise.reject(undefined),
      notACall: 1,
    };
    let isThere = false;
    const transport = scriptTransport(
      window,
      { id: 'gpay', hosted: true },
      { src: 'https://sdk.example/', sdk: () => (isThere ? sdk : undefined) },
    );
    expect([transport.present(), transport.has('works')]).toEqual([false, undefined]);
    isThere = true;
    expect([transport.present(), transport.has('works'), transport.has('notACall')]).toEqual([true, true, false]);
    await transport.whenPresent(new AbortController().signal);
    expect(elements.filter(({ tag }) => tag === 'script')).toEqual([]);
    const answer = (method: string, args = {}) =>
      new Promise((reply) => {
        transport.call(method, args, reply);
      });
    expect(await answer('works')).toEqual({ value: 'done' });
    expect(await answer('works', { a: 1 })).toEqual({ value: 'done' });
    expect(asked).toEqual([undefined, { a: 1 }]);
    expect(await answer('says')).toEqual({ value: 'at once' });
    expect(await answer('fails')).toMatchObject({ error: { message: 'closed' } });
    expect(await answer('failsSilently')).toEqual({ error: 'rejected' });
  });

  it('who is done with the page ends the waiting for a script, and for the object that it leaves', async () => {
    const { window, elements } = makePhone();
    const profile = { id: 'gpay', hosted: true } as const;
    const transport = scriptTransport(window, profile, { src: 'https://sdk.example/', sdk: () => undefined });
    for (const isLoaded of [false, true]) {
      elements.length = 0;
      const leave = new AbortController();
      const waiting = transport.whenPresent(leave.signal).catch(String);
      expect(elements).toMatchObject([{ tag: 'script', src: 'https://sdk.example/', async: true }]);
      if (isLoaded) elements[0]!.onload!();
      await vi.advanceTimersByTimeAsync(1_000);
      leave.abort();
      expect(await waiting).toMatch(/Disposed/);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it('a bridge that comes is found at its event, or within a quarter of a second, and looked for no more', async () => {
    const target = new EventTarget();
    let isThere = false;
    const looks = vi.fn(() => isThere);
    const transport = injectedTransport(
      { id: 'paytm', hosted: true },
      { present: looks, ready: [target, 'bridgeready'], call: () => undefined },
    );
    const { signal } = new AbortController();
    const first = fate(transport.whenPresent(signal));
    target.dispatchEvent(new Event('bridgeready'));
    await vi.advanceTimersByTimeAsync(0);
    expect(first.done).toBe(false);
    isThere = true;
    target.dispatchEvent(new Event('bridgeready'));
    await vi.advanceTimersByTimeAsync(0);
    expect([first.done, vi.getTimerCount()]).toEqual([true, 0]);
    isThere = false;
    const second = fate(transport.whenPresent(signal));
    await vi.advanceTimersByTimeAsync(249);
    isThere = true;
    expect(second.done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([second.done, vi.getTimerCount()]).toEqual([true, 0]);
    looks.mockClear();
    target.dispatchEvent(new Event('bridgeready'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(looks).not.toHaveBeenCalled();
  });

  it('what an injected call returns is an answer if it is a promise of one; nothing, or a broken one, is none', async () => {
    const answers: unknown[] = [];
    const returned: Record<string, unknown> = {
      value: Promise.resolve('done'),
      empty: Promise.resolve(),
      nothing: undefined,
      word: 'done',
      broken: Promise.reject(new Error('closed')),
    };
    const made = (has?: (method: string) => boolean, isThere = true) =>
      injectedTransport(
        { id: 'paytm', hosted: true },
        { present: () => isThere, ready: [undefined, 'x'], call: (method) => returned[method], ...(has && { has }) },
      );
    for (const method of Object.keys(returned)) made().call(method, {}, (raw) => answers.push([method, raw]));
    await vi.advanceTimersByTimeAsync(0);
    expect(answers).toEqual([['value', 'done']]);
    const has = (method: string) => method === 'value';
    expect([
      made().has('value'),
      made(has).has('value'),
      made(has).has('other'),
      made(has, false).has('value'),
    ]).toEqual([undefined, true, false, undefined]);
  });

  it('a call of the numbers that were given is answered twice if the host does so', () => {
    const { call, reply } = numbered(() => undefined);
    const heard: unknown[] = [];
    call('a', {}, (raw) => heard.push(raw));
    reply(1, 'first');
    reply(1, 'second');
    call('b', {}, (raw) => heard.push(['b', raw]));
    reply(2, 'third');
    expect(heard).toEqual(['first', 'second', ['b', 'third']]);
  });
});

describe('what a call takes', () => {
  /** A host with its own words for what it can do, and what each of its calls was given. */
  function eight(version: string | null, isPicky = true) {
    const given: unknown[] = [];
    const host = defineHost({
      profile: () => profileOf(version),
      transport: (_win, profile) =>
        injectedTransport(profile, {
          present: () => true,
          ready: [undefined, 'x'],
          call: () => undefined,
          has: (method) => method !== 'missing',
        }),
      calls: {
        login: { method: 'who', parameters: { silent: '3.0', clientId: () => isPicky } },
        share: { method: 'missing' },
        address: { method: 'pick' },
        close: { supported: () => ({ state: 'unavailable', because: 'blocked-by-host' }) },
      },
    });
    const open = openHost(host, { window: undefined });
    const call = (feature: 'login' | 'address' | 'share') =>
      sheetCall(feature, async (_own: unknown, ...args: unknown[]) => {
        given.push(args);
        return undefined as never;
      }) as unknown as (own: typeof open, ...args: unknown[]) => Promise<unknown>;
    return { open, given, call };
  }

  it('is answered by what it has, by its version, and by what it finds on the page', () => {
    const known = (version: string | null, isPicky?: boolean) => {
      const { open } = eight(version, isPicky);
      return [
        open.supports('login', 'silent'),
        open.supports('login', 'clientId'),
        open.supports('address'),
        open.supports('share'),
      ].map((support) => ('because' in support ? support.because : support.state));
    };
    expect(known('3.0')).toEqual(['available', 'available', 'available', 'host-version']);
    expect(known('2.9.9', false)).toEqual(['host-version', 'not-implemented', 'available', 'host-version']);
    expect(known(null)).toEqual(['unknown', 'available', 'available', 'host-version']);
  });

  it('what was learned of it stands from then on, and is told', () => {
    const { open } = eight('3.0');
    const heard = vi.fn();
    const stop = open.onSupport(heard);
    open.learn('login', { state: 'unavailable', because: 'permission' });
    open.changed();
    expect([heard.mock.calls.length, open.supports('login')]).toEqual([
      2,
      { state: 'unavailable', because: 'permission' },
    ]);
    stop();
    open.changed();
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('a sheet is given what it was asked for, its signal and its deadline; a login without a sheet has its own', async () => {
    const { open, given, call } = eight('3.0');
    const signal = expect.any(AbortSignal) as AbortSignal;
    const stop = new AbortController().signal;
    await call('login')(open, { nonce: 'n', interactive: true });
    await call('login')(open, { nonce: 'n', interactive: true }, { timeoutMs: 7 });
    await call('login')(open, { nonce: 'n', interactive: false }, { signal: stop });
    await call('login')(open, { nonce: 'n', interactive: false });
    await call('address')(open);
    await call('address')(open, { timeoutMs: 8 });
    expect(given).toEqual([
      [
        { nonce: 'n', interactive: true },
        { signal, timeoutMs: 120_000 },
      ],
      [
        { nonce: 'n', interactive: true },
        { signal, timeoutMs: 7 },
      ],
      [
        { nonce: 'n', interactive: false },
        { signal: stop, timeoutMs: 5_000 },
      ],
      [
        { nonce: 'n', interactive: false },
        { signal: undefined, timeoutMs: 5_000 },
      ],
      [{ signal, timeoutMs: 120_000 }],
      [{ signal, timeoutMs: 8 }],
    ]);
    expect((given[2] as [unknown, { signal: unknown }])[1].signal).toBe(stop);
  });

  it('one that is missing, blocked or of an older host is not begun', async () => {
    const { open, given, call } = eight('2.0');
    const codeOf = (calling: Promise<unknown>) =>
      calling.then(
        () => 'begun',
        ({ code }: { code: string }) => code,
      );
    expect([
      await codeOf(call('share')(open, { title: 'Pizza', path: '/' })),
      await codeOf(call('login')(open, { nonce: 'n', interactive: false })),
      await codeOf(hostCall('close', async () => undefined)(open)),
      given,
    ]).toEqual(['UNSUPPORTED', 'UNSUPPORTED', 'BLOCKED', []]);
  });

  it('two logins without a sheet may run beside each other, and beside a sheet', async () => {
    const { open, call } = eight('3.0');
    const never = sheetCall('address', () => new Promise(() => undefined));
    fate(never(open));
    const busy = fate(call('login')(open, { nonce: 'n', interactive: true }));
    const silent = [0, 1].map(() => fate(call('login')(open, { nonce: 'n', interactive: false })));
    await vi.advanceTimersByTimeAsync(0);
    expect([busy.error?.code, silent.map(({ done, error }) => [done, error])]).toEqual([
      'BUSY',
      [
        [true, undefined],
        [true, undefined],
      ],
    ]);
  });

  it.each([
    ['focus', (page: Window) => page.dispatchEvent(new Event('focus'))],
    ['pageshow', (page: Window) => page.dispatchEvent(new Event('pageshow'))],
    ['shown', (page: Window) => page.document.dispatchEvent(new Event('visibilitychange'))],
    ['hidden', (page: Window) => page.document.dispatchEvent(new Event('visibilitychange'))],
  ])('a page that is in front again may open another sheet at once: %s', async (how, event) => {
    const { window } = makePhone();
    const host = openHost(defineHost({ profile: () => profileOf('1'), calls: { address: { supported: web } } }), {
      window,
    });
    const pick = sheetCall('address', () => new Promise(() => undefined));
    const first = fate(pick(host));
    Object.assign(window.document, { hidden: how === 'hidden' });
    event(window);
    const second = fate(pick(host));
    await vi.advanceTimersByTimeAsync(0);
    expect([first.error?.code, second.error?.code]).toEqual(
      how === 'hidden' ? [undefined, 'BUSY'] : [undefined, undefined],
    );
    host.calls.dispose();
    event(window);
    const third = fate(pick(host));
    await vi.advanceTimersByTimeAsync(0);
    expect(third.error?.code).toBe('BUSY');
  });
});
