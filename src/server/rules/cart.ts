import type { Cart, CartGroup, CartLine } from '../../contract/cart.ts';
import type { DeliveryType } from '../../contract/names.ts';
import { money } from '../../contract/price.ts';
import type { ApiError } from '../../contract/reply.ts';
import { hasComboSaving, isBulk, missingToMinimum, vegType } from '../../domain/cart.ts';
import { localTime } from '../../domain/hours.ts';
import { BULK_ORDER, CART_EMPTY, minimumOrder } from '../../domain/messages.ts';
import { formatMoney } from '../../domain/money.ts';
import { promiseMinutes } from '../../domain/promise.ts';
import { LineProblem } from '../../domain/build.ts';
import { firstSize } from '../../domain/sizes.ts';
import { billOf, netPrice } from './bill.ts';
import { discountsOf, offerOf, outcomes, savingOf, worthOf, type CouponCase, type CouponState, type Outcome, type Shopper } from './coupons.ts';
import { alternativeTo, type CountryCatalogue } from './menu.ts';
import { priceLine, productName, type LineWish, type PricedLine } from './price.ts';
import type { SeedStore } from './seeds.ts';

/** A line as the database keeps it. A removed one stays as a tombstone, so that an older add cannot bring it back. */
export interface KeptLine {
  readonly lineId: string;
  readonly quantity: number;
  readonly removed: boolean;
  readonly wish: LineWish;
  /** Epoch ms of the last change. */
  readonly changedAt: number;
  /** The guest of a group order whose line it is; absent for the cart's owner. */
  readonly personId?: string;
}

/** A cart as the database keeps it: no price anywhere. */
export interface CartState {
  readonly cartId: string;
  readonly userId: string;
  readonly version: number;
  readonly storeId: string;
  readonly deliveryType: DeliveryType;
  /** Without the removed ones, in the order of adding. */
  readonly lines: readonly KeptLine[];
  /** Codes in the order of applying. */
  readonly coupons: readonly string[];
  /** Automatic coupons that the customer took off. */
  readonly declined: readonly string[];
  readonly tip: number;
  readonly carryBag: boolean;
  readonly cutlery: boolean;
  readonly paymentMode: string | null;
  /** Codes that the wheel gave to this cart. */
  readonly prizes?: readonly string[];
  /** The open group order that shares this cart. */
  readonly groupId?: string | null;
  /** What the one who looks at it is told of that group, and the names of its guests. */
  readonly group?: { readonly view: CartGroup; readonly names: ReadonlyMap<string, string> };
}

/** Everything around a cart that its price depends on. */
export interface Scene {
  readonly catalogue: CountryCatalogue;
  readonly store: SeedStore;
  readonly soldOut: ReadonlySet<string>;
  readonly shopper: Shopper;
  readonly states: ReadonlyMap<string, CouponState>;
  /** Epoch ms of the database's clock. */
  readonly now: number;
  readonly bin: string | null;
  /** Codes that the chosen card is good for; absent while none is chosen. */
  readonly cardCodes?: ReadonlySet<string> | undefined;
  /** Payment modes of this host and country. */
  readonly modes?: readonly string[] | undefined;
}

export interface PricedCart {
  readonly cart: Cart;
  readonly lines: readonly PricedLine[];
  readonly outcomes: readonly Outcome[];
  /** Codes that take effect: what submit redeems. */
  readonly applied: readonly string[];
  readonly couponCase: CouponCase;
  readonly pizzas: number;
}

/**
 * Prices a cart (specification section 3): the same cart, scene and clock always give the same answer. Lines that cannot be
 * sold are kept apart with their reason and cost nothing. Amounts in minor units.
 */
