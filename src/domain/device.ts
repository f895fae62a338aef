export type Device = 'mobile' | 'tablet' | 'desktop';

/** 'ipad' or 'tablet' means tablet, 'mobi' or 'android' mobile, anything else desktop (specification section 9). */
export function deviceType(userAgent: string): Device {
  if (/ipad|tablet/i.test(userAgent)) return 'tablet';
  return /mobi|android/i.test(userAgent) ? 'mobile' : 'desktop';
}

/** Value of the `source` header; a tablet counts as mobile (product.md C31). */
export function sourceHeader(userAgent: string): 'PWA18' | 'NewDesktop' {
  return deviceType(userAgent) === 'desktop' ? 'NewDesktop' : 'PWA18';
}

/** Programs and systems by what their user agent says; the first that fits counts, as later ones claim to be many. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/SamsungBrowser\//, 'Samsung'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'Chromebook'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
];

/** The common name of a browser and its system: 'Chrome · Android'. Null where neither is known. */
export function deviceName(userAgent: string): string | null {
  const named = [BROWSERS, SYSTEMS].flatMap((list) => list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? []);
  return named.length > 0 ? named.join(' · ') : null;
}

const USER_AGENT_LENGTH = 350;

export function shortUserAgent(userAgent: string): string {
  return userAgent.slice(0, USER_AGENT_LENGTH);
}

/** Pages wider than this (CSS pixels) get the desktop layout. */
export const DESKTOP_FROM_PX = 770;
