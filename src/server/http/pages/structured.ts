// What a page is about, in the words of schema.org, for search engines that show prices, hours and addresses (JSON-LD).
import type { KnownCountry } from '../../../../country/index.ts';
import type { JudgedOffer } from '../../../contract/coupons.ts';
import type { Builder, MenuItem } from '../../../contract/menu.ts';
import { jsonInHtml } from '../../../domain/html.ts';
import { BETWEEN } from '../../../domain/seo.ts';
import { WEEKDAYS } from '../../../domain/hours.ts';
import { decimal } from '../../../domain/money.ts';
import { writtenPhone } from '../../../domain/writtenPhone.ts';
import { SIZE_ORDER } from '../../../domain/sizes.ts';
import { oneAfterAnother } from '../../rules/cart/advice.ts';
import type { Shopfront } from '../../rules/shopfront/shopfront.ts';
import type { SeedStore } from '../../store/seeds.ts';

type Thing = Readonly<Record<string, unknown>>;

/** A page that search engines may list. */
export interface ListedPage {
  /** Its canonical path in the bundle. */
  readonly path: string;
  readonly title: string;
  /** What the menu's own page is called. */
  readonly menuTitle: string;
  readonly locale: string;
  /** The whole address of a path in the bundle. */
  readonly url: (path: string) => string;
  /** The whole address of the picture that stands for a page. */
  readonly picture: (path: string) => string;
}

const TERM = 'https://schema.org/';
const DAYS: Readonly<Record<(typeof WEEKDAYS)[number], string>> = {
  sun: 'Sunday',
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
};
const EVERYDAY = 'everyday-value';

/** The address of a dish or a combo in the bundle. */
export const dishPath = ({ kind, id }: Pick<MenuItem, 'kind' | 'id'>): string =>
  `/${kind === 'DEAL' ? 'combo' : 'customise'}/${encodeURIComponent(id)}`;

/** What all dishes of a page are told with. */
interface Setting {
  readonly page: ListedPage;
  readonly country: KnownCountry;
  readonly sizes: Builder['sizes'];
}

function offersOf(item: MenuItem, { country, sizes, page: { url } }: Setting): Thing[] {
  return SIZE_ORDER.flatMap((size): Thing[] => {
    const amount = item.prices[size];
    if (amount === undefined) return [];
    const name = sizes.find(({ id }) => id === size)?.name;
    const price = { price: decimal(amount), priceCurrency: country.CURRENCY_CODE };
    return [
      {
        '@type': 'Offer',
        ...(name === undefined ? {} : { name }),
        url: url(dishPath(item)),
        ...price,
        // An offer has no word of its own for whether taxes come on top.
        priceSpecification: { '@type': 'PriceSpecification', ...price, valueAddedTaxIncluded: country.tax.included },
        availability: TERM + (item.soldOut === true ? 'OutOfStock' : 'InStock'),
        ...(item.availableFrom === undefined ? {} : { availabilityStarts: `${item.availableFrom}:00` }),
        ...(item.availableTo === undefined ? {} : { availabilityEnds: `${item.availableTo}:00` }),
      },
    ];
  });
}

function nutritionOf({ kcal, serving }: MenuItem, { sizes }: Setting): Thing {
  const size = SIZE_ORDER.find((one) => kcal[one] !== undefined);
  if (size === undefined) return {};
  const servingSize = serving ?? sizes.find(({ id }) => id === size)?.name;
  return {
    nutrition: {
      '@type': 'NutritionInformation',
      calories: `${kcal[size]} calories`,
      ...(servingSize === undefined ? {} : { servingSize }),
    },
  };
}

const menuItem = (item: MenuItem, setting: Setting): Thing => ({
  '@type': 'MenuItem',
  '@id': `${setting.page.url(dishPath(item))}#dish`,
  name: item.name,
  description: item.description,
  url: setting.page.url(dishPath(item)),
  image: setting.page.picture(dishPath(item)),
  ...(item.foodType === 'VEG' ? { suitableForDiet: `${TERM}VegetarianDiet` } : {}),
  ...nutritionOf(item, setting),
  offers: offersOf(item, setting),
});

/** Days with the same hours are one entry. */
function hoursOf({ hours }: SeedStore): Thing[] {
  const entries = new Map<string, { opens: string; closes: string; dayOfWeek: string[] }>();
  for (const day of WEEKDAYS) {
    const own = hours[day];
    if (!own) continue;
    const entry = entries.get(`${own.open} ${own.close}`) ?? { opens: own.open, closes: own.close, dayOfWeek: [] };
    entry.dayOfWeek.push(TERM + DAYS[day]);
    entries.set(`${own.open} ${own.close}`, entry);
  }
  return [...entries.values()].map((entry) => ({ '@type': 'OpeningHoursSpecification', ...entry }));
}

/** As it is dialled in the country: some are short numbers, which nobody reaches from elsewhere. */
const telephone = (country: KnownCountry) => writtenPhone(country.HELP_DESK_NO, country);

