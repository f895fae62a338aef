import * as t from '#text/loyalty.ts';
import { atom } from 'jotai';
import * as contract from '../../contract/loyalty.ts';
import { isEnrolled, REWARD_CODE } from '../../domain/loyalty.ts';
import { hearCartAtom, syncCartAtom } from '../cart/cart.ts';
import { confettiAtom } from './coupons.ts';
import { cartAtom, isCartWaitingAtom } from '../first/cart.ts';
import { isOpenAtom } from '../first/config.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { statement } from '../base/statement.ts';
import { remote } from '../lib/remote.ts';
import { cartIdAtom, isLoggedInAtom } from '../base/session.ts';
import { tasks } from '../base/task.ts';

/** Card, points and rewards of the customer; null for guests, and where there is no programme. */
export const loyaltyState = remote(async (get, _set, signal) => {
  if (!get(isLoggedInAtom) || !get(isOpenAtom)('loyalty')) return null;
  return (await get(apiAtom).call(contract.user, {}, { signal })).loyalty;
});
/** The same for members alone. */
export const memberAtom = atom((get) => {
  const { data } = get(loyaltyState.atom);
  return data && isEnrolled(data.info.enrollmentStatus) ? data : null;
});

/** What the programme is; the same for everybody. */
export const programmeState = remote(
  async (get, _set, signal) => (await get(apiAtom).call(contract.programme, {}, { signal })).programme,
  { isCustomers: false },
);

interface Points {
  readonly entries: readonly contract.PointsView[];
  readonly pageNumber: number;
  readonly pages: number;
}
const points = statement<Points>({ entries: [], pageNumber: 0, pages: 0 }, async (get, query, signal) =>
  get(memberAtom) === null ? null : await get(apiAtom).call(contract.transactions, { query }, { signal }),
);
export const pointsAtom = points.atom;
export const pointsState = points.state;

/** What is being changed: to 'join', to 'leave', or the 'reward'. */
export const loyaltyTasks = tasks();

/** Joins the programme with one call. @returns whether the customer is in it now */
export const joinAtom = loyaltyTasks.task(
  async (get, set) => {
    const { loyalty } = await get(apiAtom).call(contract.register, { query: { enroll: 'true' } });
    set(loyaltyState.put, loyalty);
    set(toastMessageAtom, t.joined);
    await set(pointsState.load);
  },
  { as: 'join' },
);

/** Leaves the programme; every point is lost. @returns whether the customer has left */
export const optOutAtom = loyaltyTasks.task(
  async (get, set) => {
    const { loyalty } = await get(apiAtom).call(contract.optOut, {});
    set(loyaltyState.put, loyalty);
    set(toastMessageAtom, t.left);
  },
  { as: 'leave' },
);

/** The reward as it stands in the cart; undefined while it is not used. */
export const rewardOfferAtom = atom((get) => get(cartAtom)?.offers.find(({ code }) => code === REWARD_CODE));

/** Has a free reward pay for a pizza of the cart, or keeps it for later. @returns whether that is so now */
export const setRewardAtom = loyaltyTasks.task(
  async (get, set, isOn: boolean) => {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const cartId = get(cartIdAtom) ?? '';
    const { cart } = await call(isOn ? contract.useReward : contract.leaveReward, { cartId });
    set(hearCartAtom, cart);
    const isFree = get(rewardOfferAtom)?.status === 'APPLIED';
    if (isFree) set(confettiAtom, { message: t.cartOn, subMessage: t.cartOnText });
    if (!isOn) set(toastMessageAtom, t.cartKept);
  },
  { as: 'reward' },
);

/** Takes the reward along: to the cart where it pays for a pizza already, else to the menu to choose one. */
export const useRewardAtom = atom(null, async (get, set): Promise<void> => {
  if (!(await set(setRewardAtom, true))) return;
  get(navigateAtom).go(get(rewardOfferAtom)?.status === 'APPLIED' ? '/cart' : '/menu');
});
