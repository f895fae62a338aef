import { moveAddresses } from '../../store/addresses.ts';
import { bringBackOf } from '../../store/archive.ts';
import { moveCardOffers } from '../../store/cardOffers.ts';
import type { Tx } from '../../store/db.ts';
import { copyFavourites } from '../../store/favourites.ts';
import { moveFeedback } from '../../store/feedback.ts';
import { moveTickets } from '../../store/help.ts';
import { moveOrdersToUser } from '../../store/orders.ts';
import { moveSubscriptions } from '../../store/push.ts';
import { moveTrains } from '../../store/trains.ts';
import { moveVouchers } from '../../store/vouchers.ts';
import { moveCart } from '../cart/cartChanges.ts';
import { moveGroups } from '../group/group.ts';
import { moveSpinAlong } from '../offers/wheel.ts';
import type { LoginMove } from '../people/sessions.ts';

/** A move of rows that only a user owns. */
const ofUser =
  (move: (tx: Tx, from: string, to: string) => Promise<void>) =>
  (tx: Tx, { guestUserId, userId }: LoginMove) =>
    move(tx, guestUserId, userId);

/**
 * What a guest's login takes along to the account, in this order, and nothing else moves. The cart is first of all: spin,
 * group and train refer to it.
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
  ofUser(copyFavourites),
  ofUser(moveVouchers),
  ofUser(moveCardOffers),
  ofUser(moveTickets),
  ofUser(moveFeedback),
  ofUser(moveSubscriptions),
];
