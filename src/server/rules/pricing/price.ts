import type { Build, CartLine, LineInput } from '../../../contract/cart.ts';
import type { Size } from '../../../contract/names.ts';
import { money } from '../../../contract/price.ts';
import { finish, LineProblem, type FinishedDish } from '../../../domain/build.ts';
import { quoted } from '../../../domain/plainText.ts';
import { firstSize, SIZE_ORDER } from '../../../domain/sizes.ts';
import { clockMinutes, isWithin, twelveHours } from '../../../domain/hours.ts';
import { build as buildText, orders, t, translated } from '../../call/language.ts';
import type { CountryCatalogue, SlotRule } from '../../call/catalogue.ts';
import type { LineWish } from '../../store/carts.ts';
import type { SeedCrust, SeedDeal, SeedItem } from '../../store/seeds.ts';

/** A priced line, with what coupons need to know about it. Amounts in minor units, for one piece. */
export interface PricedLine {
  readonly view: CartLine;
  readonly quantity: number;
  readonly price: number;
  /** The part of `price` that is the recipe's own: without crust, sauce and toppings that cost more. */
  readonly base: number;
  readonly originalPrice: number;
  readonly isDeal: boolean;
  readonly kind: string;
  readonly productType: string;
  readonly categoryIds: readonly string[];
  readonly size: Size | undefined;
  /** How many pizzas and minis one piece of this line holds. */
  readonly pizzas: number;
  /** Of a combo: what each of its dishes costs by itself, in the order of its slots. */
  readonly partPrices?: readonly number[];
}

/** What this store can sell at this moment. */
export interface Availability {
  readonly soldOut: ReadonlySet<string>;
  /** Minutes since local midnight at the store. */
  readonly minutes: number;
}

/** '3 PM' for '15:00'. */
export const hourText = (clock: string): string => orders.clock(twelveHours(clockMinutes(clock)));

function mustBeSold(entry: SeedItem | SeedDeal, at: Availability | null): void {
  if (!at) return;
  if (at.soldOut.has(entry.id)) throw new LineProblem('gone', 'SOLD_OUT', t.itemSoldOut({ name: entry.name }));
  if (
    entry.availableFrom !== undefined &&
    entry.availableTo !== undefined &&
    !isWithin(at.minutes, entry.availableFrom, entry.availableTo)
  ) {
    throw new LineProblem(
      'gone',
      'NOT_NOW',
      t.itemNotNow({ name: entry.name, from: hourText(entry.availableFrom), to: hourText(entry.availableTo) }),
    );
  }
}

/** A sauce that has left the menu is not the customer's mistake, hence `gone`. */
function mustHaveSauce(catalogue: CountryCatalogue, build: Build | undefined): void {
  if (build?.sauce && !catalogue.sauces.has(build.sauce.id))
    throw new LineProblem('gone', 'SAUCE_GONE', t.sauceGone, 'build.sauce');
}

const isPizza = (item: SeedItem) => item.kind === 'PIZZA' || item.kind === 'MINI';

/** A pizza of two recipes is called by both. */
function nameOf(catalogue: CountryCatalogue, item: SeedItem, build: LineWish['build']): string {
  const second = catalogue.items.get(build?.secondHalf ?? '');
  return second ? t.halfAndHalf({ left: item.name, right: second.name }) : item.name;
}

function dishLine(
  catalogue: CountryCatalogue,
  item: SeedItem,
  lineId: string,
  quantity: number,
  wish: LineWish,
): PricedLine {
  if (wish.slots !== undefined && wish.slots.length > 0)
    throw new LineProblem('wrong', 'NOT_A_DEAL', t.dealNone({ name: item.name }), 'slots');
  mustHaveSauce(catalogue, wish.build);
  const built = finish(catalogue, item, wish, buildText);
  const price = built.base + built.extras;
  return {
    view: {
      lineId,
      product: {
        id: item.id,
        name: nameOf(catalogue, item, wish.build),
        kind: item.kind,
        foodType: built.foodType,
        price: money(price),
        originalPrice: money(price),
      },
      productType: item.productType,
      quantity,
      size: built.size,
      ...named(catalogue, built),
      ...(wish.build === undefined ? {} : { build: wish.build }),
      ...(wish.note ? { note: quoted(wish.note) } : {}),
      choices: [...built.choices],
      lineTotal: money(price * quantity),
      kcal: built.kcal,
      allergens: [...built.allergens],
      ...(built.jain ? { jain: true } : {}),
    },
    quantity,
    price,
    base: built.base,
    originalPrice: price,
    isDeal: false,
    kind: item.kind,
    productType: item.productType,
    categoryIds: item.categoryIds,
    size: built.size,
    pizzas: isPizza(item) ? 1 : 0,
  };
}

