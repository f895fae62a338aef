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

/** The address the page was opened with; `data` is base64 JSON `{path, params}` as the paytm deep link carries it. */
export function readLaunch(win: Page | undefined): Launch {
  const href = win?.location.href ?? '';
  const { data, ...params } = Object.fromEntries(new URLSearchParams(win?.location.search));
  try {
    const said = JSON.parse(atob(data!)) as { path?: unknown; params?: Record<string, string> };
    const path = typeof said.path === 'string' && /^\/(?![/\\])/.test(said.path) ? said.path : null;
    return { href, path, params: { ...params, ...said.params } };
  } catch {
    return { href, path: null, params };
  }
}
