import { atom } from 'jotai';
import * as z from 'zod/mini';
import { Prediction } from '../../contract/places.ts';
import { DeliveryType } from '../../contract/names.ts';
import * as errors from '#text/errors.ts';
import { RECENT_SEARCHES_SHOWN, recentLocations, toFront } from '../../domain/recents.ts';
import { kept } from '../first/lib/kept.ts';

/** Recent location entry of the specification, section 3, with the name that it is shown by. */
const RecentLocation = z.object({
  recent: z.object({ id: z.string(), offline_msg: z.string(), address_id: z.nullable(z.string()) }),
  location: z.object({ lat: z.number(), lng: z.number(), address_id: z.nullable(z.string()) }),
  deliveryType: DeliveryType,
  text: z.string(),
});
export type RecentLocation = z.output<typeof RecentLocation>;

/** Four at most, newest first. */
export const recentLocationsAtom = kept<RecentLocation[]>({
  key: 'recent-locations',
  schema: z.array(RecentLocation),
  initial: [],
  forget: 'logout',
  optional: true,
});

export interface ChosenLocation {
  readonly id: string;
  readonly text: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly deliveryType: DeliveryType;
  readonly isForLater: boolean;
  readonly addressId?: string | undefined;
}

export const rememberLocationAtom = atom(null, (_get, set, chosen: ChosenLocation) => {
  const address_id = chosen.addressId ?? null;
  set(recentLocationsAtom, (list) =>
    recentLocations(list, {
      recent: { id: chosen.id, offline_msg: chosen.isForLater ? errors.advanceOrderOnly : '', address_id },
      location: { lat: chosen.latitude, lng: chosen.longitude, address_id },
      deliveryType: chosen.deliveryType,
      text: chosen.text,
    }),
  );
});

/** Places that were searched for and chosen; three are shown. */
export const recentSearchesAtom = kept<Prediction[]>({
  key: 'recent-searches',
  schema: z.array(Prediction),
  initial: [],
  forget: 'logout',
  optional: true,
});
export const rememberSearchAtom = atom(null, (_get, set, prediction: Prediction) => {
  // The house and the street were typed for one address only.
  const { house: _house, street: _street, ...place } = prediction;
  set(recentSearchesAtom, (list) => toFront(list, place, (one) => one.place_id, RECENT_SEARCHES_SHOWN));
});
