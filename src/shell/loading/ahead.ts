import { atom } from 'jotai';
import { isLoadingAtom } from '../../state/base/loader.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { cartCountAtom } from '../../state/first/cart.ts';
import { deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { pathAtom } from '../../state/first/seams.ts';
import type { Watcher } from '../first/watchers.tsx';

type Scripts = readonly (() => Promise<unknown>)[];
const PLACES: Scripts = [() => import('../journeys/places.ts')];
const PAY: Scripts = [() => import('../journeys/pay.ts')];
const FOLLOW: Scripts = [
  () => import('../journeys/follow.ts'),
  () => import('../around/ActiveOrder.tsx'),
  () => import('../around/OrderWait.tsx'),
];
/** Home leads to the menu without a network, too, and back. */
const FIRST: Scripts = [
  () => import('../../screens/first/HomeScreen.tsx'),
  () => import('../../screens/first/MenuScreen.tsx'),
];
const FILLED: Scripts = [() => import('../journeys/cart.ts'), ...FIRST];

/** The scripts of the next step on the way to an order: the same list as long as the step is, whatever is added meanwhile. */
const nextAtom = atom((get): Scripts => {
  const [, step] = /^\/(?:postorder-ui\/)?(cart|address|searchAddress|payment)\b/.exec(get(pathAtom)) ?? [];
  if (get(cartCountAtom) === 0) return FIRST;
  if (!step) return FILLED;
  if (step === 'payment') return FOLLOW;
  const isUnplaced = get(deliveryTypeAtom) === 'DELIVERY' && !get(deliveryPlaceAtom)?.address?.houseNo;
  return step === 'cart' && isUnplaced ? PLACES : PAY;
});

const LOOK_MS = 250;

/**
 * While the customer reads, what they will want next comes. It takes nothing of the line from what they wait for: it is
 * asked for once all calls are answered and nothing on the screen waits.
 */
export const aheadWatcher: Watcher = {
  when: [nextAtom],
  unless: [isOfflineAtom],
  run({ get }) {
    const timer = setInterval(() => {
      if (get(isLoadingAtom) || document.querySelector('[aria-busy=true]')) return;
      clearInterval(timer);
      for (const script of get(nextAtom)) script().catch(() => undefined);
    }, LOOK_MS);
    return () => clearInterval(timer);
  },
};
