import type { Amount, Half, Size } from '../contract/names.ts';
import { money, type Money } from '../contract/money.ts';
import { firstSize } from './sizes.ts';

type Side = 'left' | 'right';
const SIDES: readonly Side[] = ['left', 'right'];
/** What is on the pizza, in portions. */
const PORTIONS: Readonly<Record<Amount, number>> = { none: 0, light: 0.5, normal: 1, extra: 2 };
/** What is paid for: a light portion is a portion, an extra one is two. */
const PAID: Readonly<Record<Amount, number>> = { none: 0, light: 1, normal: 1, extra: 2 };
/** Extra cheese is a portion of this topping. */
const CHEESE_TOPPING = 'mozzarella';
const CURRENCY_UNIT = 100;

export type Amounts = Readonly<Partial<Record<Size, number>>>;

/** What the rules need of a dish; a MenuItem of the client and a seed row of the server both have it. Amounts in minor units. */
export interface DishRule {
  readonly id: string; readonly kind: string; readonly name: string; readonly foodType: string;
  readonly prices: Amounts; readonly kcal: Amounts;
  readonly sauce?: string | undefined; readonly defaultToppings: readonly string[];
  readonly customisable: boolean; readonly crusts: readonly string[]; readonly allergens: readonly string[];
  readonly jain: boolean; readonly jainOnRequest: boolean;
}
export interface CrustRule {
  readonly id: string; readonly name: string; readonly foodType: string; readonly sizes: readonly Size[];
  readonly surcharge: Amounts; readonly kcal: Amounts; readonly allergens: readonly string[]; readonly isDefault: boolean;
}
export interface SauceRule { readonly id: string; readonly name: string; readonly allergens: readonly string[]; readonly jain: boolean }
export interface ToppingRule {
  readonly id: string; readonly name: string; readonly foodType: string; readonly prices: Amounts; readonly kcal: Amounts;
  readonly allergens: readonly string[]; readonly jainFriendly: boolean; readonly onionGarlic?: boolean | undefined;
}

/** The price list and the limits: everything a pizza can be built of, by id. */
export interface Parts<I extends DishRule = DishRule, C extends CrustRule = CrustRule> {
  readonly items: ReadonlyMap<string, I>;
  readonly crusts: ReadonlyMap<string, C>;
  readonly sauces: ReadonlyMap<string, SauceRule>;
  readonly toppings: ReadonlyMap<string, ToppingRule>;
  readonly builder: {
    readonly sizes: readonly { readonly id: Size; readonly name: string }[];
    readonly maxExtraToppings: Amounts;
    readonly halfAndHalfSizes: readonly Size[];
  };
}

/** What a customer asks for, as the cart's Build. */
export interface Wanted {
  readonly size?: Size | undefined;
  readonly crust?: string | undefined;
  readonly build?: {
    readonly sauce?: { readonly id: string; readonly level: 'light' | 'normal' | 'extra' } | undefined;
    readonly cheese?: Amount | undefined;
    readonly toppings?: readonly { readonly id: string; readonly half: Half; readonly amount: Amount }[] | undefined;
    readonly secondHalf?: string | undefined;
  } | undefined;
}

/**
 * Why a dish cannot be made like that. `gone`: it may have been right when it was chosen, so the line is kept and marked;
 * `wrong`: no menu of ours ever offered it.
 */
export class LineProblem extends Error {
  override readonly name = 'LineProblem';
  readonly kind: 'gone' | 'wrong';
  readonly code: string;
  readonly field: string | undefined;
  constructor(kind: 'gone' | 'wrong', code: string, sentence: string, field?: string) {
    super(sentence);
    this.kind = kind;
    this.code = code;
    this.field = field;
  }
}

