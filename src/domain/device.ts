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

const USER_AGENT_LENGTH = 350;

export function shortUserAgent(userAgent: string): string {
  return userAgent.slice(0, USER_AGENT_LENGTH);
}

/** Pages wider than this (CSS pixels) get the desktop layout. */
export const DESKTOP_FROM_PX = 770;
