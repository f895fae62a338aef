import type { Country } from '../../../../country/shape.ts';
import type { Category, Deal, Menu, MenuItem, Widget } from '../../../contract/menu.ts';
import type { Size } from '../../../contract/names.ts';
import { money, type Money } from '../../../contract/price.ts';
import { categoryLabel } from '../../../domain/seo.ts';
import { hasOf, read } from '../../../domain/dishQuery.ts';
import type { Meaning } from '../../../domain/dishwords.ts';
import { firstSize } from '../../../domain/sizes.ts';
import { openWidgets } from '../../../domain/features.ts';
import type { SeedDeal, SeedItem, SeedWidget } from '../../store/seeds.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { inLanguage, languageAsked, t, translated } from '../../call/language.ts';
import { piecesOf, servingOfDeal, servingText } from './servings.ts';
import { catalogueFromDisk, hashOf, priced } from './catalogue.ts';

const unique = (list: readonly string[]) => [...new Set(list)].sort();

/** The price of a deal's default parts bought one by one; minor units. */
const partsPrice = (catalogue: CountryCatalogue, deal: SeedDeal): number =>
  piecesOf(catalogue, deal).reduce((sum, { item, size }) => sum + (item.prices[size] ?? 0), 0);

/** A former price is shown beside a price that is lower by at least this part: '৳629, was ৳638' reads as a mistake. */
const WORTH_STRIKING = 0.05;
const isWorthStriking = (price: number, original: number) => original - price >= original * WORTH_STRIKING;

/** How many people one piece feeds. */
const SERVES: Readonly<Record<Size, number>> = { R: 1, M: 2, L: 3, ONE: 1 };
const MEALS: ReadonlySet<SeedItem['kind']> = new Set(['PIZZA', 'MINI', 'RICE_PASTA', 'CHICKEN']);
const servesOf = (kind: SeedItem['kind'], size: Size) => (MEALS.has(kind) ? SERVES[size] : 0);

const forTwo = (amount: number, serves: number) => amount * Math.ceil(2 / serves);

function itemForTwo(item: SeedItem): number | null {
  const amounts = Object.entries(item.prices)
    .map(([size, amount]) => [amount, servesOf(item.kind, size as Size)] as const)
    .filter(([, serves]) => serves > 0);
  return amounts.length === 0 ? null : Math.min(...amounts.map(([amount, serves]) => forTwo(amount, serves)));
}

function dealForTwo(catalogue: CountryCatalogue, deal: SeedDeal): number | null {
  const serves = piecesOf(catalogue, deal).reduce((sum, { item, size }) => sum + servesOf(item.kind, size), 0);
  return serves === 0 ? null : forTwo(deal.price, serves);
}

const NEVER_ONION: ReadonlySet<SeedItem['kind']> = new Set(['DESSERT', 'BEVERAGE']);

/** As far as the recipe proves it; for a dish whose ingredients are not known it is left out. */
export function onionGarlic(catalogue: CountryCatalogue, item: SeedItem): MenuItem['noOnionGarlic'] {
  const isOnTop = item.defaultToppings.some((id) => catalogue.toppings.get(id)?.onionGarlic === true);
  const isFree =
    item.jain ||
    NEVER_ONION.has(item.kind) ||
    (item.sauce !== undefined && catalogue.sauces.get(item.sauce)?.jain === true && !isOnTop);
  if (isFree) return 'always';
  if (item.jainOnRequest) return 'onRequest';
  return isOnTop ? undefined : 'unstated';
}

/** Drops undefined and null fields. */
const given = <T extends object>(facts: T) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

const descriptionOf = ({ description, descriptions }: SeedItem | SeedDeal): string =>
  translated(description, descriptions);

/** A description in the language of the request; where that is another one, what it is in the first one, and how the name sounds. */
function described(entry: SeedItem | SeedDeal): Pick<MenuItem, 'spoken' | 'description' | 'english'> {
  const description = descriptionOf(entry);
  const sound = given({ spoken: translated<string | undefined>(undefined, entry.spoken) });
  return description === entry.description ? { description } : { ...sound, description, english: entry.description };
}

function dealItem(catalogue: CountryCatalogue, deal: SeedDeal): MenuItem {
  const parts = piecesOf(catalogue, deal);
  const original = partsPrice(catalogue, deal);
  return {
    id: deal.id,
    kind: 'DEAL',
    productType: deal.productType,
    name: deal.name,
    ...described(deal),
    foodType: deal.foodType,
    categoryIds: deal.categoryIds,
    prices: { ONE: money(deal.price) },
    ...(isWorthStriking(deal.price, original) ? { originalPrices: { ONE: money(original) } } : {}),
    kcal: { ONE: parts.reduce((sum, { item, size }) => sum + (item.kcal[size] ?? 0), 0) },
    serving: servingOfDeal(catalogue, deal),
    allergens: unique(parts.flatMap(({ item }) => item.allergens)),
    spice: Math.max(0, ...parts.map(({ item }) => item.spice)),
    jain: false,
    jainOnRequest: false,
    ...given({ priceForTwo: dealForTwo(catalogue, deal) as Money | null }),
    tags: deal.edv && !deal.tags.includes('everyday-value') ? [...deal.tags, 'everyday-value'] : deal.tags,
    customisable: true,
    defaultToppings: [],
    crusts: [],
    ...window(deal),
  };
}

