import * as t from '#text/location.ts';
import type { Store } from '../../contract/stores.ts';

/** Where the store is at the very place, there is no distance to speak of. */
export function distanceText(store: Pick<Store, 'distanceKm'>): string | undefined {
  return store.distanceKm ? t.distance({ km: store.distanceKm }) : undefined;
}