/** One dish as it was built. Amounts in minor units, of one piece. */
export interface Finished<I extends DishRule = DishRule, C extends CrustRule = CrustRule> {
  readonly item: I;
  readonly size: Size;
  readonly crust: C | undefined;
  readonly second: I | undefined;
  /** The dish alone; the dearer half of a half-and-half. */
  readonly base: number;
  /** Crust, paid toppings and extra cheese. */
  readonly extras: number;
  readonly kcal: number;
  readonly allergens: readonly string[];
  readonly foodType: 'VEG' | 'NON_VEG';
  readonly jain: boolean;
  /** Short phrases, only of what differs from the recipe. */
  readonly choices: readonly string[];
}

/** Half of a topping: 50 %, rounded up to one currency unit (catalogue rule). */
export function halfPrice(minor: number): number {
  return Math.ceil(minor / 2 / CURRENCY_UNIT) * CURRENCY_UNIT;
}

/** A whole portion is charged once, what is left on one half at the half price. */
export function toppingCharge(price: number, left: number, right: number): number {
  return Math.min(left, right) * price + Math.abs(left - right) * halfPrice(price);
}

export function crustsFor<C extends CrustRule>(parts: Pick<Parts<DishRule, C>, 'crusts'>, item: DishRule, size: Size): C[] {
  return item.crusts.map((id) => parts.crusts.get(id)).filter((crust): crust is C => crust !== undefined && crust.sizes.includes(size));
}

function chooseCrust<C extends CrustRule>(parts: Parts<DishRule, C>, item: DishRule, size: Size, wanted: string | undefined): C | undefined {
  if (item.crusts.length === 0) {
    if (wanted !== undefined) throw new LineProblem('wrong', 'CRUST', `${item.name} has no crust to choose.`, 'crust');
    return undefined;
  }
  const possible = crustsFor(parts, item, size);
  if (wanted === undefined) return possible.find((crust) => crust.isDefault) ?? possible[0];
  const crust = possible.find((entry) => entry.id === wanted);
  if (crust) return crust;
  if (!parts.crusts.has(wanted)) throw new LineProblem('gone', 'CRUST_GONE', 'This crust is no longer available', 'crust');
  throw new LineProblem('wrong', 'CRUST', `${item.name} in this size does not come with ${parts.crusts.get(wanted)?.name ?? wanted}.`, 'crust');
}

interface Recipe { readonly item: DishRule; readonly portions: ReadonlyMap<string, number> }
function recipe(item: DishRule): Recipe {
  const portions = new Map<string, number>();
  for (const id of item.defaultToppings) portions.set(id, (portions.get(id) ?? 0) + 1);
  return { item, portions };
}

/** Allergens that no crust, sauce, cheese or topping explains: they stay whatever is taken off. */
function unexplained(parts: Parts, item: DishRule, crust: CrustRule | undefined): string[] {
  const known = new Set<string>(['milk', ...(crust?.allergens ?? [])]);
  for (const part of [parts.sauces.get(item.sauce ?? ''), ...item.defaultToppings.map((id) => parts.toppings.get(id))]) {
    for (const allergen of part?.allergens ?? []) known.add(allergen);
  }
  return item.allergens.filter((allergen) => !known.has(allergen));
}

const HALF_NAMES: Readonly<Record<Side, string>> = { left: 'left half', right: 'right half' };
const LEVEL_NAMES: Readonly<Record<Amount, string>> = { none: 'No', light: 'Light', normal: '', extra: 'Extra' };
const said = (amount: Amount, name: string) => `${LEVEL_NAMES[amount]} ${name}`.trim();
const sorted = (list: readonly string[]) => [...new Set(list)].sort();

/** What `finish` knows beside the dish itself, for a screen that shows what is left. */
export interface Tally { readonly used: number; readonly limit: number | undefined }

/** Why the limit is what it is, in one sentence. */
export function limitReason(sizeName: string, limit: number): string {
  return `A ${sizeName.toLowerCase()} pizza holds at most ${limit} extra toppings, or it does not bake through. Please take one off.`;
}

