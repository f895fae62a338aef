import { createHash } from 'node:crypto';
import type { Country } from '../../../../country/shape.ts';
import type { Builder } from '../../../contract/menu.ts';
import type { Size } from '../../../contract/names.ts';
import { money, type Money } from '../../../contract/price.ts';
import { firstSize } from '../../../domain/sizes.ts';
import type { CountryCatalogue, SlotRule } from '../../call/catalogue.ts';
import { inLanguage, languageAsked, translated } from '../../call/language.ts';
import {
  readSeeds,
  type ByLanguage,
  type BySize,
  type SeedDeal,
  type SeedItem,
  type Seeds,
} from '../../store/seeds.ts';

export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

export const priced = (amounts: BySize) =>
  Object.fromEntries(Object.entries(amounts).map(([size, minor]) => [size, money(minor)])) as Partial<
    Record<Size, Money>
  >;
const byId = <T extends { id: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((entry) => [entry.id, entry]));

/**
 * How a deal's default dishes are chosen if the data does not name them. If a deal would save nothing, the next row is
 * tried; each row allows dearer dishes than the one before.
 */
const TASTES: readonly { readonly veg: boolean; readonly bestseller: boolean }[] = [
  { veg: true, bestseller: true },
  { veg: true, bestseller: false },
  { veg: false, bestseller: false },
];

/**
 * The slots of a deal with their default dishes. Defaults that the data names come first; the others are vegetarian
 * bestsellers (unless the deal is non-vegetarian), dearer ones first. The defaults should cost more than the deal, so
 * dearer choices are tried until they do.
 */
function slotRules(deal: SeedDeal, items: readonly SeedItem[]): SlotRule[] {
  let rules: SlotRule[] = [];
  for (const taste of TASTES) {
    rules = slotsBy(deal, items, taste);
    const parts = rules.reduce(
      (sum, slot) =>
        slot.defaults.reduce(
          (own, id) =>
            own +
            costIn(
              items.find((item) => item.id === id),
              slot.size,
            ),
          sum,
        ),
      0,
    );
    if (parts > deal.price) break;
  }
  return rules;
}

const costIn = (item: SeedItem | undefined, size: Size | undefined) =>
  item === undefined ? 0 : (item.prices[size ?? firstSize(item)] ?? 0);

function slotsBy(deal: SeedDeal, items: readonly SeedItem[], taste: { veg: boolean; bestseller: boolean }): SlotRule[] {
  const rank = (item: SeedItem) =>
    (taste.veg && deal.foodType !== 'NON_VEG' && item.foodType === 'NON_VEG' ? 2 : 0) +
    (!taste.bestseller || item.tags.includes('bestseller') ? 0 : 1);
  /** How many defaults were taken from the same choices already, so that two pizzas are two different ones. */
  const taken = new Map<string, number>();
  return deal.slots.map((slot) => {
    const fits = (item: SeedItem) =>
      (slot.anyOfItems?.includes(item.id) ?? false) ||
      (slot.anyOfCategories?.some((id) => item.categoryIds.includes(id)) ?? false);
    const fitting = items.filter(
      (item) => fits(item) && (slot.size === undefined || item.prices[slot.size] !== undefined),
    );
    const choices = fitting.map((item) => item.id);
    const wanted = (slot.default ?? []).filter((id) => choices.includes(id));
    const liked = [...fitting]
      .sort((a, b) => rank(a) - rank(b) || costIn(b, slot.size) - costIn(a, slot.size))
      .map((item) => item.id);
    const start = taken.get(choices.join()) ?? 0;
    taken.set(choices.join(), start + slot.quantity);
    const defaults = Array.from(
      { length: slot.quantity },
      (_, index) => wanted[index] ?? wanted[0] ?? liked[(start + index) % liked.length],
    ).filter((id) => id !== undefined);
    return { label: slot.label, labels: slot.labels, quantity: slot.quantity, size: slot.size, choices, defaults };
  });
}

/** A size, a crust, a sauce or a topping that is called in the language of whoever asks, as sentences are. */
const spoken = <T extends { name: string; names?: ByLanguage<string> }>({ name, names, ...rest }: T): T =>
  Object.defineProperty(rest, 'name', { enumerable: true, get: () => translated(name, names) }) as unknown as T;

/** Builds the catalogue that requests read from. Pure; `version` is a hash of the input. */
export function catalogueOf(country: Country, seeds: Seeds): CountryCatalogue {
  const version = hashOf([country.COUNTRY_CODE, country.categories, seeds]);
  const { sizes, crusts, sauces } = seeds.builder;
  const parts: Parts = {
    sizes: sizes.map(spoken),
    crusts: crusts.map(spoken),
    sauces: sauces.map(spoken),
    toppings: seeds.toppings.map(spoken),
  };
  const builders = new Map(
    country.languages.map((language) => [language, inLanguage(language, () => builderOf(seeds, parts))] as const),
  );
  return {
    country,
    version,
    seeds,
    items: byId(seeds.items),
    deals: byId(seeds.deals),
    toppings: byId(parts.toppings),
    slots: new Map(seeds.deals.map((deal) => [deal.id, slotRules(deal, seeds.items)])),
    crusts: byId(parts.crusts),
    sauces: byId(parts.sauces),
    coupons: new Map(seeds.coupons.map((coupon) => [coupon.code, coupon])),
    stores: byId(seeds.stores),
    places: seeds.places,
    get builder() {
      return builders.get(languageAsked()) ?? builders.get(country.languages[0]!)!;
    },
  };
}

type Parts = Pick<Seeds['builder'], 'sizes' | 'crusts' | 'sauces'> & Pick<Seeds, 'toppings'>;

function builderOf({ builder }: Seeds, { sizes, crusts, sauces, toppings }: Parts): Builder {
  const body = {
    sizes: sizes.map((size) => ({ ...size })),
    crusts: crusts.map(({ id, name, foodType, sizes: comesIn, kcal, allergens, isDefault, surcharge }) => ({
      id,
      name,
      foodType,
      sizes: comesIn,
      kcal,
      allergens,
      isDefault,
      surcharge: priced(surcharge),
    })),
    sauces: sauces.map(({ id, name, colour, allergens, jain }) => ({ id, name, colour, allergens, jain })),
    toppings: toppings.map((topping) => ({ ...topping, prices: priced(topping.prices) })),
    maxExtraToppings: builder.maxExtraToppings,
    halfAndHalfSizes: builder.halfAndHalfSizes,
    cookingNotes: translated({ cookingNotes: builder.cookingNotes }, builder.said).cookingNotes,
  };
  return { version: hashOf(body), ...body };
}

const read = new Map<string, CountryCatalogue>();

/** The catalogue of a country from the seed files; read once per process. */
export function catalogueFromDisk(country: Country): CountryCatalogue {
  const known = read.get(country.COUNTRY_CODE);
  if (known) return known;
  const made = catalogueOf(country, readSeeds(country.COUNTRY_CODE));
  read.set(country.COUNTRY_CODE, made);
  return made;
}
