export type Device = 'mobile' | 'tablet' | 'desktop';

/** Tablet for ipad or tablet, mobile for mobi or android (specification section 9). */
export function deviceType(userAgent: string): Device {
  if (/ipad|tablet/i.test(userAgent)) return 'tablet';
  return /mobi|android/i.test(userAgent) ? 'mobile' : 'desktop';
}

/** Value of the `source` header; a tablet counts as mobile (product.md C31). */
export function sourceHeader(userAgent: string): 'PWA18' | 'NewDesktop' {
  return deviceType(userAgent) === 'desktop' ? 'NewDesktop' : 'PWA18';
}

export const USER_AGENT_LENGTH = 350;

export function shortUserAgent(userAgent: string): string {
  return userAgent.slice(0, USER_AGENT_LENGTH);
}

/** Above this width the desktop layout is used. */
export const DESKTOP_FROM_PX = 770;