/**
 * Works out one dish: what it costs, holds and is called (specification section 3; catalogue rules). Pure, and the one
 * function behind the server's price and the estimate shown while building.
 *
 * Rules: the dearer half sets the base price; a half topping costs 50 % rounded up to one unit; extra is twice; light is a
 * whole portion; what the recipe already holds is free, and nothing is given back for taking it off; sauces and their
 * amounts are free; extra cheese is one portion of mozzarella.
 * @throws LineProblem
 */
export function finish<I extends DishRule, C extends CrustRule>(parts: Parts<I, C>, item: I, wanted: Wanted): Finished<I, C> {
  const { tally, ...finished } = workOut(parts, item, wanted);
  if (tally.limit !== undefined && tally.used > tally.limit) {
    const name = parts.builder.sizes.find((entry) => entry.id === finished.size)?.name ?? finished.size;
    throw new LineProblem('wrong', 'TOPPING_LIMIT', limitReason(name, tally.limit), 'build.toppings');
  }
  return finished;
}

/** The same without the limit's refusal: for a screen that says how much room is left. @throws LineProblem */
export function workOut<I extends DishRule, C extends CrustRule>(parts: Parts<I, C>, item: I, wanted: Wanted): Finished<I, C> & { readonly tally: Tally } {
  const size = wanted.size ?? firstSize(item);
  const price = item.prices[size];
  if (price === undefined) throw new LineProblem('wrong', 'SIZE', `${item.name} does not come in this size.`, 'size');
  const crust = chooseCrust(parts, item, size, wanted.crust);
  const build = wanted.build ?? {};
  const isBuilt = build.sauce !== undefined || (build.cheese !== undefined && build.cheese !== 'normal')
    || (build.toppings?.length ?? 0) > 0 || build.secondHalf !== undefined;
  if (!item.customisable) {
    if (isBuilt) throw new LineProblem('wrong', 'NOT_CUSTOMISABLE', `${item.name} cannot be changed.`, 'build');
    return {
      item, size, crust, second: undefined, base: price, extras: crust?.surcharge[size] ?? 0,
      kcal: Math.max(0, Math.round((item.kcal[size] ?? 0) + (crust?.kcal[size] ?? 0))), allergens: sorted([...item.allergens, ...(crust?.allergens ?? [])]),
      foodType: item.foodType === 'VEG' ? 'VEG' : 'NON_VEG', jain: item.jain, choices: [], tally: { used: 0, limit: undefined },
    };
  }

  const second = secondHalf(parts, item, size, crust, build.secondHalf);
  const halves: Readonly<Record<Side, Recipe>> = { left: recipe(item), right: recipe(second ?? item) };
  const amounts = toppingAmounts(parts, size, halves, build.toppings ?? []);
  const cheese: Amount = build.cheese ?? 'normal';

  const paid = { left: cheese === 'extra' ? 1 : 0, right: cheese === 'extra' ? 1 : 0 };
  const cheesePortion = parts.toppings.get(CHEESE_TOPPING);
  let extras = (crust?.surcharge[size] ?? 0) + (cheese === 'extra' ? cheesePortion?.prices[size] ?? 0 : 0);
  let kcal = ((halves.left.item.kcal[size] ?? 0) + (halves.right.item.kcal[size] ?? 0)) / 2 + (crust?.kcal[size] ?? 0)
    + (PORTIONS[cheese] - 1) * (cheesePortion?.kcal[size] ?? 0);
  const choices: string[] = second ? [`Left half: ${item.name}`, `Right half: ${second.name}`] : [];
  if (build.sauce) {
    const name = parts.sauces.get(build.sauce.id)?.name ?? build.sauce.id;
    choices.push(build.sauce.level === 'normal' ? `${name} sauce` : said(build.sauce.level, `${name} sauce`));
  }
  if (cheese !== 'normal') choices.push(said(cheese, 'cheese'));

  const present = new Map<string, ToppingRule>();
  for (const [id, both] of amounts) {
    const topping = parts.toppings.get(id);
    if (!topping) continue;
    const more = { left: 0, right: 0 };
    for (const side of SIDES) {
      const own = halves[side].portions.get(id) ?? 0;
      const amount = both[side];
      // Untouched recipe portions may be more than any level holds.
      const portions = amount === 'recipe' ? own : PORTIONS[amount];
      more[side] = amount === 'recipe' ? 0 : Math.max(0, PAID[amount] - own);
      kcal += ((portions - own) * (topping.kcal[size] ?? 0)) / 2;
      if (portions > 0) present.set(id, topping);
      paid[side] += more[side];
    }
    if (more.left + more.right > 0) {
      const each = topping.prices[size];
      if (each === undefined) throw new LineProblem('wrong', 'TOPPING', `${topping.name} is not offered in this size.`, 'build.toppings');
      extras += toppingCharge(each, more.left, more.right);
    }
    choices.push(...toppingChoices(topping.name, both, halves, id));
  }

  const sauces = build.sauce ? [parts.sauces.get(build.sauce.id)] : [parts.sauces.get(item.sauce ?? ''), parts.sauces.get((second ?? item).sauce ?? '')];
  const kinds = [item, second, crust, ...present.values()];
  const defaultCrust = crustsFor(parts, item, size).find((entry) => entry.isDefault);
  return {
    item, size, crust, second, base: Math.max(price, second?.prices[size] ?? 0), extras, kcal: Math.max(0, Math.round(kcal)),
    allergens: sorted([
      ...unexplained(parts, item, defaultCrust), ...(second ? unexplained(parts, second, defaultCrust) : []),
      ...(crust?.allergens ?? []), ...(cheese === 'none' ? [] : ['milk']),
      ...sauces.flatMap((sauce) => sauce?.allergens ?? []), ...[...present.values()].flatMap((topping) => topping.allergens),
    ]),
    foodType: kinds.some((part) => part?.foodType === 'NON_VEG') ? 'NON_VEG' : 'VEG',
    // Only the catalogue says that a recipe is Jain or can be made so; a change can take that away, never give it.
    jain: [item, second ?? item].every((half) => half.jain || half.jainOnRequest) && sauces.every((sauce) => sauce?.jain === true)
      && [...present.values()].every((topping) => topping.jainFriendly && topping.onionGarlic !== true),
    choices,
    tally: { used: Math.max(paid.left, paid.right), limit: parts.builder.maxExtraToppings[size] },
  };
}

