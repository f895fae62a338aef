import type { Build, CartLine, LineInput } from '../../contract/cart.ts';
import type { Size } from '../../contract/names.ts';
import { money } from '../../contract/price.ts';
import { finish, LineProblem, type Finished } from '../../domain/build.ts';
import { firstSize, SIZE_ORDER } from '../../domain/sizes.ts';
import { clockMinutes, isWithin } from '../../domain/hours.ts';
import { ITEM_UNAVAILABLE } from '../../domain/messages.ts';
import type { CountryCatalogue, SlotRule } from './menu.ts';
import type { SeedCrust, SeedDeal, SeedItem } from './seeds.ts';

/** A line as it is kept: what was asked for, never a price. */
export type LineWish = Omit<LineInput, 'lineId' | 'quantity'>;

/** A line with its price and what the coupons ask about it. Amounts in minor units, of one piece. */
export interface PricedLine {
  readonly view: CartLine;
  readonly quantity: number;
  readonly price: number;
  readonly originalPrice: number;
  readonly isDeal: boolean;
  readonly kind: string;
  readonly productType: string;
  readonly categoryIds: readonly string[];
  readonly size: Size | undefined;
  /** Pizzas and minis in one piece of this line. */
  readonly pizzas: number;
}

/** What may be sold at this moment at this store. */
export interface Availability {
  readonly soldOut: ReadonlySet<string>;
  /** Local minutes since midnight at the store. */
  readonly minutes: number;
}

