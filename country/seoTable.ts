import type { CategoryRow, SeoData, SeoEntry } from './shape.ts';

/** A page: path, title, description, keywords. */
export type SeoRow = readonly [path: string, title: string, description: string, keywords: string];

/** Builds the table: pages as they are, categories under every path they have, aliases pointing at the friendly path. */
export function seoTable(
  pages: readonly SeoRow[],
  categories: readonly CategoryRow[],
  ofCategory: (category: CategoryRow) => Omit<SeoEntry, 'canonical'>,
  aliases: Readonly<Record<string, string>>,
): SeoData {
  const paths: Record<string, SeoEntry> = {};
  for (const [path, title, description, keywords] of pages) paths[path] = { title, description, keywords, canonical: path };
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
