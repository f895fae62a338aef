import * as t from '#text/cart.ts';
import * as errors from '#text/errors.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { LineInput } from '../../contract/cart.ts';
import { putLineAtom } from '../cart/cart.ts';
import { cartLinesAtom } from '../first/cart.ts';
import { itemsByIdAtom, liveMenuAtom } from '../first/menu.ts';
import { navigateAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { customerAtom } from '../lib/forget.ts';
import { isOfflineAtom } from '../base/network.ts';
import { popupAtom } from '../base/popup.ts';
import { shareAtom } from '../base/share.ts';

// A cart as a link: the dishes and how they are made stand in the address itself, and nothing of whose cart it is.

const SharedDish = z.omit(LineInput, { lineId: true, note: true });
export type SharedDish = z.output<typeof SharedDish>;
const SharedDishes = z.array(SharedDish).check(z.minLength(1), z.maxLength(50));

/** In letters that an address takes as they are; ids have no others. */
const written = (dishes: readonly SharedDish[]) =>
  btoa(JSON.stringify(dishes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

function read(text: string): readonly SharedDish[] | null {
  try {
    const { success, data } = SharedDishes.safeParse(JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/'))));
    return success ? data : null;
  } catch {
    return null;
  }
}

/** The customer's own dishes that can be had: not a guest's in a group order, and nothing that is free. */
const ownDishesAtom = atom((get): readonly SharedDish[] =>
  get(cartLinesAtom)
    .filter((line) => !line.by && !line.priced?.free && line.problem === null)
    .slice(0, 50)
    .map(({ input: { lineId: _id, note: _note, ...dish } }) => dish),
);

/** Servers and proxies refuse longer addresses, some from 8 KB on, all of them before 50 pizzas that were built. */
const LINK_AT_MOST = 6_000;

/** Shares the cart by the host's or the browser's sheet, or copies its link. A cart too big for a link is said. */
export const shareCartAtom = atom(null, async (get, set): Promise<void> => {
  const path = `/cart?dishes=${written(get(ownDishesAtom))}`;
  if (path.length > LINK_AT_MOST) set(popupAtom, { message: t.shareTooBig, right: { label: errors.ok } });
  else await set(shareAtom, { title: t.shareTitle, path });
});

const receivedAtom = customerAtom<readonly SharedDish[]>([]);
/** Whether there are dishes of a link, in this menu or not. */
export const isSharedReceivedAtom = atom((get) => get(receivedAtom).length > 0);
/** The dishes of a link that this menu has; they wait for the customer's decision. */
export const sharedDishesAtom = atom((get) => {
  const items = get(itemsByIdAtom);
  return get(receivedAtom).flatMap((dish) => {
    const item = items.get(dish.productId);
    return item ? [{ dish, item }] : [];
  });
});

/** How many dishes of a link this menu does not have; 0 until the menu is here. */
export const sharedMissingAtom = atom((get): number => {
  const { status } = get(liveMenuAtom);
  const isHere = (status === 'ready' || status === 'failed' || get(isOfflineAtom)) && get(itemsByIdAtom).size > 0;
  return isHere ? get(receivedAtom).length - get(sharedDishesAtom).length : 0;
});

/** Takes the dishes of a link. What is no such link is said. */
export const openSharedCartAtom = atom(null, (_get, set, text: string | null): void => {
  const dishes = text === null ? [] : read(text);
  set(receivedAtom, dishes ?? []);
  if (dishes === null) set(toastMessageAtom, errors.brokenLink);
});

/** Puts the dishes of a link into the cart, or leaves them. Their link is used up: a reload does not ask again. */
export const decideSharedAtom = atom(null, (get, set, isWanted: boolean): void => {
  const dishes = get(sharedDishesAtom);
  if (isWanted) for (const { dish } of dishes) set(putLineAtom, dish);
  set(receivedAtom, []);
  get(navigateAtom).go('/cart', { replace: true });
  set(toastMessageAtom, isWanted ? t.olderAdded({ count: dishes.length }) : t.olderDropped);
});
