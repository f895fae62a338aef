import type * as sentences from '#text/build.ts';
import type { Amount, Half, Size } from '../contract/names.ts';
import { money, type Money } from '../contract/money.ts';
import type { SentencesOf } from '../text/spoken.ts';
import { firstSize } from './sizes.ts';

/** The sentences of these rules, in the reader's language. */
type Words = SentencesOf<typeof sentences>;

type Side = 'left' | 'right';
const SIDES: readonly Side[] = ['left', 'right'];
/** Portions on the pizza per amount. */
const PORTIONS: Readonly<Record<Amount, number>> = { none: 0, light: 0.5, normal: 1, extra: 2 };
/** Portions to pay for per amount: light costs as much as normal, extra costs two. */
const PAID: Readonly<Record<Amount, number>> = { none: 0, light: 1, normal: 1, extra: 2 };
/** Extra cheese counts as one portion of this topping. */
const CHEESE_TOPPING = 'mozzarella';
const CURRENCY_UNIT = 100;

type Amounts = Readonly<Partial<Record<Size, number>>>;

/**
 * The fields of a dish that these rules need; a MenuItem of the client and a seed row of the server both have them.
 * Amounts in minor units.
 */
export interface DishRule {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly foodType: string;
  readonly prices: Amounts;
  readonly kcal: Amounts;
  readonly sauce?: string | undefined;
  readonly defaultToppings: readonly string[];
  readonly customisable: boolean;
  readonly crusts: readonly string[];
  readonly allergens: readonly string[];
  readonly jain: boolean;
  readonly jainOnRequest: boolean;
}
export interface CrustRule {
  readonly id: string;
  readonly name: string;
  readonly foodType: string;
  readonly sizes: readonly Size[];
  readonly surcharge: Amounts;
  readonly kcal: Amounts;
  readonly allergens: readonly string[];
  readonly isDefault: boolean;
}
interface SauceRule {
  readonly id: string;
  readonly name: string;
  readonly allergens: readonly string[];
  readonly jain: boolean;
}
interface ToppingRule {
  readonly id: string;
  readonly name: string;
  readonly foodType: string;
  readonly prices: Amounts;
  readonly kcal: Amounts;
  readonly allergens: readonly string[];
  readonly jainFriendly: boolean;
  readonly onionGarlic?: boolean | undefined;
}

/** The price list and the limits: everything a pizza can be built from, by id. */
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

/** What a customer asks for, in the form of the cart's Build. */
export interface DishRequest {
  readonly size?: Size | undefined;
  readonly crust?: string | undefined;
  readonly build?:
    | {
        readonly sauce?: { readonly id: string; readonly level: Amount } | undefined;
        readonly cheese?: Amount | undefined;
        readonly toppings?: Wishes | undefined;
        readonly secondHalf?: string | undefined;
      }
    | undefined;
}

/**
 * Why a dish cannot be made as asked. `gone`: it may have been possible when it was chosen, so the line is kept and
 * marked. `wrong`: our menu never offered it.
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

/** One dish as built. Amounts in minor units, for one piece. */
export interface FinishedDish<I extends DishRule = DishRule, C extends CrustRule = CrustRule> {
  readonly item: I;
  readonly size: Size;
  readonly crust: C | undefined;
  readonly second: I | undefined;
  /** The price of the dish alone; of a half-and-half, the dearer half. */
  readonly base: number;
  /** The price of the crust, paid toppings and extra cheese. */
  readonly extras: number;
  readonly kcal: number;
  readonly allergens: readonly string[];
  readonly foodType: 'VEG' | 'NON_VEG';
  readonly jain: boolean;
  /** Short phrases, only for what differs from the recipe. */
  readonly choices: readonly string[];
}

/** Price of a topping on one half: 50 %, rounded up to one currency unit (catalogue rule). */
function halfPrice(minor: number): number {
  return Math.ceil(minor / 2 / CURRENCY_UNIT) * CURRENCY_UNIT;
}

/** Portions on both halves cost the whole price; what is on one half only costs the half price. */
function toppingCharge(price: number, left: number, right: number): number {
  return Math.min(left, right) * price + Math.abs(left - right) * halfPrice(price);
}

