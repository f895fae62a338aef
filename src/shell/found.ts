import * as t from '#text/found.ts';
import type { MenuItem } from '../contract/menu.ts';
import { pagesTold, type SeoData, type SeoEntry, type CountryFacts } from '../domain/seo.ts';

/** The country's name in the bundle's language: browsers do not know all names in all languages. */
declare const COUNTRY_NAME: string | undefined;

/** What search engines and whoever keeps a link are told of each page, in the language of this one. */
export const pagesFound = (told: CountryFacts): SeoData => pagesTold(told, t, COUNTRY_NAME);

/**
 * What the page at a path says of itself, and undefined for a page of which nothing is said. A dish or a combo has no
 * title of its own: that is its heading.
 */
export function pageTold(told: CountryFacts, path: string, items: ReadonlyMap<string, MenuItem>): SeoEntry | undefined {
  const item = items.get(/^\/(?:customise|combo)\/([^/]+)$/.exec(path)?.[1] ?? '');
  return (
    pagesFound(told).paths[path] ??
    (item && { title: '', description: item.description, keywords: '', canonical: path })
  );
}
