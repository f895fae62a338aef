import { createHash } from 'node:crypto';
import type { Country } from '../../../country/shape.ts';
import type { Builder, Category, Deal, Menu, MenuItem, Widget } from '../../contract/menu.ts';
import type { Size } from '../../contract/names.ts';
import { money, type Money } from '../../contract/price.ts';
import { firstSize } from '../../domain/sizes.ts';
import { openWidgets } from '../../domain/features.ts';
import { readSeeds } from './seeds.ts';
import type { BySize, SeedCoupon, SeedCrust, SeedDeal, SeedItem, SeedPlace, SeedSauce, SeedStore, SeedTopping, Seeds } from './seeds.ts';

/** A slot with the products that may go in, looked up once. */
export interface SlotRule { readonly label: string; readonly quantity: number; readonly size: Size | undefined; readonly choices: readonly string[]; readonly defaults: readonly string[] }

/** The read copy of a country's catalogue: everything a rule asks for, by id. */
export interface CountryCatalogue {
  readonly country: Country;
  /** Hash of the seeds; two processes with the same version hold the same copy. */
  readonly version: string;
  readonly seeds: Seeds;
  readonly items: ReadonlyMap<string, SeedItem>;
  readonly deals: ReadonlyMap<string, SeedDeal>;
  readonly slots: ReadonlyMap<string, readonly SlotRule[]>;
  readonly toppings: ReadonlyMap<string, SeedTopping>;
  readonly crusts: ReadonlyMap<string, SeedCrust>;
  readonly sauces: ReadonlyMap<string, SeedSauce>;
  readonly coupons: ReadonlyMap<string, SeedCoupon>;
  readonly stores: ReadonlyMap<string, SeedStore>;
  readonly places: readonly SeedPlace[];
  readonly builder: Builder;
}

export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

const priced = (amounts: BySize) => Object.fromEntries(Object.entries(amounts).map(([size, minor]) => [size, money(minor)])) as Partial<Record<Size, Money>>;
const byId = <T extends { id: string }>(list: readonly T[]): ReadonlyMap<string, T> => new Map(list.map((entry) => [entry.id, entry]));

/** Ways of choosing what a deal comes with where the data does not say: each one dearer than the one before. */
const TASTES: readonly { readonly veg: boolean; readonly bestseller: boolean }[] = [
  { veg: true, bestseller: true }, { veg: true, bestseller: false }, { veg: false, bestseller: false },
];

/** Vegetarian bestsellers (unless the deal is not vegetarian), the dearer first. A deal must be a saving as it comes, so dearer tastes follow. */
function slotRules(deal: SeedDeal, items: readonly SeedItem[]): SlotRule[] {
  let rules: SlotRule[] = [];
  for (const taste of TASTES) {
    rules = slotsBy(deal, items, taste);
    const parts = rules.reduce((sum, slot) => slot.defaults.reduce((own, id) => own + costIn(items.find((item) => item.id === id), slot.size), sum), 0);
    if (parts > deal.price) break;
  }
  return rules;
}

const costIn = (item: SeedItem | undefined, size: Size | undefined) => (item === undefined ? 0 : item.prices[size ?? firstSize(item)] ?? 0);

function slotsBy(deal: SeedDeal, items: readonly SeedItem[], taste: { veg: boolean; bestseller: boolean }): SlotRule[] {
  const rank = (item: SeedItem) => (taste.veg && deal.foodType !== 'NON_VEG' && item.foodType === 'NON_VEG' ? 2 : 0) + (!taste.bestseller || item.tags.includes('bestseller') ? 0 : 1);
  /** How many were taken from the same choices already: two pizzas are two different ones. */
  const taken = new Map<string, number>();
  return deal.slots.map((slot) => {
    const fits = (item: SeedItem) => (slot.anyOfItems?.includes(item.id) ?? false)
      || (slot.anyOfCategories?.some((id) => item.categoryIds.includes(id)) ?? false);
    const fitting = items.filter((item) => fits(item) && (slot.size === undefined || item.prices[slot.size] !== undefined));
    const choices = fitting.map((item) => item.id);
    const wanted = (slot.default ?? []).filter((id) => choices.includes(id));
    const liked = [...fitting].sort((a, b) => rank(a) - rank(b) || costIn(b, slot.size) - costIn(a, slot.size)).map((item) => item.id);
    const start = taken.get(choices.join()) ?? 0;
    taken.set(choices.join(), start + slot.quantity);
    const defaults = Array.from({ length: slot.quantity }, (_, index) => wanted[index] ?? wanted[0] ?? liked[(start + index) % liked.length]).filter((id) => id !== undefined);
    return { label: slot.label, quantity: slot.quantity, size: slot.size, choices, defaults };
  });
}

