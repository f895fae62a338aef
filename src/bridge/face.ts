import type { HostBridge, Launch, Page } from './hostBridge.ts';

/**
 * What a host is, without anything it does: all that the first screens need of it, and known at once. The bridge itself
 * comes with the part of the app that talks to the server.
 */
export type HostFace = Pick<
  HostBridge,
  'id' | 'version' | 'hosted' | 'forbids' | 'partner' | 'fullMode' | 'clientType' | 'apiKeyName' | 'blockedFeatures' | 'primaryPaymentId' | 'launch'
>;

/** Value of `<meta name=...>` in the page; null when absent or empty. */
export function setting(win: Page | undefined, name: string): string | null {
  return win?.document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null;
}

/** The address the page was opened with. */
export function readLaunch(win: Page | undefined): Launch {
  return { href: win?.location.href ?? '', path: null, params: Object.fromEntries(new URLSearchParams(win?.location.search)) };
}
