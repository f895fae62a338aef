import type { Cart, CartGroup, CartLine, Offer } from '../../../contract/cart.ts';
import type { DeliveryType } from '../../../contract/names.ts';
import { money } from '../../../contract/price.ts';
import type { ApiError } from '../../../contract/reply.ts';
import { hasComboSaving, isBulk, missingToMinimum, vegType } from '../../../domain/cart.ts';
import { lineCosts, type LineCost } from '../../../domain/allocation.ts';
import { REWARD_CODE } from '../../../domain/loyalty.ts';
import { localTime } from '../../../domain/hours.ts';
import { errors, t, formatMoney } from '../../call/language.ts';
import { promiseMinutes } from '../../../domain/promise.ts';
import { LineProblem } from '../../../domain/build.ts';
import { firstSize } from '../../../domain/sizes.ts';
import { billOf, netPrice, packagingFee, type Reward } from '../pricing/bill.ts';
import { discountsOf, outcomes, savingOf, worthOf, type Outcome } from '../offers/coupons.ts';
import { offerOf } from '../offers/offerView.ts';
import type { CouponCase, Shopper } from '../offers/couponCase.ts';
import { bestByItself } from '../offers/optimise.ts';
import type { CouponState } from '../../store/coupons.ts';
import { alternativeTo } from '../catalogue/menu.ts';
import { takesOf } from '../catalogue/taking.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { priceLine, productName, type Availability, type PricedLine } from '../pricing/price.ts';
import type { KeptCart, KeptLine } from '../../store/carts.ts';
import type { SeedStore } from '../../store/seeds.ts';

/** A stored cart with everything that pricing needs about the cart itself. */
export interface CartState extends KeptCart {
  /** It goes to a train: what is offered for trains applies, and nothing else. */
  readonly isToTrain?: boolean;
  /** The cart's group as the viewer may see it, and the names of the guests by person id. */
  readonly group?: { readonly view: CartGroup; readonly names: ReadonlyMap<string, string> };
}

/** Everything outside the cart that its price depends on. */
export interface PricingContext {
  readonly catalogue: CountryCatalogue;
  readonly store: SeedStore;
  readonly soldOut: ReadonlySet<string>;
  /** Ids of the stores that make nothing now. */
  readonly offline?: ReadonlySet<string>;
  readonly shopper: Shopper;
  readonly states: ReadonlyMap<string, CouponState>;
  /** Epoch ms of the database's clock. */
  readonly now: number;
  readonly bin: string | null;
  /** Coupon codes that the chosen card qualifies for; absent while no card is chosen. */
  readonly cardCodes?: ReadonlySet<string> | undefined;
  /** Payment modes available in this host and country. */
  readonly modes: readonly string[];
}

export interface PricedCart {
  readonly cart: Cart;
  readonly lines: readonly PricedLine[];
  readonly outcomes: readonly Outcome[];
  /** Codes of the coupons that take effect. Placing an order uses up exactly these. */
  readonly applied: readonly string[];
  readonly couponCase: CouponCase;
  readonly pizzas: number;
  /** Points pay for one of its pizzas; placing an order spends them. */
  readonly isRewarded: boolean;
  /** What each line costs with everything on the cart. */
  readonly costs: readonly PricedCost[];
}

/** The cost of a line; of a combo, also the cost of its dishes bought one by one. */
export interface PricedCost extends LineCost {
  readonly partPrices?: readonly number[] | undefined;
  /** Points pay for a piece of it. */
  readonly isReward?: true;
}

/**
 * Prices a cart (specification section 3). The same cart, context and clock always give the same result. Lines that
 * cannot be sold are listed separately with the reason and cost nothing. Amounts are in minor units.
 */
