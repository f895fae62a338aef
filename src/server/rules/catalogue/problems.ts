import * as z from 'zod/mini';
import type { Country } from '../../../../country/shape.ts';
import { DeliveryType, ProductType } from '../../../contract/names.ts';
import { WEEKDAYS } from '../../../domain/hours.ts';
import {
  SeedBuilder,
  SeedContent,
  SeedCoupon,
  SeedDeal,
  SeedItem,
  SeedPayments,
  SeedStore,
  SeedTopping,
  type Seeds,
} from '../../store/seeds.ts';
import { unreadable } from '../offers/coupons.ts';

/** All that a catalogue holds but for its gazetteer, which no shop changes. */
const Catalogue = z.looseObject({
  items: z.array(SeedItem),
  deals: z.array(SeedDeal),
  toppings: z.array(SeedTopping),
  builder: SeedBuilder,
  coupons: z.array(SeedCoupon),
  stores: z.array(SeedStore),
  payments: SeedPayments,
  content: SeedContent,
});

type Entry = Readonly<Record<string, unknown>>;
/** What an entry of a list is called by. */
export const KEYS = ['id', 'code', 'name', 'label'] as const;
export const keyOf = (entry: unknown): string | undefined =>
  KEYS.map((key) => (entry as Entry | null)?.[key]).find((value): value is string => typeof value === 'string');

/** Where something is, with the names of entries instead of their places: 'items PZ001 prices R'. */
function placeOf(root: unknown, path: readonly PropertyKey[]): string {
  let at = root;
  return path
    .map((step) => {
      at = (at as Record<PropertyKey, unknown> | undefined)?.[step];
      return typeof step === 'number' ? (keyOf(at) ?? String(step)) : String(step);
    })
    .join(' ');
}