function secondHalf<I extends DishRule>(parts: Parts<I>, item: I, size: Size, crust: CrustRule | undefined, id: string | undefined): I | undefined {
  if (id === undefined || id === item.id) return undefined;
  const second = parts.items.get(id);
  if (!second) throw new LineProblem('gone', 'HALF_GONE', 'The second half is no longer on our menu', 'build.secondHalf');
  if (item.kind !== 'PIZZA' || second.kind !== 'PIZZA' || !second.customisable) throw new LineProblem('wrong', 'HALF', `${second.name} cannot be half of a pizza.`, 'build.secondHalf');
  if (!parts.builder.halfAndHalfSizes.includes(size)) throw new LineProblem('wrong', 'HALF_SIZE', 'This size is not made half-and-half.', 'build.secondHalf');
  if (second.prices[size] === undefined) throw new LineProblem('wrong', 'HALF_SIZE', `${second.name} does not come in this size.`, 'build.secondHalf');
  if (crust && !second.crusts.includes(crust.id)) throw new LineProblem('wrong', 'CRUST', `${second.name} does not come with ${crust.name}.`, 'crust');
  return second;
}

type Spread = Record<Side, Amount | 'recipe'>;

/** The last word on every topping per half: recipe first, whole-pizza wishes next, halves last. */
function toppingAmounts(parts: Parts, size: Size, halves: Readonly<Record<Side, Recipe>>, wishes: readonly { readonly id: string; readonly half: Half; readonly amount: Amount }[]): Map<string, Spread> {
  const amounts = new Map<string, Spread>();
  const of = (id: string) => {
    let entry = amounts.get(id);
    if (!entry) amounts.set(id, entry = { left: 'recipe', right: 'recipe' });
    return entry;
  };
  for (const side of SIDES) for (const id of halves[side].portions.keys()) of(id);
  for (const wish of [...wishes].sort((a, b) => Number(b.half === 'WHOLE') - Number(a.half === 'WHOLE'))) {
    const topping = parts.toppings.get(wish.id);
    if (!topping) throw new LineProblem('gone', 'TOPPING_GONE', 'One of the toppings is no longer available', 'build.toppings');
    if (wish.amount !== 'none' && topping.prices[size] === undefined) throw new LineProblem('wrong', 'TOPPING', `${topping.name} is not offered in this size.`, 'build.toppings');
    const entry = of(wish.id);
    if (wish.half !== 'RIGHT') entry.left = wish.amount;
    if (wish.half !== 'LEFT') entry.right = wish.amount;
  }
  return amounts;
}