/** Builds the read copy. Pure; `version` is the hash of what went in. */
export function catalogueOf(country: Country, seeds: Seeds): CountryCatalogue {
  const version = hashOf([country.COUNTRY_CODE, country.categories, seeds]);
  return {
    country, version, seeds,
    items: byId(seeds.items), deals: byId(seeds.deals), toppings: byId(seeds.toppings),
    slots: new Map(seeds.deals.map((deal) => [deal.id, slotRules(deal, seeds.items)])),
    crusts: byId(seeds.builder.crusts), sauces: byId(seeds.builder.sauces),
    coupons: new Map(seeds.coupons.map((coupon) => [coupon.code, coupon])),
    stores: byId(seeds.stores), places: seeds.places,
    builder: builderOf(seeds),
  };
}

function builderOf({ builder, toppings }: Seeds): Builder {
  const body = {
    sizes: builder.sizes,
    crusts: builder.crusts.map(({ id, name, foodType, sizes, kcal, allergens, isDefault, surcharge }) => ({ id, name, foodType, sizes, kcal, allergens, isDefault, surcharge: priced(surcharge) })),
    sauces: builder.sauces.map(({ id, name, colour, allergens, jain }) => ({ id, name, colour, allergens, jain })),
    toppings: toppings.map((topping) => ({ ...topping, prices: priced(topping.prices) })),
    maxExtraToppings: builder.maxExtraToppings, halfAndHalfSizes: builder.halfAndHalfSizes, cookingNotes: builder.cookingNotes,
  };
  return { version: hashOf(body), ...body };
}

const unique = (list: readonly string[]) => [...new Set(list)].sort();

/** What the parts of a deal cost one by one, as it comes. */
function partsPrice(catalogue: CountryCatalogue, id: string): number {
  let sum = 0;
  for (const slot of catalogue.slots.get(id) ?? []) {
    for (const choice of slot.defaults) {
      const item = catalogue.items.get(choice);
      if (item) sum += item.prices[slot.size ?? firstSize(item)] ?? 0;
    }
  }
  return sum;
}

function defaultsOf(catalogue: CountryCatalogue, id: string): SeedItem[] {
  return (catalogue.slots.get(id) ?? []).flatMap((slot) => slot.defaults.map((choice) => catalogue.items.get(choice)).filter((item) => item !== undefined));
}

/** People that one piece feeds; 0 for what goes with a meal. */
const SERVES: Readonly<Record<Size, number>> = { R: 1, M: 2, L: 3, ONE: 1 };
const MEALS: ReadonlySet<SeedItem['kind']> = new Set(['PIZZA', 'MINI', 'RICE_PASTA', 'CHICKEN']);
const servesOf = (kind: SeedItem['kind'], size: Size) => (MEALS.has(kind) ? SERVES[size] : 0);

const forTwo = (amount: number, serves: number) => amount * Math.ceil(2 / serves);

function itemForTwo(item: SeedItem): number | null {
  const amounts = Object.entries(item.prices).map(([size, amount]) => [amount, servesOf(item.kind, size as Size)] as const).filter(([, serves]) => serves > 0);
  return amounts.length === 0 ? null : Math.min(...amounts.map(([amount, serves]) => forTwo(amount, serves)));
}

function dealForTwo(catalogue: CountryCatalogue, deal: SeedDeal): number | null {
  let serves = 0;
  for (const slot of catalogue.slots.get(deal.id) ?? []) {
    for (const choice of slot.defaults) {
      const item = catalogue.items.get(choice);
      if (item) serves += servesOf(item.kind, slot.size ?? firstSize(item));
    }
  }
  return serves === 0 ? null : forTwo(deal.price, serves);
}

const NEVER_ONION: ReadonlySet<SeedItem['kind']> = new Set(['DESSERT', 'BEVERAGE']);