const doubled = (names: readonly string[]) => [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
/** Shops of these countries round to whole units: what is no whole one was typed without its minor units. */
const isWhole = (amount: number) => amount > 0 && amount % 100 === 0;
/** The same of what may cost nothing. */
const isWholeOrFree = (amount: number) => amount === 0 || isWhole(amount);
/** The ways in which a store gives out food: to trains as well. */
const SERVICES: ReadonlySet<string> = new Set([...DeliveryType.options, 'IRCTC']);
/** What a coupon can leave out. */
const EXCLUDED: ReadonlySet<string> = new Set([...ProductType.options, 'DEALS']);
/** The one size of what has none. */
const NO_SIZE = 'ONE';
/** Minor units: what is less was typed in whole ones. */
const LEAST_DISCOUNT = 1_000;

type Kind =
  | 'category'
  | 'size'
  | 'topping'
  | 'crust'
  | 'sauce'
  | 'dish'
  | 'coupon'
  | 'store'
  | 'service'
  | 'exclusion'
  | 'payment mode';
/** What a catalogue's entries may name, by kind. */
type CatalogueIndex = Readonly<Record<Kind, ReadonlySet<string>>>;

const knownIn = (country: Country, { items, toppings, builder, coupons, stores, payments }: Seeds): CatalogueIndex => ({
  service: SERVICES,
  exclusion: EXCLUDED,
  'payment mode': new Set(payments.modes.map(({ id }) => id)),
  size: new Set([NO_SIZE, ...builder.sizes.map(({ id }) => id)]),
  category: new Set(country.categories.map(({ id }) => id)),
  topping: new Set(toppings.map(({ id }) => id)),
  crust: new Set(builder.crusts.map(({ id }) => id)),
  sauce: new Set(builder.sauces.map(({ id }) => id)),
  dish: new Set(items.map(({ id }) => id)),
  coupon: new Set(coupons.map(({ code }) => code)),
  store: new Set(stores.map(({ id }) => id)),
});
const unknown = (
  known: CatalogueIndex,
  kind: keyof CatalogueIndex,
  ids: readonly (string | undefined)[],
  where: string,
) => ids.filter((id) => id !== undefined && !known[kind].has(id)).map((id) => `${where}: there is no ${kind} ${id}`);

const priceProblems = (where: string, prices: SeedItem['prices']) =>
  Object.entries(prices)
    .filter(([, amount]) => !isWhole(amount))
    .map(([size, amount]) => `${where} prices ${size}: ${amount} is no price in minor units`);

function* dishProblems(
  { id, categoryIds, defaultToppings, crusts, sauce, prices, kcal }: SeedItem,
  known: CatalogueIndex,
) {
  const where = `items ${id}`;
  if (categoryIds.length === 0) yield `${where}: it is in no category`;
  yield* unknown(known, 'category', categoryIds, where);
  yield* unknown(known, 'topping', defaultToppings, where);
  yield* unknown(known, 'crust', crusts, where);
  yield* unknown(known, 'sauce', [sauce], where);
  if (Object.keys(prices).length === 0) yield `${where}: it has no price`;
  if (Object.keys(kcal).sort().join() !== Object.keys(prices).sort().join())
    yield `${where}: its sizes with a price are not those with calories`;
  yield* unknown(known, 'size', Object.keys(prices), where);
  yield* priceProblems(where, prices);
}

function* dealProblems({ id, price, slots, categoryIds }: SeedDeal, known: CatalogueIndex) {
  const where = `deals ${id}`;
  if (!isWhole(price)) yield `${where} price: ${price} is no price in minor units`;
  yield* unknown(known, 'category', categoryIds, where);
  for (const { label, anyOfItems = [], anyOfCategories = [], default: chosen = [] } of slots) {
    if (anyOfItems.length + anyOfCategories.length === 0) yield `${where}: there is nothing to choose for ${label}`;
    yield* unknown(known, 'dish', [...anyOfItems, ...chosen], where);
    yield* unknown(known, 'category', anyOfCategories, where);
  }
}

/** A 31 February would be read as a day of March. @param starts as 2026-02-28T06:00 */
export function isDay(starts: string): boolean {
  const at = Date.parse(`${starts}:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(starts);
}
function* couponTimeProblems({ window, timer, daysOfWeek = [] }: SeedCoupon, where: string) {
  if (window !== undefined && !isDay(window.starts)) yield `${where}: there is no such day`;
  if (window !== undefined && !(window.hours > 0)) yield `${where}: its window has no length`;
  if (timer !== null && !((window?.hours ?? 0) > 0)) yield `${where}: it has a timer and no window that ends`;
  if (daysOfWeek.some((day) => WEEKDAYS[day] === undefined)) yield `${where}: a week has the days 0 to 6`;
}
function* couponProblems(coupon: SeedCoupon, known: CatalogueIndex) {
  const { code, minCart, maxDiscount, type, value, appliesTo, storeIds = [] } = coupon;
  const where = `coupons ${code}`;
  yield* unknown(known, 'service', coupon.deliveryTypes, where);
  yield* unknown(known, 'payment mode', coupon.paymentModes ?? [], where);
  yield* unknown(known, 'exclusion', coupon.excludes, where);
  yield* couponTimeProblems(coupon, where);
  yield* unknown(known, 'category', appliesTo?.categories ?? [], where);
  if (maxDiscount !== null && !isWhole(maxDiscount))
    yield `${where} maxDiscount: ${maxDiscount} is no sum in minor units`;
  if (minCart !== null && minCart % 100 !== 0) yield `${where} minCart: ${minCart} is no sum in minor units`;
  if (type === 'FREE_ITEM') yield* unknown(known, 'dish', [(value as { itemId?: string } | null)?.itemId], where);
  if (type === 'FLAT' && !(typeof value === 'number' && value >= LEAST_DISCOUNT))
    yield `${where} value: ${JSON.stringify(value)} is no sum in minor units`;
  yield* unknown(known, 'store', storeIds, where);
}

function* storeProblems({ id, hours, services, packaging = 0, advanceOrderStoreId }: SeedStore, known: CatalogueIndex) {
  const where = `stores ${id}`;
  if (services.length === 0) yield `${where}: it gives out nothing`;
  yield* unknown(known, 'service', services, where);
  if (!isWholeOrFree(packaging)) yield `${where} packaging: ${packaging} is no sum in minor units`;
  if (WEEKDAYS.some((day) => hours[day] === undefined)) yield `${where}: it has no hours for some day`;
  yield* unknown(known, 'store', [advanceOrderStoreId], where);
}

/** Problems of names: of things that do not exist, or that cannot be meant here. */
function wrongIn(country: Country, seeds: Seeds): string[] {
  const { items, deals, toppings, builder, coupons, stores, content } = seeds;
  const known = knownIn(country, seeds);
  const filled = new Set([...items, ...deals].flatMap(({ categoryIds }) => categoryIds));
  return [
    ...Object.entries({
      items: [...items, ...deals].map(({ id }) => id),
      toppings: toppings.map(({ id }) => id),
      coupons: coupons.map(({ code }) => code),
      stores: stores.map(({ id }) => id),
    }).flatMap(([kind, ids]) => doubled(ids).map((id) => `${kind} ${id}: there are two`)),
    ...items.flatMap((item) => [...dishProblems(item, known)]),
    ...toppings.flatMap(({ id, prices }) => priceProblems(`toppings ${id}`, prices)),
    ...builder.crusts.flatMap(({ id, surcharge }) =>
      Object.entries(surcharge)
        .filter(([, amount]) => !isWholeOrFree(amount))
        .map(([size, amount]) => `builder crusts ${id} surcharge ${size}: ${amount} is no sum in minor units`),
    ),
    ...deals.flatMap((deal) => [...dealProblems(deal, known)]),
    ...country.categories
      .filter(({ id, dynamic }) => !dynamic && !filled.has(id))
      .map(({ id }) => `category ${id} has no dish`),
    ...unreadable(coupons).map((code) => `coupons ${code}: its terms cannot be read`),
    ...coupons.flatMap((coupon) => [...couponProblems(coupon, known)]),
    ...unknown(known, 'store', [country.DEFAULT_STORE], "the country's first store"),
    ...stores.flatMap((store) => [...storeProblems(store, known)]),
    ...content.alerts.flatMap(({ id, storeIds }) => unknown(known, 'store', storeIds, `content alerts ${id}`)),
    ...content.spinWheel.slots.flatMap(({ label, code }) =>
      unknown(known, 'coupon', [code], `content spinWheel ${label}`),
    ),
  ];
}

/** The problem of a value, in words for the person who has typed it. */
function sentenceOf(root: unknown, issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `there is no ${issue.keys.join(', no ')}`;
  if (issue.code === 'invalid_type') {
    const value = issue.path.reduce((at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step], root);
    return value === undefined ? `no ${issue.expected} is there` : `${JSON.stringify(value)} is no ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `it is none of ${issue.values.join(', ')}`;
  return 'it cannot be read';
}

/** All that is wrong with a country's catalogue, a sentence each: a value that cannot be read, or a name of nothing. */
export function problemsIn(country: Country, seeds: Seeds): string[] {
  const { error } = Catalogue.safeParse(seeds);
  // What cannot be read cannot be looked through.
  return error
    ? error.issues.map((issue) => `${placeOf(seeds, issue.path)}: ${sentenceOf(seeds, issue)}`)
    : wrongIn(country, seeds);
}
