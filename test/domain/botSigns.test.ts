import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BOT_SIGNS, type BotSign } from '../../src/contract/fingerprint.ts';
import { botSigns, type BrowserTraits } from '../../src/domain/botSigns.ts';
import { canonical, deviceHash } from '../../src/domain/fingerprint.ts';

const WINDOWS: BrowserTraits = {
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
  appVersion: '5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
  platform: 'Win32',
  productSub: '20030107',
  engine: 'chromium',
  brands: ['Chromium', 'Google Chrome', 'Not)A;Brand'],
  touchPoints: 0,
  webDriver: false,
  navigatorNames: [],
  languages: ['en-IN', 'en-IN', 'hi'],
  arePluginsReal: true,
  areMimeTypesReal: true,
  notices: ['default', 'prompt'],
  hasFocus: true,
  outer: [1280, 800],
  external: '[object External]',
  process: undefined,
  evalLength: 33,
  errorTrace: "TypeError: Cannot read properties of null (reading '0')\n    at index-1.js:1:2",
  canBind: true,
  pageAttributes: ['lang', 'data-bars'],
  windowNames: ['window', 'chrome', 'webkitURL', '__reactContainer$x'],
  documentNames: ['location', '_reactListeningabc'],
};
const PHONE: BrowserTraits = {
  ...WINDOWS,
  userAgent:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36',
  appVersion: '5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36',
  platform: 'Linux armv81',
  touchPoints: 5,
  outer: [412, 915],
};
const IPHONE: BrowserTraits = {
  ...PHONE,
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  appVersion: '5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
  platform: 'iPhone',
  engine: 'webkit',
  brands: [],
  evalLength: 37,
  // Outside of an app on the home screen there are no notices, and a webview says that it has no size.
  notices: undefined,
  outer: [390, 844],
};
const FIREFOX: BrowserTraits = {
  ...WINDOWS,
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  appVersion: '5.0 (Windows)',
  productSub: '20100101',
  engine: 'gecko',
  brands: [],
  evalLength: 37,
};
const PERSONS: readonly (readonly [string, BrowserTraits])[] = [
  ['a computer', WINDOWS],
  ['a phone', PHONE],
  ['a phone that asks for the desktop page', { ...PHONE, userAgent: 'X11; Linux x86_64', platform: 'Linux armv8l' }],
  ['an iPhone', IPHONE],
  ['another browser', FIREFOX],
  ['a browser nobody has heard of', { ...WINDOWS, userAgent: 'Pizza/1.0', engine: undefined, evalLength: 37 }],
  ['an old webview', { ...PHONE, arePluginsReal: undefined, areMimeTypesReal: undefined, webDriver: undefined }],
  ['a tab that was opened behind', { ...WINDOWS, hasFocus: false, outer: [0, 0] }],
  ['somebody who wants no notices', { ...WINDOWS, notices: ['denied', 'denied'] }],
  ['a browser that has no notices', { ...WINDOWS, notices: undefined }],
  ['another browser whose notices differ', { ...FIREFOX, notices: ['denied', 'prompt'] }],
  ['a browser without a product', { ...WINDOWS, productSub: undefined }],
  ['a window without a width', { ...WINDOWS, outer: [0, 800] }],
  ['a window without a height', { ...WINDOWS, outer: [1280, 0] }],
  ['a page that has a process of another kind', { ...WINDOWS, process: { type: 'browser' } }],
];

