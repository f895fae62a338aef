import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBridge } from '../../src/bridge/createBridge.ts';
import { defineHost, hostCall, openHost, sheetCall } from '../../src/bridge/defineHost.ts';
import type { HostId, NetworkType } from '../../src/bridge/hostBridge.ts';
import type { HostProfile } from '../../src/bridge/profile.ts';
import { injectedTransport } from '../../src/bridge/transports.ts';
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

describe('a call that opens a sheet', () => {
  const web = () => ({ state: 'available', via: 'web' }) as const;
  const open = () =>
    openHost(
      defineHost({ profile: () => profileOf('1'), calls: { login: { supported: web }, address: { supported: web } } }),
      {
        window: undefined,
      },
    );
  const [shown, silent] = [true, false].map((interactive) => ({ nonce: 'n', interactive })) as [
    { nonce: string; interactive: boolean },
    { nonce: string; interactive: boolean },
  ];

  it('has two minutes, a login without a sheet five seconds, unless it is said otherwise', async () => {
    const given: unknown[] = [];
    const login = sheetCall('login', async (_host, _wish, options) => {
      given.push(options.timeoutMs);
      return { kind: 'web-session' } as const;
    });
    const host = open();
    await login(host, shown);
    await login(host, silent);
    await login(host, shown, { timeoutMs: 7 });
    expect(given).toEqual([120_000, 5_000, 7]);
  });

  it('keeps others waiting, but not logins without a sheet, of which two may run', async () => {
    const host = open();
    const never = sheetCall('address', () => new Promise(() => undefined));
    const login = sheetCall('login', async () => ({ kind: 'web-session' }) as const);
    fate(never(host));
    const all = [shown, silent, silent].map((wish) => fate(login(host, wish)));
    await vi.advanceTimersByTimeAsync(0);
    expect(all.map(({ done, error }) => [done, error?.code])).toEqual([
      [true, 'BUSY'],
      [true, undefined],
      [true, undefined],
    ]);
  });
});