/** Said only where the recipe shows it: an unknown side dish is left out. */
function onionGarlic(catalogue: CountryCatalogue, item: SeedItem): MenuItem['noOnionGarlic'] {
  const isFree = item.jain || NEVER_ONION.has(item.kind) || (item.sauce !== undefined && catalogue.sauces.get(item.sauce)?.jain === true
    && item.defaultToppings.every((id) => catalogue.toppings.get(id)?.onionGarlic !== true));
  return isFree ? 'always' : item.jainOnRequest ? 'onRequest' : undefined;
}

/** Without what is not known. */
const given = <T extends object>(facts: T) => Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null)) as { [K in keyof T]?: NonNullable<T[K]> };

function dealItem(catalogue: CountryCatalogue, deal: SeedDeal): MenuItem {
  const parts = defaultsOf(catalogue, deal.id);
  const original = partsPrice(catalogue, deal.id);
  let kcal = 0;
  for (const slot of catalogue.slots.get(deal.id) ?? []) {
    for (const choice of slot.defaults) {
      const item = catalogue.items.get(choice);
      if (item) kcal += item.kcal[slot.size ?? firstSize(item)] ?? 0;
    }
  }
  return {
    id: deal.id, kind: 'DEAL', productType: deal.productType, name: deal.name, description: deal.description, foodType: deal.foodType,
    categoryIds: deal.categoryIds, prices: { ONE: money(deal.price) },
    ...(original > deal.price ? { originalPrices: { ONE: money(original) } } : {}),
    kcal: { ONE: kcal }, allergens: unique(parts.flatMap((item) => item.allergens)), spice: Math.max(0, ...parts.map((item) => item.spice)),
    jain: false, jainOnRequest: false, ...given({ priceForTwo: dealForTwo(catalogue, deal) as Money | null }), tags: deal.edv && !deal.tags.includes('everyday-value') ? [...deal.tags, 'everyday-value'] : deal.tags,
    customisable: true, defaultToppings: [], crusts: [],
    ...window(deal),
  };
}

const window = (entry: { availableFrom?: string; availableTo?: string }) => (entry.availableFrom !== undefined && entry.availableTo !== undefined
  ? { availableFrom: entry.availableFrom, availableTo: entry.availableTo } : {});

function menuItem(catalogue: CountryCatalogue, item: SeedItem): MenuItem {
  return {
    id: item.id, kind: item.kind, productType: item.productType, name: item.name, description: item.description, foodType: item.foodType,
    categoryIds: item.categoryIds, prices: priced(item.prices), kcal: item.kcal, ...(item.serving === undefined ? {} : { serving: item.serving }),
    allergens: item.allergens, spice: item.spice, jain: item.jain, jainOnRequest: item.jainOnRequest, tags: item.tags,
    ...given({ noOnionGarlic: onionGarlic(catalogue, item), priceForTwo: itemForTwo(item) as Money | null }),
    customisable: item.customisable, ...(item.sauce === undefined ? {} : { sauce: item.sauce }), defaultToppings: item.defaultToppings, crusts: item.crusts,
    ...window(item),
  };
}

/** What a customer would most likely take instead: same kind and diet, a shared category, the nearest price. */
export function alternativeTo(catalogue: CountryCatalogue, id: string, soldOut: ReadonlySet<string>): string | undefined {
  const lost = catalogue.items.get(id) ?? catalogue.deals.get(id);
  if (!lost) return undefined;
  const costOf = (entry: SeedItem | SeedDeal) => ('price' in entry ? entry.price : entry.prices[firstSize(entry)] ?? 0);
  const pool: (SeedItem | SeedDeal)[] = 'price' in lost ? [...catalogue.deals.values()] : [...catalogue.items.values()].filter((item) => item.kind === lost.kind);
  const rank = (entry: SeedItem | SeedDeal) => (entry.categoryIds.some((category) => lost.categoryIds.includes(category)) ? 0 : 1e9) + Math.abs(costOf(entry) - costOf(lost));
  let best: SeedItem | SeedDeal | undefined;
  for (const entry of pool) {
    if (entry.id === id || entry.foodType !== lost.foodType || soldOut.has(entry.id) || entry.availableFrom !== undefined) continue;
    if (!best || rank(entry) < rank(best)) best = entry;
  }
  return best?.id;
}

