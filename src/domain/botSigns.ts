import { BOT_SIGNS, type BotSign } from '../contract/fingerprint.ts';

// Signs by which a browser that a program steers differs from one that a person holds (specification section 9). They
// are what the open-source `botd` 2.0.0 publishes, but for two: an empty list of plugins, which every browser of Android
// has, and the name of the graphics driver, which costs a slow phone 100 ms to ask for and tells browsers of before 2018.
// Five are ours. A sign is never a reason to refuse anybody: decisions/2026-11-23-bot-signal.md.

/** Traits that a browser shows. `undefined`: it lacks the trait, which is a sign only where a rule says so. */
export interface BrowserTraits {
  readonly userAgent: string;
  readonly appVersion: string;
  readonly platform: string;
  readonly productSub: string | undefined;
  /** By what it can do, not by what it says. */
  readonly engine: 'chromium' | 'webkit' | 'gecko' | undefined;
  /** Names of the browser in its client hints. */
  readonly brands: readonly string[];
  readonly touchPoints: number | undefined;
  readonly webDriver: boolean | undefined;
  /** Own names of `navigator`: a browser keeps them all in its prototype. */
  readonly navigatorNames: readonly string[];
  readonly languages: readonly string[];
  /** Whether the lists are of the kinds that the browser makes. */
  readonly arePluginsReal: boolean | undefined;
  readonly areMimeTypesReal: boolean | undefined;
  /** What the page and what the browser say of notices: 'denied', 'prompt'. */
  readonly notices: readonly [page: string, browser: string] | undefined;
  readonly hasFocus: boolean;
  readonly outer: readonly [width: number, height: number];
  readonly external: string;
  readonly process: { readonly type?: unknown; readonly versions?: { readonly electron?: unknown } } | undefined;
  /** Characters of the text of the browser's own `eval`. */
  readonly evalLength: number;
  readonly errorTrace: string;
  readonly canBind: boolean;
  readonly pageAttributes: readonly string[];
  readonly windowNames: readonly string[];
  readonly documentNames: readonly string[];
}

const HEADLESS = /headless|phantomjs|electron|slimerjs/i;
const EVAL_LENGTHS = { chromium: 33, webkit: 37, gecko: 37 } as const;
const has = (names: readonly string[], known: readonly (string | RegExp)[]) =>
  names.some((name) => known.some((one) => (typeof one === 'string' ? one === name : one.test(name))));

const WINDOW_NAMES = [
  ...['awesomium', 'RunPerfTest', 'CefSharp', 'fmget_targets', 'geb', '__nightmare', 'nightmare', '__phantomas'],
  ...['callPhantom', '_phantom', 'spawn', '_Selenium_IDE_Recorder', '_selenium', 'calledSelenium', 'wdioElectron'],
  ...['webdriver', '__webdriverFunc', '__lastWatirAlert', '__lastWatirConfirm', '__lastWatirPrompt', 'ChromeDriverw'],
  ...['_WEBDRIVER_ELEM_CACHE', 'domAutomation', 'domAutomationController', /^[a-z]{3}_.*_(Array|Promise|Symbol)$/],
];
const DOCUMENT_NAMES = [
  /^(__)?(\$)?(selenium|webdriver|driver|fxdriver)[_-]/,
  /^\$cdc_/,
  '$chrome_asyncScriptInfo',
  '__$webdriverAsyncExecutor',
];
const BINDINGS = [/^__playwright|^__pw/, /^__?puppeteer|^puppeteer_/];

/** Whether a sign is there. The contract lists their names. */
const SIGNS: Readonly<Record<BotSign, (traits: BrowserTraits) => boolean>> = {
  userAgent: ({ userAgent }) => HEADLESS.test(userAgent),
  appVersion: ({ appVersion }) => HEADLESS.test(appVersion),
  brands: ({ brands }) => brands.some((brand) => HEADLESS.test(brand)),
  // A desktop page on a phone says Linux or Mac, never Windows.
  platform: ({ userAgent, platform }) => /Windows NT/.test(userAgent) && !platform.startsWith('Win'),
  productSub: ({ userAgent, productSub }) =>
    productSub !== undefined && productSub !== '20030107' && /chrome|safari|opr\//i.test(userAgent),
  touch: ({ userAgent, touchPoints }) =>
    touchPoints === 0 && /iPhone|Android/.test(userAgent) && /iPhone|Mobile/.test(userAgent),
  webDriver: ({ webDriver }) => webDriver === true,
  navigator: ({ navigatorNames }) =>
    has(navigatorNames, ['webdriver', 'userAgent', 'appVersion', 'platform', 'plugins', 'languages']),
  languages: ({ languages }) => languages.length === 0,
  plugins: ({ arePluginsReal }) => arePluginsReal === false,
  mimeTypes: ({ areMimeTypesReal }) => areMimeTypesReal === false,
  notifications: ({ engine, notices }) => engine === 'chromium' && notices?.[0] === 'denied' && notices[1] === 'prompt',
  // A page that was opened in a tab behind this one has no size yet.
  windowSize: ({ hasFocus, outer }) => hasFocus && outer[0] === 0 && outer[1] === 0,
  external: ({ external }) => /sequentum/i.test(external),
  process: ({ process }) => process?.type === 'renderer' || process?.versions?.electron !== undefined,
  evalLength: ({ engine, evalLength }) =>
    engine !== undefined && [33, 37, 39].includes(evalLength) && evalLength !== EVAL_LENGTHS[engine],
  errorTrace: ({ errorTrace }) => /phantomjs/i.test(errorTrace),
  functionBind: ({ canBind }) => !canBind,
  pageAttributes: ({ pageAttributes }) => has(pageAttributes, ['selenium', 'webdriver', 'driver']),
  windowNames: ({ windowNames }) => has(windowNames, WINDOW_NAMES),
  documentNames: ({ documentNames }) => has(documentNames, DOCUMENT_NAMES),
  bindings: ({ windowNames }) => has(windowNames, BINDINGS),
};

/** Which signs of a program a browser shows, in the order of the list; none for one that a person holds. */
export function botSigns(traits: BrowserTraits): BotSign[] {
  return BOT_SIGNS.filter((name) => SIGNS[name](traits));
}