export function priceCart(state: CartState, scene: Scene): PricedCart {
  const { catalogue, store, soldOut, now } = scene;
  const { country } = catalogue;
  const at = { soldOut, minutes: localTime(now, country.timeZone).minutes };
  const lines: PricedLine[] = [];
  const invalidItems: Cart['invalidItems'] = [];
  for (const { lineId, quantity, wish, personId = '' } of state.lines) {
    const name = state.group?.names.get(personId);
    const by = name === undefined ? {} : { by: { personId, name } };
    try {
      const line = priceLine(catalogue, lineId, quantity, wish, at);
      lines.push(name === undefined ? line : { ...line, view: { ...line.view, ...by } });
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      const alternativeId = alternativeTo(catalogue, wish.productId, soldOut);
      invalidItems.push({
        lineId, productId: wish.productId, name: productName(catalogue, wish.productId), quantity, reason: error.message,
        ...(alternativeId === undefined ? {} : { alternativeId }), ...by,
      });
    }
  }
  const couponCase: CouponCase = {
    catalogue, lines, deliveryType: state.deliveryType, storeId: store.id, isAllNight: Object.values(store.hours).some((day) => day?.allNight === true),
    paymentMode: state.paymentMode, bin: scene.bin, cardCodes: scene.cardCodes, modes: scene.modes, prizes: new Set(state.prizes ?? []), held: new Set(state.coupons),
    services: store.services, extras: { carryBag: state.carryBag, tip: state.tip }, shopper: scene.shopper, states: scene.states, soldOut, now,
  };
  const found = outcomes(state.coupons, new Set(state.declined), couponCase);
  const items = lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  const combos = lines.reduce((sum, line) => sum + (line.originalPrice - line.price) * line.quantity, 0);
  const bill = billOf(country, {
    deliveryType: state.deliveryType, items, discounts: discountsOf(found), given: worthOf(catalogue, found) + combos,
    carryBag: state.carryBag, tip: state.tip,
  });
  const views = lines.map((line) => line.view);
  const pizzas = lines.reduce((sum, line) => sum + line.pizzas * line.quantity, 0);
  const required = country.minimumOrder;
  const from = country.fees.freeDeliveryFrom;
  const isDelivery = state.deliveryType === 'DELIVERY';
  const cart: Cart = {
    cartId: state.cartId, version: state.version, storeId: store.id, deliveryType: state.deliveryType,
    validItems: [...views, ...freeLines(catalogue, found)], invalidItems,
    displayNetPrice: netPrice(bill), bill,
    offers: found.map(({ coupon, effect, message }) => offerOf(coupon, effect ? 'APPLIED' : 'REJECTED', couponCase, {
      message, effect, ...(effect ? { saving: savingOf(coupon, effect, found, couponCase) } : {}),
    })),
    vegType: vegType(views), hasComboSaving: hasComboSaving(views),
    options: { tip: money(isDelivery ? state.tip : 0), carryBag: state.carryBag, cutlery: state.cutlery },
    tipChoices: isDelivery ? [...country.tipChoices] : [],
    minimum: { required, missing: money(missingToMinimum(bill, required)) },
    freeDelivery: isDelivery ? { from, missing: money(Math.max(0, from - items)) } : null,
    promise: promiseOf(country, state.deliveryType, pizzas, now),
    ...(state.group === undefined ? {} : { group: state.group.view }),
  };
  return { cart, lines, outcomes: found, applied: found.filter((entry) => entry.effect !== null).map((entry) => entry.coupon.code), couponCase, pizzas };
}

function promiseOf(country: CountryCatalogue['country'], deliveryType: DeliveryType, pizzas: number, now: number): Cart['promise'] {
  const minutes = promiseMinutes(now, country);
  if (deliveryType !== 'DELIVERY') return { applies: false, minutes, reason: 'The time promise is for delivery.' };
  return isBulk(pizzas, country) ? { applies: false, minutes, reason: BULK_ORDER } : { applies: true, minutes };
}

/** What coupons give: lines nobody can edit, at no charge. */
function freeLines(catalogue: CountryCatalogue, found: readonly Outcome[]): CartLine[] {
  return found.flatMap(({ coupon, effect }) => (effect?.free ?? []).flatMap(({ itemId, quantity }): CartLine[] => {
    const item = catalogue.items.get(itemId);
    if (!item) return [];
    const size = firstSize(item);
    return [{
      lineId: `free:${coupon.code}`,
      product: { id: item.id, name: item.name, kind: item.kind, foodType: item.foodType, price: money(0), originalPrice: money(item.prices[size] ?? 0) },
      productType: item.productType, quantity, size, choices: [`Free with ${coupon.code}`], lineTotal: money(0),
      ...(item.kcal[size] === undefined ? {} : { kcal: item.kcal[size] }), allergens: item.allergens, free: true,
    }];
  }));
}

