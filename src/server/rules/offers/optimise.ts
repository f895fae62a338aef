import type { BestOffer, ItemSuggestion, OfferReason } from '../../../contract/coupons.ts';
import type { Size } from '../../../contract/names.ts';
import { money } from '../../../contract/price.ts';
import { missingToMinimum } from '../../../domain/cart.ts';
import { isWithin, localTime } from '../../../domain/hours.ts';
import { errors, t, formatMoney } from '../../call/language.ts';
import { billOf, type Discount } from '../pricing/bill.ts';
import { eitherOf } from './lists.ts';
import { couponByCode, judge, mayComeByItself, outcomes, remediesOf, worthOf, type CouponChoice } from './coupons.ts';
import { modeLabel, type CouponCase, type Effect } from './couponCase.ts';
import { isForOtherFood, paymentSays } from './couponConditions.ts';
import { priceLine, type PricedLine } from '../pricing/price.ts';
import type { SeedCoupon } from '../../store/seeds.ts';

/** A usable coupon: what it takes off the food and off the delivery, and what its gifts are worth; minor units. */
interface Candidate {
  readonly coupon: SeedCoupon;
  readonly effect: Effect;
  readonly items: number;
  readonly delivery: number;
  readonly worth: number;
  readonly held: boolean;
  readonly order: number;
}

/** A permitted combination; amounts in minor units. `paymentModes` is null if any mode will do. */
export interface Combination {
  readonly codes: readonly string[];
  readonly paymentModes: readonly string[] | null;
  readonly total: number;
  readonly saving: number;
  readonly worth: number;
}

interface Field {
  readonly at: CouponCase;
  readonly candidates: readonly Candidate[];
  /** Payment modes grouped by which candidates they allow. */
  readonly payments: readonly { readonly modes: readonly string[]; readonly allowed: ReadonlySet<Candidate> }[];
  /** The total to pay with these amounts off the food and off the delivery. */
  readonly total: (items: number, delivery: number) => number;
  /** Whether what is left to pay can be ordered. */
  readonly isEnough: (items: number, delivery: number) => boolean;
}

const NOTHING: readonly Candidate[] = [];

/** Those of the coupons that give this cart something, whatever the payment mode. */
function candidatesOf(open: CouponCase, coupons: Iterable<SeedCoupon>): Candidate[] {
  const candidates: Candidate[] = [];
  let order = 0;
  for (const coupon of coupons) {
    const verdict = judge(coupon, open);
    if (!verdict.ok) continue;
    const { effect } = verdict;
    const worth = worthOf(open.catalogue, [{ coupon, effect, message: null }]);
    if (effect.discount <= 0 && worth <= 0) continue;
    candidates.push({
      coupon,
      effect,
      items: effect.on === 'items' ? effect.discount : 0,
      delivery: effect.on === 'delivery' ? effect.discount : 0,
      worth,
      held: open.held.has(coupon.code),
      order: (order += 1),
    });
  }
  return candidates;
}

/** A payment mode that no coupon asks for. */
const ANY_MODE = 'OTHER';

function fieldOf(at: CouponCase, coupons: Iterable<SeedCoupon> = at.catalogue.coupons.values()): Field {
  const candidates = candidatesOf({ ...at, paymentMode: null }, coupons);
  const payments = new Map<string, { modes: string[]; allowed: Set<Candidate> }>();
  for (const mode of at.modes.length > 0 ? at.modes : [ANY_MODE]) {
    const allowed = candidates.filter(({ coupon }) => paymentSays(coupon, mode, at) === null);
    const key = allowed.map(({ order }) => order).join();
    const known = payments.get(key);
    if (known) known.modes.push(mode);
    else payments.set(key, { modes: [mode], allowed: new Set(allowed) });
  }
  return { at, candidates, payments: [...payments.values()], ...sums(at) };
}

const taking = (amount: number, on: Discount['on']): Discount => ({ code: on, title: on, amount, on });

