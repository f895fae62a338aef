import { atom } from 'jotai';
import * as z from 'zod/mini';
import { DeliveryType } from '../../contract/names.ts';
import { kept } from '../first/lib/kept.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom, storeIdAtom } from '../first/location.ts';
import { schemas } from '../schemas.ts';
import type { Store } from '../../contract/stores.ts';

/** The station that an order is put together for. Times are epoch ms of the server's clock. */
const Trip = z.object({
  trainOrderId: z.string(),
  stationId: z.string(),
  storeId: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** For the bar at the top: station and train. */
  text: z.string(),
  arrivesAt: z.number(),
  orderUntil: z.number(),
  /** Where the customer had ordered to, and where the next order goes again. */
  before: z.object({ type: DeliveryType, place: schemas.place, store: schemas.store }),
});
export type Trip = z.output<typeof Trip>;

/** STATION_ID of the specification, section 3. */
const heldAtom = kept<Trip | null>({
  key: 'station-id',
  schema: z.nullable(Trip),
  initial: null,
  forget: 'logout',
});

/** The same, also after the customer has left the train. */
export const keptTripAtom = atom((get): Trip | null => get(heldAtom));

/**
 * The train that the cart is for; null: it is for no train. Whoever chooses another place, store or way of receiving the
 * food has left the train with that.
 */
export const tripAtom = atom((get): Trip | null => {
  const trip = get(heldAtom);
  const isChosen =
    trip !== null &&
    get(deliveryTypeAtom) === 'DELIVERY' &&
    get(storeIdAtom) === trip.storeId &&
    get(deliveryPlaceAtom)?.text === trip.text;
  return isChosen ? trip : null;
});

/** From now on the cart is for this train. */
export const boardAtom = atom(null, (get, set, trip: Omit<Trip, 'before'>, store: Store): void => {
  const now = get(tripAtom);
  const type = get(deliveryTypeAtom);
  set(deliveryTypeAtom, 'DELIVERY');
  const before = now?.before ?? { type, place: get(deliveryPlaceAtom), store: get(chosenStoreAtom) };
  const { latitude, longitude, text } = trip;
  set(chosenStoreAtom, store);
  set(deliveryPlaceAtom, { latitude, longitude, text, address: null });
  set(heldAtom, { ...trip, before });
});

/** What the railway or the passenger has changed meanwhile. */
export const renewTripAtom = atom(
  null,
  (_get, set, trainOrderId: string, change: Partial<Pick<Trip, 'arrivesAt' | 'orderUntil'>>) =>
    set(heldAtom, (held) => (held?.trainOrderId === trainOrderId ? { ...held, ...change } : held)),
);

/** A train that the customer has left, while its order is still saved at the server; null: there is none. */
export const leftTripAtom = atom((get) => (get(tripAtom) === null ? get(heldAtom) : null));

/** Back to the place of before; the train is a left one then. */
export const leaveTrainAtom = atom(null, (get, set): void => {
  const trip = get(tripAtom);
  if (!trip) return;
  const { type, place, store } = trip.before;
  set(chosenStoreAtom, store);
  set(deliveryPlaceAtom, place);
  set(deliveryTypeAtom, type);
});

/** The same, and nothing is saved any more: it was ordered, or taken back. */
export const forgetTripAtom = atom(null, (_get, set): void => {
  set(leaveTrainAtom);
  set(heldAtom, null);
});
