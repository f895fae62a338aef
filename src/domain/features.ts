import { featureName } from '../../country/shape.ts';

export { featureName };

/** Switched off inside every payment app (specification section 6). */
export const MINI_APP_BLOCKED: readonly string[] = [
  'irctc',
  'feedback',
  'deals_and_offer',
  'deliver_on_train',
  'wallet',
  'support',
  'logout',
  'offers',
  'showAppBanner',
  'everyday_value_offer',
  'edv',
];

/** Features that are blocked together with the feature they are part of. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  irctc: ['irctcorder', 'irctcstation'],
  worldpizzaleague: ['worldpizzaleagueapp'],
};

/** All features that are off, by normalised name: blocked by the country, host, partner or app config. */
export function blockedFeatures(...lists: readonly (readonly string[] | undefined)[]): ReadonlySet<string> {
  const blocked = new Set<string>();
  for (const list of lists) {
    for (const feature of list ?? []) {
      const name = featureName(feature);
      blocked.add(name);
      for (const part of PARTS[name] ?? []) blocked.add(part);
    }
  }
  return blocked;
}

/** Whether a feature is on. Routes, tiles and calls all ask this. */
export function isEnabled(feature: string, blocked: ReadonlySet<string>): boolean {
  return !blocked.has(featureName(feature));
}

/** Whether a `features` of app config can be read at all. */
export function isReadable(features: string): boolean {
  try {
    JSON.parse(features);
    return true;
  } catch {
    return false;
  }
}

/**
 * Features that app config switches off: `features` is a JSON string with a list of `{name, value}`, where the value
 * 'D' or false means off. Of a string that cannot be parsed nothing is known: whoever gets one keeps the one before.
 */
export function remoteBlocked(features: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(features);
  } catch {
    return [];
  }
  const list: unknown = Array.isArray(parsed) ? parsed : (parsed as { features?: unknown } | null)?.features;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    const { name, value } = (entry ?? {}) as { name?: unknown; value?: unknown };
    return typeof name === 'string' && (value === 'D' || value === false) ? [name] : [];
  });
}

/** Landing widgets without those whose lower-cased label the partner blocks (specification section 6). */
export function openWidgets<W extends { readonly label: string }>(
  widgets: readonly W[],
  vendorBlocked: readonly string[],
): W[] {
  const off = new Set(vendorBlocked.map((label) => label.toLowerCase()));
  return widgets.filter((widget) => !off.has(widget.label.toLowerCase()));
}

/** Whether the wallet may be used: not blocked, not disabled, logged in, not in a mini-app (product.md C01). */
export function isWalletUsable(by: {
  blocked: ReadonlySet<string>;
  isWalletBlocked: boolean;
  isLoggedIn: boolean;
  isMiniApp: boolean;
}): boolean {
  return by.isLoggedIn && !by.isMiniApp && !by.isWalletBlocked && isEnabled('wallet', by.blocked);
}
