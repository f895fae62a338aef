/** Lengths of the four lists (product.md C10). */
export const RECENT_STORES = 4;
export const RECENT_LOCATIONS = 4;
export const RECENT_SEARCHES_SHOWN = 3;
export const NEAREST_STORES = 5;

/**
 * Puts `entry` first, removes another entry with the same key, and keeps at most `limit`, dropping the oldest
 * (specification section 4).
 */
export function toFront<T>(list: readonly T[], entry: T, key: (item: T) => unknown, limit: number): T[] {
  const own = key(entry);
  return [entry, ...list.filter((item) => key(item) !== own)].slice(0, limit);
}

export function recentStores(list: readonly string[], storeId: string): string[] {
  return toFront(list, storeId, (id) => id, RECENT_STORES);
}

export function recentLocations<T extends { readonly recent: { readonly id: string } }>(
  list: readonly T[],
  entry: T,
): T[] {
  return toFront(list, entry, (item) => item.recent.id, RECENT_LOCATIONS);
}

export function withoutAddress<T extends { readonly address_id: string }>(list: readonly T[], addressId: string): T[] {
  return list.filter((address) => address.address_id !== addressId);
}
