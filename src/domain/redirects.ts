import type { Country } from '../../country/shape.ts';

/** What the path rules need of a country. */
export type PathRules = Pick<Country, 'categories' | 'redirects'>;
export type CategoryRow = Country['categories'][number];

/** The category a menu path stands for: by its friendly path, `/menu/<id>` or an alias; the last segment decides. */
export function categoryOf(path: string, rules: PathRules): CategoryRow | null {
  const segments = path.split('/');
  const last = segments.at(-1);
  if (segments[1] !== 'menu' || segments.length < 3 || !last) return null;
  const own = `/menu/${last}`;
  return rules.categories.find((row) => row.id === last || row.path === own || row.aliases?.includes(own)) ?? null;
}

export function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * Where a path and its query really lead, or null when they are right as they are: category ids and aliases go to the
 * friendly path, `categoryId` becomes a segment, a country's redirects apply (specification section 2). One step, always final.
 */
export function redirectOf(path: string, search: string, rules: PathRules): string | null {
  const query = new URLSearchParams(search);
  let to = path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
  const id = to === '/menu' || to.startsWith('/menu/') ? query.get('categoryId') : null;
  if (id !== null) {
    query.delete('categoryId');
    if (id !== '') to = `${to}/${encodeURIComponent(id)}`;
  }
  to = Object.hasOwn(rules.redirects, to) ? (rules.redirects[to] ?? to) : to;
  to = categoryOf(to, rules)?.path ?? to;
  return to === path && id === null ? null : withQuery(to, query);
}

const HOME_PATHS = new Set(['/', '/landing', '/home']);

/**
 * The home application's URL when this page should be left for it, else null: only for landing and home, never in a
 * mini-app, never to where we already are (product.md C03).
 */
export function homeApp(homeAppUrl: string, path: string, currentUrl: string, isMiniApp: boolean): string | null {
  if (homeAppUrl === '' || isMiniApp || !HOME_PATHS.has(path)) return null;
  const target = new URL(homeAppUrl, currentUrl);
  const current = new URL(currentUrl);
  return target.origin === current.origin && target.pathname === current.pathname ? null : target.href;
}