/** For each sign a browser that shows it and no other. */
const PROGRAMS: Readonly<Record<BotSign, readonly Partial<BrowserTraits>[]>> = {
  userAgent: [
    { userAgent: WINDOWS.userAgent.replace('Chrome', 'HeadlessChrome') },
    { userAgent: `${WINDOWS.userAgent} Electron/36.2` },
    { userAgent: 'Mozilla/5.0 PhantomJS/2.1.1' },
  ],
  appVersion: [{ appVersion: WINDOWS.appVersion.replace('Chrome', 'HeadlessChrome') }],
  brands: [{ brands: ['Chromium', 'HeadlessChrome'] }],
  platform: [{ platform: 'Linux x86_64' }],
  productSub: [{ productSub: '20100101' }],
  touch: [{ ...PHONE, touchPoints: 0 }],
  webDriver: [{ webDriver: true }],
  navigator: ['webdriver', 'userAgent', 'appVersion', 'platform', 'plugins', 'languages'].map((name) => ({
    navigatorNames: [name],
  })),
  languages: [{ languages: [] }],
  plugins: [{ arePluginsReal: false }],
  mimeTypes: [{ areMimeTypesReal: false }],
  notifications: [{ notices: ['denied', 'prompt'] }],
  windowSize: [{ outer: [0, 0] }],
  external: [{ external: 'Sequentum 1' }],
  process: [{ process: { type: 'renderer' } }, { process: { versions: { electron: '36' } } }],
  evalLength: [{ evalLength: 37 }, { engine: 'gecko' }],
  errorTrace: [{ errorTrace: 'at phantomjs://code' }],
  functionBind: [{ canBind: false }],
  pageAttributes: ['selenium', 'webdriver', 'driver'].map((name) => ({ pageAttributes: ['lang', name] })),
  windowNames: [
    { windowNames: ['callPhantom'] },
    { windowNames: ['cdc_adoQpoasnfa76pfcZLmcfl_Array'] },
    { windowNames: ['domAutomationController'] },
  ],
  documentNames: [
    { documentNames: ['$cdc_asdjflasutopfhvcZLmcfl_'] },
    { documentNames: ['__selenium_unwrapped'] },
    { documentNames: ['__fxdriver_evaluate'] },
    { documentNames: ['__$webdriverAsyncExecutor'] },
  ],
  bindings: [{ windowNames: ['__playwright__binding__'] }, { windowNames: ['__pwInitScripts'] }],
};

describe('signs of a program in a browser', () => {
  test.each(PERSONS)('%s that a person holds shows none', (_name, traits) => {
    expect(botSigns(traits)).toEqual([]);
  });

  test('more than twenty are looked for, and each finds its program, alone [EXP-26]', () => {
    expect(BOT_SIGNS.length).toBeGreaterThan(20);
    for (const [sign, programs] of Object.entries(PROGRAMS))
      for (const program of programs)
        expect([program, botSigns({ ...WINDOWS, ...program })]).toEqual([program, [sign]]);
  });

  test('an empty list of plugins is none: every browser of Android has one', () => {
    expect(botSigns({ ...PHONE, arePluginsReal: true })).toEqual([]);
  });
});

describe('the hash of a device', () => {
  /** Of FIPS 180-4, where the text is 'abc'. */
  const ABC =
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f';

  test('is SHA-512 of the data, a key to a line, and of the SHA-512 of the value, whatever the order of keys [AUTH-35]', async () => {
    const data = { ww: 390, ua: 'Browser', ls: 'DELIVERY', bs: ['touch', 'brands'] };
    expect(canonical(data)).toBe('bs=touch,brands\nls=DELIVERY\nua=Browser\nww=390');
    const own = createHash('sha512')
      .update(`${canonical(data)}\n${ABC}`)
      .digest('hex');
    expect(await deviceHash(data, 'abc')).toBe(own);
    expect(await deviceHash(Object.fromEntries(Object.entries(data).reverse()), 'abc')).toBe(own);
    // For whoever writes another client.
    expect(await deviceHash({ ua: 'রহিম🍕', ww: 1 }, '')).toBe(
      'b9bb23e6d45bb1a92284dc5f5ef70c288231fb6f92d98456c5bd715d45b44f793219fe72592225cb6ce6939dc73dad763b425060fe5f4902c8355ef9d4a5b276',
    );
    expect(await deviceHash({ ...data, ww: 391 }, 'abc')).not.toBe(own);
    expect(await deviceHash(data, 'abd')).not.toBe(own);
  });
});
