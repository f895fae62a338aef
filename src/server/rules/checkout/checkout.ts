import type * as z from 'zod/mini';
import type { AddressInput } from '../../../contract/addresses.ts';
import type { Bill, CartLine } from '../../../contract/cart.ts';
import type { DeliveryType, PaymentMode, Position } from '../../../contract/names.ts';
import type { Customer, Vehicle } from '../../../contract/orders.ts';
import type { PaymentOption } from '../../../contract/payments.ts';
import type { ApiError } from '../../../contract/reply.ts';
import type { TimeSlot } from '../../../contract/stores.ts';
import { needsVehicle } from '../../../domain/delivery.ts';
import { isEmail } from '../../../domain/email.ts';
import { distanceKm } from '../../../domain/geo.ts';
import { isEnabled } from '../../../domain/features.ts';
import { blockedFor } from '../../call/features.ts';
import { errors, railway, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { DUPLICATE_WINDOW_MINUTES } from '../../../domain/orders.ts';
import { phoneNumber } from '../../../domain/phone.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { userIdOf } from '../../call/call.ts';
import type { Call } from '../../call/call.ts';
import { cardOffersOf } from '../../store/cardOffers.ts';
import { readCart } from '../../store/cartReading.ts';
import type { Db } from '../../store/db.ts';
import { keepLock, latestOrderSince, lockOf } from '../../store/orders.ts';
import { parseSwitches } from '../../store/switches.ts';
import type { SubmitReading } from '../../store/submitReading.ts';
import { readSystem } from '../../store/system.ts';
import { offlineStores } from '../../store/stores.ts';
import { trainByEither, type TrainRow } from '../../store/trains.ts';
import {
  cartProblems,
  paymentModeProblems,
  type CartState,
  type PricedCost,
  type PricingContext,
} from '../cart/cart.ts';
import type { CouponCase } from '../offers/couponCase.ts';
import { firstOrderProblems } from '../offers/firstOrder.ts';
import { deviceOf } from '../people/devices.ts';
import { trainProblems } from '../trains/saved.ts';
import { isOwnMode } from '../payment/funds.ts';
import { linkableProvider } from '../payment/linkedWallets.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { modeProblem } from '../payment/modes.ts';
import { kitchenDelayNow } from '../order/kitchen.ts';
import { buyerOf, mustBeOwner, pricedCart } from '../cart/pricingContext.ts';
import type { SeedStore } from '../../store/seeds.ts';
import { advanceStore } from '../catalogue/taking.ts';
import { minutesTo, orderMinutes, slotById, storeProblem } from '../places/stores.ts';

/** How long a quoted bill stays valid (product.md 3.4). */
const LOCK_MS = 10 * MINUTE_MS;

export type CustomerInput = z.output<typeof Customer>;

/** What a checkout sends besides its cart. */
export interface Basket {
  readonly cartId: string;
  readonly storeId: string;
  readonly deliveryType: DeliveryType;
  readonly address?: z.output<typeof AddressInput> | null | undefined;
  /** Where it is brought to, while the address is not whole. */
  readonly near?: Position | undefined;
  readonly vehicle?: Vehicle | null | undefined;
  readonly table?: string | null | undefined;
  readonly slotId?: string | null | undefined;
  /** A saved train order: to its station and at its time. */
  readonly train?: string | null | undefined;
  readonly customer?: CustomerInput | null | undefined;
  readonly paymentMode?: PaymentMode | undefined;
  /** Token of the chosen card; decides which card offers apply. */
  readonly cardToken?: string | undefined;
  /** What the customer's balances may pay; the payment mode pays the rest. */
  readonly held?: number | undefined;
  /** Paid from the provider's wallet that is linked to the account. */
  readonly linked?: boolean | undefined;
}

/** The part of a priced cart that goes into the order. */
export interface Quote {
  readonly bill: Bill;
  readonly lines: readonly CartLine[];
  readonly applied: readonly string[];
  readonly pizzas: number;
  /** Points pay for a pizza; absent in a quote of an older release. */
  readonly isRewarded?: boolean;
  /** What each line costs; absent in a quote of an older release. */
  readonly costs?: readonly PricedCost[];
}

export interface CheckoutReview {
  readonly problems: ApiError[];
  readonly catalogue: CountryCatalogue;
  /** The store that makes the order: an offline store passes orders for later to another one. */
  readonly maker: SeedStore;
  readonly slot: TimeSlot | null;
  readonly offline: ReadonlySet<string>;
  readonly quote: Quote;
  readonly state: CartState;
  /** Whether the wheel was ever spun for this cart. */
  readonly hasSpun: boolean;
  readonly context: PricingContext;
  readonly couponCase: CouponCase;
  readonly mobile: string | null;
  readonly options: readonly PaymentOption[];
  /** The train that it goes to. */
  readonly train: TrainRow | null;
}

/**
 * Prices the cart now and lists everything that keeps it from being ordered, all at once (product.md PAY-12). `final`
 * is what a submit has read after it locked the cart: by then the card is known, so a card offer needs a card that
 * qualifies.
 */
export async function check(
  db: Db,
  call: Call,
  basket: Basket,
  options: readonly PaymentOption[],
  final?: SubmitReading,
): Promise<CheckoutReview> {
  const { caller, now, services } = call;
  const isFinal = final !== undefined;
  const seen = final?.system ?? (await readSystem(db));
  // A number that was typed decides no price: nobody finds out who is a customer.
  const buyer = buyerOf(caller);
  const reading = final ?? (await readCart(db, { cartId: basket.cartId, ...buyer }));
  mustBeOwner(reading.owner, caller, basket.cartId);
  const catalogue = await services.catalogue.of(db, caller.country, seen);
  const { country } = catalogue;
  const mobile = basket.customer ? phoneNumber(basket.customer.mobile, country) : null;
  const cardCodes =
    basket.paymentMode === 'CARD' && (isFinal || basket.cardToken !== undefined)
      ? await cardOffersOf(db, userIdOf(call), basket.cardToken, now)
      : undefined;
  const priced = await pricedCart(
    db,
    services.catalogue,
    basket.cartId,
    buyer,
    now,
    {
      storeId: basket.storeId,
      deliveryType: basket.deliveryType,
      paymentMode: basket.paymentMode ?? null,
      cardCodes,
      isToTrain: basket.train != null,
    },
    seen,
    reading,
  );
  const { context, state, cart } = priced;
  const { store } = context;
  const offline = await offlineStores(db, caller.country, seen);
  const slotId = basket.slotId ?? null;
  const train = await trainOf(db, basket);
  const maker = train === null ? (advanceStore(catalogue, store, offline) ?? store) : store;
  const problems = cartProblems(cart, country);
  problems.push(...(await wayProblems(db, call, basket, { catalogue, store, offline, train, mobile })));
  if (basket.customer) problems.push(...customerProblems(basket.customer, mobile, country));
  if (basket.paymentMode !== undefined) {
    const rest = Math.max(0, cart.bill.total - (basket.held ?? 0));
    const mode = isOwnMode(basket.paymentMode)
      ? rest === 0
        ? null
        : { code: 'FUNDS_SHORT', displayMsg: t.fundsShort, field: 'paymentMode' }
      : modeProblem(country, options, basket.paymentMode, rest);
    if (mode !== null) problems.push(mode);
    else problems.push(...paymentModeProblems(state, priced.couponCase, basket.paymentMode));
  }
  problems.push(...(await firstOrderProblems(db, catalogue, priced.applied, caller, firstOrderOf(call, basket), now)));
  return {
    problems,
    catalogue,
    maker,
    offline,
    state,
    hasSpun: priced.hasSpun,
    context,
    couponCase: priced.couponCase,
    mobile,
    options,
    train,
    slot: slotId === null ? null : slotById(country, maker, basket.deliveryType, slotId, now),
    quote: {
      bill: cart.bill,
      lines: cart.validItems,
      applied: priced.applied,
      pizzas: priced.pizzas,
      isRewarded: priced.isRewarded,
      costs: priced.costs,
    },
  };
}

const trainOf = async (db: Db, { train }: Pick<Basket, 'train'>): Promise<TrainRow | null> =>
  train == null ? null : ((await trainByEither(db, train)) ?? null);

/** What keeps the store from bringing or handing over the order: to a train, or in another way. */
async function wayProblems(
  db: Db,
  call: Call,
  basket: Basket,
  {
    catalogue,
    store,
    offline,
    train,
    mobile,
  }: Pick<CheckoutReview, 'catalogue' | 'offline' | 'train' | 'mobile'> & { readonly store: SeedStore },
): Promise<ApiError[]> {
  if (basket.train != null) {
    const { features } = parseSwitches(call.seen.switches);
    if (!isEnabled('irctc', blockedFor(catalogue.country, call.caller.host, features, call.services)))
      refuse(403, 'FEATURE_BLOCKED', railway.trainsOff);
    return await trainProblems(call, db, train ?? undefined, { storeId: store.id, mobile });
  }
  const { deliveryType, slotId = null } = basket;
  const atStore = storeProblem(catalogue, store, offline, { deliveryType, slotId }, call.now);
  return [...(atStore === null ? [] : [atStore]), ...placeProblems(basket, store)];
}

/** When the order would arrive, if it were placed now. */
export async function minutesFor(
  { db, now }: Call,
  { deliveryType, slotId = null, address, near }: Basket,
  { catalogue, context, maker, offline, train }: CheckoutReview,
): Promise<{ from: number; to: number }> {
  // It is there when the train is.
  if (train !== null) return minutesTo(now, train.arrives_at, train.departs_at);
  const { store } = context;
  const to = address ?? near;
  const km = deliveryType === 'DELIVERY' && to ? distanceKm(store, to) : null;
  const delayMs = await kitchenDelayNow(db, maker, now);
  return orderMinutes(catalogue, store, offline, { deliveryType, slotId, km, delayMs }, now);
}

/** What an offer for a first order looks at. */
export function firstOrderOf(
  call: Call,
  basket: Pick<Basket, 'address' | 'cardToken' | 'linked' | 'paymentMode' | 'train'> & {
    readonly deliveryType: string;
  },
) {
  const { address, cardToken, linked, paymentMode } = basket;
  const wallet = linked === true && paymentMode !== undefined ? linkableProvider(paymentMode)?.id : null;
  const deliveryType = basket.train == null ? basket.deliveryType : 'IRCTC';
  return { deliveryType, address, cardToken, wallet, device: deviceOf(call) };
}

/** Problems with the address, vehicle or table; each delivery type needs at most one of them. */
export function placeProblems(
  basket: Pick<Basket, 'deliveryType' | 'address' | 'vehicle' | 'table'>,
  store: SeedStore,
): ApiError[] {
  const { deliveryType, address, vehicle, table } = basket;
  if (deliveryType === 'DELIVERY') {
    if (!address) return [{ code: 'ADDRESS_MISSING', displayMsg: errors.addressMissing, field: 'address' }];
    if (distanceKm(store, address) > store.deliveryRadiusKm)
      return [{ code: 'OUT_OF_RANGE', displayMsg: errors.noDeliveryHere, field: 'address' }];
  }
  if (needsVehicle(deliveryType) && !vehicle)
    return [{ code: 'VEHICLE_MISSING', displayMsg: errors.vehicleMissing, field: 'vehicle' }];
  return deliveryType === 'DINEIN' ? tableProblems(table, store) : [];
}

/** The problem with the number of a table to eat at, if there is one. */
export function tableProblems(table: string | null | undefined, store: Pick<SeedStore, 'dineInTables'>): ApiError[] {
  const number = table ?? '';
  if (number === '') return [{ code: 'TABLE_MISSING', displayMsg: errors.tableMissing, field: 'table' }];
  if (/^\d{1,3}$/.test(number) && Number(number) >= 1 && Number(number) <= store.dineInTables) return [];
  return [{ code: 'TABLE_UNKNOWN', displayMsg: t.tableUnknown({ tables: store.dineInTables }), field: 'table' }];
}

export function customerProblems(
  customer: CustomerInput,
  mobile: string | null,
  country: CountryCatalogue['country'],
): ApiError[] {
  const problems: ApiError[] = [];
  if (customer.firstName === '')
    problems.push({ code: 'FIRST_NAME', displayMsg: errors.firstNameMissing, field: 'customer.firstName' });
  if (mobile === null)
    problems.push({
      code: 'INVALID_MOBILE',
      displayMsg: errors.mobileInvalid({ digits: country.PHONE_DIGIT }),
      field: 'customer.mobile',
    });
  if (customer.email !== undefined && customer.email !== '' && !isEmail(customer.email)) {
    problems.push({ code: 'INVALID_EMAIL', displayMsg: errors.emailInvalid, field: 'customer.email' });
  }
  return problems;
}

/** Key of a price lock: everything besides the cart that decides the price. */
function contextOf(
  basket: Pick<Basket, 'storeId' | 'deliveryType' | 'train'>,
  mode: PaymentMode | undefined,
  cardCodes: ReadonlySet<string> | undefined,
  { reward }: Pick<CartState, 'reward'>,
): string {
  const card = cardCodes === undefined ? '' : ` card ${[...cardCodes].sort().join(' ')}`;
  // A release that knows no rewards finds no quote with one, and so gives none away.
  const train = basket.train == null ? '' : ' train';
  return `${basket.storeId} ${basket.deliveryType} ${mode ?? ''}${card}${reward === true ? ' reward' : ''}${train}`;
}

/**
 * The bill that will be charged for the next ten minutes: an earlier quote of the same cart if one still holds, else
 * this one. While a dish cannot be sold nothing can be ordered: the bill is that of the others, and nobody holds it.
 */
export async function lockPrice(
  db: Db,
  call: Call,
  basket: Basket,
  checked: CheckoutReview,
): Promise<{ quote: Quote; lockedUntil?: number }> {
  const { state, quote } = checked;
  // An earlier quote has the dish that cannot be sold now in it, and nobody can order for that price.
  if (checked.problems.some(({ code }) => code === 'ITEM_UNAVAILABLE')) return { quote };
  const context = contextOf(basket, basket.paymentMode, checked.context.cardCodes, state);
  const lockedUntil = call.now + LOCK_MS;
  const locked = await keepLock(
    db,
    {
      cart_id: basket.cartId,
      cart_version: state.version,
      context,
      user_id: userIdOf(call),
      total: quote.bill.total,
      quote: JSON.stringify(quote),
      priced_at: call.now,
      locked_until: lockedUntil,
    },
    call.now,
  );
  if (locked) return { quote, lockedUntil };
  const earlier = await lockOf(db, basket.cartId, state.version, context, call.now);
  return earlier === undefined
    ? { quote }
    : { quote: JSON.parse(earlier.quote) as Quote, lockedUntil: earlier.locked_until };
}

/**
 * Quotes of this cart that still hold: for the chosen payment mode and card, for the mode alone, or from before a mode
 * was chosen.
 */
export async function promisedQuotes(
  db: Db,
  basket: Basket & { readonly cartVersion: number },
  { context: { cardCodes }, state }: CheckoutReview,
  now: number,
): Promise<Quote[]> {
  const found: Quote[] = [];
  for (const context of new Set([
    contextOf(basket, basket.paymentMode, cardCodes, state),
    contextOf(basket, basket.paymentMode, undefined, state),
    contextOf(basket, undefined, undefined, state),
  ])) {
    const lock = await lockOf(db, basket.cartId, basket.cartVersion, context, now);
    if (lock !== undefined) found.push(JSON.parse(lock.quote) as Quote);
  }
  return found;
}

/** Orders after this time (epoch ms) may be the same one again. */
export const duplicatesSince = (now: number): number => now - DUPLICATE_WINDOW_MINUTES * MINUTE_MS;
export async function duplicateOf(db: Db, userId: string, now: number): Promise<{ id: string } | undefined> {
  return await latestOrderSince(db, userId, duplicatesSince(now));
}
