import type { HostBridge, Launch, Page } from './hostBridge.ts';

declare global {
  /** Written in when a bundle is built, from the profile's `fullMode`: what is only used where it is true is not in a mini-app's bundle. */
  const FULL_MODE: boolean;
  /** Likewise: the page lies in an app, which can say who the customer is. What is only used there is in no browser's bundle. */
  const HOSTED: boolean;
  /** Which of the country's sets of settings the bundle was built for. */
  const ENVIRONMENT: import('../../country/shape.ts').Environment;
  /** Written in likewise: a full page in a country that has food on trains. What is only used where it is true is in no other bundle. */
  const TRAINS: boolean;
  /** The same of the World Pizza League. */
  const LEAGUE: boolean;
}

/**
 * What is known of a host at once, without calling it: all that the first screens need. The bridge itself comes with the second
 * load.
 */
export type HostProfile = Pick<
  HostBridge,
  | 'id'
  | 'version'
  | 'hosted'
  | 'forbids'
  | 'partner'
  | 'fullMode'
  | 'clientType'
  | 'apiKeyName'
  | 'blockedFeatures'
  | 'primaryPaymentId'
  | 'launch'
>;

/** Value of `<meta name=...>` in the page; null when absent or empty. */
export function setting(win: Page | undefined, name: string): string | null {
  return win?.document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null;
}

/** The address the page was opened with. */
export function readLaunch(win: Page | undefined): Launch {
  return {
    href: win?.location.href ?? '',
    path: null,
    params: Object.fromEntries(new URLSearchParams(win?.location.search)),
  };
}
