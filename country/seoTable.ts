import type { CategoryRow, SeoData, SeoEntry } from './shape.ts';

/** One page: its path, title, description and keywords. */
export type SeoRow = readonly [path: string, title: string, description: string, keywords: string];

/** Pages of one customer alone. */
const PRIVATE: ReadonlySet<string> = new Set(['/cart', '/login', '/address']);

/** Links that customers send to each other: by the pattern of the path, since each has a secret of its own. */
const SENT: readonly (readonly [pattern: string, title: string, description: string])[] = [
  [
    '/group/:code',
    'Order with us',
    'Choose your dishes: they go into one order, and everybody sees their own share of the bill.',
  ],
  ['/shared/:token', 'Where the order is', 'Follow the order from the oven to the door.'],
  ['/pay/:token', 'Pay for an order', 'Somebody asks you to pay for this order. See what it is before you do.'],
];

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
  const [shop = ''] = fallback?.title.split(' | ') ?? [];
  for (const [pattern, title, description] of SENT)
    paths[pattern] = { title: `${title} | ${shop}`, description, keywords: '', canonical: pattern, isPrivate: true };
  if (!fallback) throw new Error('A country needs search-engine data for its home page');
  return { fallback, paths };
}
