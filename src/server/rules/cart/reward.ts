import type { Cart } from '../../../contract/cart.ts';
import type { Call } from '../../call/call.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { cartState, growVersion, writeOptions } from '../../store/carts.ts';
import { transact } from '../../store/db.ts';
import { hasReward } from '../loyalty/loyalty.ts';
import { buyerOf, pricedCart, takeOwnCart } from './pricingContext.ts';

/** Puts a reward on the caller's own cart, or takes it off. @throws Refusal 409 REWARD_GONE, 404 NOT_FOUND */
export async function setReward(call: Call, cartId: string, isOn: boolean): Promise<Cart> {
  const { db, caller, services, now } = call;
  const buyer = buyerOf(caller);
  return await transact(db, async (tx) => {
    await takeOwnCart(tx, call, cartId);
    const state = await cartState(tx, cartId);
    if (isOn && !(await hasReward(tx, buyer))) refuse(409, 'REWARD_GONE', t.rewardGone, { field: 'reward' });
    if (state !== undefined && (state.reward === true) !== isOn) {
      await writeOptions(tx, cartId, { ...state, reward: isOn });
      await growVersion(tx, cartId);
    }
    return (await pricedCart(tx, services.catalogue, cartId, buyer, now)).cart;
  });
}
