import type { Db, Tx } from './db.ts';

export interface GroupRow {
  id: string;
  code: string;
  country: string;
  host: string;
  cart_id: string;
  host_user_id: string;
  /**
   * OPEN means only that it is neither ordered nor called off: whether it is closed depends on the time (`closes_at`).
   */
  state: 'OPEN' | 'ORDERED' | 'ENDED';
  closes_at: number;
  limit_each: number | null;
  /** How many people are in it now, including the host. */
  people: number;
  /** Counts the changes of what a view shows beside the cart, which has a version of its own. */
  changes: number;
  order_id: string | null;
  created_at: number;
}
export interface PersonRow {
  id: string;
  group_id: string;
  user_id: string;
  is_host: number;
  name: string;
  diet: string;
  done: number;
  state: 'IN' | 'LEFT' | 'OUT';
  joined_at: number;
}
declare module './db.ts' {
  interface Tables {
    group_orders: GroupRow;
    group_people: PersonRow;
    /** The members behind the names on the shared bill of an order, from when the group is swept. */
    bill_people: { person_id: string; order_id: string; user_id: string };
  }
}

export async function groupById(db: Db, id: string): Promise<GroupRow | undefined> {
  return await db.selectFrom('group_orders').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function groupByCode(db: Db, code: string): Promise<GroupRow | undefined> {
  return await db.selectFrom('group_orders').selectAll().where('code', '=', code).executeTakeFirst();
}

export async function openGroupOf(db: Db, cartId: string): Promise<GroupRow | undefined> {
  return await db
    .selectFrom('group_orders')
    .selectAll()
    .where('cart_id', '=', cartId)
    .where('state', '=', 'OPEN')
    .executeTakeFirst();
}

/** False when the cart already has an open group. */
export async function addGroup(tx: Tx, row: GroupRow): Promise<boolean> {
  const done = await tx
    .insertInto('group_orders')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  if ((done.numInsertedOrUpdatedRows ?? 0n) !== 1n) return false;
  await tx.updateTable('carts').set({ group_id: row.id }).where('id', '=', row.cart_id).execute();
  return true;
}

/** Everybody who is in it now: the host first, then in the order they joined. */
export async function peopleIn(db: Db, groupId: string): Promise<PersonRow[]> {
  return await db
    .selectFrom('group_people')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('state', '=', 'IN')
    .orderBy('is_host', 'desc')
    .orderBy('joined_at')
    .orderBy('id')
    .execute();
}

export async function personOf(db: Db, groupId: string, userId: string): Promise<PersonRow | undefined> {
  return await db
    .selectFrom('group_people')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function addPerson(tx: Tx, row: PersonRow): Promise<void> {
  await tx.insertInto('group_people').values(row).execute();
}

export async function setPerson(tx: Tx, id: string, values: Partial<PersonRow>): Promise<void> {
  await tx.updateTable('group_people').set(values).where('id', '=', id).execute();
}

/** Takes a seat if one is free and the group is open. One statement, so that parallel calls cannot exceed the limit. */
export async function takeSeat(tx: Tx, groupId: string, most: number, now: number): Promise<boolean> {
  const done = await tx
    .updateTable('group_orders')
    .set((e) => ({ people: e('people', '+', 1), changes: e('changes', '+', 1) }))
    .where('id', '=', groupId)
    .where('state', '=', 'OPEN')
    .where('closes_at', '>', now)
    .where('people', '<', most)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function freeSeat(tx: Tx, groupId: string): Promise<void> {
  await tx
    .updateTable('group_orders')
    .set((e) => ({ people: e('people', '-', 1), changes: e('changes', '+', 1) }))
    .where('id', '=', groupId)
    .execute();
}

/** Changes the rules of an open group; false when it is over. */
export async function ruleGroup(
  tx: Tx,
  groupId: string,
  values: Partial<Pick<GroupRow, 'closes_at' | 'limit_each'>>,
): Promise<boolean> {
  const done = await tx
    .updateTable('group_orders')
    .set((e) => ({ ...values, changes: e('changes', '+', 1) }))
    .where('id', '=', groupId)
    .where('state', '=', 'OPEN')
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Ends an open group; from then on only its owner has the cart. False when it is over already. */
export async function finishGroup(
  tx: Tx,
  group: Pick<GroupRow, 'id' | 'cart_id'>,
  state: 'ORDERED' | 'ENDED',
  orderId: string | null = null,
): Promise<boolean> {
  const done = await tx
    .updateTable('group_orders')
    .set((e) => ({ state, order_id: orderId, changes: e('changes', '+', 1) }))
    .where('id', '=', group.id)
    .where('state', '=', 'OPEN')
    .executeTakeFirst();
  if (done.numUpdatedRows !== 1n) return false;
  await tx
    .updateTable('carts')
    .set({ group_id: null })
    .where('id', '=', group.cart_id)
    .where('group_id', '=', group.id)
    .execute();
  return true;
}

/**
 * Moves the group of an order that failed to the cart that gets the lines back. The group is closed then, until its
 * host opens it again. False when the order had no group, or another group has that cart.
 */
export async function reopenGroup(tx: Tx, orderId: string, cartId: string, now: number): Promise<boolean> {
  const group = await tx
    .selectFrom('group_orders')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('state', '=', 'ORDERED')
    .executeTakeFirst();
  if (group === undefined || (await openGroupOf(tx, cartId)) !== undefined) return false;
  await tx
    .updateTable('group_orders')
    .set((e) => ({
      state: 'OPEN' as const,
      order_id: null,
      cart_id: cartId,
      closes_at: Math.min(group.closes_at, now),
      changes: e('changes', '+', 1),
    }))
    .where('id', '=', group.id)
    .execute();
  await tx.updateTable('carts').set({ group_id: group.id }).where('id', '=', cartId).execute();
  return true;
}

/** Removes from a cart the lines of one person, or of all guests when `personId` is null. */
export async function removeLinesOf(tx: Tx, cartId: string, personId: string | null, at: number): Promise<void> {
  const update = tx
    .updateTable('cart_lines')
    .set({ removed: 1, quantity: 0, changed_at: at })
    .where('cart_id', '=', cartId)
    .where('removed', '=', 0);
  await (
    personId === null ? update.where('person_id', 'is not', null) : update.where('person_id', '=', personId)
  ).execute();
}

/** Gives the lines of one person to another; null is the host. */
export async function handLinesOver(tx: Tx, cartId: string, from: string, to: string | null): Promise<void> {
  await tx
    .updateTable('cart_lines')
    .set({ person_id: to })
    .where('cart_id', '=', cartId)
    .where('person_id', '=', from)
    .execute();
}

export async function noteGroupChange(tx: Tx, of: { readonly id: string } | { readonly code: string }): Promise<void> {
  const change = tx.updateTable('group_orders').set((e) => ({ changes: e('changes', '+', 1) }));
  await ('id' in of ? change.where('id', '=', of.id) : change.where('code', '=', of.code)).execute();
}

/** The guest's open group moves with the cart to the account. */
export async function moveGroup(tx: Tx, groupId: string, fromCartId: string, toCartId: string): Promise<void> {
  await tx
    .updateTable('group_orders')
    .set((e) => ({ cart_id: toCartId, changes: e('changes', '+', 1) }))
    .where('id', '=', groupId)
    .execute();
  await tx.updateTable('carts').set({ group_id: null }).where('id', '=', fromCartId).execute();
  await tx.updateTable('carts').set({ group_id: groupId }).where('id', '=', toCartId).execute();
}

export async function groupsHostedBy(db: Db, userId: string): Promise<GroupRow[]> {
  return await db.selectFrom('group_orders').selectAll().where('host_user_id', '=', userId).execute();
}

export async function setHost(tx: Tx, groupId: string, userId: string): Promise<void> {
  await tx.updateTable('group_orders').set({ host_user_id: userId }).where('id', '=', groupId).execute();
}

export async function seatsOf(db: Db, userId: string): Promise<PersonRow[]> {
  return await db.selectFrom('group_people').selectAll().where('user_id', '=', userId).execute();
}

export async function moveBillsOf(tx: Tx, fromUserId: string, toUserId: string): Promise<void> {
  await tx.updateTable('bill_people').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
}
