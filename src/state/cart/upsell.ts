import { atom } from 'jotai';
import * as contract from '../../contract/cart.ts';
import { cartAtom } from '../first/cart.ts';
import { aboutCart } from './cart.ts';
import { remote } from '../lib/remote.ts';
import { itemsByIdAtom } from '../first/menu.ts';
import { apiAtom } from '../first/seams.ts';

/** Suggestions that go well with the cart; never preselected. */
export const upsellState = remote(
  async (get, _set, signal) => {
    const cartId = get(cartAtom)?.cartId;
    if (!cartId) return [];
    return (await get(apiAtom).call(contract.upsell, { cartId }, { signal })).productIds;
  },
  { about: aboutCart },
);

export const upsellItemsAtom = atom((get) => {
  const items = get(itemsByIdAtom);
  const { data, status } = get(upsellState.atom);
  // The cart is complete without them; where nobody answers, what many like stands in their place.
  const liked = () => [...items.values()].filter(({ tags }) => tags.includes('bestseller')).map(({ id }) => id);
  const held = new Set(get(cartAtom)?.validItems.map((line) => line.product.id));
  return (status === 'failed' ? liked() : (data ?? [])).flatMap((id) => {
    const item = items.get(id);
    return item && !item.soldOut && !held.has(id) ? [item] : [];
  });
});
