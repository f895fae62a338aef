/** Where the app is mounted, without a trailing slash: '' at the root, '/in/gpay' there. From the page's <base>. */
export function mountOf(baseHref: string): string {
  return new URL(baseHref).pathname.replace(/\/$/, '');
}

/** The app's part of an address: '/menu' for '/in/gpay/menu'. */
export function pathBelow(mount: string, pathname: string): string {
  const below = pathname.startsWith(mount) ? pathname.slice(mount.length) : pathname;
  return below.startsWith('/') ? below : `/${below}`;
}

/** The address below the mount for a path of the app with its query. No path leads above the mount: a host may send any. */
export function addressOf(mount: string, path: string): string {
  const { pathname, search, hash } = new URL(`http://a/${path.replace(/^[/\\]+/, '')}`);
  return mount + pathname.replace(/^\/+/, '/') + search + hash;
}
