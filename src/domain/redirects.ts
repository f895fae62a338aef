import type { Country } from '../../country/shape.ts';
import { trimmedEnd } from './trimmedEnd.ts';

/** The fields of a country that the path rules need. */
export type PathRules = Pick<Country, 'categories' | 'redirects'>;
export type CategoryRow = Country['categories'][number];

/** The category of a menu path: by its friendly path, `/menu/<id>` or an alias; the last segment decides. */
export function categoryOf(path: string, rules: PathRules): CategoryRow | null {
  const segments = path.split('/');
  const last = segments[segments.length - 1];
  if (segments[1] !== 'menu' || segments.length < 3 || !last) return null;
  const own = `/menu/${last}`;
  return rules.categories.find((row) => row.id === last || row.path === own || row.aliases?.includes(own)) ?? null;
}

export function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * Where a path and its query should lead, or null if they are right already. Category ids and aliases become the
 * friendly path, `categoryId` becomes a segment, and the country's redirects apply (specification section 2). The
 * result never needs another redirect.
 */
export function redirectOf(path: string, search: string, rules: PathRules): string | null {
  const query = new URLSearchParams(search);
  let to = path.length > 1 ? trimmedEnd(path, /\//) || '/' : path;
  const id = to === '/menu' || to.startsWith('/menu/') ? query.get('categoryId') : null;
  if (id !== null) {
    query.delete('categoryId');
    if (id !== '') to = `${to}/${encodeURIComponent(id)}`;
  }
  to = Object.keys(rules.redirects).includes(to) ? (rules.redirects[to] ?? to) : to;
  to = categoryOf(to, rules)?.path ?? to;
  return to === path && id === null ? null : withQuery(to, query);
}

const HOME_PATHS = new Set(['/', '/landing', '/home']);

/**
 * The URL of the home application if this page should go there, else null. Only for landing and home, never in a
 * mini-app, and never to the page we are already on (product.md C03).
 */
export function homeApp(homeAppUrl: string, path: string, currentUrl: string, isMiniApp: boolean): string | null {
  if (homeAppUrl === '' || isMiniApp || !HOME_PATHS.has(path)) return null;
  const target = new URL(homeAppUrl, currentUrl);
  const current = new URL(currentUrl);
  return target.origin === current.origin && target.pathname === current.pathname ? null : target.href;
}
