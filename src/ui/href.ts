/**
 * A link to a page of the app, relative to the page's <base>: works at any mount point, before the script has run, and
 * in the prerendered page. `path` begins with '/'.
 */
export function href(path: string): string {
  return path === '/' ? './' : path.slice(1);
}