/** What stands between this cart and an order, whatever its store: empty, lines that cannot be sold, the minimum (product.md C22). */
export function cartProblems(cart: Cart, country: CountryCatalogue['country']): ApiError[] {
  const problems: ApiError[] = [];
  if (!cart.validItems.some((line) => line.free !== true) && cart.invalidItems.length === 0) problems.push({ code: 'CART_EMPTY', displayMsg: CART_EMPTY });
  for (const line of cart.invalidItems) problems.push({ code: 'ITEM_UNAVAILABLE', displayMsg: `${line.name}: ${line.reason}`, field: line.lineId });
  if (problems.length === 0 && cart.minimum.missing > 0) {
    problems.push({ code: 'MINIMUM_ORDER', displayMsg: minimumOrder(formatMoney(cart.minimum.required, country)) });
  }
  return problems;
}

/** Coupons that a payment mode would cost the customer: said before the money is asked for. */
export function paymentModeProblems(state: CartState, scene: Scene, paymentMode: string): ApiError[] {
  const free = priceCart({ ...state, paymentMode: null }, scene);
  const held = new Set(priceCart({ ...state, paymentMode }, scene).applied);
  const at = { ...free.couponCase, paymentMode };
  return free.outcomes.filter((entry) => entry.effect !== null && !held.has(entry.coupon.code)).map(({ coupon }) => ({
    code: 'COUPON_PAYMENT_MODE', field: coupon.code,
    displayMsg: outcomes([coupon.code], new Set(), at).find((entry) => entry.coupon === coupon)?.message ?? '',
  }));
}

/**
 * Joins two carts line by line: a removal wins over everything, then the later change. The order of joining is of no matter,
 * and joining again changes nothing. Lines of `a` come first.
 */
export function mergeLines(a: readonly KeptLine[], b: readonly KeptLine[]): KeptLine[] {
  const merged = new Map(a.map((line) => [line.lineId, line]));
  for (const line of b) {
    const own = merged.get(line.lineId);
    merged.set(line.lineId, own === undefined ? line : winner(own, line));
  }
  return [...merged.values()];
}

function winner(a: KeptLine, b: KeptLine): KeptLine {
  if (a.removed !== b.removed) return a.removed ? a : b;
  if (a.changedAt !== b.changedAt) return a.changedAt > b.changedAt ? a : b;
  return JSON.stringify([a.quantity, a.wish]) >= JSON.stringify([b.quantity, b.wish]) ? a : b;
}

const UPSELL_AT_MOST = 6;
/** In this order: what a pizza order most often lacks. */
const UPSELL_KINDS = ['BEVERAGE', 'SIDE', 'DESSERT', 'CHICKEN', 'RICE_PASTA'];

/** Products that go with a cart: kinds it lacks, bestsellers first, one per kind in turn, vegetarian for a vegetarian cart. */
export function upsellOf(cart: Cart, catalogue: CountryCatalogue, soldOut: ReadonlySet<string>): string[] {
  const inCart = new Set(cart.validItems.flatMap((line) => [line.product.id, ...(line.slots ?? []).map((slot) => slot.productId)]));
  const kindsInCart = new Set([...inCart].map((id) => catalogue.items.get(id)?.kind));
  const isVegOnly = cart.vegType === 'YES';
  const pools = UPSELL_KINDS.filter((kind) => !kindsInCart.has(kind as never)).map((kind) => [...catalogue.items.values()]
    .filter((item) => item.kind === kind && !inCart.has(item.id) && !soldOut.has(item.id) && (!isVegOnly || item.foodType === 'VEG'))
    .sort((a, b) => Number(b.tags.includes('bestseller')) - Number(a.tags.includes('bestseller'))));
  const list: string[] = [];
  for (let turn = 0; list.length < UPSELL_AT_MOST && pools.some((pool) => pool.length > turn); turn += 1) {
    for (const pool of pools) {
      const item = pool[turn];
      if (item && list.length < UPSELL_AT_MOST) list.push(item.id);
    }
  }
  return list;
}

