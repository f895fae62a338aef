/** Where the app is mounted, without a trailing slash: '' at the root, '/in/gpay' there. From the page's <base>. */
export function mountOf(baseHref: string): string {
  return new URL(baseHref).pathname.replace(/\/+$/, '');
}

/** The app's own path of an address: '/menu' for '/in/gpay/menu'. */
export function pathBelow(mount: string, pathname: string): string {
  const below = pathname.startsWith(mount) ? pathname.slice(mount.length) : pathname;
  return below.startsWith('/') ? below : `/${below}`;
}

/** An app path and its query as an address below the mount. */
export function addressOf(mount: string, path: string): string {
  return mount + (path.startsWith('/') ? path : `/${path}`);
}
