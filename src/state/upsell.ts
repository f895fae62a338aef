import { atom } from 'jotai';
import * as contract from '../contract/cart.ts';
import { cartAtom } from './cart.ts';
import { remote } from './lib/remote.ts';
import { itemsByIdAtom } from './menu.ts';
import { apiAtom } from './seams.ts';

/** Products that go with the cart; never preselected. Quiet when it fails: the cart is complete without. */
export const upsellState = remote(async (get, _set, signal) => {
  const cartId = get(cartAtom)?.cartId;
  if (!cartId) return [];
  return (await get(apiAtom).call(contract.upsell, { cartId }, { signal })).productIds;
});

export const upsellItemsAtom = atom((get) => {
  const items = get(itemsByIdAtom);
  const held = new Set(get(cartAtom)?.validItems.map((line) => line.product.id));
  return (get(upsellState.atom).data ?? []).flatMap((id) => {
    const item = items.get(id);
    return item && !item.soldOut && !held.has(id) ? [item] : [];
  });
});