/** Categories that hold something, in the country's order, plus those made up per customer. */
export function categoriesOf(catalogue: CountryCatalogue): Category[] {
  const used = new Set([...catalogue.seeds.items, ...catalogue.seeds.deals].flatMap((entry) => entry.categoryIds));
  return catalogue.country.categories.filter((row) => row.dynamic === true || used.has(row.id)).map(({ id, label, path }) => ({ id, label, path }));
}

/** Menu of a store. The version is a hash of everything in it, so a sold-out dish is a new version. */
export function menuOf(catalogue: CountryCatalogue, storeId: string, soldOut: ReadonlySet<string> = new Set()): Menu {
  const mark = (item: MenuItem): MenuItem => {
    if (!soldOut.has(item.id)) return item;
    const alternativeId = alternativeTo(catalogue, item.id, soldOut);
    return { ...item, soldOut: true, ...(alternativeId === undefined ? {} : { alternativeId }) };
  };
  const body = {
    storeId, currencyCode: catalogue.country.CURRENCY_CODE, categories: categoriesOf(catalogue),
    items: [...catalogue.seeds.items.map((item) => menuItem(catalogue, item)), ...catalogue.seeds.deals.map((deal) => dealItem(catalogue, deal))].map(mark),
  };
  return { version: hashOf(body), ...body };
}

const read = new Map<string, CountryCatalogue>();

/** The seeds of a country from disk, as the read copy; read once per process. */
export function catalogueFromDisk(country: Country): CountryCatalogue {
  const known = read.get(country.COUNTRY_CODE);
  if (known) return known;
  const made = catalogueOf(country, readSeeds(country.COUNTRY_CODE));
  read.set(country.COUNTRY_CODE, made);
  return made;
}

/** The menu shown before a store is chosen: what GET menu of the default store answers while nothing is sold out. */
export function defaultMenu(country: Country): Menu {
  return menuOf(catalogueFromDisk(country), country.DEFAULT_STORE);
}

export function dealOf(catalogue: CountryCatalogue, deal: SeedDeal): Deal {
  const original = partsPrice(catalogue, deal.id);
  return {
    id: deal.id, name: deal.name, description: deal.description, foodType: deal.foodType, productType: deal.productType, price: money(deal.price),
    ...(original > deal.price ? { originalPrice: money(original) } : {}),
    tags: deal.tags,
    slots: (catalogue.slots.get(deal.id) ?? []).map((slot) => ({
      label: slot.label, quantity: slot.quantity, ...(slot.size === undefined ? {} : { size: slot.size }),
      // Any of them for the price of the deal; only what is changed in a slot (crust, toppings, a larger size) costs more.
      choices: slot.choices.map((productId) => ({ productId, surcharge: money(0) })),
      defaults: [...slot.defaults],
    })),
  };
}

/** Landing widgets of a store; a partner loses those whose lower-cased label is a blocked feature (specification section 6). */
export function widgetsOf(catalogue: CountryCatalogue, storeId: string, blocked: readonly string[], page?: string): Widget[] {
  return openWidgets(catalogue.seeds.content.widgets, blocked).filter(({ pages }) => page === undefined || pages === undefined || pages.includes(page)).map((widget) => ({
    label: widget.label, title: widget.title, ...(widget.subtitle === undefined ? {} : { subtitle: widget.subtitle }),
    links: [{ href: `/content/ve1/stores/${storeId}/widgets/${widget.name}` }],
  }));
}

/** Product ids of a widget, or null when there is none of that name. `withOffers`: it shows the running coupons too. */
export function widgetProducts(catalogue: CountryCatalogue, name: string, soldOut: ReadonlySet<string>): { title: string; productIds: string[]; withOffers: boolean } | null {
  const widget = catalogue.seeds.content.widgets.find((entry) => entry.name === name);
  if (!widget) return null;
  const { tag, edv, category, kind } = widget.pick;
  const fits = (entry: { id: string; tags: readonly string[]; categoryIds: readonly string[]; kind?: string; edv?: boolean }) => !soldOut.has(entry.id)
    && (tag === undefined || entry.tags.includes(tag)) && (edv === undefined || entry.edv === true || entry.tags.includes('everyday-value'))
    && (category === undefined || entry.categoryIds.includes(category)) && (kind === undefined || (entry.kind ?? 'DEAL') === kind);
  const productIds = [...catalogue.seeds.items, ...catalogue.seeds.deals].filter(fits).map((entry) => entry.id);
  return { title: widget.title, productIds, withOffers: widget.pick.offers === true };
}
