import type { Context } from 'hono';
import type { BundleMeta, PagesOptions } from './bundles.ts';

/**
 * Content security policy of every page (reliability rules 6.3); a host's template adds its own directives. base-uri
 * allows `<base>`, and form-action allows the bank's form.
 */
const POLICY: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  // `proof.js` does the work of challenges (bridge/proof.ts).
  'worker-src': ["'self'"],
  'base-uri': ["'self'"],
  'object-src': ["'none'"],
  'form-action': ["'self'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['proof'],
};

export function policyOf(
  own: Readonly<Record<string, readonly string[]>>,
  production: boolean,
  connect: readonly string[] = [],
  frames: readonly string[] = [],
): string {
  const merged: Record<string, readonly string[]> = {
    ...POLICY,
    'connect-src': [...POLICY['connect-src']!, ...connect],
    'frame-src': frames,
  };
  for (const [directive, sources] of Object.entries(own))
    merged[directive] = sources.length === 0 ? [] : [...(merged[directive] ?? []), ...sources];
  if (own['require-trusted-types-for']?.length === 0) delete merged['trusted-types'];
  // Outside production the simulator shows the bundles in frames of our own origin.
  const ancestors = [...(own['frame-ancestors'] ?? []), ...(production ? [] : ["'self'"])];
  merged['frame-ancestors'] = ancestors.length === 0 ? ["'none'"] : ancestors;
  return Object.entries(merged)
    .filter(([, sources]) => sources.length > 0)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}

export function securityHeaders(c: Context, policy: string | null): void {
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Referrer-Policy', 'strict-origin-when-cross-origin');
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  if (policy === null) return;
  c.header('Content-Security-Policy', policy);
  // Windows that a page opens (a bank, a payment sheet) may talk to it; a page that opened ours may not.
  c.header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
  c.header('Permissions-Policy', 'geolocation=(self), camera=(), microphone=(self), payment=(self), usb=()');
}

/** The bundle's policy plus the hashes of the inline styles and scripts of one page. */
export function pagePolicy({ policy, pages: all }: BundleMeta, file: string): BundleMeta['policy'] {
  const { inline = [], early = [], styles = [] } = all?.[file.replace('.html', '')] ?? {};
  const own = [...inline, ...(styles.length > 0 ? ["'unsafe-hashes'", ...styles] : [])];
  return {
    ...policy,
    ...(own.length > 0 ? { 'style-src': own } : {}),
    ...(early.length > 0 ? { 'script-src': [...(policy['script-src'] ?? []), ...early] } : {}),
  };
}

/** Origins that pages may show in frames: the bank's fields for a card alone. */
export function framesOf({ cardFields }: PagesOptions): readonly string[] {
  const address = cardFields?.() ?? null;
  return address === null ? [] : [new URL(address).origin];
}
