/**
 * A link to a page of the app, relative to the page's <base>: works at any mount point, before the script has run, and
 * in the prerendered page. A path of the app begins with one '/'; any other address is somebody else's, and stays as it is.
 */
export function href(path: string): string {
  if (!/^\/(?!\/)/.test(path)) return path;
  return path === '/' ? './' : path.slice(1);
}
