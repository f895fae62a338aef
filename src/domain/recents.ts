/** Four lists, four limits (product.md C10). */
export const RECENT_STORES = 4;
export const RECENT_LOCATIONS = 4;
export const RECENT_SEARCHES_SHOWN = 3;
export const NEAREST_STORES = 5;

/** `entry` first, no second one with its key, at most `limit`; the oldest are dropped (specification section 4). */
export function toFront<T>(list: readonly T[], entry: T, key: (item: T) => unknown, limit: number): T[] {
  const own = key(entry);
  return [entry, ...list.filter((item) => key(item) !== own)].slice(0, limit);
}

export function recentStores(list: readonly string[], storeId: string): string[] {
  return toFront(list, storeId, (id) => id, RECENT_STORES);
}

export function recentLocations<T extends { readonly recent: { readonly id: string } }>(list: readonly T[], entry: T): T[] {
  return toFront(list, entry, (item) => item.recent.id, RECENT_LOCATIONS);
}

export function withoutAddress<T extends { readonly address_id: string }>(list: readonly T[], addressId: string): T[] {
  return list.filter((address) => address.address_id !== addressId);
}