const window = (entry: { availableFrom?: string; availableTo?: string }) =>
  entry.availableFrom !== undefined && entry.availableTo !== undefined
    ? { availableFrom: entry.availableFrom, availableTo: entry.availableTo }
    : {};

function menuItem(catalogue: CountryCatalogue, item: SeedItem): MenuItem {
  return {
    id: item.id,
    kind: item.kind,
    productType: item.productType,
    name: item.name,
    ...described(item),
    foodType: item.foodType,
    categoryIds: item.categoryIds,
    prices: priced(item.prices),
    kcal: item.kcal,
    ...(item.serving === undefined ? {} : { serving: servingText(item.serving) }),
    allergens: item.allergens,
    spice: item.spice,
    jain: item.jain,
    jainOnRequest: item.jainOnRequest,
    tags: item.tags,
    ...given({ noOnionGarlic: onionGarlic(catalogue, item), priceForTwo: itemForTwo(item) as Money | null }),
    customisable: item.customisable,
    ...(item.sauce === undefined ? {} : { sauce: item.sauce }),
    defaultToppings: item.defaultToppings,
    crusts: item.crusts,
    ...window(item),
  };
}

/** Wings are a chicken's, whether a recipe says so or not. */
const ANIMALS: readonly (readonly [animal: Meaning, ...also: Meaning[]])[] = [
  ['chicken', 'wings'],
  ['beef'],
  ['pork'],
  ['mutton'],
  ['egg'],
  ['fish'],
  ['prawn'],
];
type Entry = SeedItem | SeedDeal;
const held = new WeakMap<Entry, ReadonlySet<string>>();
/** What somebody may not eat of an entry as it comes: its allergens, and the animals that it names. */
function heldBy(catalogue: CountryCatalogue, entry: Entry): ReadonlySet<string> {
  const known = held.get(entry);
  if (known) return known;
  const items = 'price' in entry ? piecesOf(catalogue, entry).map(({ item }) => item) : [entry];
  const found = items.flatMap(({ name, description, defaultToppings, allergens }) => {
    const recipe = [name, description, ...defaultToppings.map((id) => catalogue.toppings.get(id)?.name ?? id)];
    const named = read(recipe.join(', ')).filter(({ isDenied }) => isDenied !== true);
    const animals = ANIMALS.filter((some) => named.some((token) => hasOf(token, some)));
    return [...allergens, ...animals.map(([animal]) => animal)];
  });
  const all = new Set(found);
  held.set(entry, all);
  return all;
}

/**
 * What a customer would most likely take instead: the same kind and food type, if possible a shared category, then the
 * nearest price. Never one with an allergen or of an animal that the other is without, nor for a Jain dish one that is
 * none: it is taken by one tap, by somebody who looked at the other.
 */
export function alternativeTo(
  catalogue: CountryCatalogue,
  id: string,
  soldOut: ReadonlySet<string>,
): string | undefined {
  const lost = catalogue.items.get(id) ?? catalogue.deals.get(id);
  if (!lost) return undefined;
  const costOf = (entry: Entry) => ('price' in entry ? entry.price : (entry.prices[firstSize(entry)] ?? 0));
  const pool: Entry[] =
    'price' in lost
      ? [...catalogue.deals.values()]
      : [...catalogue.items.values()].filter((item) => item.kind === lost.kind && (item.jain || !lost.jain));
  const rank = (entry: Entry) =>
    (entry.categoryIds.some((category) => lost.categoryIds.includes(category)) ? 0 : 1e9) +
    Math.abs(costOf(entry) - costOf(lost));
  const own = heldBy(catalogue, lost);
  let best: Entry | undefined;
  for (const entry of pool) {
    if (
      entry.id === id ||
      entry.foodType !== lost.foodType ||
      soldOut.has(entry.id) ||
      entry.availableFrom !== undefined ||
      (best && rank(entry) >= rank(best)) ||
      [...heldBy(catalogue, entry)].some((one) => !own.has(one))
    )
      continue;
    best = entry;
  }
  return best?.id;
}

/** Categories that hold something, in the country's order, plus the ones that are made up per customer, in the asker's language. */
export function categoriesOf(catalogue: CountryCatalogue): Category[] {
  const told = { ...catalogue.country, locale: languageAsked() };
  const used = new Set([...catalogue.seeds.items, ...catalogue.seeds.deals].flatMap((entry) => entry.categoryIds));
  return catalogue.country.categories
    .filter((row) => row.dynamic === true || used.has(row.id))
    .map((row) => ({ id: row.id, label: categoryLabel(told, row), path: row.path }));
}

