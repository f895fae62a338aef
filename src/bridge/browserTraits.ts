import type { BrowserTraits } from '../domain/botSigns.ts';

type Names = Record<string, unknown>;

/** The engine by what it has, since anybody can write another name into a user agent. */
function engineOf(win: Names, nav: Names): BrowserTraits['engine'] {
  const vendor = String(nav['vendor'] ?? '');
  const isMost = (found: readonly boolean[]) => found.filter(Boolean).length > found.length / 2;
  const style = document.documentElement.style;
  if (
    isMost([
      'webkitPersistentStorage' in nav,
      'webkitTemporaryStorage' in nav,
      vendor.startsWith('Google'),
      'webkitResolveLocalFileSystemURL' in win,
      'BatteryManager' in win,
      'webkitMediaStream' in win,
      'webkitSpeechGrammar' in win,
    ])
  )
    return 'chromium';
  if (
    isMost([
      'ApplePayError' in win,
      'CSSPrimitiveValue' in win,
      'Counter' in win,
      vendor.startsWith('Apple'),
      'getStorageUpdates' in nav,
      'WebKitMediaKeys' in win,
    ])
  )
    return 'webkit';
  const isGecko = isMost([
    'buildID' in nav,
    'MozAppearance' in style,
    'onmozfullscreenchange' in win,
    'mozInnerScreenX' in win,
    'CanvasCaptureMediaStream' in win,
  ]);
  return isGecko ? 'gecko' : undefined;
}

/** Whether a list of the browser, and each of its entries, is of the kind that the browser itself makes. */
function isReal(list: unknown, kind: unknown, entryKind?: unknown): boolean | undefined {
  if (typeof list !== 'object' || list === null || typeof kind !== 'function') return undefined;
  const isOf = (one: unknown, of: { prototype: unknown }) => Object.getPrototypeOf(one) === of.prototype;
  if (!isOf(list, kind)) return false;
  return typeof entryKind !== 'function' || Array.from(list as ArrayLike<unknown>).every((one) => isOf(one, entryKind));
}

async function noticesOf(win: Names): Promise<BrowserTraits['notices']> {
  const page = (win['Notification'] as { permission?: string } | undefined)?.permission;
  const asked = navigator.permissions?.query({ name: 'notifications' });
  const browser = (await asked?.catch(() => undefined))?.state;
  return page === undefined || browser === undefined ? undefined : [page, browser];
}

function errorTrace(): string {
  try {
    (null as unknown as (() => void)[])[0]!();
  } catch (thrown) {
    return String((thrown as Error).stack ?? '');
  }
  return '';
}

/** Traits of this browser. Reading them asks for nothing, draws nothing and stores nothing. */
export async function readTraits(): Promise<BrowserTraits> {
  const win: Names = globalThis;
  const nav = navigator as Navigator & Names;
  const { userAgent = '', appVersion = '', platform = '', webdriver, maxTouchPoints } = navigator as Partial<Navigator>;
  const hints = nav['userAgentData'] as { brands?: readonly { brand: string }[] } | undefined;
  const single = navigator.language ? [navigator.language] : [];
  return {
    userAgent,
    appVersion,
    platform,
    productSub: nav.productSub,
    engine: engineOf(win, nav),
    brands: hints?.brands?.map(({ brand }) => brand) ?? [],
    touchPoints: maxTouchPoints,
    webDriver: webdriver,
    navigatorNames: Object.getOwnPropertyNames(navigator),
    languages: [...single, ...(navigator.languages ?? [])],
    arePluginsReal: isReal(navigator.plugins, win['PluginArray']),
    areMimeTypesReal: isReal(navigator.mimeTypes, win['MimeTypeArray'], win['MimeType']),
    notices: await noticesOf(win),
    hasFocus: document.hasFocus(),
    outer: [globalThis.outerWidth, globalThis.outerHeight],
    external: String(win['external'] ?? ''),
    process: typeof win['process'] === 'object' ? (win['process'] as BrowserTraits['process']) : undefined,
    evalLength: String(win['eval']).length,
    errorTrace: errorTrace(),
    canBind: typeof Function.prototype.bind === 'function',
    pageAttributes: document.documentElement.getAttributeNames(),
    windowNames: Object.getOwnPropertyNames(globalThis),
    documentNames: Object.getOwnPropertyNames(document),
  };
}