/** An offer that leaves less to pay than the smallest order is never advised and never comes by itself: nobody could order. */
function sums(at: CouponCase): Pick<Field, 'total' | 'isEnough'> {
  const { country } = at.catalogue;
  const items = at.lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  const known = new Map<string, { readonly total: number; readonly isShort: boolean }>();
  const billed = (offItems: number, offDelivery: number) => {
    const key = `${offItems} ${offDelivery}`;
    let found = known.get(key);
    if (found === undefined) {
      const bill = billOf(country, {
        deliveryType: at.deliveryType,
        items,
        given: 0,
        ...at.extras,
        discounts: [taking(offItems, 'items'), taking(offDelivery, 'delivery')],
      });
      found = { total: bill.total, isShort: missingToMinimum(bill, country.minimumOrder) > 0 };
      known.set(key, found);
    }
    return found;
  };
  return {
    total: (...off) => billed(...off).total,
    // What is too little without any offer lacks something else.
    isEnough: (...off) => billed(0, 0).isShort || !billed(...off).isShort,
  };
}

/**
 * The coupons of a stack group that can be part of a best combination. A coupon acts on one thing only (food, delivery
 * or gifts) and more is never worse as long as enough is left to pay, so only the strongest for each counts: at most three per group, however many it
 * has.
 */
function strongest(group: readonly Candidate[]): Candidate[] {
  const found = new Set<Candidate>();
  for (const gain of ['items', 'delivery', 'worth'] as const) {
    let top: Candidate | undefined;
    for (const one of group)
      if (
        one[gain] > 0 &&
        (top === undefined || one[gain] > top[gain] || (one[gain] === top[gain] && isPlainer(one, top)))
      )
        top = one;
    if (top) found.add(top);
  }
  return [...found];
}

/**
 * Whether a coupon is better than one before it in the catalogue that gives as much: first the one on the cart, then one
 * that needs no payment mode.
 */
const isPlainer = (a: Candidate, b: Candidate) => (a.held !== b.held ? a.held : !isBound(a) && isBound(b));
const isBound = ({ coupon }: Candidate) => coupon.paymentModes !== null;

interface Selection {
  readonly picks: readonly Candidate[];
  readonly modes: readonly string[];
  readonly total: number;
  readonly worth: number;
  readonly isEnough: boolean;
}

/** What is paid, without what comes free for it. */
const netOf = ({ total, worth }: Pick<Combination, 'total' | 'worth'>) => total - worth;

/**
 * Compares by: whether it can be ordered, larger gain, smaller total, more coupons that are on the cart already, fewer coupons, fewer coupons that
 * need a payment mode.
 */
function isBetter(a: Selection, b: Selection): boolean {
  const held = (found: Selection) => found.picks.filter((pick) => pick.held).length;
  const bound = (found: Selection) => found.picks.filter(isBound).length;
  const ahead =
    Number(a.isEnough) - Number(b.isEnough) ||
    netOf(b) - netOf(a) ||
    b.total - a.total ||
    held(a) - held(b) ||
    b.picks.length - a.picks.length ||
    bound(b) - bound(a);
  return ahead > 0;
}

const leavesEnough = ({ isEnough }: Field, { items, delivery }: Candidate) => isEnough(items, delivery);

/** The best of all combinations, or of those that contain `must`; null if no payment mode allows that one. */
function search(field: Field): Selection;
function search(field: Field, must: Candidate): Selection | null;
function search(field: Field, must: Candidate | null = null): Selection | null {
  let best: Selection | null = null;
  for (const { modes, allowed } of field.payments) {
    if (must !== null && !allowed.has(must)) continue;
    const groups = new Map<string, Candidate[]>();
    for (const one of allowed)
      if (leavesEnough(field, one))
        groups.set(one.coupon.stackGroup, [...(groups.get(one.coupon.stackGroup) ?? NOTHING), one]);
    if (must !== null) groups.set(must.coupon.stackGroup, [must]);
    const choicesOf = (some: (group: readonly Candidate[]) => readonly Candidate[]) =>
      [...groups].map(([name, group]) => (must?.coupon.stackGroup === name ? [must] : [null, ...some(group)]));
    let choices = choicesOf(strongest);
    let isOverdone = false;
    const walk = (level: number, picks: readonly Candidate[], items: number, delivery: number, worth: number): void => {
      const choice = choices[level];
      if (choice === undefined) {
        const [total, isEnough] = [field.total(items, delivery), field.isEnough(items, delivery)];
        const found: Selection = { picks, modes, total, worth, isEnough };
        isOverdone ||= !found.isEnough;
        if (best === null || isBetter(found, best)) best = found;
        return;
      }
      for (const one of choice) {
        if (one === null) walk(level + 1, picks, items, delivery, worth);
        else walk(level + 1, [...picks, one], items + one.items, delivery + one.delivery, worth + one.worth);
      }
    };
    walk(0, [], 0, 0, 0);
    if (!isOverdone) continue;
    // Together the strongest leave too little to pay: weaker ones may do.
    choices = choicesOf((group) => group);
    walk(0, [], 0, 0, 0);
  }
  return best;
}

