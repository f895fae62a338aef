import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import type { Country } from '../../../../country/shape.ts';
import { DeliveryType } from '../../../contract/names.ts';
import type { Kitchen, Store, Takes, TimeSlot } from '../../../contract/stores.ts';
import type { ApiError } from '../../../contract/reply.ts';
import { DELIVERY_TYPES, isServed } from '../../../domain/delivery.ts';
import { byDistance, distanceKm, shownKm, type Point } from '../../../domain/geo.ts';
import { nowState, slots, type NowState } from '../../../domain/hours.ts';
import { errors, t } from '../../call/language.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { refuse } from '../../call/refusal.ts';
import type { SeedStore } from '../../store/seeds.ts';
import { advanceStore, leadMinutes, takesOf } from '../catalogue/taking.ts';
import { arrivalMinutes, promiseNow } from '../order/arrival.ts';
import { hoursText, lastOrderOverText, lastOrderText, slotText } from './hours.ts';

const NEAREST_KEPT = 5;
/** Nobody drives farther than this for a pizza. */
const TAKEAWAY_WITHIN_KM = 30;
/** The last order is told when it is this near, in ms. */
const LAST_ORDER_MS = HOUR_MS;
const HIDDEN_LOCALITY = 'pokhra';

/** The stores that customers may see. Fixtures exist only for tests of lists (specification section 5). */
export function visibleStores(catalogue: CountryCatalogue): SeedStore[] {
  return [...catalogue.stores.values()].filter(
    (store) => store.fixture !== true && store.locality.toLowerCase() !== HIDDEN_LOCALITY,
  );
}

/**
 * Reads delivery types: `PICKUP,CURB` asks for either of them, an absent or empty text for any. Null if a word is not a
 * type.
 */
export function wantedTypes(text: string | undefined): DeliveryType[] | null {
  if (text === undefined || text.trim() === '') return [...DELIVERY_TYPES];
  const list = text.split(',').map((word) => DeliveryType.safeParse(word.trim().toUpperCase()));
  return list.every((entry) => entry.success) ? list.flatMap((entry) => (entry.success ? [entry.data] : [])) : null;
}

/** The same, of a field of a call. @throws Refusal 400 INVALID_INPUT */
export const typesOr400 = (text: string | undefined, field: string): DeliveryType[] =>
  wantedTypes(text) ?? refuse(400, 'INVALID_INPUT', t.badInput, { field });

export function serves(store: SeedStore, types: readonly DeliveryType[]): boolean {
  return types.some((type) => isServed(store.services, type));
}

/** What a store says of orders for now: its hours, or that the last order is over. */
export function nowText({ timeZone }: Country, { hours }: SeedStore, state: NowState, now: number): string {
  return state.isOpen && !state.takes ? lastOrderOverText(state.lastAt, timeZone) : hoursText(hours, now, timeZone);
}

/** A store as the API shows it. `from` adds the distance; `offline` are the ids of stores that take no orders now. */
export function storeView(
  catalogue: CountryCatalogue,
  store: SeedStore,
  offline: ReadonlySet<string>,
  now: number,
  from?: Point,
): Store {
  const { country } = catalogue;
  const km = from === undefined ? null : distanceKm(from, store);
  const maker = advanceStore(catalogue, store, offline);
  const state = nowState(store, now, country.timeZone);
  const services = DELIVERY_TYPES.filter((type) => isServed(store.services, type));
  const takes = Object.fromEntries(
    services.map((type) => [type, takesOf(catalogue, store, offline, type, now)]),
  ) as Partial<Record<DeliveryType, Takes>>;
  return {
    id: store.id,
    name: store.name,
    city: store.city,
    locality: store.locality,
    address: store.address,
    postcode: store.postcode,
    latitude: store.latitude,
    longitude: store.longitude,
    online: offline.has(store.id) ? 0 : 1,
    advanceOrderStoreId: store.advanceOrderStoreId,
    ...(maker === null || maker === store ? {} : { advanceOrderStore: { name: maker.name, address: maker.address } }),
    services,
    takes,
    ...(km === null ? {} : { distanceKm: shownKm(km) }),
    isOpen: state.takes,
    hoursText: nowText(country, store, state, now),
    // Minutes are of an order that is made at once.
    ...(takes.DELIVERY === 'now' && (km === null || km <= store.deliveryRadiusKm)
      ? { deliveryMinutes: arrivalMinutes(country, store, 'DELIVERY', { km, now }) }
      : {}),
    dineInTables: store.dineInTables,
    curbBays: store.curbBays,
  };
}

