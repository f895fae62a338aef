import * as t from '#text/alive.ts';
import * as orderText from '#text/orders.ts';
import * as trains from '#text/trains.ts';
import { atom } from 'jotai';
import * as contract from '../../contract/stores.ts';
import type { Kitchen, Store } from '../../contract/stores.ts';
import type { DeliveryType } from '../../contract/names.ts';
import { timeText } from '../../domain/hours.ts';
import { clockAheadAtom } from '../base/clock.ts';
import { countryAtom } from '../base/country.ts';
import { clockAtom, type Clock } from '../first/clock.ts';
import { seatAtom } from '../first/group.ts';
import { deliveryPlaceAtom, deliveryTypeAtom, isStoreGuessedAtom, storeIdAtom } from '../first/location.ts';
import { apiAtom } from '../first/seams.ts';
import { onTrainAtom } from '../trains/onTrain.ts';

const RENEWED_MS = 180_000;
const RETRIED_MS = 30_000;
const LEAST_MS = 1_000;

/** The kitchen that the header speaks of, as text; empty where the store is only a guess or nobody knows where to. */
export const kitchenKeyAtom = atom((get): string => {
  const type = get(deliveryTypeAtom);
  const place = type === 'DELIVERY' ? get(deliveryPlaceAtom) : null;
  if ((get(isStoreGuessedAtom) && !get(seatAtom)) || (type === 'DELIVERY' && !place)) return '';
  const arrivesAt = get(onTrainAtom)?.arrivesAt;
  return [get(storeIdAtom), type, place?.latitude, place?.longitude, arrivesAt].join(' ');
});

/** The words of the header; null where the store does not take orders of this type at all. */
function clockOf(
  type: DeliveryType,
  store: Store,
  { minutes, promiseMinutes, text, isLastHour }: Kitchen,
): Clock | null {
  if (!store.services.includes(type)) return null;
  // What an open store says instead of its hours needs no word before it.
  if (!minutes) return { label: store.isOpen ? '' : t.clockShut, time: text, isUrgent: true, promise: null };
  const label = isLastHour ? text : type === 'DELIVERY' ? t.clockArrives : t.clockReady;
  return { label, time: t.clockMinutes(minutes), isUrgent: isLastHour === true, promise: promiseMinutes };
}

/**
 * Asks the kitchen how soon an order would be there. Never rejects: without an answer nothing is said.
 * @returns milliseconds after which to ask again
 */
export const askKitchenAtom = atom(null, async (get, set): Promise<number> => {
  const key = get(kitchenKeyAtom);
  const trip = get(onTrainAtom);
  if (TRAINS && trip !== null) {
    // The food comes when the train does.
    const time = timeText(trip.arrivesAt, get(countryAtom).timeZone, orderText.clock);
    set(clockAtom, { label: trains.arrives, time, isUrgent: false, promise: null });
    return RENEWED_MS;
  }
  const deliveryType = get(deliveryTypeAtom);
  const place = deliveryType === 'DELIVERY' ? get(deliveryPlaceAtom) : null;
  try {
    const { store, kitchen } = await get(apiAtom).call(contract.byId, {
      storeId: get(storeIdAtom),
      query: {
        kitchen: 'true',
        locality: 'false',
        deliveryType,
        ...(place ? { latitude: String(place.latitude), longitude: String(place.longitude) } : {}),
      },
    });
    if (get(kitchenKeyAtom) !== key) return RETRIED_MS;
    set(clockAtom, kitchen ? clockOf(deliveryType, store, kitchen) : null);
    const changes = (kitchen?.changesAt ?? Infinity) - Date.now() - get(clockAheadAtom);
    return Math.min(RENEWED_MS, Math.max(LEAST_MS, changes + LEAST_MS));
  } catch {
    // An old time of arrival is a wrong one.
    if (get(kitchenKeyAtom) === key) set(clockAtom, null);
    return RETRIED_MS;
  }
});
