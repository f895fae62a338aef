import { GROUP_CODE } from '../../../domain/group.ts';
import { errors, t } from '../../call/language.ts';
import type { DeliveryType } from '../../../contract/names.ts';
import { blockedFor } from '../../call/features.ts';
import { refuse } from '../../call/refusal.ts';
import type { Call } from '../../call/call.ts';
import type { Caller, HostName } from '../../call/caller.ts';
import type { Catalogue, CountryCatalogue } from '../../call/catalogue.ts';
import { readCart, type CartReading } from '../../store/cartReading.ts';
import { cartOwner, takeCart, type CartOwner, type KeptCart } from '../../store/carts.ts';
import { couponStates, historyOf, holdersOf, type History } from '../../store/coupons.ts';
import type { Db, Tx } from '../../store/db.ts';
import { blockedFeatures, isEnabled, MINI_APP_BLOCKED } from '../../../domain/features.ts';
import { optionsFor } from '../payment/modes.ts';
import { parseSwitches } from '../../store/switches.ts';
import { offlineStores, soldOutAt } from '../../store/stores.ts';
import { readSystem, type SystemRow } from '../../store/system.ts';
import { priceCart, type CartState, type PricedCart, type PricingContext } from './cart.ts';
import type { Shopper } from '../offers/couponCase.ts';
import { hasReward } from '../loyalty/loyalty.ts';
import { groupOfCart } from './groupCart.ts';
import type { SeedStore } from '../../store/seeds.ts';

/** The customer that a cart is priced for. */
export interface Buyer {
  readonly country: string;
  readonly host: HostName;
  readonly userId: string;
  /** The number joins a customer's coupon uses across sessions; null if it is not known. */
  readonly mobile: string | null;
  /** False hides partner offers; a mini-app never shows them (product.md C05b). */
  readonly includePartnerOffer?: boolean | undefined;
}

/** The caller as a buyer. Throws for a call without a session. */
export function buyerOf(caller: Caller, includePartnerOffer?: 'true' | 'false'): Buyer {
  if (caller.userId === null) throw new Error('a cart was asked for without a session');
  return {
    country: caller.country,
    host: caller.host,
    userId: caller.userId,
    mobile: caller.mobile,
    includePartnerOffer: includePartnerOffer !== 'false',
  };
}

/** Facts about a customer in the database that coupon rules need. */
export async function shopperOf(db: Db, buyer: Buyer): Promise<Shopper> {
  return shopperWith(await historyOf(db, buyer.country, holdersOf(buyer.userId, buyer.mobile)), buyer);
}

function shopperWith(history: History, buyer: Buyer): Shopper {
  return {
    partnerOffers: buyer.host === 'web' && buyer.includePartnerOffer !== false,
    hasOrdered: history.hasOrdered,
    used: history.used,
    steps: (code, required) => Math.max(0, history.days - required * (history.used.get(code) ?? 0)),
  };
}

/** A store of the country, without test fixtures. @throws Refusal 422 STORE_UNKNOWN */
export function knownStore(catalogue: CountryCatalogue, storeId: string): SeedStore {
  const store = catalogue.stores.get(storeId);
  if (!store || store.fixture === true) refuse(422, 'STORE_UNKNOWN', t.storeTrouble, { field: 'storeId' });
  return store;
}

/**
 * Reads everything outside the cart that its price depends on.
 * @param known what was read with the cart
 */
export async function pricingContextOf(
  db: Db,
  catalogue: CountryCatalogue,
  storeId: string,
  buyer: Buyer,
  now: number,
  card: { bin?: string | null | undefined; cardCodes?: ReadonlySet<string> | undefined } = {},
  seen?: SystemRow,
  known?: Pick<CartReading, 'history' | 'states'>,
): Promise<PricingContext> {
  const store = knownStore(catalogue, storeId);
  const blocked = blockedFeatures(catalogue.country.DISABLED_FEATURES, buyer.host === 'web' ? [] : MINI_APP_BLOCKED);
  return {
    catalogue,
    store,
    now,
    bin: card.bin ?? null,
    cardCodes: card.cardCodes,
    modes: optionsFor(catalogue.country, catalogue.seeds, buyer.host, blocked).map(({ id }) => id),
    soldOut: await soldOutAt(db, storeId, seen),
    offline: await offlineStores(db, buyer.country, seen),
    shopper: known === undefined ? await shopperOf(db, buyer) : shopperWith(known.history, buyer),
    states: known?.states ?? (await couponStates(db, buyer.country)),
  };
}

/** A cart that has never been saved. */
export function emptyState(cartId: string, userId: string, storeId: string): KeptCart {
  return {
    cartId,
    userId,
    version: 0,
    storeId,
    deliveryType: 'DELIVERY',
    lines: [],
    coupons: [],
    declined: [],
    tip: 0,
    carryBag: false,
    cutlery: false,
    paymentMode: null,
  };
}

/**
 * The cart id in the path must be the caller's own.
 * @throws Refusal 404 NOT_FOUND, 403 GROUP_HOST_ONLY for a group's code
 */
