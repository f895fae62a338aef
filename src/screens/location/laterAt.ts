import * as errors from '#text/errors.ts';
import type { DeliveryType } from '../../contract/names.ts';
import type { Store } from '../../contract/stores.ts';

/** Who makes an offline store's orders for later, and where they are collected, as a sentence; null when it is the store. */
export function laterAt(store: Store | undefined, type: DeliveryType): string | null {
  const maker = store?.advanceOrderStore;
  return maker ? errors.advanceOrderAt({ type, store: maker.name, address: maker.address }) : null;
}
