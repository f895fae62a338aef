import type { Credentials } from '../contract/session.ts';

/** The caller's current data, read again for every request. */
export interface Identity {
  readonly credentials: Credentials | null;
  readonly userId: string;
  readonly mobile: string;
  readonly storeId: string;
  readonly deliveryType: string;
  /** 'experiment:variant' that this visitor sees. */
  readonly abVariant?: string;
  /** Client id of the analytics, if the customer agreed to them. */
  readonly gaClientId?: string;
}

/** Data of the caller that does not change while the page is open. */
export interface Caller {
  readonly apiKey: string;
  /** For example: web app-chrome, web app-paytm or web app-gpay. */
  readonly clientType: string;
  /** PWA18 on mobile and tablet, NewDesktop otherwise (product.md C31). */
  readonly source: string;
  /** The language of the page, not the browser's preference, because the server's messages are shown on this page. */
  readonly language: string;
}

/** `pwa` or `pwa-anon`, the user id and the time: unique enough to find a call in the server's log. */
function requestId(identity: Identity): string {
  return `${identity.credentials?.refreshToken ? 'pwa' : 'pwa-anon'}-${identity.userId || 'new'}-${Date.now()}`;
}

/** The request headers of the specification, section 7. Empty values are left out. */
export function headersOf(caller: Caller, identity: Identity): Record<string, string> {
  const isLoggedIn = Boolean(identity.credentials?.refreshToken);
  const all: Record<string, string> = {
    api_key: caller.apiKey,
    client_type: caller.clientType,
    source: caller.source,
    authToken: identity.credentials?.accessToken ?? '',
    sessiontoken: identity.credentials?.sessionToken ?? '',
    userId: identity.userId,
    isLoggedIn: String(isLoggedIn),
    mobile: identity.mobile,
    storeId: identity.storeId,
    deliveryType: identity.deliveryType,
    'accept-language': caller.language,
    'request-id': requestId(identity),
    'ab-variant': identity.abVariant ?? '',
    'ga-client-id': identity.gaClientId ?? '',
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