export function crustsFor<C extends CrustRule>(
  parts: Pick<Parts<DishRule, C>, 'crusts'>,
  item: DishRule,
  size: Size,
): C[] {
  return item.crusts
    .map((id) => parts.crusts.get(id))
    .filter((crust): crust is C => crust !== undefined && crust.sizes.includes(size));
}

function chooseCrust<C extends CrustRule>(
  parts: Parts<DishRule, C>,
  item: DishRule,
  size: Size,
  wanted: string | undefined,
  t: Words,
): C | undefined {
  if (item.crusts.length === 0) {
    if (wanted !== undefined) throw new LineProblem('wrong', 'CRUST', t.crustNone({ dish: item.name }), 'crust');
    return undefined;
  }
  const possible = crustsFor(parts, item, size);
  if (wanted === undefined) return possible.find((crust) => crust.isDefault) ?? possible[0];
  const crust = parts.crusts.get(wanted);
  if (!crust) throw new LineProblem('gone', 'CRUST_GONE', t.crustGone, 'crust');
  if (possible.includes(crust)) return crust;
  throw new LineProblem('wrong', 'CRUST', t.crustNotInSize({ dish: item.name, crust: crust.name }), 'crust');
}

interface Recipe {
  readonly item: DishRule;
  readonly portions: ReadonlyMap<string, number>;
}
function recipe(item: DishRule): Recipe {
  const portions = new Map<string, number>();
  for (const id of item.defaultToppings) portions.set(id, (portions.get(id) ?? 0) + 1);
  return { item, portions };
}

/** Allergens of the dish that no crust, sauce, cheese or topping explains: they stay whatever is taken off. */
function unexplained(parts: Parts, item: DishRule, crust: CrustRule | undefined): string[] {
  const explaining = [
    crust,
    parts.sauces.get(item.sauce ?? ''),
    ...item.defaultToppings.map((id) => parts.toppings.get(id)),
  ];
  const known = new Set<string>(['milk', ...explaining.flatMap((part) => part?.allergens ?? [])]);
  return item.allergens.filter((allergen) => !known.has(allergen));
}

const sorted = (list: readonly string[]) => [...new Set(list)].sort();

/** Topping portions used and allowed, for a screen that shows how many are left. */
export interface Tally {
  readonly used: number;
  readonly limit: number | undefined;
}

/** One sentence that states the limit. */
export function limitReason(sizeName: string, limit: number, t: Words): string {
  return t.toppingLimit({ size: sizeName.toLowerCase(), limit });
}

/**
 * Works out one dish: its price, calories, allergens and description (specification section 3; catalogue rules). Pure.
 * The server's price and the estimate shown while building both come from here.
 *
 * Rules: the dearer half sets the base price; a topping on one half costs 50 %, rounded up to one unit; extra costs two
 * portions; light costs a whole one; what the recipe already holds is free, and taking it off gives nothing back;
 * sauces and their amounts are free, and without any the pizza has none of their allergens; extra cheese is one portion
 * of mozzarella.
 * @throws LineProblem
 */
export function finish<I extends DishRule, C extends CrustRule>(
  parts: Parts<I, C>,
  item: I,
  wanted: DishRequest,
  t: Words,
): FinishedDish<I, C> {
  const { tally, ...finished } = workOut(parts, item, wanted, t);
  if (tally.limit !== undefined && tally.used > tally.limit) {
    const name = parts.builder.sizes.find((entry) => entry.id === finished.size)?.name ?? finished.size;
    throw new LineProblem('wrong', 'TOPPING_LIMIT', limitReason(name, tally.limit, t), 'build.toppings');
  }
  return finished;
}

type Halves = Readonly<Record<Side, Recipe>>;
type Build = NonNullable<DishRequest['build']>;

const isBuilt = ({ sauce, cheese, toppings, secondHalf: half }: Build) =>
  sauce !== undefined ||
  (cheese !== undefined && cheese !== 'normal') ||
  (toppings?.length ?? 0) > 0 ||
  half !== undefined;

