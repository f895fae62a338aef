import * as errors from '#text/errors.ts';
import * as t from '#text/location.ts';
import type { DeliveryType } from '../../contract/names.ts';
import type { Store } from '../../contract/stores.ts';

/** When a store is open and, while it takes no orders for now, that it takes those for later alone. */
export const hoursOf = (store: Store): string =>
  store.online === 0 ? `${t.laterOnly} · ${store.hoursText}` : store.hoursText;

/** Who makes an offline store's orders for later, and where they are collected, as a sentence; null when it is the store. */
export function laterAt(store: Store | undefined, type: DeliveryType): string | null {
  const maker = store?.advanceOrderStore;
  return maker ? errors.advanceOrderAt({ type, store: maker.name, address: maker.address }) : null;
}