const restaurant = (store: SeedStore, country: KnownCountry, { url, picture, path }: ListedPage): Thing => ({
  '@type': 'Restaurant',
  '@id': `${url(path)}#store-${store.id}`,
  name: `${country.appName}, ${store.name}`,
  url: url(path),
  telephone: telephone(country),
  image: picture('/'),
  servesCuisine: 'Pizza',
  currenciesAccepted: country.CURRENCY_CODE,
  hasMenu: url('/menu'),
  parentOrganization: { '@id': `${url('/')}#shop` },
  address: {
    '@type': 'PostalAddress',
    streetAddress: `${store.address}, ${store.locality}`,
    addressLocality: store.city,
    postalCode: store.postcode,
    addressCountry: country.iso,
  },
  geo: { '@type': 'GeoCoordinates', latitude: store.latitude, longitude: store.longitude },
  openingHoursSpecification: hoursOf(store),
});

const shopItself = (country: KnownCountry, { url, locale }: ListedPage): Thing[] => [
  {
    '@type': 'Organization',
    '@id': `${url('/')}#shop`,
    name: country.appName,
    url: url('/'),
    logo: url('/icon-512.png'),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'support',
      telephone: telephone(country),
      areaServed: country.iso,
    },
  },
  { '@type': 'WebSite', '@id': `${url('/')}#site`, name: country.appName, url: url('/'), inLanguage: locale },
];

const offer = ({ code, title, subtitle, details, expiryTimer }: JudgedOffer, { url, path }: ListedPage): Thing => ({
  '@type': 'Offer',
  '@id': `${url(path)}#${encodeURIComponent(code)}`,
  name: title,
  identifier: code,
  description: oneAfterAnother([subtitle, ...details].filter((text) => text !== undefined)),
  url: url(path),
  availability: `${TERM}InStock`,
  ...(expiryTimer === undefined ? {} : { validThrough: new Date(expiryTimer.endTime).toISOString() }),
});

type Crumb = readonly [name: string, path: string];

const breadcrumbs = (crumbs: readonly Crumb[], { url }: ListedPage): Thing => ({
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(([name, path], at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    item: url(path),
  })),
});

const section = (name: string, items: readonly MenuItem[], setting: Setting): Thing => ({
  '@type': 'MenuSection',
  '@id': `${setting.page.url(setting.page.path)}#section`,
  name,
  url: setting.page.url(setting.page.path),
  hasMenuItem: items.map((item) => menuItem(item, setting)),
});

/** 'Veg Pizza' of 'Veg Pizza | Golden Oven Pizza'. */
const shortOf = (title: string) => title.split(BETWEEN)[0]!;

/** What a page is about, and the way to it from home; null for a page that is no more than its words. */
async function about(
  page: ListedPage,
  shop: Shopfront,
): Promise<readonly [things: readonly Thing[], ...Crumb[]] | null> {
  const { path, url, locale } = page;
  const { country } = shop;
  const name = shortOf(page.title);
  const own: Crumb = [name, path];
  if (path === '/') return [shopItself(country, page)];
  if (path === '/manualSelector') return [(await shop.stores()).map((store) => restaurant(store, country, page)), own];
  if (path === '/offers') {
    const itemListElement = (await shop.offers()).map((one) => offer(one, page));
    return [[{ '@type': 'OfferCatalog', '@id': `${url(path)}#offers`, name, url: url(path), itemListElement }], own];
  }
  const isDish = /^\/(?:customise|combo)\//.test(path);
  if (!isDish && path !== '/edv' && path !== '/menu' && !path.startsWith('/menu/')) return null;
  const { items, categories } = await shop.menu();
  const sections = categories.filter(({ id }) => country.categories.every((row) => row.id !== id || !row.dynamic));
  const menu: Crumb = [shortOf(page.menuTitle), '/menu'];
  if (path === '/menu') {
    const hasMenuSection = sections.map((one) => ({ '@type': 'MenuSection', name: one.label, url: url(one.path) }));
    const hasMenu = { '@type': 'Menu', '@id': `${url(path)}#menu`, name, url: url(path), inLanguage: locale };
    return [[{ ...hasMenu, hasMenuSection }], own];
  }
  const setting = { page, country, sizes: (await shop.builder()).sizes };
  if (path === '/edv') {
    const its = items.filter(({ tags }) => tags.includes(EVERYDAY));
    return [[section(name, its, setting)], menu, own];
  }
  if (isDish) {
    const item = items.find((one) => dishPath(one) === path);
    if (!item) return null;
    const category = sections.find(({ id }) => item.categoryIds.includes(id));
    return [
      [menuItem(item, setting)],
      menu,
      ...(category ? [[category.label, category.path] as const] : []),
      [item.name, path],
    ];
  }
  const category = sections.find((one) => one.path === path);
  if (!category) return null;
  const its = items.filter(({ categoryIds }) => categoryIds.includes(category.id));
  return [[section(category.label, its, setting)], menu, [category.label, path]];
}

/** The data block of a page, to be written into it as it is; '' where there is nothing to say. */
export async function structuredData(page: ListedPage, shop: Shopfront): Promise<string> {
  const [things, ...crumbs] = (await about(page, shop)) ?? [[]];
  if (things.length === 0) return '';
  const home: Crumb = [shop.country.appName, '/'];
  const graph = crumbs.length === 0 ? things : [...things, breadcrumbs([home, ...crumbs], page)];
  const text = jsonInHtml({ '@context': 'https://schema.org', '@graph': graph });
  return ['<script type="application/ld+json">', text, '</script>\n'].join('');
}
