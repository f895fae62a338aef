import * as errors from '#text/errors.ts';
import * as t from '#text/location.ts';
import type { DeliveryType } from '../../contract/names.ts';
import type { Store, Takes } from '../../contract/stores.ts';

/**
 * What a store takes of a type of order. Lists of curbside stores have those too at which one comes to the counter. A
 * store that was kept from before does not say: placing the order will.
 */
export const takesOf = ({ takes }: Pick<Store, 'takes'>, type: DeliveryType): Takes =>
  takes?.[type] ?? takes?.PICKUP ?? 'now';

/** When a store is open and, while it is offline, what it takes all the same. */
export function hoursOf(store: Store, type: DeliveryType): string {
  if (store.online !== 0) return store.hoursText;
  return takesOf(store, type) === 'none' ? t.noOrders : `${t.laterOnly} · ${store.hoursText}`;
}

/**
 * Who makes an offline store's orders for later, and where they are collected, as a sentence; null when it is the store,
 * or nobody.
 */
export function laterAt(store: Store | undefined, type: DeliveryType): string | null {
  const maker = store?.advanceOrderStore;
  return maker && takesOf(store, type) === 'later'
    ? errors.advanceOrderAt({ type, store: maker.name, address: maker.address })
    : null;
}

/** What an offline store takes, as sentences; null when it is online. */
export function takingOf(store: Store, type: DeliveryType): string | null {
  if (store.online !== 0) return null;
  if (takesOf(store, type) === 'none') return errors.noOrdersNow;
  return [errors.advanceOrderOnly, laterAt(store, type)].filter(Boolean).join(' ');
}
