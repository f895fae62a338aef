import type { CategoryRow, SeoData, SeoEntry } from './shape.ts';

/** One page: its path, title, description and keywords. */
export type SeoRow = readonly [path: string, title: string, description: string, keywords: string];

/** Pages of one customer alone. */
const PRIVATE: ReadonlySet<string> = new Set(['/cart', '/login', '/address']);

/**
 * Builds the table of search-engine data by path: one entry per page, one for every path of a category, and one for
 * every alias. Entries of aliases name the main path as canonical.
 */
export function seoTable(
  pages: readonly SeoRow[],
  categories: readonly CategoryRow[],
  ofCategory: (category: CategoryRow) => Omit<SeoEntry, 'canonical'>,
  aliases: Readonly<Record<string, string>>,
): SeoData {
  const paths: Record<string, SeoEntry> = {};
  for (const [path, title, description, keywords] of pages)
    paths[path] = {
      title,
      description,
      keywords,
      canonical: path,
      ...(PRIVATE.has(path) ? { isPrivate: true } : {}),
    };
  for (const category of categories) {
    const entry = { ...ofCategory(category), canonical: category.path };
    for (const path of [category.path, `/menu/${category.id}`, ...(category.aliases ?? [])]) paths[path] = entry;
  }
  for (const [alias, path] of Object.entries(aliases)) {
    const entry = paths[path];
    if (entry) paths[alias] = entry;
  }
  const fallback = paths['/'];
  if (!fallback) throw new Error('A country needs search-engine data for its home page');
  return { fallback, paths };
}
