import { countryConfig } from '../../../country/index.ts';
import * as contract from '../../contract/loyalty.ts';
import type { Reply } from '../../contract/endpoint.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, onOld, onSpoken } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Call } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { buyerOf, mustOwnCart, pricedCart } from '../rules/cart/pricingContext.ts';
import { programmeOf } from '../rules/loyalty/programme.ts';
import { hasReward, loyaltyOf, optOut, pointsViews, register } from '../rules/loyalty/loyalty.ts';
import { cartState, growVersion, takeCart, writeOptions } from '../store/carts.ts';
import { transact } from '../store/db.ts';
import { countEntries, entriesOf } from '../store/ledger.ts';
import { newId } from '../store/ids.ts';
import { lockMember, memberOf, movePoints } from '../store/loyalty.ts';
import { accountOfMobileIfAny } from '../store/sessions.ts';

const SUCCESS = 'SUCCESS' as const;
const programmeIn = (call: Call) => countryConfig(call.caller.country).LOYALTY_INFO_DEFAULT_DATA;

/** Puts a reward on the caller's own cart, or takes it off. @throws Refusal 409 REWARD_GONE, 404 NOT_FOUND */
async function setReward(call: Call, cartId: string, isOn: boolean): Promise<Reply<typeof contract.useReward>> {
  const { db, caller, services, now } = call;
  const buyer = buyerOf(caller);
  return await transact(db, async (tx) => {
    await mustOwnCart(tx, caller, cartId);
    const { country } = await services.catalogue.of(tx, caller.country);
    const place = { cartId, userId: buyer.userId, country: caller.country, storeId: country.DEFAULT_STORE };
    await takeCart(tx, place, now);
    const state = await cartState(tx, cartId);
    if (isOn && !(await hasReward(tx, buyer))) refuse(409, 'REWARD_GONE', t.rewardGone, { field: 'reward' });
    if (state !== undefined && (state.reward === true) !== isOn) {
      await writeOptions(tx, cartId, { ...state, reward: isOn });
      await growVersion(tx, cartId);
    }
    const { cart } = await pricedCart(tx, services.catalogue, cartId, buyer, now);
    return { status: SUCCESS, cart };
  });
}

export const loyaltyRoutes: Route[] = [
  on(contract.register, async ({ query }, call) => {
    const { db, caller, now } = call;
    const member = { userId: userIdOf(call), country: caller.country, now };
    await transact(db, async (tx) => await register(tx, member, query.enroll === 'true'));
    return { status: SUCCESS, loyalty: await loyaltyOf(db, member) };
  }),

  on(contract.user, async (_input, call) => ({
    status: SUCCESS,
    loyalty: await loyaltyOf(call.db, { userId: userIdOf(call), country: call.caller.country }),
  })),

  on(contract.optOut, async (_input, call) => {
    const { db, caller, now } = call;
    const userId = userIdOf(call);
    const lost = await transact(db, async (tx) => await optOut(tx, userId, now));
    return { status: SUCCESS, lost, loyalty: await loyaltyOf(db, { userId, country: caller.country }) };
  }),

  onOld(contract.transactions, async ({ query }, call) => {
    const programme = programmeIn(call);
    if (query.loyaltyProgramCode !== undefined && query.loyaltyProgramCode !== programme.loyaltyProgramCode)
      refuse(422, 'PROGRAMME', errors.notFound, { field: 'loyaltyProgramCode' });
    const pageNumber = Number(query.pageNumber ?? '1');
    const member = await memberOf(call.db, userIdOf(call));
    if (member === undefined) return { status: SUCCESS, entries: [], pageNumber, pages: 0, total: 0 };
    const since = query.from === undefined ? 0 : Number(query.from);
    const total = await countEntries(call.db, member.account_id, since);
    const entries = await entriesOf(call.db, member.account_id, {
      since,
      offset: (pageNumber - 1) * contract.POINTS_PAGE,
      limit: contract.POINTS_PAGE,
    });
    return {
      status: SUCCESS,
      entries: await pointsViews(call.db, entries),
      pageNumber,
      pages: Math.ceil(total / contract.POINTS_PAGE),
      total,
    };
  }),

  onSpoken(contract.programme, async (_input, { db, caller, services, seen }) => {
    const { country, seeds } = await services.catalogue.of(db, caller.country, seen);
    return { status: SUCCESS, programme: programmeOf(country, seeds.content.loyaltyFaq) };
  }),

  on(contract.useReward, ({ cartId }, call) => setReward(call, cartId, true)),
  on(contract.leaveReward, ({ cartId }, call) => setReward(call, cartId, false)),

  on(contract.grant, async ({ body }, { db, caller, now }) => {
    const mobile = phoneNumber(body.mobile, countryConfig(caller.country));
    const points = await transact(db, async (tx) => {
      const found = mobile === null ? undefined : await accountOfMobileIfAny(tx, caller.country, mobile);
      const member = found && (await lockMember(tx, { userId: found.id }));
      if (member?.status !== 'ENROLLED') return refuse(404, 'NOT_FOUND', errors.notFound, { field: 'mobile' });
      const { account_id: accountId } = member;
      const about = `${accountId}:${body.key ?? newId('gift')}`;
      const isNew = await movePoints(tx, { accountId, reason: 'PROMO', about, amount: body.points, at: now });
      return member.balance + (isNew ? body.points : 0);
    });
    return { status: SUCCESS, points };
  }),
];
