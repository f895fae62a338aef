import * as contract from '../../contract/loyalty.ts';
import { on, onOld, onSpoken } from '../call/route.ts';
import { catalogueHere, userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { setReward } from '../rules/cart/reward.ts';
import { programmeOf } from '../rules/loyalty/programme.ts';
import { grantPoints, loyaltyOf, optOut, pointsViews, register } from '../rules/loyalty/loyalty.ts';
import { statementOf } from '../rules/payment/statement.ts';
import { memberOf } from '../store/loyalty.ts';

export const loyaltyRoutes: Route[] = [
  on(contract.register, async ({ query }, call) => {
    const { db, caller, now } = call;
    const member = { userId: userIdOf(call), country: caller.country, now };
    await register(db, member, query.enroll === 'true');
    return { loyalty: await loyaltyOf(db, member) };
  }),

  on(contract.user, async (_input, call) => ({
    loyalty: await loyaltyOf(call.db, { userId: userIdOf(call), country: call.caller.country }),
  })),

  on(contract.optOut, async (_input, call) => {
    const { db, caller, now } = call;
    const userId = userIdOf(call);
    const lost = await optOut(db, userId, now);
    return { lost, loyalty: await loyaltyOf(db, { userId, country: caller.country }) };
  }),

  onOld(contract.transactions, async ({ query }, call) => {
    const member = await memberOf(call.db, userIdOf(call));
    const { rows, ...page } = await statementOf(call, member?.account_id, query, contract.POINTS_PAGE);
    return { entries: await pointsViews(call.db, rows), ...page };
  }),

  onSpoken(contract.programme, async (_input, call) => {
    const { country, seeds } = await catalogueHere(call);
    return { programme: programmeOf(country, seeds.content.loyaltyFaq) };
  }),

  on(contract.useReward, async ({ cartId }, call) => ({ cart: await setReward(call, cartId, true) })),
  on(contract.leaveReward, async ({ cartId }, call) => ({ cart: await setReward(call, cartId, false) })),

  on(contract.grant, async ({ body }, { db, caller, now }) => {
    const points = await grantPoints(db, { country: caller.country, now, ...body });
    return { points };
  }),
];
