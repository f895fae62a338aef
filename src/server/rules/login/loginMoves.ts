import { moveAddresses } from '../../store/addresses.ts';
import { bringBackOf } from '../../store/archive.ts';
import { moveCardOffers } from '../../store/cardOffers.ts';
import type { Tx } from '../../store/db.ts';
import { moveFavourites } from '../../store/favourites.ts';
import { moveFeedback } from '../../store/feedback.ts';
import { moveTickets } from '../../store/help.ts';
import { moveOrdersToUser } from '../../store/orders.ts';
import { moveSubscriptions } from '../../store/push.ts';
import { moveTrains } from '../../store/trains.ts';
import { moveVouchers } from '../../store/vouchers.ts';
import { moveCart } from '../cart/cartChanges.ts';
import { moveGroups } from '../group/group.ts';
import { moveMembership } from '../loyalty/loyalty.ts';
import { moveSpinAlong } from '../offers/wheel.ts';
import type { LoginMove } from '../people/sessions.ts';

/** A move of rows that only a user owns. */
const ofUser =
  (move: (tx: Tx, from: string, to: string) => Promise<void>) =>
  (tx: Tx, { guestUserId, userId }: LoginMove) =>
    move(tx, guestUserId, userId);

/**
 * What a guest's login takes along to the account, in this order. The cart comes before spin, group and train, which refer
 * to it. What stays with the guest is named, with its reason, in test/server/loginMoves.test.ts.
 */
export const LOGIN_MOVES: readonly ((tx: Tx, move: LoginMove) => Promise<void>)[] = [
  // An account that joins another may have orders that were put away.
  async (tx, { guestUserId }) => void (await bringBackOf(tx, guestUserId)),
  moveCart,
  moveSpinAlong,
  moveGroups,
  (tx, { guestUserId, userId, cartId }) => moveTrains(tx, guestUserId, userId, cartId),
  ofUser(moveOrdersToUser),
  ofUser(moveAddresses),
  ofUser(moveFavourites),
  ofUser(moveVouchers),
  ofUser(moveCardOffers),
  ofUser(moveTickets),
  ofUser(moveFeedback),
  ofUser(moveSubscriptions),
  // No guest has one; an account of a payment app that came without a number may.
  moveMembership,
];