/**
 * What the store can do for an order of this type that is placed now. `delayMs` is what a full kitchen adds, `from` the
 * place it is brought to.
 */
export function kitchenNow(
  catalogue: CountryCatalogue,
  store: SeedStore,
  order: { deliveryType: DeliveryType; from: Point | null; delayMs: number },
  offline: ReadonlySet<string>,
  now: number,
): Kitchen {
  const { country } = catalogue;
  const { deliveryType, from, delayMs } = order;
  const takes = takesOf(catalogue, store, offline, deliveryType, now);
  const state = nowState(store, now, country.timeZone);
  const text = nowText(country, store, state, now);
  if (!state.isOpen || takes !== 'now') {
    const isServing = isServed(store.services, deliveryType);
    return {
      minutes: null,
      promiseMinutes: null,
      text: takes === 'later' ? (state.takes ? t.laterOnly : text) : isServing ? t.noOrders : text,
      changesAt: !state.isOpen ? state.opensAt : state.takes ? state.lastAt : state.closesAt,
    };
  }
  const km = from === null ? null : distanceKm(from, store);
  const minutes = arrivalMinutes(country, store, deliveryType, { km, now, delayMs });
  const { lastAt } = state;
  const isLastHour = lastAt - now <= LAST_ORDER_MS;
  return {
    minutes,
    promiseMinutes: promiseNow(country, deliveryType, minutes, now),
    text: isLastHour ? lastOrderText(lastAt, country.timeZone) : text,
    isLastHour,
    changesAt: isLastHour ? lastAt : lastAt - LAST_ORDER_MS,
  };
}

export const nearestFirst = (catalogue: CountryCatalogue, stores: readonly SeedStore[], from: Point): SeedStore[] =>
  byDistance(stores, from).map(({ id }) => catalogue.stores.get(id)!);

/** Nearest first, five at most (specification section 9). */
export function nearestStores(catalogue: CountryCatalogue, types: readonly DeliveryType[], from: Point): SeedStore[] {
  const serving = visibleStores(catalogue).filter((store) => serves(store, types));
  return nearestFirst(catalogue, serving, from).slice(0, NEAREST_KEPT);
}

export type Lookup =
  | { readonly kind: 'found'; readonly store: SeedStore }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'none'; readonly pickup: SeedStore | null };

/**
 * The store for a point and a delivery type: one that delivers there or, for other types, one within reach. A store
 * that takes orders goes before a nearer one that does not, and the one that is wanted before all. If none takes them,
 * the nearest one still counts that takes orders for later.
 */
export function lookUp(
  catalogue: CountryCatalogue,
  deliveryType: DeliveryType,
  from: Point,
  offline: ReadonlySet<string>,
  now: number,
  wanted?: string,
): Lookup {
  const near = byDistance(visibleStores(catalogue), from).map(({ id }) => catalogue.stores.get(id)!);
  const within = (store: SeedStore, km: number) => distanceKm(from, store) <= km;
  const reaching = near.filter(
    (store) =>
      isServed(store.services, deliveryType) &&
      within(store, deliveryType === 'DELIVERY' ? store.deliveryRadiusKm : TAKEAWAY_WITHIN_KM),
  );
  const isTaking = (store: SeedStore) => takesOf(catalogue, store, offline, deliveryType, now) !== 'none';
  const chosen = reaching.find((store) => store.id === wanted);
  const able = (chosen ? [chosen] : reaching).filter(isTaking);
  const store = able.find(({ id }) => !offline.has(id)) ?? able[0];
  if (store) return { kind: 'found', store };
  if (reaching.length > 0) return { kind: 'unavailable' };
  const pickup = near.find(
    (store) => serves(store, ['PICKUP', 'CURB']) && within(store, TAKEAWAY_WITHIN_KM) && !offline.has(store.id),
  );
  return { kind: 'none', pickup: pickup ?? null };
}

/** The slots of today and tomorrow that can still be kept. */
export function slotsOf(country: Country, store: SeedStore, deliveryType: DeliveryType, now: number): TimeSlot[] {
  return slots(store.hours, now, country.timeZone, leadMinutes(store, deliveryType)).map((slot) => ({
    id: slot.id,
    label: slotText(slot, country.timeZone),
    startsAt: slot.startsAt,
  }));
}

/** A slot by its id; null when it cannot be kept, or no longer. */
export function slotById(
  country: Country,
  store: SeedStore,
  deliveryType: DeliveryType,
  slotId: string,
  now: number,
): TimeSlot | null {
  return slotsOf(country, store, deliveryType, now).find((slot) => slot.id === slotId) ?? null;
}

