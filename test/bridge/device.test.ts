import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBrowser } from '../../hosts/browser/bridge.ts';
import '../../hosts/browser/actions.ts';
import { webLink } from '../../src/bridge/web.ts';
import type { NetworkStatus } from '../../src/bridge/hostBridge.ts';
import { readLaunch, setting } from '../../src/bridge/profile.ts';
import { makePhone, makeStorage } from '../hosts/phone.ts';
import { fate } from '../hosts/stage.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A browser around the page whose navigator has these. */
function open(navigator: object = {}) {
  const { window, elements } = makePhone({ url: 'https://pizza.example/in/?src=push&store=DL1' });
  Object.assign(window.navigator, navigator);
  return { window, elements, bridge: createBrowser({ window }) };
}

describe('where a browser says the phone is', () => {
  type Found = (at: { readonly coords: object }) => void;
  type Failed = (error: { readonly code: number }) => void;
  const asking = async (answer: (found: Found, failed: Failed) => void, how: object = {}) => {
    const asked: unknown[] = [];
    const { bridge } = open({
      geolocation: {
        getCurrentPosition(found: Found, failed: Failed, options: object) {
          asked.push(options);
          answer(found, failed);
        },
      },
    });
    const told = fate(bridge.getLocation(how));
    await vi.advanceTimersByTimeAsync(0);
    await vi.dynamicImportSettled();
    return { asked, told };
  };

  it.each([
    [90, 180, true],
    [-90, -180, true],
    [90.1, 0, false],
    [-90.1, 0, false],
    [0, 180.1, false],
    [0, -180.1, false],
    [NaN, 0, false],
  ])('%s, %s: a place of the earth: %s', async (latitude, longitude, is) => {
    const { told } = await asking((found) => found({ coords: { latitude, longitude, accuracy: 12, heading: 3 } }));
    if (is) expect(told.value).toEqual({ latitude, longitude, accuracy: 12 });
    else expect(told.error).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
  });

  it('it is asked exactly, for a position not older than a minute, and given 15 s for it and two minutes for its question', async () => {
    const { asked, told } = await asking(() => undefined);
    expect(asked).toEqual([{ timeout: 15_000, maximumAge: 60_000, enableHighAccuracy: true }]);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(told.done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(told.error).toMatchObject({ code: 'TIMEOUT', retryable: true });
  });
});

describe('what a browser says of its network', () => {
  const line = (type?: string) => Object.assign(new EventTarget(), { type });
  const page = (navigator: object) => {
    const { bridge, window } = open(navigator);
    const heard: NetworkStatus[] = [];
    const stop = bridge.on('network', (status) => heard.push(status));
    return { bridge, window, heard, stop };
  };

  it.each([
    ['wifi', 'wifi'],
    ['WiFi', 'wifi'],
    ['5g', '5g'],
    ['cellular', 'cellular'],
    ['ethernet', 'ethernet'],
    ['bluetooth', 'unknown'],
    // Connected, and by no line: then it does not know by which.
    ['none', 'unknown'],
    [undefined, 'unknown'],
  ] as const)('%s is %s', (type, said) => {
    const { bridge } = open({ connection: line(type) });
    expect(bridge.network.getSnapshot()).toEqual({ isConnected: true, networkType: said });
  });

  it('who is offline has none, by whatever line; a change of the line alone is told too, and each but once', () => {
    const connection = line('wifi');
    const { bridge, window, heard, stop } = page({ connection });
    connection.dispatchEvent(new Event('change'));
    expect(heard).toEqual([]);
    const before = bridge.network.getSnapshot();
    connection.type = '4g';
    connection.dispatchEvent(new Event('change'));
    connection.dispatchEvent(new Event('change'));
    expect(heard).toEqual([{ isConnected: true, networkType: '4g' }]);
    expect(bridge.network.getSnapshot()).toBe(heard[0]);
    expect(bridge.network.getSnapshot()).not.toBe(before);
    Object.assign(window.navigator, { onLine: false });
    window.dispatchEvent(new Event('offline'));
    expect(heard.at(-1)).toEqual({ isConnected: false, networkType: 'none' });
    Object.assign(window.navigator, { onLine: true });
    for (const [target, name] of [
      [window, 'online'],
      [window, 'pageshow'],
      [window.document, 'visibilitychange'],
    ] as const) {
      target.dispatchEvent(new Event(name));
      expect(heard.at(-1), name).toEqual({ isConnected: true, networkType: '4g' });
      Object.assign(window.navigator, { onLine: false });
      window.dispatchEvent(new Event('offline'));
      Object.assign(window.navigator, { onLine: true });
    }
    stop();
    heard.length = 0;
    for (const name of ['online', 'pageshow']) window.dispatchEvent(new Event(name));
    connection.dispatchEvent(new Event('change'));
    window.document.dispatchEvent(new Event('visibilitychange'));
    expect(heard).toEqual([]);
  });

  it('while one of two listeners stays it goes on telling, and begins anew for who comes after the last', () => {
    const { bridge, window, heard, stop } = page({});
    const other: NetworkStatus[] = [];
    const leave = bridge.on('network', (status) => other.push(status));
    const online = (is: boolean) => {
      Object.assign(window.navigator, { onLine: is });
      window.dispatchEvent(new Event(is ? 'online' : 'offline'));
    };
    stop();
    online(false);
    expect([heard, other.length]).toEqual([[], 1]);
    leave();
    online(true);
    expect(other).toHaveLength(1);
    // Nobody listened meanwhile; what is known now is the beginning.
    bridge.on('network', (status) => other.push(status));
    online(true);
    expect(other).toHaveLength(1);
    online(false);
    expect(other).toHaveLength(2);
  });
});

describe('what a page keeps on the device', () => {
  const bundle = (storage: Storage, base: string | null) => {
    const { window, elements } = makePhone({ storage });
    if (base !== null) elements.push(Object.assign({ tag: 'base', remove() {} }, { href: base }));
    return { storage: createBrowser({ window }).storage, window };
  };

  it('each bundle keeps its own below its own address, and leaves no trial behind', async () => {
    const storage = makeStorage();
    const india = bundle(storage, 'https://pizza.example/in/').storage;
    const lanka = bundle(storage, 'https://pizza.example/lk/').storage;
    await india.set('cart', 'two');
    expect([await india.get('cart'), await lanka.get('cart')]).toEqual(['two', null]);
    const kept = () => Array.from({ length: storage.length }, (_, at) => storage.key(at));
    expect(kept()).toEqual(['browser/in/:cart']);
    await bundle(storage, null).storage.set('cart', 'one');
    expect(kept()).toEqual(['browser/in/:cart', 'browser:cart']);
    await india.remove('cart');
    expect(kept()).toEqual(['browser:cart']);
    expect(await india.get('cart')).toBeNull();
  });

  it('what another page has written meanwhile is what is read; what could not be written is what this page knows', async () => {
    const storage = makeStorage();
    const first = bundle(storage, null).storage;
    const second = bundle(storage, null).storage;
    await first.set('cart', 'two');
    await second.set('cart', 'three');
    expect(await first.get('cart')).toBe('three');
    const write = storage.setItem;
    storage.setItem = () => {
      throw new Error('full');
    };
    await first.set('cart', 'four');
    expect([await first.get('cart'), await second.get('cart')]).toEqual(['four', 'three']);
    storage.setItem = write;
    await first.set('cart', 'five');
    await second.set('cart', 'six');
    expect(await first.get('cart')).toBe('six');
    storage.setItem = () => {
      throw new Error('full');
    };
    await first.set('cart', 'seven');
    await first.remove('cart');
    storage.setItem = write;
    await second.set('cart', 'eight');
    expect(await first.get('cart')).toBe('eight');
  });
});

describe('what a page can do without a host', () => {
  it('vibrates once for what was chosen or done, twice for a warning, three times for an error', () => {
    const felt: unknown[] = [];
    const { bridge } = open({ vibrate: (pattern: unknown) => felt.push(pattern) > 0 });
    for (const haptic of ['selection', 'success', 'warning', 'error'] as const) bridge.vibrate(haptic);
    expect(felt).toEqual([[200], [200], [200, 100, 200], [200, 100, 200, 100, 200]]);
  });

  it("a path of the app is an address below the bundle's own, whatever it begins with", () => {
    const { window, elements } = open();
    expect(webLink(window, '/menu?q=corn')).toBe('https://pizza.example/menu?q=corn');
    elements.push(Object.assign({ tag: 'base', remove() {} }, { href: 'https://pizza.example/in/paytm/' }));
    for (const path of ['menu', '/menu', '//menu'])
      expect(webLink(window, path)).toBe('https://pizza.example/in/paytm/menu');
    expect(webLink(window, '/')).toBe('https://pizza.example/in/paytm/');
  });

  it('how it was opened, and what is written into it, is told; without a page there is nothing', () => {
    const { window, elements } = open();
    expect(readLaunch(window)).toEqual({
      href: 'https://pizza.example/in/?src=push&store=DL1',
      path: null,
      params: { src: 'push', store: 'DL1' },
    });
    expect(readLaunch(undefined)).toEqual({ href: '', path: null, params: {} });
    elements.push(
      { tag: 'meta', name: 'partner', content: 'acme', remove() {} },
      { tag: 'meta', name: 'empty', content: '', remove() {} },
    );
    expect(['partner', 'empty', 'absent'].map((name) => setting(window, name))).toEqual(['acme', null, null]);
    expect(setting(undefined, 'partner')).toBeNull();
  });
});
