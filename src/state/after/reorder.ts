import * as t from '#text/reorder.ts';
import { atom } from 'jotai';
import { codeOf } from '../../api/failure.ts';
import type { CartLine } from '../../contract/cart.ts';
import * as contract from '../../contract/reorder.ts';
import { inputOf } from '../../domain/lineInput.ts';
import { addressLine } from '../places/addresses.ts';
import { hearCartAtom, lastSentAtom, loadCartAtom, syncCartAtom } from '../cart/cart.ts';
import { noteReorderAtom } from './cartDiff.ts';
import { deviceOrdersAtom } from '../orders/deviceOrders.ts';
import { isCartWaitingAtom, pendingAtom } from '../first/cart.ts';
import { newId } from '../first/lib/ids.ts';
import { chosenStoreAtom, deliveryTypeAtom, storeIdAtom } from '../first/location.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { customerAtom } from '../lib/forget.ts';
import { takePlaceAtom } from '../places/places.ts';
import { tasks } from '../base/task.ts';
import { cartIdAtom } from '../base/session.ts';

// Re-order (specification section 4): the dishes of an earlier order come into the cart, and the cart tells what is not
// as it was then. What was in the cart before is kept aside by the server.

/** An order on its way into the cart, by its id. */
export const reorderTasks = tasks();

/** Stays the same until the server has answered, so that a second try after a lost answer is the same tap. */
const tryAtom = customerAtom<{ readonly orderId: string; readonly id: string } | null>(null);

/** Takes the place or store of the order where nothing has been chosen on this device. */
const goWhereItWasAtom = atom(null, async (_get, set, { was }: contract.ReorderReply): Promise<void> => {
  const { address, deliveryType, store } = was;
  if (deliveryType !== 'DELIVERY') {
    set(deliveryTypeAtom, deliveryType);
    set(chosenStoreAtom, store);
    return;
  }
  if (address === null) return;
  const { latitude: lat, longitude: long } = address;
  await set(takePlaceAtom, { delType: 'DELIVERY', lat, long, text: addressLine(address), address }, false);
});

/** The server's answer to a tap. @throws Failure */
const askAtom = atom(null, async (get, set, orderId: string): Promise<contract.ReorderReply> => {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const held = get(tryAtom);
  const own = held?.orderId === orderId ? held : { orderId, id: newId() };
  set(tryAtom, own);
  const where = get(chosenStoreAtom) === null ? {} : { storeId: get(storeIdAtom), deliveryType: get(deliveryTypeAtom) };
  const cartId = get(cartIdAtom) ?? '';
  const { data } = await call(
    contract.reorder,
    { orderId, body: { cartId, operationId: own.id, ...where } },
    // Nothing is preselected (product.md C52).
    { headers: { tip_variant: 'none' } },
  );
  set(tryAtom, null);
  const last = data.was.lines[data.was.lines.length - 1];
  if (last) set(lastSentAtom, { cartId, operationId: last.lineId });
  return data;
});

/** Puts what this device remembers of an order into the cart, where the server knows the order no more. */
const putRememberedAtom = atom(null, (_get, set, lines: readonly CartLine[]): void => {
  const added = lines.filter(({ free }) => !free).map((line) => ({ ...inputOf(line), lineId: newId() }));
  set(pendingAtom, (now) => [
    ...now,
    ...added.map((line) => ({ kind: 'add' as const, operationId: line.lineId, line })),
  ]);
  set(toastMessageAtom, t.remembered);
});

/**
 * Puts an earlier order into the cart and shows it, or with `isQuiet` stays where the customer is. A second tap meanwhile
 * does nothing; a failure is shown. @returns whether the dishes are in the cart
 */
export const reorderAtom = reorderTasks.task<[orderId: string, isQuiet?: boolean]>(
  async (get, set, orderId, isQuiet = false) => {
    const isPlaceOpen = get(chosenStoreAtom) === null;
    const remembered = get(deviceOrdersAtom).find((order) => order.orderId === orderId);
    const data = await set(askAtom, orderId).catch((thrown: unknown) => {
      if (codeOf(thrown) !== 'NOT_FOUND' || !remembered) throw thrown;
      set(putRememberedAtom, remembered.lines);
      return null;
    });
    if (data) {
      if (isPlaceOpen) await set(goWhereItWasAtom, data);
      // Another store may deliver there by now.
      set(noteReorderAtom, { ...data, store: (isPlaceOpen ? get(chosenStoreAtom) : null) ?? data.store });
      set(hearCartAtom, data.cart);
      if (isPlaceOpen) await set(loadCartAtom);
    }
    if (!isQuiet) get(navigateAtom).go('/cart');
  },
  { as: (orderId) => orderId },
);