/**
 * Why a store cannot take this order; null if it can. Orders for a slot are taken outside opening hours too, and by an
 * offline store that has another one for its advance orders.
 */
export function storeProblem(
  catalogue: CountryCatalogue,
  store: SeedStore,
  offline: ReadonlySet<string>,
  order: { deliveryType: DeliveryType; slotId: string | null },
  now: number,
): ApiError | null {
  const { country } = catalogue;
  if (!isServed(store.services, order.deliveryType)) {
    return {
      code: 'SERVICE_NOT_OFFERED',
      displayMsg: t.typeNotOffered({ type: order.deliveryType }),
      field: 'deliveryType',
    };
  }
  const maker = advanceStore(catalogue, store, offline);
  if (maker === null || !isServed(maker.services, order.deliveryType))
    return { code: '2.STORENA', displayMsg: t.storeTrouble, field: 'storeId' };
  if (order.slotId !== null) {
    return slotById(country, maker, order.deliveryType, order.slotId, now) === null
      ? { code: 'SLOT_INVALID', displayMsg: t.slotInvalid, field: 'slotId' }
      : null;
  }
  if (maker !== store) return { code: '2.STORENA', displayMsg: errors.advanceOrderOnly, field: 'storeId' };
  const state = nowState(store, now, country.timeZone);
  if (state.takes) return null;
  const say = state.isOpen ? t.storeClosing : t.storeClosed;
  const displayMsg = say({ hours: nowText(country, store, state, now) });
  return { code: 'STORE_CLOSED', displayMsg, field: 'slotId' };
}

/** The slots for which an order of this type at this store would be made, by it or by the store that makes its orders for later. */
export function ownSlots(
  catalogue: CountryCatalogue,
  store: SeedStore,
  offline: ReadonlySet<string>,
  deliveryType: DeliveryType,
  now: number,
): TimeSlot[] {
  const maker = advanceStore(catalogue, store, offline);
  const isServing = [store, maker].every((one) => one !== null && isServed(one.services, deliveryType));
  return isServing ? slotsOf(catalogue.country, maker!, deliveryType, now) : [];
}

/** Minutes until a thing is there that is wanted at this instant. */
export function minutesTo(now: number, from: number, to = from): { from: number; to: number } {
  const minutes = (at: number) => Math.max(0, Math.round((at - now) / MINUTE_MS));
  return { from: minutes(from), to: minutes(to) };
}

/**
 * How long an order takes that is placed now, in minutes: until its slot, until the first one where the store makes
 * nothing at once, else as the kitchen works. `km` and `delayMs` as in `arrivalMinutes`.
 */
export function orderMinutes(
  catalogue: CountryCatalogue,
  store: SeedStore,
  offline: ReadonlySet<string>,
  order: { deliveryType: DeliveryType; slotId: string | null; km: number | null; delayMs: number },
  now: number,
): { from: number; to: number } {
  const { country } = catalogue;
  const { deliveryType, slotId, km, delayMs } = order;
  const maker = advanceStore(catalogue, store, offline);
  if (slotId !== null || maker !== store || !nowState(store, now, country.timeZone).takes) {
    const slots = slotsOf(country, maker ?? store, deliveryType, now);
    const slot = slots.find(({ id }) => id === slotId) ?? slots[0];
    if (slot !== undefined) return minutesTo(now, slot.startsAt);
  }
  return arrivalMinutes(country, store, deliveryType, { km, now, delayMs });
}

export const sameText = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

export function citiesOf(
  catalogue: CountryCatalogue,
  types: readonly DeliveryType[],
): { city: string; stores: number }[] {
  const counts = new Map<string, number>();
  for (const store of visibleStores(catalogue))
    if (serves(store, types)) counts.set(store.city, (counts.get(store.city) ?? 0) + 1);
  return [...counts].map(([city, stores]) => ({ city, stores })).sort((a, b) => a.city.localeCompare(b.city, 'en'));
}

export function storesOfCity(catalogue: CountryCatalogue, city: string): SeedStore[] {
  return visibleStores(catalogue).filter((store) => sameText(store.city, city));
}

/** A path names a city that has a store. @throws Refusal 404 NOT_FOUND */
export function mustHaveStores(catalogue: CountryCatalogue, city: string): void {
  if (storesOfCity(catalogue, city).length === 0) refuse(404, 'NOT_FOUND', errors.notFound, { field: 'city' });
}