export function priceCart(state: CartState, context: PricingContext): PricedCart {
  const { catalogue, store, soldOut, now } = context;
  const { country } = catalogue;
  const at = { soldOut, minutes: localTime(now, country.timeZone).minutes };
  const lines: PricedLine[] = [];
  const invalidItems: Cart['invalidItems'] = [];
  const aside = asideOf(catalogue, state, at);
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
        lineId,
        productId: wish.productId,
        name: productName(catalogue, wish.productId),
        quantity,
        reason: error.message,
        ...(alternativeId === undefined ? {} : { alternativeId }),
        ...by,
      });
    }
  }
  const { reward, paid } = rewardOf(state, lines);
  const packaging = packagingFee(country, store, state.deliveryType);
  const couponCase: CouponCase = {
    catalogue,
    lines: paid,
    deliveryType: state.deliveryType,
    isToTrain: state.isToTrain === true,
    storeId: store.id,
    isAllNight: Object.values(store.hours).some((day) => day?.allNight === true),
    paymentMode: state.paymentMode,
    bin: context.bin,
    cardCodes: context.cardCodes,
    modes: context.modes,
    prizes: new Set(state.prizes ?? []),
    held: new Set(state.coupons),
    services: store.services,
    extras: { packaging, carryBag: state.carryBag, tip: state.tip, reward },
    shopper: context.shopper,
    states: context.states,
    soldOut,
    now,
  };
  const found = foundOn(state, couponCase);
  const items = lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  const combos = lines.reduce((sum, line) => sum + (line.originalPrice - line.price) * line.quantity, 0);
  const bill = billOf(country, {
    deliveryType: state.deliveryType,
    items: items - (reward?.price ?? 0),
    reward,
    discounts: discountsOf(found),
    given: worthOf(catalogue, found) + combos,
    packaging,
    carryBag: state.carryBag,
    tip: state.tip,
  });
  const views = lines.map((line) => line.view);
  const pizzas = lines.reduce((sum, line) => sum + line.pizzas * line.quantity, 0);
  const required = country.minimumOrder;
  const missing = money(missingToMinimum(bill, required));
  const from = country.fees.freeDeliveryFrom;
  const isDelivery = state.deliveryType === 'DELIVERY';
  const cart: Cart = {
    cartId: state.cartId,
    version: state.version,
    storeId: store.id,
    deliveryType: state.deliveryType,
    validItems: [...views, ...freeLines(catalogue, found)],
    invalidItems,
    displayNetPrice: netPrice(bill),
    bill,
    offers: [
      ...(state.reward === true ? [rewardOffer(reward, missing > 0 ? formatMoney(missing, country) : '', now)] : []),
      ...found.map(({ coupon, effect, message }) =>
        offerOf(coupon, effect ? 'APPLIED' : 'REJECTED', couponCase, {
          message,
          effect,
          ...(effect ? { saving: savingOf(coupon, effect, found, couponCase) } : {}),
        }),
      ),
    ],
    vegType: vegType(views),
    hasComboSaving: hasComboSaving(views),
    options: { tip: money(isDelivery ? state.tip : 0), carryBag: state.carryBag, cutlery: state.cutlery },
    tipChoices: isDelivery ? [...country.tipChoices] : [],
    minimum: { required, missing },
    freeDelivery: isDelivery ? { from, missing: money(Math.max(0, from - items)) } : null,
    promise: promiseOf(state.deliveryType, pizzas, context),
    ...(aside.length === 0 ? {} : { aside }),
    ...(state.group === undefined ? {} : { group: state.group.view }),
  };
  return {
    cart,
    lines,
    outcomes: found,
    applied: found.filter((entry) => entry.effect !== null).map((entry) => entry.coupon.code),
    couponCase,
    pizzas,
    isRewarded: reward !== undefined,
    costs: costsOf(country, bill, lines, found, reward),
  };
}

/** The coupons on a cart, those that come by themselves only with an effect. */
function foundOn(state: CartState, couponCase: CouponCase): readonly Outcome[] {
  const automatic = state.bestOffer === true ? bestByItself(couponCase, state) : [];
  return outcomes([...state.coupons, ...automatic], new Set(state.declined), couponCase).filter(
    ({ coupon, effect }) => effect !== null || !automatic.includes(coupon.code),
  );
}

