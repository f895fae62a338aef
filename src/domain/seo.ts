// Texts about a country's shop for search engines and stores of apps: titles and descriptions of its pages, its manifest.
import { countryName } from './countryName.ts';
import type * as sentences from '#text/found.ts';
import type { CategoryRow, Country, PwaConfig } from '../../country/shape.ts';
import type { SentencesOf } from '../text/spoken.ts';

type Words = SentencesOf<typeof sentences>;

/** What of a country is told, and in which of its languages (`locale`). */
export type CountryFacts = Pick<
  Country,
  | 'appName'
  | 'iso'
  | 'locale'
  | 'BLOCKED_PATHS'
  | 'categories'
  | 'categoryNames'
  | 'redirects'
  | 'guarantee'
  | 'tax'
  | 'menuTold'
>;

/** What search engines read of a page. */
export interface SeoEntry {
  readonly title: string;
  readonly description: string;
  readonly keywords: string;
  readonly canonical: string;
  /** Nothing that somebody would look for. */
  readonly isPrivate?: true;
}

export interface SeoData {
  /** Used for paths that have no entry of their own. */
  readonly fallback: SeoEntry;
  /** By path. Every alias has its own entry, which names the readable path as canonical. */
  readonly paths: Readonly<Record<string, SeoEntry>>;
}

/** What a category is called in the language of a locale. */
export const categoryLabel = (
  { categoryNames, locale }: Pick<Country, 'categoryNames' | 'locale'>,
  { id, label }: CategoryRow,
): string => categoryNames[locale.split('-')[0]!]?.[id] ?? label;

/** Between the name of a page and the shop's. */
export const BETWEEN = ' | ';

/** One page: its path, title, description and keywords. */
type Row = readonly [path: string, title: string, description: string, keywords: string];

/** The pages that every country has, but for those of features that are off there. */
const pagesOf = (t: Words, country: string): readonly Row[] => [
  ['/menu', t.menu, t.menuText, t.menuWords({ country })],
  ['/offers', t.offers, t.offersText, t.offersWords({ country })],
  ['/edv', t.value, t.valueText, t.valueWords({ country })],
  ['/cart', t.cart, t.cartText, t.cartWords],
  ['/rewards', t.rewards, t.rewardsText, t.rewardsWords],
  ['/deliverontrain', t.train, t.trainText, t.trainWords],
  ['/worldPizzaLeague', t.league, t.leagueText, t.leagueWords({ country })],
  ['/login', t.login, t.loginText, t.loginWords],
  ['/address', t.address, t.addressText, t.addressWords],
  ['/manualSelector', t.stores, t.storesText({ country }), t.storesWords({ country })],
  // Links that customers send to each other: by the pattern of the path, since each has a secret of its own.
  ['/group/:code', t.group, t.groupText, ''],
  ['/shared/:token', t.shared, t.sharedText, ''],
  ['/pay/:token', t.pay, t.payText, ''],
];

/** Pages of one customer alone, or of those to whom a link was sent. */
const PRIVATE = /^\/(?:cart|login|address|(?:group|shared|pay)\/.*)$/;

type Texts = Omit<SeoEntry, 'canonical' | 'isPrivate'>;

/** Texts that home and every page of the menu share, where a country has one for them all (specification section 2). */
const everyMenu = (t: Words, shop: string, country: string): Texts => ({
  title: shop + BETWEEN + t.everyMenu({ country }),
  description: t.everyMenuText,
  keywords: t.everyMenuWords,
});

function categoryTexts(row: CategoryRow, told: CountryFacts, t: Words, country: string): Texts {
  const { appName, locale, menuTold, guarantee, tax } = told;
  if (menuTold === 'alike') return everyMenu(t, appName, country);
  const label = categoryLabel(told, row);
  const category = label.toLocaleLowerCase(locale);
  return {
    title: label + BETWEEN + appName,
    description:
      menuTold === 'tax'
        ? t.categoryTaxText({ category, country, tax: tax.name })
        : t.categoryText({ category, country, minutes: guarantee.minutes }),
    keywords: t.categoryWords({ category, country }),
  };
}

/**
 * Titles and descriptions of a country's pages by path, in the language of its locale: an entry for each page, for every
 * path of a category, and for every alias. Entries of aliases name the main path as canonical.
 * @param country the country's name in this language
 */
export function pagesTold(told: CountryFacts, t: Words, country = countryName(told.iso, told.locale)): SeoData {
  const { appName: shop, categories, redirects, menuTold } = told;
  const fallback: SeoEntry = {
    ...(menuTold === 'alike'
      ? everyMenu(t, shop, country)
      : { title: shop + BETWEEN + t.home, description: t.homeText({ country }), keywords: t.homeWords({ country }) }),
    canonical: '/',
  };
  const paths: Record<string, SeoEntry> = { '/': fallback };
  for (const [path, title, description, keywords] of pagesOf(t, country))
    if (!told.BLOCKED_PATHS.includes(path))
      paths[path] = {
        title: title + BETWEEN + shop,
        description,
        keywords,
        canonical: path,
        ...(PRIVATE.test(path) ? { isPrivate: true } : {}),
      };
  for (const category of categories) {
    const entry = { ...categoryTexts(category, told, t, country), canonical: category.path };
    for (const path of [category.path, `/menu/${category.id}`, ...(category.aliases ?? [])]) paths[path] = entry;
  }
  for (const [alias, path] of Object.entries({ ...redirects, '/landing': '/', '/home': '/' })) {
    const entry = paths[path];
    if (entry) paths[alias] = entry;
  }
  return { fallback, paths };
}

/** Name and description of the installed app, as shown where it is offered. */
export function appTold({ appName: shop, iso, locale }: CountryFacts, t: Words): { name: string; description: string } {
  const country = countryName(iso, locale);
  return { name: t.app({ shop, country }), description: t.appText({ country }) };
}

/** The pages to which a long press on the installed app leads, by name. */
export function shortcutsTold({ shortcuts }: PwaConfig, told: CountryFacts, t: Words): { name: string; url: string }[] {
  const names: Readonly<Record<string, string>> = { '/menu': t.toMenu, '/cart': t.toCart };
  return shortcuts.map((url) => {
    const row = told.categories.find(({ path }) => path === url);
    const name = names[url] ?? (row && categoryLabel(told, row));
    if (name === undefined) throw new Error(`${url} has no name for a shortcut`);
    return { name, url };
  });
}
