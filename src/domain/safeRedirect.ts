import { withQuery } from './redirects.ts';

// Where the customer goes after a login, an address, a store or a coupon.

/**
 * A path on our own origin, or null: for `redirectUrl`, `from` and any other address that comes from a link or a host.
 * Nothing that a browser could read as another origin passes, however it is encoded.
 */
export function ownPath(url: unknown): string | null {
  if (typeof url !== 'string' || url.length > 2000) return null;
  let decoded = url;
  for (let round = 0; round < 4; round += 1) {
    if (
      !decoded.startsWith('/') ||
      /^\/[/\\]|[\\\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff]/.test(decoded.split('?')[0] ?? '')
    )
      return null;
    try {
      const next = decodeURIComponent(decoded);
      if (next === decoded) break;
      decoded = next;
    } catch {
      return null;
    }
  }
  if (/[\u0000-\u001f\u007f\\]/.test(url)) return null;
  const parsed = new URL(url, 'https://own.invalid');
  // Removing dot segments (/..) may have left two slashes at the start.
  if (parsed.origin !== 'https://own.invalid' || parsed.pathname.startsWith('//')) return null;
  return parsed.pathname + parsed.search + parsed.hash;
}

/**
 * An address redirect: split at '&', the first part is the path, the others are its query (specification section 5).
 * Null if it is not a path of our own.
 */
export function splitRedirect(url: unknown): string | null {
  const own = ownPath(url);
  if (own === null) return null;
  const [first = '/', ...carried] = own.split('&');
  const at = first.indexOf('?');
  const path = at < 0 ? first : first.slice(0, at);
  const query = new URLSearchParams(at < 0 ? '' : first.slice(at + 1));
  for (const pair of carried) for (const [key, value] of new URLSearchParams(pair)) query.append(key, value);
  return withQuery(path, query);
}

/**
 * Where a login leads: the redirect URL if it is our own, else `/`. If it contains `changeAddress`, it gets
 * `deliveryType=delivery`; if it contains `/uf`, it gets the stored feedback query back (specification section 4).
 */
export function afterLogin(redirectUrl: unknown, storedFeedbackQuery = ''): string {
  const own = splitRedirect(redirectUrl);
  if (own === null) return '/';
  const at = own.indexOf('?');
  const path = at < 0 ? own : own.slice(0, at);
  const query = new URLSearchParams(at < 0 ? '' : own.slice(at + 1));
  if (own.includes('changeAddress')) query.set('deliveryType', 'delivery');
  if (/\/uf(?:$|[/?#&])/.test(own))
    for (const [key, value] of new URLSearchParams(storedFeedbackQuery)) query.set(key, value);
  return withQuery(path, query);
}

/**
 * Where choosing an address leads (specification section 4, product.md C21): to the cart, a reload, or the page, with
 * an offline flag if the store is offline.
 */
export function afterAddress(
  from: string,
  page: unknown,
  online: number,
): { readonly go: string } | { readonly reload: true } {
  if (from === 'cart') return { go: '/cart' };
  if (from === 'cart-refresh') return { reload: true };
  const target = splitRedirect(page) ?? '/address';
  return { go: online === 0 ? `${target}${target.includes('?') ? '&' : '?'}offline=true` : target };
}

/** Where choosing a takeaway store leads: / from home, else /home with offline=false. */
export function afterTakeaway(isFromHome: boolean): string {
  return isFromHome ? '/' : '/home?offline=false';
}

/** Where applying a coupon leads: /cart from the cart, /home from elsewhere. */
export function afterCoupon(isFromCart: boolean): '/cart' | '/home' {
  return isFromCart ? '/cart' : '/home';
}
