import type { RouteRow } from './row.ts';

export interface Match {
  readonly row: RouteRow;
  readonly params: Readonly<Record<string, string>>;
}

/** Matches '/menu/:category' with '/menu/sides'. @returns the decoded parameters, or null */
function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/').filter(Boolean);
  const given = path.split('/').filter(Boolean);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) {
      try {
        params[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (part !== value) return null;
  }
  return params;
}

/** The first route whose pattern fits; null if the path is not the app's, which leads to '/'. */
export function matchRow(rows: readonly RouteRow[], path: string): Match | null {
  for (const row of rows) {
    const params = matchPath(row.path, path);
    if (params) return { row, params };
  }
  return null;
}