/** The cost of each line: a discount stays on the lines that it was given for. */
function costsOf(
  { tax }: CountryCatalogue['country'],
  bill: Cart['bill'],
  lines: readonly PricedLine[],
  found: readonly Outcome[],
  reward: Reward | undefined,
): PricedCost[] {
  const reasons = new Map(
    found.flatMap(({ coupon, effect }) =>
      effect?.on === 'items' ? [[`discount:${coupon.code}`, effect.reasons()] as const] : [],
    ),
  );
  if (reward !== undefined)
    reasons.set(`discount:${REWARD_CODE}`, new Map([[reward.lineId, { amount: reward.off, pieces: 1 }]]));
  const costs = lineCosts(
    bill,
    lines.map(({ view }) => view),
    tax,
    reasons,
  );
  return costs.map((cost, index) => ({
    ...cost,
    partPrices: lines[index]!.partPrices,
    ...(cost.lineId === reward?.lineId ? { isReward: true as const } : {}),
  }));
}

/**
 * The pizza that points pay for, and the lines without it: of the regular pizzas outside combos the one whose recipe
 * costs most, so that nobody has to order it alone to get the most for their points. What was added to it is paid.
 */
function rewardOf(
  state: CartState,
  lines: readonly PricedLine[],
): { readonly reward?: Reward; readonly paid: readonly PricedLine[] } {
  const [free] = lines
    .filter((line) => state.reward === true && line.kind === 'PIZZA' && line.size === 'R')
    .sort((a, b) => b.base - a.base);
  if (free === undefined) return { paid: lines };
  return {
    reward: {
      lineId: free.view.lineId,
      title: t.rewardFree({ name: free.view.product.name }),
      price: free.price,
      off: free.base,
    },
    paid: lines.flatMap((line) =>
      line !== free ? [line] : line.quantity > 1 ? [{ ...line, quantity: line.quantity - 1 }] : [],
    ),
  };
}

/**
 * A reward as it stands in the cart: with what it takes off, or with what is missing for it. `missing` is what the cart
 * lacks to the smallest order as text, '' for nothing: the free pizza alone costs nothing, and is no order.
 */
function rewardOffer(reward: Reward | undefined, missing: string, now: number): Offer {
  const message = reward === undefined ? t.rewardAddPizza : missing === '' ? '' : t.rewardAlone({ missing });
  return {
    code: REWARD_CODE,
    title: reward?.title ?? t.rewardTitle,
    status: reward === undefined ? 'REJECTED' : 'APPLIED',
    messages: message === '' ? [] : [{ messageType: 'info', message }],
    details: [],
    stackGroup: REWARD_CODE,
    timestamp: now,
    ...(reward === undefined ? {} : { saving: money(reward.off) }),
  };
}

const NONE_OFFLINE: ReadonlySet<string> = new Set();
function promiseOf(
  deliveryType: DeliveryType,
  pizzas: number,
  { catalogue, store, offline = NONE_OFFLINE, now }: PricingContext,
): Cart['promise'] {
  const { country } = catalogue;
  const minutes = promiseMinutes(now, country);
  if (deliveryType !== 'DELIVERY') return { applies: false, minutes, reason: t.promiseDelivery };
  const takes = takesOf(catalogue, store, offline, deliveryType, now);
  if (takes !== 'now') return { applies: false, minutes, reason: takes === 'later' ? t.promiseLater : t.noOrders };
  return isBulk(pizzas, country) ? { applies: false, minutes, reason: errors.bulkOrder } : { applies: true, minutes };
}

/** What is kept aside, as far as it can be sold now. */
function asideOf(catalogue: CountryCatalogue, state: CartState, at: Availability): CartLine[] {
  return (state.aside ?? []).flatMap(({ lineId, quantity, wish }) => {
    try {
      return [priceLine(catalogue, lineId, quantity, wish, at).view];
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      return [];
    }
  });
}

/** Lines for the items that coupons give free of charge, all of them on the menu; the customer cannot edit them. */
function freeLines(catalogue: CountryCatalogue, found: readonly Outcome[]): CartLine[] {
  return found.flatMap(({ coupon, effect }) =>
    (effect?.free ?? []).map(({ itemId, quantity }): CartLine => {
      const item = catalogue.items.get(itemId)!;
      const size = firstSize(item);
      return {
        lineId: `free:${coupon.code}`,
        product: {
          id: item.id,
          name: item.name,
          kind: item.kind,
          foodType: item.foodType,
          price: money(0),
          originalPrice: money(item.prices[size] ?? 0),
        },
        productType: item.productType,
        quantity,
        size,
        choices: [t.freeWith({ code: coupon.code })],
        lineTotal: money(0),
        ...(item.kcal[size] === undefined ? {} : { kcal: item.kcal[size] }),
        allergens: item.allergens,
        free: true,
      };
    }),
  );
}

