import type { Db, Tx } from './db.ts';

export interface GroupRow {
  id: string; code: string; country: string; partner: string; cart_id: string; host_user_id: string;
  /** Closing is a matter of the clock, so OPEN here means only that it is neither ordered nor called off. */
  state: 'OPEN' | 'ORDERED' | 'ENDED';
  closes_at: number; limit_each: number | null;
  /** Who is in it now, the host included. */
  people: number;
  /** Grows with whatever a view shows beside the cart's own version. */
  changes: number;
  order_id: string | null; created_at: number;
}
export interface PersonRow {
  id: string; group_id: string; user_id: string; is_host: number; name: string; diet: string; done: number;
  state: 'IN' | 'LEFT' | 'OUT'; joined_at: number;
}
export interface GroupTables { group_orders: GroupRow; group_people: PersonRow }

export async function groupById(db: Db, id: string): Promise<GroupRow | undefined> {
  return await db.selectFrom('group_orders').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function groupByCode(db: Db, code: string): Promise<GroupRow | undefined> {
  return await db.selectFrom('group_orders').selectAll().where('code', '=', code).executeTakeFirst();
}

export async function openGroupOf(db: Db, cartId: string): Promise<GroupRow | undefined> {
  return await db.selectFrom('group_orders').selectAll().where('cart_id', '=', cartId).where('state', '=', 'OPEN').executeTakeFirst();
}

/** False when the cart has an open group already. */
export async function addGroup(tx: Tx, row: GroupRow): Promise<boolean> {
  const done = await tx.insertInto('group_orders').values(row).onConflict((c) => c.doNothing()).executeTakeFirst();
  if ((done.numInsertedOrUpdatedRows ?? 0n) !== 1n) return false;
  await tx.updateTable('carts').set({ group_id: row.id }).where('id', '=', row.cart_id).execute();
  return true;
}

/** Everybody who is in it now: the host first, then as they came. */
export async function peopleIn(db: Db, groupId: string): Promise<PersonRow[]> {
  return await db.selectFrom('group_people').selectAll().where('group_id', '=', groupId).where('state', '=', 'IN')
    .orderBy('is_host', 'desc').orderBy('joined_at').orderBy('id').execute();
}

export async function personOf(db: Db, groupId: string, userId: string): Promise<PersonRow | undefined> {
  return await db.selectFrom('group_people').selectAll().where('group_id', '=', groupId).where('user_id', '=', userId).executeTakeFirst();
}

export async function addPerson(tx: Tx, row: PersonRow): Promise<void> {
  await tx.insertInto('group_people').values(row).execute();
}

export async function setPerson(tx: Tx, id: string, values: Partial<PersonRow>): Promise<void> {
  await tx.updateTable('group_people').set(values).where('id', '=', id).execute();
}

/** Takes a seat while there is one and it is open; one statement, so that parallel calls cannot slip through. */
export async function takeSeat(tx: Tx, groupId: string, most: number, now: number): Promise<boolean> {
  const done = await tx.updateTable('group_orders').set((e) => ({ people: e('people', '+', 1), changes: e('changes', '+', 1) }))
    .where('id', '=', groupId).where('state', '=', 'OPEN').where('closes_at', '>', now).where('people', '<', most).executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function freeSeat(tx: Tx, groupId: string): Promise<void> {
  await tx.updateTable('group_orders').set((e) => ({ people: e('people', '-', 1), changes: e('changes', '+', 1) })).where('id', '=', groupId).execute();
}

/** Sets rules of an open group; false when it is over. */
export async function ruleGroup(tx: Tx, groupId: string, values: Partial<Pick<GroupRow, 'closes_at' | 'limit_each'>>): Promise<boolean> {
  const done = await tx.updateTable('group_orders').set((e) => ({ ...values, changes: e('changes', '+', 1) }))
    .where('id', '=', groupId).where('state', '=', 'OPEN').executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Ends an open group; its cart is nobody else's from then on. False when it is over already. */
export async function finishGroup(tx: Tx, group: Pick<GroupRow, 'id' | 'cart_id'>, state: 'ORDERED' | 'ENDED', orderId: string | null = null): Promise<boolean> {
  const done = await tx.updateTable('group_orders').set((e) => ({ state, order_id: orderId, changes: e('changes', '+', 1) }))
    .where('id', '=', group.id).where('state', '=', 'OPEN').executeTakeFirst();
  if (done.numUpdatedRows !== 1n) return false;
  await tx.updateTable('carts').set({ group_id: null }).where('id', '=', group.cart_id).where('group_id', '=', group.id).execute();
  return true;
}

/** An order that came to nothing leaves its group closed on the cart that its lines go back to; false where another group has that cart. */
export async function reopenGroup(tx: Tx, orderId: string, cartId: string, now: number): Promise<boolean> {
  const group = await tx.selectFrom('group_orders').selectAll().where('order_id', '=', orderId).where('state', '=', 'ORDERED').executeTakeFirst();
  if (group === undefined || await openGroupOf(tx, cartId) !== undefined) return false;
  await tx.updateTable('group_orders').set((e) => ({ state: 'OPEN' as const, order_id: null, cart_id: cartId, closes_at: Math.min(group.closes_at, now), changes: e('changes', '+', 1) }))
    .where('id', '=', group.id).execute();
  await tx.updateTable('carts').set({ group_id: group.id }).where('id', '=', cartId).execute();
  return true;
}

/** Takes the lines of one person, or of all guests, off a cart for good. */
export async function removeLinesOf(tx: Tx, cartId: string, personId: string | null, at: number): Promise<void> {
  const update = tx.updateTable('cart_lines').set({ removed: 1, quantity: 0, changed_at: at }).where('cart_id', '=', cartId).where('removed', '=', 0);
  await (personId === null ? update.where('person_id', 'is not', null) : update.where('person_id', '=', personId)).execute();
}

/** Lines of one person become another's; null is the host. */
export async function handLinesOver(tx: Tx, cartId: string, from: string, to: string | null): Promise<void> {
  await tx.updateTable('cart_lines').set({ person_id: to }).where('cart_id', '=', cartId).where('person_id', '=', from).execute();
}

export async function noteGroupChange(tx: Tx, groupId: string): Promise<void> {
  await tx.updateTable('group_orders').set((e) => ({ changes: e('changes', '+', 1) })).where('id', '=', groupId).execute();
}

/** The guest's open group goes with the cart into the account. */
export async function moveGroup(tx: Tx, groupId: string, fromCartId: string, toCartId: string): Promise<void> {
  await tx.updateTable('group_orders').set((e) => ({ cart_id: toCartId, changes: e('changes', '+', 1) })).where('id', '=', groupId).execute();
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
