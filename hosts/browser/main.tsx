import '../../src/ui/tokens.css';
import '../../src/ui/base.css';
import { first } from '#country/first.ts';
import { start } from '../../src/shell/first/start.tsx';
import { profile } from './profile.ts';

// The browser offers an installation once, early; the app shows it when somebody has ordered (src/state/base/share.ts).
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  Object.assign(window, { installOffer: event });
});

const root = document.getElementById('app');
if (root)
  void start(root, {
    profile,
    bridge: async () => (await import('./bridge.ts')).bridge,
    country: first,
    later: async () => ({
      ...(await import('#country/index.ts')),
      ...(await import('../../src/shell/routes.full.ts')),
    }),
  });
// Not awaited: the page works without it.
import('./keepOffline.ts').then(
  ({ keepOffline }) => keepOffline(),
  (thrown: unknown) => globalThis.reportError?.(thrown),
);
