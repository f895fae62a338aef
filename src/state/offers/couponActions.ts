import { atom } from 'jotai';
import { loadChunk } from '../../bridge/scripts.ts';
import type { Cart } from '../../contract/cart.ts';
import type * as contract from '../../contract/coupons.ts';
import { cartAtom } from '../first/cart.ts';
import { hostAtom } from '../first/seams.ts';
import { sentenceOf, showFailureAtom } from '../base/popup.ts';
import { bestOfferAtom, combinedState, couponTasks } from './coupons.ts';
import type { AppliedBy } from './couponTaps.ts';

/** What a tap on an offer does comes with the first one: most orders have none. */
const taps = () => loadChunk(() => import('./couponTaps.ts'));

/**
 * Applies an offer: a typed code is validated first, a tapped card is applied directly (product.md C24).
 *
 * @param wanted the code as it is kept (`typedCode`)
 * @returns whether it is applied now
 */
export const applyCouponAtom = couponTasks.task(
  async (get, set, wanted: string, by: AppliedBy) => (await taps()).applyCoupon(get, set, wanted, by),
  {
    as: (wanted) => wanted,
    failed: (get, set, thrown, _wanted, { isTyped }) =>
      isTyped ? { code: sentenceOf(thrown, !get(hostAtom).fullMode) } : set(showFailureAtom, thrown),
  },
);

export const removeCouponAtom = couponTasks.task(
  async (get, set, code: string) => (await taps()).removeCoupon(get, set, code),
  { as: (code) => code },
);

/**
 * Takes the best combination: applies what is missing, which takes the place of its like, and removes what cannot be
 * used. Success is announced only if the server's total fell or a gift was added (requirements OFF-X01, OFF-X04).
 */
export const takeBestAtom = atom(null, async (get, set): Promise<void> => {
  const { best } = get(bestOfferAtom);
  const cart = get(cartAtom);
  if (!best || !cart || get(couponTasks.isBusyAtom)) return;
  await set(takeAtom, best, cart);
  await set(combinedState.load);
});
const takeAtom = couponTasks.task(
  async (get, set, best: contract.BestOffer, cart: Cart) => (await taps()).takeBest(get, set, best, cart),
  { as: ({ codes }) => codes.join(' ') },
);
