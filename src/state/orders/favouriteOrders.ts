import { atom } from 'jotai';
import * as contract from '../../contract/favouriteOrders.ts';
import type { OrderCard } from '../../contract/history.ts';
import { apiAtom } from '../first/seams.ts';
import { remote } from '../lib/remote.ts';

/** What the customer most likely orders now, and what they keep. */
export const oneTapState = remote(async (get, _set, signal) => {
  const { call } = get(apiAtom);
  const [{ favourite }, { orderSummary }] = await Promise.all([
    call(contract.easy, {}, { signal }),
    call(contract.summary, {}, { signal }),
  ]);
  return { easy: favourite, kept: orderSummary };
});

const MOST = 3;
/** What is offered to be ordered in one tap: what fits this hour, then the favourites. */
export const oneTapOrdersAtom = atom((get): readonly OrderCard[] => {
  const { easy = null, kept = [] } = get(oneTapState.atom).data ?? {};
  const others = kept.filter(({ orderId }) => orderId !== easy?.orderId);
  return [...(easy ? [easy] : []), ...others].slice(0, MOST);
});
/** The first of them fits this hour, and is no mere favourite. */
export const isEasyAtom = atom((get) => (get(oneTapState.atom).data?.easy ?? null) !== null);

/** What the customer repeats and might keep. */
export const recommendedState = remote(
  async (get, _set, signal) => (await get(apiAtom).call(contract.recommendations, {}, { signal })).favourites,
);
