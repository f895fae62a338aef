/** A COUNTRY_CODE of country/. It comes from the build that the api_key belongs to, so it is always a known country. */
export type CountryCode = string;
/** 'web', or the name of the host folder whose build is calling. */
export type HostName = string;

/** The access token behind a call: its hash, and when it ends (epoch ms of the shop's clock) if nothing ends it before. */
export interface Access {
  readonly hash: string;
  readonly endsAt: number;
}

/** The caller: country and host come from the api_key, the rest from the session behind authToken. */
export interface Caller {
  readonly country: CountryCode;
  readonly host: HostName;
  /** Null only when an endpoint that needs no session is called without one. */
  readonly userId: string | null;
  readonly cartId: string | null;
  readonly sessionId: string | null;
  readonly access: Access | null;
  readonly isLoggedIn: boolean;
  readonly mobile: string | null;
}

/** A caller without a session. */
export const strangerOf = (country: CountryCode, host: HostName): Caller => ({
  country,
  host,
  userId: null,
  cartId: null,
  sessionId: null,
  access: null,
  isLoggedIn: false,
  mobile: null,
});
