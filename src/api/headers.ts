import type { Credentials } from '../contract/session.ts';

/** Who is calling, read anew for every request. */
export interface Identity {
  readonly credentials: Credentials | null;
  readonly userId: string;
  readonly mobile: string;
  readonly storeId: string;
  readonly deliveryType: string;
  /** 'experiment:variant', as this visitor sees it. */
  readonly abVariant?: string;
  /** Of analytics the customer agreed to. */
  readonly gaClientId?: string;
}

/** What never changes while the page lives. */
export interface Caller {
  readonly apiKey: string;
  /** web app-chrome, web app-paytm or web app-gpay. */
  readonly clientType: string;
  /** PWA18 on mobile and tablet, NewDesktop otherwise (product.md C31). */
  readonly source: string;
}

/** `pwa` or `pwa-anon`, user id, time: unique enough to find a call in the server's log. */
export function requestId(identity: Identity): string {
  return `${identity.credentials?.refreshToken ? 'pwa' : 'pwa-anon'}-${identity.userId || 'new'}-${Date.now()}`;
}

/** The header contract of the specification, section 7. Empty values are left out. */
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
    'request-id': requestId(identity),
    'ab-variant': identity.abVariant ?? '',
    'ga-client-id': identity.gaClientId ?? '',
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
