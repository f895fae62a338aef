import { on } from '../../src/bridge/web.ts';
import { defineHost, type OpenHost } from '../../src/bridge/defineHost.ts';
import type { Support } from '../../src/bridge/hostBridge.ts';
import { browserProfile } from './profile.ts';

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

/** The browser offers the installation once, perhaps before this script is there: then main.tsx has kept the event. */
const kept = ({ window }: OpenHost) => window as { installOffer?: InstallPrompt | undefined } | undefined;

/** The offer can be used once. */
export function takeOffer(host: OpenHost): InstallPrompt | undefined {
  const page = kept(host);
  const offer = page?.installOffer;
  if (page) page.installOffer = undefined;
  return offer;
}

const web = (): Support => ({ state: 'available', via: 'web' });
const hasSheet = ({ window }: OpenHost) => Boolean(window?.navigator.share);

/** A plain browser: all that it can do, it does by itself. */
export const browser = defineHost({
  profile: browserProfile,
  calls: {
    login: { supported: web },
    payment: { supported: () => ({ state: 'unknown' }) },
    // Without a sheet the address is copied, and it alone.
    share: { supported: web, parameters: { title: hasSheet, text: hasSheet } },
    shortcut: {
      supported: (host) => (kept(host)?.installOffer ? web() : { state: 'unavailable', because: 'not-implemented' }),
      parameters: { name: false },
    },
  },
  opened: (host) =>
    void on(host.window, 'beforeinstallprompt', (event) => {
      event.preventDefault();
      Object.assign(host.window!, { installOffer: event });
      host.changed();
    }),
});
