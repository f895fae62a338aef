import { countryConfig } from '../../../../country/index.ts';
import { internationalPhone } from '../../../domain/phone.ts';
import { DAY_MS } from '../../../domain/time.ts';
import type { Services } from '../../call/services.ts';
import { transact, type Db, type Root } from '../../store/db.ts';
import type { OrderRow } from '../../store/orders.ts';
import { hasConfirmed } from '../../store/payments.ts';
import { forgetSend, noteSend, sendsTo, takeTurn, userById, type UserRow } from '../../store/sessions.ts';

/** Messages a day, from all members of a group together, to a number that none of them has proved to be theirs. */
export const UNPROVEN_A_DAY = 10;
const LANE = 'orders';

type TextedOrder = Pick<OrderRow, 'user_id' | 'mobile' | 'country'>;
type Owner = Pick<UserRow, 'guest' | 'mobile'>;

/** Whether who ordered has shown that the number of the order is theirs: by a login, or by the code of a cash order. */
const isProven = async (db: Db, { user_id: userId, mobile }: TextedOrder, owner: Owner | undefined): Promise<boolean> =>
  (owner?.guest === 0 && owner.mobile === mobile) || (await hasConfirmed(db, userId, mobile));

/**
 * Sends an SMS about an order to the number that was given with it, if there is one. It may be anybody's: an order that is
 * cancelled again costs nothing, and must not be a way to send a stranger messages without end.
 * @param owner who ordered, where that was read with the order
 */
export async function textAbout(
  db: Root,
  { sms }: Pick<Services, 'sms'>,
  order: TextedOrder,
  at: number,
  text: () => Promise<string> | string,
  owner?: Owner,
): Promise<void> {
  if (order.mobile === '') return;
  const to = internationalPhone(order.mobile, countryConfig(order.country));
  if (await isProven(db, order, owner ?? (await userById(db, order.user_id))))
    return await sms.send(db, to, await text());
  const sendId = await transact(db, async (tx) => {
    await takeTurn(tx, to, at);
    const sends = await sendsTo(tx, to, at - DAY_MS, LANE);
    return sends.length < UNPROVEN_A_DAY ? await noteSend(tx, to, LANE, at) : null;
  });
  if (sendId === null) return;
  try {
    await sms.send(db, to, await text());
  } catch (error) {
    await forgetSend(db, sendId);
    throw error;
  }
}
