import { readLaunch, setting, type HostProfile } from '../../src/bridge/profile.ts';
import type { Page } from '../../src/bridge/hostBridge.ts';
import { MINI_APP_BLOCKED } from '../../src/domain/features.ts';

declare module '../../src/bridge/hostBridge.ts' {
  interface HostNames {
    frame: true;
    /** Each partner, as the server names it. */
    [partner: `frame-${string}`]: true;
  }
}

/** The partner's row, as far as the server has written it into the page of the partner's own address. */
interface Partner {
  readonly name: string;
  readonly origins: readonly string[];
  readonly blocked: readonly string[];
  readonly pays?: true;
}

function partnerOf(win: Page | undefined): Partner {
  const row = setting(win, 'partner');
  return row ? (JSON.parse(row) as Partner) : { name: '', origins: [], blocked: [] };
}

/**
 * The origins that the page around this one can have: one where the browser names it, else all of the row. None: the page is
 * alone, or in a frame of somebody else, who should not even get it (frame-ancestors).
 */
export function around(win: Page | undefined): readonly string[] {
  if (!win || win.parent === win) return [];
  const listed = partnerOf(win).origins.map((origin) => (origin === 'self' ? win.location.origin : origin));
  const { referrer } = win.document;
  const named = win.location.ancestorOrigins?.[0] ?? (/^https?:\/\/[^/]+/.exec(referrer) ?? [''])[0];
  // After a way inside the frame, the referrer is the app itself.
  const isNamed = named !== '' && (win.location.ancestorOrigins !== undefined || named !== win.location.origin);
  return isNamed ? listed.filter((origin) => origin === named) : listed;
}

export function frameProfile(win: Page | undefined): HostProfile {
  const { name, blocked, pays } = partnerOf(win);
  return {
    id: 'frame',
    version: null,
    hosted: around(win).length > 0,
    forbids: new Set(['cookie-session', 'native-dialog', 'new-window', 'install-prompt']),
    partner: `frame-${name}`,
    fullMode: false,
    clientType: `web app-frame-${name}`,
    apiKeyName: `frame-${name}`,
    blockedFeatures: [...MINI_APP_BLOCKED, ...blocked],
    primaryPaymentId: pays ? 'HOST' : 'COD',
    launch: readLaunch(win),
  };
}

export const profile: HostProfile = frameProfile(globalThis.window);