function combinationOf(field: Field, found: Selection): Combination {
  const modes = field.payments
    .filter(({ allowed }) => found.picks.every((one) => allowed.has(one)))
    .flatMap(({ modes: own }) => own);
  return {
    codes: [...found.picks].sort((a, b) => a.order - b.order).map(({ coupon }) => coupon.code),
    paymentModes: found.picks.some(isBound) ? modes : null,
    total: found.total,
    saving: savingOf(field.at, found),
    worth: found.worth,
  };
}

/** What the bill's discounts come to: the sum that the bill names, without the tax that falls with them. */
function savingOf({ lines }: CouponCase, { picks }: Selection): number {
  const items = lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  const off = picks.reduce((sum, pick) => sum + pick.items, 0);
  // Delivery is paid once, however many coupons pay it.
  return Math.min(off, items) + Math.max(0, ...picks.map(({ delivery }) => delivery));
}

/**
 * The coupons that go on a cart by themselves: of the stack groups without a coupon of the customer's own, and without
 * one that they took off, the best ones that take money off now. Nothing that could come or go on the way to payment:
 * no coupon for certain payment modes, none that is counted for each customer, because a login would change the bill.
 * Gifts, rewards that were saved up and what asks for a proof wait for a tap. Pure.
 */
export function bestByItself(at: CouponCase, choice: CouponChoice): string[] {
  const own = new Set(choice.coupons.map((code) => couponByCode(at.catalogue, code)));
  const closed = new Set([
    // A code of the customer's that gives nothing now keeps nobody out.
    ...outcomes(choice.coupons, new Set(choice.declined), at)
      .filter(({ coupon, effect }) => effect !== null && own.has(coupon))
      .map(({ coupon }) => coupon.stackGroup),
    ...choice.declined.map((code) => couponByCode(at.catalogue, code)?.stackGroup),
  ]);
  const open = candidatesOf({ ...at, paymentMode: null }, at.catalogue.coupons.values()).filter(
    ({ coupon, worth, effect }) =>
      worth === 0 && effect.steps === undefined && mayComeByItself(coupon) && !closed.has(coupon.stackGroup),
  );
  const field = { at, candidates: open, payments: [{ modes: [], allowed: new Set(open) }], ...sums(at) };
  return search(field).picks.map(({ coupon }) => coupon.code);
}

/**
 * The best permitted combination for a cart (product.md 3.5): at most one coupon per stack group, and one payment mode.
 * It is judged by how much the total falls plus the worth of free items. Coupons the customer took off are considered
 * too. Pure.
 * @param coupons of the catalogue, where not all of them can be in it
 */
export function bestCombination(at: CouponCase, coupons?: Iterable<SeedCoupon>): Combination {
  const field = fieldOf(at, coupons);
  return combinationOf(field, search(field));
}

/**
 * The codes of the best combination if the order is paid in this mode; without a mode, of one that any mode allows.
 * Pure.
 */
export function bestCodesFor(at: CouponCase, mode: string | null): readonly string[] {
  return bestCombination({ ...at, modes: mode === null ? [] : [mode] }).codes;
}

/** Everything the coupons page says about a cart. */
export interface Advice {
  readonly best: Combination;
  /** By code; coupons of the best combination have no reason. */
  readonly reasons: ReadonlyMap<string, OfferReason>;
}

/** The best combination, and for every other coupon one reason and what would make it apply. */
export function advise(at: CouponCase): Advice {
  const field = fieldOf(at);
  const best = combinationOf(field, search(field));
  const reasons = new Map<string, OfferReason>();
  for (const coupon of at.catalogue.coupons.values()) {
    if (best.codes.includes(coupon.code)) continue;
    const reason = reasonFor(coupon, field, best);
    if (reason !== null) reasons.set(coupon.code, reason);
  }
  return { best, reasons };
}