function named(
  catalogue: CountryCatalogue,
  built: FinishedDish<SeedItem, SeedCrust>,
): { sizeName?: string; crust?: string; crustName?: string } {
  const sizeName =
    built.size === 'ONE' || built.item.kind === 'MINI'
      ? undefined
      : catalogue.builder.sizes.find((entry) => entry.id === built.size)?.name;
  return {
    ...(sizeName === undefined ? {} : { sizeName }),
    ...(built.crust ? { crust: built.crust.id, crustName: built.crust.name } : {}),
  };
}

type Pick = NonNullable<LineInput['slots']>[number];

const partOf = ({ label, labels }: SlotRule): string => translated(label, labels);

/**
 * The chosen dishes in the order of the slots; without any, the defaults. Throws LineProblem unless they fill every
 * slot exactly.
 */
function picksOf(deal: SeedDeal, slots: readonly SlotRule[], picks: readonly Pick[] | undefined): Pick[] {
  if (picks === undefined || picks.length === 0) {
    return slots.flatMap((slot, index) => slot.defaults.map((productId) => ({ slot: index, productId })));
  }
  if (picks.some((pick) => pick.slot >= slots.length))
    throw new LineProblem('wrong', 'SLOT', t.dealNoPart({ deal: deal.name }), 'slots');
  for (const [index, slot] of slots.entries()) {
    const count = picks.filter((pick) => pick.slot === index).length;
    if (count !== slot.quantity)
      throw new LineProblem(
        'wrong',
        'SLOT_COUNT',
        t.dealCount({ count: slot.quantity, part: partOf(slot), deal: deal.name }),
        'slots',
      );
  }
  return [...picks].sort((a, b) => a.slot - b.slot);
}

/** One dish of a deal, priced. Amounts in minor units, for one piece. */
interface DealPart {
  readonly view: NonNullable<CartLine['slots']>[number];
  /** As the cart shows it: 'Pizza: Farmhouse (Large, Cheese burst)'. */
  readonly choice: string;
  readonly built: FinishedDish<SeedItem, SeedCrust>;
  /** What this choice adds to the deal's price. */
  readonly surcharge: number;
}

/** @throws LineProblem */
function dealPart(
  catalogue: CountryCatalogue,
  deal: SeedDeal,
  slot: SlotRule,
  pick: Pick,
  at: Availability | null,
): DealPart {
  const item = catalogue.items.get(pick.productId);
  if (!item) throw new LineProblem('gone', 'PRODUCT_GONE', t.dealPartGone({ deal: deal.name }), 'slots');
  const half = pick.build?.secondHalf;
  if (!slot.choices.includes(item.id) || (half !== undefined && !slot.choices.includes(half)))
    throw new LineProblem('wrong', 'SLOT_CHOICE', t.dealNotPart({ name: item.name, deal: deal.name }), 'slots');
  mustBeSold(item, at);
  const ownSize = slot.size ?? firstSize(item);
  const size = pick.size ?? ownSize;
  if (SIZE_ORDER.indexOf(size) < SIZE_ORDER.indexOf(ownSize))
    throw new LineProblem('wrong', 'SLOT_SIZE', t.dealSmaller({ part: partOf(slot), deal: deal.name }), 'slots');
  mustHaveSauce(catalogue, pick.build);
  const built = finish(catalogue, item, { size, crust: pick.crust, build: pick.build }, buildText);
  const surcharge = Math.max(0, (item.prices[size] ?? 0) - (item.prices[ownSize] ?? 0)) + built.extras;
  const name = nameOf(catalogue, item, pick.build);
  const choice = { part: partOf(slot), name };
  const details = [
    size === ownSize ? undefined : catalogue.builder.sizes.find((entry) => entry.id === size)?.name,
    built.crust && !built.crust.isDefault ? built.crust.name : undefined,
    ...built.choices,
  ].filter((text) => text !== undefined);
  return {
    view: {
      slot: pick.slot,
      productId: item.id,
      name,
      foodType: built.foodType,
      size,
      ...(built.crust ? { crust: built.crust.id } : {}),
      ...(pick.build === undefined ? {} : { build: pick.build }),
      surcharge: money(surcharge),
    },
    choice: details.length > 0 ? t.dealChoiceWith({ ...choice, details: details.join(', ') }) : t.dealChoice(choice),
    built,
    surcharge,
  };
}