/** A dish that cannot be customised: only its size and crust are chosen. */
function asItComes<I extends DishRule, C extends CrustRule>(item: I, size: Size, price: number, crust: C | undefined) {
  return {
    item,
    size,
    crust,
    second: undefined,
    base: price,
    extras: crust?.surcharge[size] ?? 0,
    kcal: Math.max(0, Math.round((item.kcal[size] ?? 0) + (crust?.kcal[size] ?? 0))),
    allergens: sorted([...item.allergens, ...(crust?.allergens ?? [])]),
    foodType: item.foodType === 'VEG' ? ('VEG' as const) : ('NON_VEG' as const),
    jain: item.jain,
    choices: [],
    tally: { used: 0, limit: undefined },
  };
}

/**
 * One topping on both halves: how much of it is paid for, whether it is present, and its calories compared with the
 * recipe.
 */
function workOutTopping(topping: ToppingRule, size: Size, both: Spread, halves: Halves, t: Words) {
  const on = (side: Side) => {
    const own = halves[side].portions.get(topping.id) ?? 0;
    const amount = both[side];
    // A recipe may hold more portions than any amount allows.
    if (amount === 'recipe') return { portions: own, paid: 0, changed: 0 };
    return { portions: PORTIONS[amount], paid: Math.max(0, PAID[amount] - own), changed: PORTIONS[amount] - own };
  };
  const [left, right] = [on('left'), on('right')];
  return {
    topping,
    isPresent: left.portions + right.portions > 0,
    paid: { left: left.paid, right: right.paid },
    extras: toppingCharge(topping.prices[size] ?? 0, left.paid, right.paid),
    kcal: ((left.changed + right.changed) * (topping.kcal[size] ?? 0)) / 2,
    choices: toppingChoices(topping.name, both, halves, topping.id, t),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The halves, sauce and cheese that were chosen, in words. */
function otherChoices(
  parts: Parts,
  item: DishRule,
  second: DishRule | undefined,
  { sauce, cheese }: Build,
  t: Words,
): string[] {
  return [
    ...(second ? [t.leftHalf({ dish: item.name }), t.rightHalf({ dish: second.name })] : []),
    ...(sauce ? [t.sauce({ level: sauce.level, name: parts.sauces.get(sauce.id)?.name ?? sauce.id })] : []),
    ...(cheese !== undefined && cheese !== 'normal' ? [t.cheese({ amount: cheese })] : []),
  ];
}

/**
 * Like finish, but does not refuse too many toppings: for a screen that shows how many are left.
 * @throws LineProblem
 */
export function workOut<I extends DishRule, C extends CrustRule>(
  parts: Parts<I, C>,
  item: I,
  wanted: DishRequest,
  t: Words,
): FinishedDish<I, C> & { readonly tally: Tally } {
  const size = wanted.size ?? firstSize(item);
  const price = item.prices[size];
  if (price === undefined) throw new LineProblem('wrong', 'SIZE', t.sizeMissing({ dish: item.name }), 'size');
  const crust = chooseCrust(parts, item, size, wanted.crust, t);
  const build = wanted.build ?? {};
  if (!item.customisable) {
    if (isBuilt(build)) throw new LineProblem('wrong', 'NOT_CUSTOMISABLE', t.fixed({ dish: item.name }), 'build');
    return asItComes(item, size, price, crust);
  }
  const second = secondHalf(parts, item, size, crust, build.secondHalf, t);
  return workOutBuilt(parts, item, second, size, price, crust, build, t);
}

function workOutBuilt<I extends DishRule, C extends CrustRule>(
  parts: Parts<I, C>,
  item: I,
  second: I | undefined,
  size: Size,
  price: number,
  crust: C | undefined,
  build: Build,
  t: Words,
): FinishedDish<I, C> & { readonly tally: Tally } {
  const both = [item, second ?? item];
  const halves: Halves = { left: recipe(item), right: recipe(second ?? item) };
  const toppings = [...toppingAmounts(parts, size, halves, build.toppings ?? [], t)].flatMap(([id, spread]) => {
    const topping = parts.toppings.get(id);
    return topping ? [workOutTopping(topping, size, spread, halves, t)] : [];
  });
  const present = toppings.filter(({ isPresent }) => isPresent).map(({ topping }) => topping);
  const cheese = build.cheese ?? 'normal';
  const cheesePortion = parts.toppings.get(CHEESE_TOPPING);
  const paidCheese = cheese === 'extra' ? 1 : 0;
  const sauces = sauceIds(both, build).map((id) => parts.sauces.get(id));
  const defaultCrust = crustsFor(parts, item, size).find((entry) => entry.isDefault);
  const ofRecipes = sum(both.map((half) => half.kcal[size] ?? 0)) / 2;
  const ofCheese = (PORTIONS[cheese] - 1) * (cheesePortion?.kcal[size] ?? 0);
  return {
    item,
    size,
    crust,
    second,
    base: Math.max(price, second?.prices[size] ?? 0),
    extras:
      (crust?.surcharge[size] ?? 0) +
      paidCheese * (cheesePortion?.prices[size] ?? 0) +
      sum(toppings.map(({ extras }) => extras)),
    kcal: Math.max(
      0,
      Math.round(ofRecipes + (crust?.kcal[size] ?? 0) + ofCheese + sum(toppings.map(({ kcal }) => kcal))),
    ),
    allergens: sorted([
      ...both.flatMap((half) => unexplained(parts, half, defaultCrust)),
      ...(cheese === 'none' ? [] : ['milk']),
      ...[crust, ...sauces, ...present].flatMap((part) => part?.allergens ?? []),
    ]),
    foodType:
      [item, second, crust, ...present].some((part) => part?.foodType === 'NON_VEG') || sauces.some(isOfAnimal)
        ? 'NON_VEG'
        : 'VEG',
    jain: isJain(both, sauces, present),
    choices: [...otherChoices(parts, item, second, build, t), ...toppings.flatMap(({ choices }) => choices)],
    tally: {
      used: paidCheese + Math.max(...SIDES.map((side) => sum(toppings.map(({ paid }) => paid[side])))),
      limit: parts.builder.maxExtraToppings[size],
    },
  };
}

/** The sauce below the cheese: the chosen one, each half's own, or none. */
function sauceIds(halves: readonly DishRule[], { sauce }: Build): string[] {
  if (sauce) return sauce.level === 'none' ? [] : [sauce.id];
  return halves.map((half) => half.sauce ?? '');
}

/** A sauce has no mark of its own: of an animal are the allergens that say so. */
const isOfAnimal = (sauce: SauceRule | undefined) => /egg|fish|crust/.test(`${sauce?.allergens}`);

/** Only the catalogue can say that a recipe is Jain or can be made so; a change can only take that away. */
const isJain = (
  halves: readonly DishRule[],
  sauces: readonly (SauceRule | undefined)[],
  toppings: readonly ToppingRule[],
) =>
  halves.every((half) => half.jain || half.jainOnRequest) &&
  sauces.every((sauce) => sauce?.jain === true) &&
  toppings.every((topping) => topping.jainFriendly && topping.onionGarlic !== true);

function secondHalf<I extends DishRule>(
  parts: Parts<I>,
  item: I,
  size: Size,
  crust: CrustRule | undefined,
  id: string | undefined,
  t: Words,
): I | undefined {
  if (id === undefined || id === item.id) return undefined;
  const second = parts.items.get(id);
  if (!second) throw new LineProblem('gone', 'HALF_GONE', t.halfGone, 'build.secondHalf');
  if (item.kind !== 'PIZZA' || second.kind !== 'PIZZA' || !second.customisable)
    throw new LineProblem('wrong', 'HALF', t.halfNever({ dish: second.name }), 'build.secondHalf');
  if (!parts.builder.halfAndHalfSizes.includes(size))
    throw new LineProblem('wrong', 'HALF_SIZE', t.halfSize, 'build.secondHalf');
  if (second.prices[size] === undefined)
    throw new LineProblem('wrong', 'HALF_SIZE', t.sizeMissing({ dish: second.name }), 'build.secondHalf');
  if (crust && !second.crusts.includes(crust.id))
    throw new LineProblem('wrong', 'CRUST', t.crustNotWith({ dish: second.name, crust: crust.name }), 'crust');
  return second;
}

type Spread = Record<Side, Amount | 'recipe'>;
type Wishes = readonly { readonly id: string; readonly half: Half; readonly amount: Amount }[];

/** The halves of a topping by its id: those in the map, or new ones that begin as said. */
const entriesOf =
  <A extends Amount | 'recipe'>(spreads: Map<string, Record<Side, A>>, first: A) =>
  (id: string) => {
    let entry = spreads.get(id);
    if (!entry) spreads.set(id, (entry = { left: first, right: first }));
    return entry;
  };

/** Writes what was asked for into the entries of the toppings: for the whole pizza first, then for a half. */
function apply(wishes: Wishes, entryOf: (id: string, amount: Amount) => Spread): void {
  for (const { id, half, amount } of [...wishes].sort(
    (a, b) => Number(b.half === 'WHOLE') - Number(a.half === 'WHOLE'),
  )) {
    const entry = entryOf(id, amount);
    if (half !== 'RIGHT') entry.left = amount;
    if (half !== 'LEFT') entry.right = amount;
  }
}

/**
 * The final amount of every topping on each half: the recipe first, then what was asked for the whole pizza, then what
 * was asked for a half.
 */
function toppingAmounts(
  parts: Parts,
  size: Size,
  halves: Readonly<Record<Side, Recipe>>,
  wishes: Wishes,
  t: Words,
): Map<string, Spread> {
  const amounts = new Map<string, Spread>();
  const of = entriesOf(amounts, 'recipe');
  for (const side of SIDES) for (const id of halves[side].portions.keys()) of(id);
  apply(wishes, (id, amount) => {
    const topping = parts.toppings.get(id);
    if (!topping) throw new LineProblem('gone', 'TOPPING_GONE', t.toppingGone, 'build.toppings');
    if (amount !== 'none' && topping.prices[size] === undefined)
      throw new LineProblem('wrong', 'TOPPING', t.toppingNotInSize({ topping: topping.name }), 'build.toppings');
    return of(id);
  });
  return amounts;
}

/** 'No onion', 'Extra paneer (left half)': only what differs from the recipe. */
function toppingChoices(
  name: string,
  both: Spread,
  halves: Readonly<Record<Side, Recipe>>,
  id: string,
  t: Words,
): string[] {
  const text = (side: Side) => {
    const amount = both[side];
    const own = halves[side].portions.get(id) ?? 0;
    if (amount === 'recipe' || PORTIONS[amount] === own) return null;
    return t.topping({ amount: amount === 'extra' && own === 0 ? 'double' : amount, name });
  };
  const [left, right] = [text('left'), text('right')];
  if (left !== null && left === right) return [left];
  return [
    left === null ? null : t.onHalf({ half: 'left', choice: left }),
    right === null ? null : t.onHalf({ half: 'right', choice: right }),
  ].filter((line) => line !== null);
}

/** The toppings on each half, for drawing a pizza: those of the recipe with every change applied. */
export function toppingsPerHalf(
  left: DishRule,
  right: DishRule,
  wishes: Wishes,
): Map<string, { left: Amount; right: Amount }> {
  const spread = new Map<string, { left: Amount; right: Amount }>();
  const of = entriesOf(spread, 'none');
  const level = (portions: number): Amount => (portions === 0 ? 'none' : portions === 1 ? 'normal' : 'extra');
  for (const [side, dish] of [
    ['left', left],
    ['right', right],
  ] as const) {
    for (const [id, portions] of recipe(dish).portions) of(id)[side] = level(portions);
  }
  apply(wishes, of);
  return spread;
}

/** Price of one piece with everything chosen; minor units. */
export function unitPrice(finished: Pick<FinishedDish, 'base' | 'extras'>): Money {
  return money(finished.base + finished.extras);
}

/**
 * What a piece adds to the price of its combo: the difference to a larger size than the slot's own, and all extras.
 * Minor units.
 */
export function slotSurcharge(item: DishRule, ownSize: Size, finished: Pick<FinishedDish, 'size' | 'extras'>): Money {
  return money(Math.max(0, (item.prices[finished.size] ?? 0) - (item.prices[ownSize] ?? 0)) + finished.extras);
}