function reasonFor(coupon: SeedCoupon, field: Field, best: Combination): OfferReason | null {
  const { at } = field;
  const verdict = judge(coupon, at);
  if (!verdict.ok) return { kind: 'RULE', message: verdict.message, remedies: remediesOf(coupon, at) };
  const own = field.candidates.find((one) => one.coupon === coupon);
  // A step on the way to a reward has its own message.
  if (own === undefined)
    return verdict.effect.steps === undefined ? { kind: 'NO_GAIN', message: t.couponNoGain, remedies: [] } : null;
  if (!leavesEnough(field, own)) {
    const amount = formatMoney(money(at.catalogue.country.minimumOrder), at.catalogue.country);
    return { kind: 'RULE', message: errors.minimumOrder({ amount }), remedies: [] };
  }
  const found = search(field, own);
  // A card that is known, while no mode is chosen, may be another than it asks for.
  if (found === null)
    return {
      kind: 'RULE',
      message: paymentSays(coupon, ANY_MODE, at)!,
      remedies: remediesOf(coupon, { ...at, paymentMode: ANY_MODE }),
    };
  const others = best.codes.map((code) => at.catalogue.coupons.get(code)!);
  const rival =
    others.find((one) => one.stackGroup === coupon.stackGroup) ?? others.find((one) => one.paymentModes !== null);
  if (rival === undefined) return { kind: 'NO_GAIN', message: t.couponNoGain, remedies: [] };
  const less = best.saving + best.worth - (savingOf(at, found) + found.worth);
  const amount = formatMoney(money(less), at.catalogue.country);
  return {
    kind: 'BEATEN',
    message: less > 0 ? t.bestSavesMore({ code: rival.code, amount }) : t.bestSavesAsMuch({ code: rival.code }),
    remedies: [{ kind: 'REPLACE', codes: [rival.code], message: t.bestInPlace({ code: rival.code }) }],
  };
}

/** One sentence: what the best combination brings, and how it must be paid. */
function gainText({ codes, paymentModes, saving, worth }: Combination, at: CouponCase): string {
  const amount = (minor: number) => formatMoney(money(minor), at.catalogue.country);
  const text = {
    codes: codes.join(' + '),
    gain: worth <= 0 ? ('MONEY' as const) : saving > 0 ? ('BOTH' as const) : ('FOOD' as const),
    saving: amount(saving),
    gifts: amount(worth),
  };
  if (paymentModes === null) return t.best(text);
  return t.bestPaying({ ...text, modes: eitherOf(paymentModes.map((id) => modeLabel(at.catalogue, id))) });
}

/** The best combination to send to the client. `applied` are the codes the cart has now. */
export function bestOf({ best }: Advice, at: CouponCase, applied: readonly string[]): BestOffer {
  const isOn =
    best.codes.length === applied.length &&
    best.codes.every((code) => applied.includes(code)) &&
    (best.paymentModes === null || (at.paymentMode !== null && best.paymentModes.includes(at.paymentMode)));
  return {
    codes: [...best.codes],
    ...(best.paymentModes === null ? {} : { paymentModes: [...best.paymentModes] }),
    saving: money(best.saving),
    gifts: money(best.worth),
    total: money(best.total),
    isOn,
    message: best.codes.length === 0 ? t.bestNone : gainText(best, at),
  };
}

interface Extra {
  readonly line: PricedLine;
  readonly productId: string;
  readonly size: Size;
  readonly name: string;
}

/** At most this many items are tried, because each one means judging all coupons again. */
const TRIED_AT_MOST = 10;

/**
 * One more item that pays for itself: the total falls, or what comes free with it is worth more than it adds; and no gift
 * is lost for less money than it is worth. Tried are
 * the cheapest dish for every amount that a coupon or free delivery lacks, and the cheapest dish of each kind that is
 * missing. Null if none pays for itself: customers are never asked to spend more for less.
 */
