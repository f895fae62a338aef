import { afterEach, expect, test, vi } from 'vitest';
import { readTraits } from '../../src/bridge/browserTraits.ts';

const put = (on: object, names: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(names)) {
    const own = Object.getOwnPropertyDescriptor(on, name);
    Object.defineProperty(on, name, { configurable: true, writable: true, value });
    undo.push(() => (own ? Object.defineProperty(on, name, own) : Reflect.deleteProperty(on, name)));
  }
};
const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const each of undo.splice(0).reverse()) each();
  vi.restoreAllMocks();
});

type Kind = (() => void) & { readonly prototype: object };
const CHROMIUM = [
  () => put(navigator, { webkitPersistentStorage: {} }),
  () => put(navigator, { webkitTemporaryStorage: {} }),
  () => put(navigator, { vendor: 'Google Inc.' }),
  () => put(globalThis, { webkitResolveLocalFileSystemURL: () => {} }),
  () => put(globalThis, { BatteryManager: () => {} }),
  () => put(globalThis, { webkitMediaStream: () => {} }),
  () => put(globalThis, { webkitSpeechGrammar: () => {} }),
];
const WEBKIT = [
  () => put(globalThis, { ApplePayError: () => {} }),
  () => put(globalThis, { CSSPrimitiveValue: () => {} }),
  () => put(globalThis, { Counter: () => {} }),
  () => put(navigator, { vendor: 'Apple Computer, Inc.' }),
  () => put(navigator, { getStorageUpdates: () => {} }),
  () => put(globalThis, { WebKitMediaKeys: () => {} }),
];
const GECKO = [
  () => put(navigator, { buildID: '20181001000000' }),
  () => put(document.documentElement, { style: { MozAppearance: '' } }),
  () => put(globalThis, { onmozfullscreenchange: null }),
  () => put(globalThis, { mozInnerScreenX: 0 }),
  () => put(globalThis, { CanvasCaptureMediaStream: () => {} }),
];

test.each([
  ['chromium', CHROMIUM, 4],
  ['webkit', WEBKIT, 4],
  ['gecko', GECKO, 3],
] as const)(
  'an engine is told by more than half of what it alone has, whatever it calls itself: %s',
  async (engine, marks, most) => {
    put(navigator, { vendor: '' });
    expect((await readTraits()).engine).toBeUndefined();
    // Each mark counts: every run of so many that are beside one another is enough, and one fewer is not.
    for (const first of marks.keys()) {
      const some = (count: number) => Array.from({ length: count }, (_, at) => marks[(first + at) % marks.length]!);
      const held = undo.length;
      for (const mark of some(most)) mark();
      expect((await readTraits()).engine, `from ${first}`).toBe(engine);
      for (const each of undo.splice(held).reverse()) each();
      for (const mark of some(most - 1)) mark();
      expect((await readTraits()).engine, `one fewer from ${first}`).toBeUndefined();
      for (const each of undo.splice(held).reverse()) each();
    }
  },
);

test('lists of the browser are told from such as a script has made, and so is each entry', async () => {
  const made = () => ({ prototype: {} });
  const [PluginArray, MimeTypeArray, MimeType] = [made, made, made].map((each) => Object.assign(() => {}, each())) as [
    Kind,
    Kind,
    Kind,
  ];
  const list = (of: { prototype: object }, ...entries: object[]) =>
    Object.assign(Object.create(of.prototype) as object, Object.fromEntries(entries.entries()), {
      length: entries.length,
    });
  put(globalThis, { PluginArray, MimeTypeArray, MimeType });
  put(navigator, {
    plugins: list(PluginArray),
    mimeTypes: list(MimeTypeArray, Object.create(MimeType.prototype) as object),
  });
  expect(await readTraits()).toMatchObject({ arePluginsReal: true, areMimeTypesReal: true });
  put(navigator, { plugins: [], mimeTypes: list(MimeTypeArray, Object.create(MimeType.prototype) as object, {}) });
  expect(await readTraits()).toMatchObject({ arePluginsReal: false, areMimeTypesReal: false });
  put(globalThis, { MimeType: undefined });
  expect((await readTraits()).areMimeTypesReal).toBe(true);
  put(navigator, { plugins: null, mimeTypes: undefined });
  expect(await readTraits()).toMatchObject({ arePluginsReal: undefined, areMimeTypesReal: undefined });
  put(globalThis, { PluginArray: undefined });
  put(navigator, { plugins: [] });
  expect((await readTraits()).arePluginsReal).toBeUndefined();
});

test('what the page and the browser say of notices is told only where both say something', async () => {
  const query = vi.fn(async ({ name }: { name: string }) => ({ state: name === 'notifications' ? 'prompt' : 'no' }));
  put(globalThis, { Notification: { permission: 'denied' } });
  put(navigator, { permissions: { query } });
  expect((await readTraits()).notices).toEqual(['denied', 'prompt']);
  query.mockRejectedValueOnce(new TypeError('no such permission'));
  expect((await readTraits()).notices).toBeUndefined();
  put(navigator, { permissions: undefined });
  expect((await readTraits()).notices).toBeUndefined();
  put(navigator, { permissions: { query } });
  put(globalThis, { Notification: undefined });
  expect((await readTraits()).notices).toBeUndefined();
});

test('languages, brands, sizes and names are told as they are, and nothing where there is nothing', async () => {
  put(navigator, {
    userAgent: 'Mozilla/5.0 (Linux; Android 14)',
    appVersion: '5.0 (Linux; Android 14)',
    platform: 'Linux armv81',
    webdriver: false,
    maxTouchPoints: 5,
    language: 'hi-IN',
    languages: ['hi-IN', 'en'],
    userAgentData: { brands: [{ brand: 'Chromium' }, { brand: 'Not:A-Brand' }] },
  });
  put(globalThis, { outerWidth: 360, outerHeight: 740, external: { toString: () => '[object External]' } });
  document.documentElement.setAttribute('data-x', '');
  const told = await readTraits();
  expect(told).toMatchObject({
    userAgent: 'Mozilla/5.0 (Linux; Android 14)',
    appVersion: '5.0 (Linux; Android 14)',
    platform: 'Linux armv81',
    webDriver: false,
    touchPoints: 5,
    languages: ['hi-IN', 'hi-IN', 'en'],
    brands: ['Chromium', 'Not:A-Brand'],
    outer: [360, 740],
    external: '[object External]',
    canBind: true,
  });
  expect(told.pageAttributes).toContain('data-x');
  expect(told.windowNames).toContain('outerWidth');
  expect(told.navigatorNames).toContain('userAgentData');
  expect(told.errorTrace).toContain('errorTrace');
  document.documentElement.removeAttribute('data-x');
  put(navigator, {
    userAgent: undefined,
    appVersion: undefined,
    platform: undefined,
    language: '',
    languages: undefined,
    userAgentData: undefined,
  });
  put(globalThis, { external: undefined, process: undefined });
  put(navigator, { vendor: undefined });
  expect(await readTraits()).toMatchObject({
    userAgent: '',
    appVersion: '',
    platform: '',
    languages: [],
    brands: [],
    external: '',
    process: undefined,
  });
  put(navigator, { userAgentData: {} });
  expect((await readTraits()).brands).toEqual([]);
});

test('what only a program leaves in a page is told: its process, an eval of another length', async () => {
  put(globalThis, { process: { type: 'renderer' }, eval: 'a'.repeat(37) });
  expect(await readTraits()).toMatchObject({ process: { type: 'renderer' }, evalLength: 37 });
  put(globalThis, { process: 'renderer' });
  expect((await readTraits()).process).toBeUndefined();
});