/**
 * What keeps this cart from being ordered, at any store: it is empty, has lines that cannot be sold, or is below the
 * minimum (product.md C22).
 */
export function cartProblems(cart: Cart, country: CountryCatalogue['country']): ApiError[] {
  const problems: ApiError[] = [];
  // No coupon gives anything to an empty cart, so a gift never lies in it alone.
  if (cart.validItems.length === 0 && cart.invalidItems.length === 0)
    problems.push({ code: 'CART_EMPTY', displayMsg: t.cartEmpty });
  for (const line of cart.invalidItems) {
    // Most reasons name the dish themselves.
    const displayMsg = line.reason.includes(line.name) ? line.reason : t.itemProblem(line);
    problems.push({ code: 'ITEM_UNAVAILABLE', displayMsg, field: line.lineId });
  }
  if (problems.length === 0 && cart.minimum.missing > 0) {
    problems.push({
      code: 'MINIMUM_ORDER',
      displayMsg: errors.minimumOrder({ amount: formatMoney(cart.minimum.required, country) }),
    });
  }
  return problems;
}

/**
 * The coupons that would stop applying with this payment mode, so that the customer knows before paying. Nothing else of a
 * price depends on the mode, so nothing is priced again.
 * @param couponCase of the cart as it was priced, with whatever mode
 */
export function paymentModeProblems(state: CartState, couponCase: CouponCase, paymentMode: string): ApiError[] {
  const at = { ...couponCase, paymentMode };
  const held = new Set(foundOn(state, at).flatMap(({ coupon, effect }) => (effect === null ? [] : [coupon.code])));
  return foundOn(state, { ...couponCase, paymentMode: null })
    .filter((entry) => entry.effect !== null && !held.has(entry.coupon.code))
    .map(({ coupon }) => ({
      code: 'COUPON_PAYMENT_MODE',
      field: coupon.code,
      displayMsg: outcomes([coupon.code], new Set(), at).find((entry) => entry.coupon === coupon)?.message ?? '',
    }));
}

/**
 * Joins two carts line by line: a removed line stays removed, otherwise the later change wins. The order of joining
 * makes no difference, and joining again changes nothing. Lines of `a` come first.
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
/** In order of preference: what a pizza order most often lacks. */
const UPSELL_KINDS = ['BEVERAGE', 'SIDE', 'DESSERT', 'CHICKEN', 'RICE_PASTA'];

/**
 * Suggests products for a cart: one per kind in turn, only kinds the cart lacks, bestsellers first, only vegetarian
 * ones for a vegetarian cart.
 */
export function upsellOf(cart: Cart, catalogue: CountryCatalogue, soldOut: ReadonlySet<string>): string[] {
  const inCart = new Set(
    cart.validItems.flatMap((line) => [line.product.id, ...(line.slots ?? []).map((slot) => slot.productId)]),
  );
  const kindsInCart = new Set([...inCart].map((id) => catalogue.items.get(id)?.kind));
  const isVegOnly = cart.vegType === 'YES';
  const pools = UPSELL_KINDS.filter((kind) => !kindsInCart.has(kind as never)).map((kind) =>
    [...catalogue.items.values()]
      .filter(
        (item) =>
          item.kind === kind &&
          !inCart.has(item.id) &&
          !soldOut.has(item.id) &&
          (!isVegOnly || item.foodType === 'VEG'),
      )
      .sort((a, b) => Number(b.tags.includes('bestseller')) - Number(a.tags.includes('bestseller'))),
  );
  const list: string[] = [];
  for (let turn = 0; list.length < UPSELL_AT_MOST && pools.some((pool) => pool.length > turn); turn += 1) {
    for (const pool of pools) {
      const item = pool[turn];
      if (item && list.length < UPSELL_AT_MOST) list.push(item.id);
    }
  }
  return list;
}
