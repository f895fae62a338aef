import { FEATURE_PATHS, featureName } from '../../country/shape.ts';

export { featureName };

/** Off inside a payment app, for every partner (specification section 6). */
export const MINI_APP_BLOCKED: readonly string[] = [
  'irctc', 'feedback', 'deals_and_offer', 'deliver_on_train', 'wallet', 'support', 'logout', 'offers', 'showAppBanner',
  'everyday_value_offer', 'edv',
];

/** Parts of an area go with the area. */
const PARTS: Readonly<Record<string, readonly string[]>> = { irctc: ['irctcorder', 'irctcstation'], worldpizzaleague: ['worldpizzaleagueapp'] };

/** All that is off: the union of the country's, the host's, the partner's and the remote list, by normalised name. */
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

/** The one question that routes, tiles and calls ask. */
export function isEnabled(feature: string, blocked: ReadonlySet<string>): boolean {
  return !blocked.has(featureName(feature));
}

/** Whether a path belongs to a feature that is off; a feature's path covers everything below it. */
export function isPathBlocked(path: string, blocked: ReadonlySet<string>): boolean {
  for (const feature of blocked) {
    if (FEATURE_PATHS[feature]?.some((own) => path === own || path.startsWith(`${own}/`))) return true;
  }
  return false;
}

/**
 * Features that app config switches off. `features` is a JSON string with a features list of `{name, value}`; off is
 * value 'D' or false. A broken string changes nothing (specification section 3).
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
export function openWidgets<W extends { readonly label: string }>(widgets: readonly W[], vendorBlocked: readonly string[]): W[] {
  const off = new Set(vendorBlocked.map((label) => label.toLowerCase()));
  return widgets.filter((widget) => !off.has(widget.label.toLowerCase()));
}

/** Not blocked, not disabled, logged in, not in a mini-app (product.md C01). */
export function isWalletUsable(by: { blocked: ReadonlySet<string>; isWalletBlocked: boolean; isLoggedIn: boolean; isMiniApp: boolean }): boolean {
  return by.isLoggedIn && !by.isMiniApp && !by.isWalletBlocked && isEnabled('wallet', by.blocked);
}