/** 'No onion', 'Extra paneer (left half)': only what differs from the recipe. */
function toppingChoices(name: string, both: Spread, halves: Readonly<Record<Side, Recipe>>, id: string): string[] {
  const differs = (side: Side) => {
    const amount = both[side];
    return amount !== 'recipe' && PORTIONS[amount] !== (halves[side].portions.get(id) ?? 0);
  };
  const text = (side: Side) => {
    const amount = both[side] as Amount;
    return amount === 'normal' ? `Add ${name}` : amount === 'extra' && (halves[side].portions.get(id) ?? 0) === 0 ? `Add double ${name}` : said(amount, name);
  };
  const left = differs('left') ? text('left') : null;
  const right = differs('right') ? text('right') : null;
  if (left !== null && left === right) return [left];
  return [left === null ? null : `${left} (${HALF_NAMES.left})`, right === null ? null : `${right} (${HALF_NAMES.right})`].filter((line) => line !== null);
}

/** Pizzas on the screen are drawn as what is on each half: the recipe's toppings with every wish applied. */
export function toppingsPerHalf(left: DishRule, right: DishRule, wishes: readonly { readonly id: string; readonly half: Half; readonly amount: Amount }[]): Map<string, { left: Amount; right: Amount }> {
  const spread = new Map<string, { left: Amount; right: Amount }>();
  const of = (id: string) => {
    let entry = spread.get(id);
    if (!entry) spread.set(id, entry = { left: 'none', right: 'none' });
    return entry;
  };
  const level = (portions: number): Amount => (portions === 0 ? 'none' : portions === 1 ? 'normal' : 'extra');
  for (const [side, dish] of [['left', left], ['right', right]] as const) {
    for (const [id, portions] of recipe(dish).portions) of(id)[side] = level(portions);
  }
  for (const wish of [...wishes].sort((a, b) => Number(b.half === 'WHOLE') - Number(a.half === 'WHOLE'))) {
    const entry = of(wish.id);
    if (wish.half !== 'RIGHT') entry.left = wish.amount;
    if (wish.half !== 'LEFT') entry.right = wish.amount;
  }
  return spread;
}

/** Of one piece, with everything chosen; minor units. */
export function unitPrice(finished: Pick<Finished, 'base' | 'extras'>): Money {
  return money(finished.base + finished.extras);
}

/** What a piece adds to the price of its combo: a dearer size than the slot's own, and every extra. Minor units. */
export function slotSurcharge(item: DishRule, ownSize: Size, finished: Pick<Finished, 'size' | 'extras'>): Money {
  return money(Math.max(0, (item.prices[finished.size] ?? 0) - (item.prices[ownSize] ?? 0)) + finished.extras);
}
