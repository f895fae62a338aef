import { GROUP_CODE } from '../../domain/group.ts';
import { GROUP_HOST_ONLY, NOT_FOUND, STORE_TROUBLE } from '../../domain/messages.ts';
import type { DeliveryType } from '../../contract/names.ts';
import { refuse } from '../http/refusal.ts';
import type { Caller, Partner } from '../http/route.ts';
import type { Catalogue } from '../store/catalogue.ts';
import { cartOwner, cartState } from '../store/carts.ts';
import { couponStates, historyOf, holdersOf } from '../store/coupons.ts';
import type { Db } from '../store/db.ts';
import { blockedFeatures, MINI_APP_BLOCKED } from '../../domain/features.ts';
import { spinOf } from '../store/wheel.ts';
import { optionsFor } from './modes.ts';
import { soldOutAt } from '../store/stores.ts';
import { readSystem, type SystemRow } from '../store/system.ts';
import { priceCart, type CartState, type PricedCart, type Scene } from './cart.ts';
import type { Shopper } from './coupons.ts';
import { groupOfCart } from './groupCart.ts';
import type { CountryCatalogue } from './menu.ts';
import type { SeedStore } from './seeds.ts';

/** Who a cart is priced for. */
export interface Buyer {
  readonly country: string;
  readonly partner: Partner;
  readonly userId: string;
  /** Known numbers join a customer's uses of a coupon across sessions. */
  readonly mobile: string | null;
  /** False hides partner offers; a mini-app never has them (product.md C05b). */
  readonly includePartnerOffer?: boolean | undefined;
}

/** The session behind a call as a buyer. Sessions only: an open call has none. */
export function buyerOf(caller: Caller, includePartnerOffer?: 'true' | 'false' | undefined): Buyer {
  if (caller.userId === null) throw new Error('a cart was asked for without a session');
  return { country: caller.country, partner: caller.partner, userId: caller.userId, mobile: caller.mobile, includePartnerOffer: includePartnerOffer !== 'false' };
}

/** What the database knows of a customer that coupons ask about. */
export async function shopperOf(db: Db, buyer: Buyer): Promise<Shopper> {
  const history = await historyOf(db, buyer.country, holdersOf(buyer.userId, buyer.mobile));
  return {
    partnerOffers: buyer.partner === 'web' && buyer.includePartnerOffer !== false,
    hasOrdered: history.hasOrdered, used: history.used,
    steps: (code, required) => Math.max(0, history.days - required * (history.used.get(code) ?? 0)),
  };
}

/** A store of the country that customers may see. @throws Refusal 422 STORE_UNKNOWN */
export function knownStore(catalogue: CountryCatalogue, storeId: string): SeedStore {
  const store = catalogue.stores.get(storeId);
  if (!store || store.fixture === true) refuse(422, 'STORE_UNKNOWN', STORE_TROUBLE, { field: 'storeId' });
  return store;
}

/** Everything around a cart that its price depends on, read now. */
export async function sceneOf(db: Db, catalogue: CountryCatalogue, storeId: string, buyer: Buyer, now: number, card: { bin?: string | null | undefined; cardCodes?: ReadonlySet<string> | undefined } = {}, seen?: SystemRow): Promise<Scene> {
  const store = knownStore(catalogue, storeId);
  const blocked = blockedFeatures(catalogue.country.DISABLED_FEATURES, buyer.partner === 'web' ? [] : MINI_APP_BLOCKED);
  return {
    catalogue, store, now, bin: card.bin ?? null, cardCodes: card.cardCodes,
    modes: optionsFor(catalogue.country, catalogue.seeds, buyer.partner, blocked).map(({ id }) => id),
    soldOut: await soldOutAt(db, storeId, seen),
    shopper: await shopperOf(db, buyer),
    states: await couponStates(db, buyer.country),
  };
}

/** A cart that nothing was put into yet. */
export function emptyState(cartId: string, userId: string, storeId: string): CartState {
  return {
    cartId, userId, version: 0, storeId, deliveryType: 'DELIVERY', lines: [], coupons: [], declined: [],
    tip: 0, carryBag: false, cutlery: false, paymentMode: null,
  };
}

/** A cart id of the path belongs to the caller, or is not to be found. @throws Refusal 404 NOT_FOUND */
export async function mustOwnCart(db: Db, caller: Caller, cartId: string): Promise<void> {
  const owner = await cartOwner(db, cartId);
  if (GROUP_CODE.test(cartId)) refuse(403, 'GROUP_HOST_ONLY', GROUP_HOST_ONLY);
  const isOwn = owner === undefined ? cartId === caller.cartId : owner.user_id === caller.userId && owner.country === caller.country;
  if (!isOwn) refuse(404, 'NOT_FOUND', NOT_FOUND, { field: 'cartId' });
}

/** What a look at a cart may differ in from what was saved; `personId` leaves only that guest's lines, without offers and extras. */
export interface Look { readonly storeId?: string | undefined; readonly deliveryType?: DeliveryType | undefined; readonly paymentMode?: string | null | undefined; readonly bin?: string | null | undefined; readonly cardCodes?: ReadonlySet<string> | undefined; readonly personId?: string | undefined }

/**
 * A cart, priced as it is at `now` (epoch ms); works in and out of a transaction. `look` overrides what was saved without saving it.
 * @throws Refusal 422 STORE_UNKNOWN
 */
export async function pricedCart(db: Db, catalogues: Catalogue, cartId: string, buyer: Buyer, now: number, look: Look = {}, seen?: SystemRow): Promise<PricedCart & { state: CartState; scene: Scene }> {
  const system = seen ?? await readSystem(db);
  const catalogue = await catalogues.of(db, buyer.country, system);
  const kept = await cartState(db, cartId) ?? emptyState(cartId, buyer.userId, catalogue.country.DEFAULT_STORE);
  const spin = await spinOf(db, cartId);
  // A store that has left the catalogue must not lock a customer out of the cart.
  const keptStore = catalogue.stores.has(kept.storeId) ? kept.storeId : catalogue.country.DEFAULT_STORE;
  const state: CartState = {
    ...kept, storeId: look.storeId ?? keptStore, deliveryType: look.deliveryType ?? kept.deliveryType,
    paymentMode: look.paymentMode === undefined ? kept.paymentMode : look.paymentMode,
    prizes: spin?.state === 'FREE' && spin.code !== null ? [spin.code] : [],
    ...(kept.groupId ? await groupOfCart(db, kept.groupId, now) : {}),
    ...(look.personId === undefined ? {} : {
      lines: kept.lines.filter((line) => line.personId === look.personId).map(({ personId: _own, ...line }) => line),
      coupons: [], declined: [...catalogue.coupons.keys()], prizes: [], tip: 0, carryBag: false,
    }),
  };
  const scene = await sceneOf(db, catalogue, state.storeId, buyer, now, look, system);
  return { ...priceCart(state, scene), state, scene };
}
