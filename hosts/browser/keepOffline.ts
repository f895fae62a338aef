import { workersHere } from '../../src/bridge/workers.ts';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): string };
}

/** On a slow line an order comes first: the worker's own copies of the pages are a tenth of it. */
const SLOW_WAIT_MS = 300_000;
const isSlow = () => document.documentElement.hasAttribute('data-slow');

/** Registers the service worker once the page is idle; without it (private mode, plain http) the app works online only. */
export function keepOffline(): void {
  const workers = workersHere();
  if (!workers) return;
  const url = new URL('sw.js', document.baseURI).href;
  const register = () => {
    const { trustedTypes } = window as unknown as { trustedTypes?: TrustedTypes };
    // The page's content security policy (trusted-types sw) lets no other address become a script.
    const policy = trustedTypes?.createPolicy('sw', { createScriptURL: () => url });
    workers
      .register(policy?.createScriptURL(url) ?? url)
      .then(() => workers.ready)
      .then(
        ({ active }) => active?.postMessage({ type: 'keep-later' }),
        (thrown: unknown) => globalThis.reportError?.(thrown),
      );
  };
  const idle = (window as { requestIdleCallback?: (work: () => void, options: { timeout: number }) => void })
    .requestIdleCallback;
  const once = () => (idle ? idle(register, { timeout: 10_000 }) : setTimeout(register, 3_000));
  const whenIdle = () => (isSlow() ? setTimeout(once, SLOW_WAIT_MS) : once());
  if (document.readyState === 'complete') whenIdle();
  else addEventListener('load', whenIdle, { once: true });
}