/** The allergens of the data, each of which every language names. */
export const ALLERGENS = ['gluten', 'milk', 'soy', 'egg', 'nuts', 'mustard', 'sesame', 'fish', 'crustacean'] as const;
/** What they are called in the asker's language, without those that are called as their id. */
function allergenNames(): Pick<Menu, 'allergenNames'> {
  const names = ALLERGENS.map((allergen) => [allergen, t.allergen({ allergen })] as const);
  const others = names.filter(([id, name]) => name !== id);
  return others.length === 0 ? {} : { allergenNames: Object.fromEntries(others) };
}

/** Menu of a store, in the language of whoever asks. The version is a hash of the whole content, so a dish that sells out gives a new version. */
export function menuOf(catalogue: CountryCatalogue, storeId: string, soldOut: ReadonlySet<string> = new Set()): Menu {
  const mark = (item: MenuItem): MenuItem => {
    if (!soldOut.has(item.id)) return item;
    const alternativeId = alternativeTo(catalogue, item.id, soldOut);
    return { ...item, soldOut: true, ...(alternativeId === undefined ? {} : { alternativeId }) };
  };
  const body = {
    storeId,
    currencyCode: catalogue.country.CURRENCY_CODE,
    categories: categoriesOf(catalogue),
    ...allergenNames(),
    items: [
      ...catalogue.seeds.items.map((item) => menuItem(catalogue, item)),
      ...catalogue.seeds.deals.map((deal) => dealItem(catalogue, deal)),
    ].map(mark),
  };
  return { version: hashOf(body), ...body };
}

/** What a category is called where it is searched for: its name in the country's first language, and the one that the asker reads. */
export function searchedLabels({ country }: CountryCatalogue): (categoryId: string) => string {
  const told = { ...country, locale: languageAsked() };
  const labels = new Map(told.categories.map((row) => [row.id, `${row.label} ${categoryLabel(told, row)}`]));
  return (id) => labels.get(id) ?? '';
}

/** The menu shown before a store is chosen, in a language: what the call DEFAULT_MENU answers, with nothing sold out. */
export function defaultMenu(country: Country, language: string): Menu {
  const storeId = /\/stores\/([^/]+)\/menu$/.exec(country.DEFAULT_MENU)?.[1] ?? country.DEFAULT_STORE;
  return inLanguage(language, () => menuOf(catalogueFromDisk(country), storeId));
}

export function dealOf(catalogue: CountryCatalogue, deal: SeedDeal): Deal {
  const original = partsPrice(catalogue, deal);
  return {
    id: deal.id,
    name: deal.name,
    description: descriptionOf(deal),
    foodType: deal.foodType,
    productType: deal.productType,
    price: money(deal.price),
    ...(isWorthStriking(deal.price, original) ? { originalPrice: money(original) } : {}),
    tags: deal.tags,
    slots: catalogue.slots.get(deal.id)!.map((slot) => ({
      label: translated(slot.label, slot.labels),
      quantity: slot.quantity,
      ...(slot.size === undefined ? {} : { size: slot.size }),
      // Every choice is included in the deal's price; only changes within a slot (crust, toppings, a larger size) cost
      // extra.
      choices: slot.choices.map((productId) => ({ productId, surcharge: money(0) })),
      defaults: [...slot.defaults],
    })),
  };
}

/** What a widget is called in the language of the request. */
const titleOf = ({ title, titles }: SeedWidget): string => translated(title, titles);

/** Landing widgets of a store, without those whose lower-cased label the host blocks (specification section 6). */
export function widgetsOf(
  catalogue: CountryCatalogue,
  storeId: string,
  blocked: readonly string[],
  page?: string,
): Widget[] {
  return openWidgets(catalogue.seeds.content.widgets, blocked)
    .filter(({ pages }) => page === undefined || pages === undefined || pages.includes(page))
    .map((widget) => ({
      label: widget.label,
      title: titleOf(widget),
      ...(widget.subtitle === undefined ? {} : { subtitle: translated(widget.subtitle, widget.subtitles) }),
      links: [{ href: `/content/ve1/stores/${storeId}/widgets/${widget.name}` }],
    }));
}

/**
 * Product ids of a widget, or null if there is no widget of that name. `withOffers`: it shows the running coupons too.
 */
export function widgetProducts(
  catalogue: CountryCatalogue,
  name: string,
  soldOut: ReadonlySet<string>,
): { title: string; productIds: string[]; withOffers: boolean } | null {
  const widget = catalogue.seeds.content.widgets.find((entry) => entry.name === name);
  if (!widget) return null;
  const { tag, edv, category, kind } = widget.pick;
  const fits = (entry: {
    id: string;
    tags: readonly string[];
    categoryIds: readonly string[];
    kind?: string;
    edv?: boolean;
  }) =>
    !soldOut.has(entry.id) &&
    (tag === undefined || entry.tags.includes(tag)) &&
    (edv === undefined || entry.edv === true || entry.tags.includes('everyday-value')) &&
    (category === undefined || entry.categoryIds.includes(category)) &&
    (kind === undefined || (entry.kind ?? 'DEAL') === kind);
  const productIds = [...catalogue.seeds.items, ...catalogue.seeds.deals].filter(fits).map((entry) => entry.id);
  return { title: titleOf(widget), productIds, withOffers: widget.pick.offers === true };
}
