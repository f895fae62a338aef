import type { DeliveryType } from '../../../contract/names.ts';
import type { Takes } from '../../../contract/stores.ts';
import { isServed } from '../../../domain/delivery.ts';
import { nowState, slots } from '../../../domain/hours.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import type { SeedStore } from '../../store/seeds.ts';

/** Minutes between placing an order and the earliest time for which it can be wanted. */
export function leadMinutes(store: SeedStore, deliveryType: DeliveryType): number {
  return Math.ceil(store.prepMinutes + (deliveryType === 'DELIVERY' ? store.deliveryRadiusKm * store.minutesPerKm : 0));
}

/**
 * The store that makes an order for later. An offline store hands its advance orders on; null when no store can take
 * them.
 */
export function advanceStore(
  catalogue: CountryCatalogue,
  store: SeedStore,
  offline: ReadonlySet<string>,
): SeedStore | null {
  if (!offline.has(store.id)) return store;
  const other = catalogue.stores.get(store.advanceOrderStoreId);
  return other && !offline.has(other.id) ? other : null;
}

/** Whether a store takes a type of order now, later or not. Placing an order goes by the same (`storeProblem` in places/stores.ts). */
export function takesOf(
  catalogue: CountryCatalogue,
  store: SeedStore,
  offline: ReadonlySet<string>,
  deliveryType: DeliveryType,
  now: number,
): Takes {
  const { timeZone } = catalogue.country;
  const maker = advanceStore(catalogue, store, offline);
  if (maker === null || ![store, maker].every(({ services }) => isServed(services, deliveryType))) return 'none';
  if (maker === store && nowState(store, now, timeZone).takes) return 'now';
  return slots(maker.hours, now, timeZone, leadMinutes(maker, deliveryType)).length > 0 ? 'later' : 'none';
}