function dealLine(
  catalogue: CountryCatalogue,
  deal: SeedDeal,
  lineId: string,
  quantity: number,
  wish: LineWish,
  at: Availability | null,
): PricedLine {
  if (wish.build !== undefined || wish.crust !== undefined || (wish.size !== undefined && wish.size !== 'ONE')) {
    throw new LineProblem('wrong', 'DEAL_BUILD', t.dealInside({ deal: deal.name }), 'build');
  }
  const slots = catalogue.slots.get(deal.id)!;
  const parts = picksOf(deal, slots, wish.slots).map((pick) => dealPart(catalogue, deal, slots[pick.slot]!, pick, at));
  const sum = (of: (part: DealPart) => number) => parts.reduce((all, part) => all + of(part), 0);
  const price = deal.price + sum(({ surcharge }) => surcharge);
  const originalPrice = Math.max(
    price,
    sum(({ built }) => built.base + built.extras),
  );
  const kinds = [...new Set(parts.map(({ built }) => built.foodType))];
  return {
    view: {
      lineId,
      product: {
        id: deal.id,
        name: deal.name,
        kind: 'DEAL',
        foodType: kinds.length > 1 ? 'MIX' : kinds[0]!,
        price: money(price),
        originalPrice: money(originalPrice),
      },
      productType: deal.productType,
      quantity,
      slots: parts.map(({ view }) => view),
      ...(wish.note ? { note: quoted(wish.note) } : {}),
      choices: parts.map(({ choice }) => choice),
      lineTotal: money(price * quantity),
      kcal: sum(({ built }) => built.kcal),
      allergens: [...new Set(parts.flatMap(({ built }) => [...built.allergens]))].sort(),
    },
    quantity,
    price,
    base: deal.price,
    originalPrice,
    isDeal: true,
    kind: 'DEAL',
    productType: deal.productType,
    categoryIds: deal.categoryIds,
    size: undefined,
    pizzas: parts.filter(({ built }) => isPizza(built.item)).length,
    partPrices: parts.map(({ built }) => built.base + built.extras),
  };
}

/**
 * Prices one line; amounts in minor units. Pure. `at` null ignores what changes over the day (sold out, time windows).
 * @throws LineProblem `gone` if it cannot be sold now, `wrong` if it never could
 */
export function priceLine(
  catalogue: CountryCatalogue,
  lineId: string,
  quantity: number,
  wish: LineWish,
  at: Availability | null,
): PricedLine {
  const item = catalogue.items.get(wish.productId);
  const deal = catalogue.deals.get(wish.productId);
  const entry = item ?? deal;
  if (!entry) throw new LineProblem('gone', 'PRODUCT_GONE', t.itemUnavailable, 'productId');
  // A mistake in the choice is reported before a dish that is sold out or not available at this hour.
  const line = item
    ? dishLine(catalogue, item, lineId, quantity, wish)
    : dealLine(catalogue, deal as SeedDeal, lineId, quantity, wish, at);
  mustBeSold(entry, at);
  const half = wish.build?.secondHalf;
  if (half !== undefined) mustBeSold(catalogue.items.get(half)!, at);
  return line;
}

/** Name of a product for a line that cannot be sold; a general word if the product is unknown. */
export function productName(catalogue: CountryCatalogue, id: string): string {
  return (catalogue.items.get(id) ?? catalogue.deals.get(id))?.name ?? t.itemGone;
}