export function suggestionFor(at: CouponCase, { best }: Advice): ItemSuggestion | null {
  if (at.lines.length === 0) return null;
  const open = { ...at, paymentMode: null };
  const coupons = [...at.catalogue.coupons.values()].filter((coupon) => isForOtherFood(coupon, open));
  let top: { extra: Extra | null; found: Combination } = { extra: null, found: best };
  for (const extra of extrasFor(open, coupons)) {
    const found = bestCombination({ ...at, lines: [...at.lines, extra.line] }, coupons);
    if (netOf(found) < netOf(top.found)) top = { extra, found };
  }
  const { extra, found } = top;
  if (extra === null) return null;
  const saving = best.total - found.total;
  const gifts = found.worth - best.worth;
  const amount = (minor: number) => formatMoney(money(minor), at.catalogue.country);
  const message =
    saving > 0
      ? t.suggestionSaves({ name: extra.name, saving: amount(saving) })
      : t.suggestionGives({ name: extra.name, price: amount(found.total - best.total), gifts: amount(gifts) });
  return {
    productId: extra.productId,
    name: extra.name,
    ...(extra.size === 'ONE' ? {} : { size: extra.size }),
    ...(extra.line.view.crust ? { crust: extra.line.view.crust } : {}),
    price: money(extra.line.price),
    codes: [...found.codes],
    total: money(found.total),
    saving: money(saving),
    gifts: money(gifts),
    message,
  };
}

/** @param coupons that food may bring on */
function extrasFor(at: CouponCase, coupons: readonly SeedCoupon[]): Extra[] {
  const { catalogue } = at;
  const { minutes } = localTime(at.now, catalogue.country.timeZone);
  const isVegOnly = at.lines.every((line) => line.view.product.foodType === 'VEG');
  const dishes = [...catalogue.items.values()]
    .filter(
      (item) =>
        !at.soldOut.has(item.id) &&
        (!isVegOnly || item.foodType === 'VEG') &&
        (item.availableFrom === undefined ||
          item.availableTo === undefined ||
          isWithin(minutes, item.availableFrom, item.availableTo)),
    )
    .flatMap((item) => Object.entries(item.prices).map(([size, price]) => ({ item, size: size as Size, price })))
    .sort((a, b) => a.price - b.price);
  const wanted = new Map<string, Extra>();
  const add = (fits: (dish: (typeof dishes)[number]) => boolean) => {
    const dish = dishes.find(fits);
    if (!dish || wanted.size >= TRIED_AT_MOST) return;
    const { item, size } = dish;
    const key = `${item.id} ${size}`;
    if (wanted.has(key)) return;
    const line = priceLine(catalogue, key, 1, { productId: item.id, size }, null);
    wanted.set(key, { line, productId: item.id, size, name: item.name });
  };
  const items = at.lines.reduce((sum, line) => sum + line.price * line.quantity, at.extras.reward?.price ?? 0);
  const { freeDeliveryFrom } = catalogue.country.fees;
  if (at.deliveryType === 'DELIVERY' && items < freeDeliveryFrom) add(({ price }) => price >= freeDeliveryFrom - items);
  for (const coupon of coupons) {
    // One that may be used already needs nothing. One for which dishes would have to go is no reason to suggest food.
    const remedies = remediesOf(coupon, at);
    if (remedies.length === 0 || remedies.some(({ kind }) => kind !== 'ADD_AMOUNT' && kind !== 'ADD_ITEMS')) continue;
    const missing = remedies.find(({ kind }) => kind === 'ADD_AMOUNT')?.amount ?? 0;
    const pools = remedies.flatMap(({ categoryIds }) => (categoryIds === undefined ? [] : [categoryIds]));
    const sizes = sizesOf(coupon);
    for (const size of sizes.length > 0 ? sizes : [null]) {
      add(
        ({ item, size: own, price }) =>
          price >= missing &&
          !coupon.excludes.includes(item.productType) &&
          (size === null || own === size) &&
          pools.every((pool) => item.categoryIds.some((id) => pool.includes(id))),
      );
    }
  }
  return [...wanted.values()];
}

/** Sizes a coupon asks for. */
function sizesOf({ value }: SeedCoupon): Size[] {
  const { buy, get, size } = value as { buy?: { size?: Size }; get?: { size?: Size }; size?: Size };
  return [...new Set([buy?.size, get?.size, size])].filter((one) => one !== undefined);
}