function hourText(text: string): string {
  const minutes = clockMinutes(text);
  const hour = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `${hour % 12 || 12}${rest ? `:${String(rest).padStart(2, '0')}` : ''} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** '11 AM to 3 PM'. */
export function windowText(from: string, to: string): string {
  return `${hourText(from)} to ${hourText(to)}`;
}

function mustBeSold(entry: SeedItem | SeedDeal, at: Availability | null): void {
  if (!at) return;
  if (at.soldOut.has(entry.id)) throw new LineProblem('gone', 'SOLD_OUT', `${entry.name} is sold out at this store`);
  if (entry.availableFrom !== undefined && entry.availableTo !== undefined && !isWithin(at.minutes, entry.availableFrom, entry.availableTo)) {
    throw new LineProblem('gone', 'NOT_NOW', `${entry.name} is available from ${windowText(entry.availableFrom, entry.availableTo)}`);
  }
}

/** A sauce that is gone is no mistake of the customer's. */
function mustHaveSauce(catalogue: CountryCatalogue, build: Build | undefined): void {
  if (build?.sauce && !catalogue.sauces.has(build.sauce.id)) throw new LineProblem('gone', 'SAUCE_GONE', 'This sauce is no longer available', 'build.sauce');
}

const isPizza = (item: SeedItem) => item.kind === 'PIZZA' || item.kind === 'MINI';

function dishLine(catalogue: CountryCatalogue, item: SeedItem, lineId: string, quantity: number, wish: LineWish): PricedLine {
  if (wish.slots !== undefined && wish.slots.length > 0) throw new LineProblem('wrong', 'NOT_A_DEAL', `${item.name} is not a combo.`, 'slots');
  mustHaveSauce(catalogue, wish.build);
  const built = finish(catalogue, item, wish);
  const price = built.base + built.extras;
  return {
    view: {
      lineId, product: { id: item.id, name: item.name, kind: item.kind, foodType: built.foodType, price: money(price), originalPrice: money(price) },
      productType: item.productType, quantity, size: built.size, ...named(catalogue, built),
      ...(wish.build === undefined ? {} : { build: wish.build }), ...(wish.note ? { note: wish.note } : {}),
      choices: [...built.choices], lineTotal: money(price * quantity), kcal: built.kcal, allergens: [...built.allergens],
      ...(built.jain ? { jain: true } : {}),
    },
    quantity, price, originalPrice: price, isDeal: false, kind: item.kind, productType: item.productType, categoryIds: item.categoryIds,
    size: built.size, pizzas: isPizza(item) ? 1 : 0,
  };
}

function named(catalogue: CountryCatalogue, built: Finished<SeedItem, SeedCrust>): { sizeName?: string; crust?: string; crustName?: string } {
  const sizeName = built.size === 'ONE' || built.item.kind === 'MINI' ? undefined : catalogue.builder.sizes.find((entry) => entry.id === built.size)?.name;
  return { ...(sizeName === undefined ? {} : { sizeName }), ...(built.crust ? { crust: built.crust.id, crustName: built.crust.name } : {}) };
}

type Pick = NonNullable<LineInput['slots']>[number];

/** The picks of every slot in order; none at all means the defaults. Throws LineProblem when they do not fill the deal exactly. */
function picksOf(deal: SeedDeal, slots: readonly SlotRule[], picks: readonly Pick[] | undefined): Pick[] {
  if (picks === undefined || picks.length === 0) {
    return slots.flatMap((slot, index) => slot.defaults.map((productId) => ({ slot: index, productId })));
  }
  if (picks.some((pick) => pick.slot >= slots.length)) throw new LineProblem('wrong', 'SLOT', `${deal.name} has no such part.`, 'slots');
  for (const [index, slot] of slots.entries()) {
    const count = picks.filter((pick) => pick.slot === index).length;
    if (count !== slot.quantity) throw new LineProblem('wrong', 'SLOT_COUNT', `Please choose ${slot.quantity} for '${slot.label}' of ${deal.name}.`, 'slots');
  }
  return [...picks].sort((a, b) => a.slot - b.slot);
}

function dealLine(catalogue: CountryCatalogue, deal: SeedDeal, lineId: string, quantity: number, wish: LineWish, at: Availability | null): PricedLine {
  if (wish.build !== undefined || wish.crust !== undefined || (wish.size !== undefined && wish.size !== 'ONE')) {
    throw new LineProblem('wrong', 'DEAL_BUILD', `Please choose inside the parts of ${deal.name}.`, 'build');
  }
  const slots = catalogue.slots.get(deal.id) ?? [];
  const parts: NonNullable<CartLine['slots']> = [];
  const choices: string[] = [];
  const allergens = new Set<string>();
  let kcal = 0;
  let surcharges = 0;
  let original = 0;
  let pizzas = 0;
  for (const pick of picksOf(deal, slots, wish.slots)) {
    const slot = slots[pick.slot];
    const item = catalogue.items.get(pick.productId);
    if (!slot || !item) throw new LineProblem('gone', 'PRODUCT_GONE', `A part of ${deal.name} is no longer on our menu`, 'slots');
    if (!slot.choices.includes(item.id) || (pick.build?.secondHalf !== undefined && !slot.choices.includes(pick.build.secondHalf))) {
      throw new LineProblem('wrong', 'SLOT_CHOICE', `${item.name} is not part of ${deal.name}.`, 'slots');
    }
    mustBeSold(item, at);
    const ownSize = slot.size ?? firstSize(item);
    const size = pick.size ?? ownSize;
    if (SIZE_ORDER.indexOf(size) < SIZE_ORDER.indexOf(ownSize)) throw new LineProblem('wrong', 'SLOT_SIZE', `'${slot.label}' of ${deal.name} does not come smaller.`, 'slots');
    mustHaveSauce(catalogue, pick.build);
    const built = finish(catalogue, item, { size, crust: pick.crust, build: pick.build });
    const surcharge = Math.max(0, (item.prices[size] ?? 0) - (item.prices[ownSize] ?? 0)) + built.extras;
    surcharges += surcharge;
    original += built.base + built.extras;
    kcal += built.kcal;
    pizzas += isPizza(item) ? 1 : 0;
    for (const allergen of built.allergens) allergens.add(allergen);
    const details = [size === ownSize ? undefined : catalogue.builder.sizes.find((entry) => entry.id === size)?.name, built.crust && !built.crust.isDefault ? built.crust.name : undefined, ...built.choices]
      .filter((text) => text !== undefined);
    choices.push(`${slot.label}: ${item.name}${details.length > 0 ? ` (${details.join(', ')})` : ''}`);
    parts.push({
      slot: pick.slot, productId: item.id, name: item.name, foodType: built.foodType, size,
      ...(built.crust ? { crust: built.crust.id } : {}), ...(pick.build === undefined ? {} : { build: pick.build }), surcharge: money(surcharge),
    });
  }
  const price = deal.price + surcharges;
  const originalPrice = Math.max(price, original);
  const kinds = new Set(parts.map((part) => part.foodType));
  return {
    view: {
      lineId,
      product: { id: deal.id, name: deal.name, kind: 'DEAL', foodType: kinds.size > 1 ? 'MIX' : parts[0]?.foodType ?? 'VEG', price: money(price), originalPrice: money(originalPrice) },
      productType: deal.productType, quantity, slots: parts, ...(wish.note ? { note: wish.note } : {}),
      choices, lineTotal: money(price * quantity), kcal, allergens: [...allergens].sort(),
    },
    quantity, price, originalPrice, isDeal: true, kind: 'DEAL', productType: deal.productType, categoryIds: deal.categoryIds, size: undefined, pizzas,
  };
}

/**
 * Prices one line; amounts in minor units. Pure. `at` null leaves out what changes by the hour (sold out, time windows).
 * @throws LineProblem `gone` when it cannot be sold now, `wrong` when it never could.
 */
export function priceLine(catalogue: CountryCatalogue, lineId: string, quantity: number, wish: LineWish, at: Availability | null): PricedLine {
  const item = catalogue.items.get(wish.productId);
  const deal = catalogue.deals.get(wish.productId);
  const entry = item ?? deal;
  if (!entry) throw new LineProblem('gone', 'PRODUCT_GONE', ITEM_UNAVAILABLE, 'productId');
  // What is wrong with the choice is said before what is wrong with the hour.
  const line = item ? dishLine(catalogue, item, lineId, quantity, wish) : dealLine(catalogue, deal as SeedDeal, lineId, quantity, wish, at);
  mustBeSold(entry, at);
  if (item && at && wish.build?.secondHalf !== undefined) {
    const second = catalogue.items.get(wish.build.secondHalf);
    if (second) mustBeSold(second, at);
  }
  return line;
}

/** Name of a product for a line that cannot be sold, as far as it is known. */
export function productName(catalogue: CountryCatalogue, id: string): string {
  return (catalogue.items.get(id) ?? catalogue.deals.get(id))?.name ?? 'A dish that is no longer on our menu';
}
