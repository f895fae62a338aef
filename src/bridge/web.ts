import type { Feature, Page, Support, Unsubscribe } from './hostBridge.ts';

/** Listens to several events at once; `names` has spaces between them. */
export function on(target: EventTarget | undefined, names: string, handler: (event: Event) => void): Unsubscribe {
  const each = names.split(' ');
  for (const name of each) target?.addEventListener(name, handler);
  return () => {
    for (const name of each) target?.removeEventListener(name, handler);
  };
}

/** The full address of a path of this app. */
export function webLink(win: Page | undefined, path: string): string {
  return new URL(path.replace(/^\/+/, ''), win?.document.querySelector('base')?.href ?? `${win?.location.origin}/`)
    .href;
}

/** What the browser itself can do in this page, without a host; everything else is UNSUPPORTED. */
export function webSupport(win: Page | undefined, feature: Feature): Support {
  const web: Support = { state: 'available', via: 'web' };
  const missing: Support = { state: 'unavailable', because: 'not-implemented' };
  if (/^(network|back|life|storage)/.test(feature)) return web;
  if (!win) return { state: 'unknown' };
  if (feature === 'location') {
    if (!win.isSecureContext) return { state: 'unavailable', because: 'insecure-context' };
    return win.navigator.geolocation ? web : missing;
  }
  if (feature === 'vibrate') return 'vibrate' in win.navigator ? web : missing;
  return missing;
}