export async function mustOwnCart(db: Db, caller: Caller, cartId: string): Promise<void> {
  // It came with the session: no two persons have one cart.
  if (cartId === caller.cartId) return;
  mustBeOwner(await cartOwner(db, cartId), caller, cartId);
}

/** @param owner undefined when nothing was ever put in. @throws Refusal as mustOwnCart */
export function mustBeOwner(owner: CartOwner | undefined, caller: Caller, cartId: string): void {
  if (GROUP_CODE.test(cartId)) refuse(403, 'GROUP_HOST_ONLY', t.groupHostOnly);
  const isOwn =
    owner === undefined
      ? cartId === caller.cartId
      : owner.user_id === caller.userId && owner.country === caller.country;
  if (!isOwn) refuse(404, 'NOT_FOUND', errors.notFound, { field: 'cartId' });
}

/**
 * Values to price a cart with instead of the saved ones. `personId` keeps only that guest's lines, without offers and
 * extras.
 */
export interface PricingOptions {
  readonly storeId?: string | undefined;
  readonly deliveryType?: DeliveryType | undefined;
  readonly paymentMode?: string | null | undefined;
  readonly bin?: string | null | undefined;
  readonly cardCodes?: ReadonlySet<string> | undefined;
  readonly personId?: string | undefined;
  /** Goes to a train; absent: what the cart was saved for. */
  readonly isToTrain?: boolean | undefined;
}

/**
 * A cart, priced as of `now` (epoch ms), inside or outside a transaction. `look` replaces saved values without saving
 * them.
 * @param reading the cart, where it was read with something else
 * @throws Refusal 422 STORE_UNKNOWN
 */
export async function pricedCart(
  db: Db,
  catalogues: Catalogue,
  cartId: string,
  buyer: Buyer,
  now: number,
  look: PricingOptions = {},
  seen?: SystemRow,
  reading?: CartReading,
): Promise<PricedCart & { state: CartState; hasSpun: boolean; context: PricingContext }> {
  const system = seen ?? (await readSystem(db));
  const catalogue = await catalogues.of(db, buyer.country, system);
  const read = reading ?? (await readCart(db, { cartId, ...buyer }));
  const { spin, cart: kept = emptyState(cartId, buyer.userId, catalogue.country.DEFAULT_STORE) } = read;
  // If the saved store has left the catalogue, the default store is used, so that the customer can still open the cart.
  const keptStore = catalogue.stores.has(kept.storeId) ? kept.storeId : catalogue.country.DEFAULT_STORE;
  // A train that cannot be ordered to any more decides no price: the cart will go to a door.
  const { features } = parseSwitches(system.switches);
  const areTrainsOn = isEnabled('irctc', blockedFor(catalogue.country, buyer.host, features));
  const isToTrain = look.isToTrain ?? (kept.trainOrder != null && areTrainsOn);
  const state: CartState = {
    ...kept,
    storeId: look.storeId ?? keptStore,
    deliveryType: look.deliveryType ?? kept.deliveryType,
    isToTrain: (look.deliveryType ?? kept.deliveryType) === 'DELIVERY' && isToTrain,
    paymentMode: look.paymentMode === undefined ? kept.paymentMode : look.paymentMode,
    reward: kept.reward === true && (await hasReward(db, buyer)),
    prizes: spin?.state === 'FREE' && spin.code !== null ? [spin.code] : [],
    ...(kept.groupId ? await groupOfCart(db, kept.groupId, now) : {}),
    ...(look.personId === undefined
      ? {}
      : {
          lines: kept.lines
            .filter((line) => line.personId === look.personId)
            .map(({ personId: _own, ...line }) => line),
          aside: [],
          bestOffer: false,
          coupons: [],
          declined: [...catalogue.coupons.keys()],
          prizes: [],
          reward: false,
          tip: 0,
          carryBag: false,
        }),
  };
  const context = await pricingContextOf(db, catalogue, state.storeId, buyer, now, look, system, read);
  return { ...priceCart(state, context), state, hasSpun: spin !== undefined, context };
}

/**
 * The caller's own cart, priced: whose it is is read with what its price is made from.
 * @throws Refusal as mustOwnCart, 422 STORE_UNKNOWN
 */
export async function ownPricedCart(
  { db, caller, services, now, seen }: Call,
  cartId: string,
  look: PricingOptions = {},
  includePartnerOffer?: 'true' | 'false',
) {
  const buyer = buyerOf(caller, includePartnerOffer);
  const reading = await readCart(db, { cartId, ...buyer });
  mustBeOwner(reading.owner, caller, cartId);
  return await pricedCart(db, services.catalogue, cartId, buyer, now, look, seen, reading);
}

/** Locks the caller's own cart for this transaction; makes it if there is none. @throws Refusal 404 NOT_FOUND */
export async function takeOwnCart(tx: Tx, call: Call, cartId: string): Promise<void> {
  const { caller, services, now } = call;
  await mustOwnCart(tx, caller, cartId);
  const { COUNTRY_CODE: country, DEFAULT_STORE: storeId } = (await services.catalogue.of(tx, caller.country)).country;
  await takeCart(tx, { cartId, userId: buyerOf(caller).userId, country, storeId }, now);
}
