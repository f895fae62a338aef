import type { Cart, CartLine } from '../../contract/cart.ts';
import type { Diet, Group, Person } from '../../contract/group.ts';
import type { GroupShares, Share } from '../../contract/shares.ts';
import { money } from '../../contract/price.ts';
import { dishesOf, GROUP_CODE, sharesOf } from '../../domain/group.ts';
import * as messages from '../../domain/messages.ts';
import { formatMoney } from '../../domain/money.ts';
import { refuse } from '../http/refusal.ts';
import type { Call, Caller, Partner } from '../http/route.ts';
import type { Catalogue } from '../store/catalogue.ts';
import { cartVersion, growVersion, takeCart } from '../store/carts.ts';
import type { Db, Tx } from '../store/db.ts';
import {
  addGroup, addPerson, finishGroup, freeSeat, groupByCode, groupsHostedBy, handLinesOver, moveGroup, noteGroupChange, openGroupOf, peopleIn, personOf,
  removeLinesOf, ruleGroup, seatsOf, setHost, setPerson, takeSeat, groupById, type GroupRow, type PersonRow,
} from '../store/group.ts';
import { newId } from '../store/ids.ts';
import { orderById } from '../store/orders.ts';
import { userById } from '../store/sessions.ts';
import { readSystem, type SystemRow } from '../store/system.ts';
import type { Part } from './cartChanges.ts';
import type { OrderSnapshot } from './orderView.ts';
import { viewOf } from './orderView.ts';
import { etaForOthers } from './tracking.ts';
import type { CountryCatalogue } from './menu.ts';
import { mustOwnCart, pricedCart, type Buyer } from './scene.ts';
import { onLogin, type LoginMove } from './sessions.ts';
import { newCode } from './codes.ts';
import { cartGroup, stateOf } from './groupCart.ts';

/** As many as the lines of one cart can serve. */
export const MOST_PEOPLE = 20;
const MINUTE_MS = 60_000;
/** From now on; a party that is planned further ahead is ordered further ahead. */
const LONGEST_MS = 12 * 60 * MINUTE_MS;

/** About 79 random bits: whoever has it may join, nobody finds it. */
const CODE_PARTS = 4;

const dietOf = (person: PersonRow) => JSON.parse(person.diet) as Diet[];
const notFound = () => refuse(404, 'NOT_FOUND', messages.NOT_FOUND, { field: 'code' });

/** The group of a code in the caller's country. @throws Refusal 404 NOT_FOUND */
export async function groupFor(db: Db, caller: Caller, code: string): Promise<GroupRow> {
  const group = GROUP_CODE.test(code) ? await groupByCode(db, code) : undefined;
  return group === undefined || group.country !== caller.country ? notFound() : group;
}

/**
 * The group once more with its cart taken: others wait until this transaction ends. `now` is the database's clock after the
 * waiting, so that nothing slips in behind the closing time.
 */
async function taken(tx: Tx, found: GroupRow): Promise<{ group: GroupRow; now: number }> {
  const { now: before } = await readSystem(tx);
  for (let group = found; ;) {
    await takeCart(tx, { cartId: group.cart_id, userId: group.host_user_id, country: group.country, storeId: '' }, before);
    const fresh = await groupById(tx, group.id) ?? notFound();
    // A host who logged in meanwhile has taken the cart along.
    if (fresh.cart_id === group.cart_id) return { group: fresh, now: (await readSystem(tx)).now };
    group = fresh;
  }
}

/** The cart that a path names: the caller's own, or for the guest of a group the host's, named by the group's code. */
export interface Place { readonly cartId: string; readonly guest: { readonly group: GroupRow; readonly person: PersonRow } | null }

/** In a transaction a group's cart is taken too. @throws Refusal 404 NOT_FOUND, 403 GROUP_OUT or GROUP_JOIN_FIRST */
export async function placeOf(db: Db, caller: Caller, cartId: string): Promise<Place> {
  if (!GROUP_CODE.test(cartId)) {
    await mustOwnCart(db, caller, cartId);
    return { cartId, guest: null };
  }
  const found = await groupFor(db, caller, cartId);
  const group = db.isTransaction ? (await taken(db as Tx, found)).group : found;
  if (group.host_user_id === caller.userId) return { cartId: group.cart_id, guest: null };
  const person = await personOf(db, group.id, caller.userId ?? '');
  if (person?.state === 'OUT') refuse(403, 'GROUP_OUT', messages.GROUP_OUT);
  if (person?.state !== 'IN') return refuse(403, 'GROUP_JOIN_FIRST', messages.GROUP_JOIN_FIRST);
  return { cartId: group.cart_id, guest: { group, person } };
}

/** What a guest may do to the cart, as it is once the cart is taken. */
export function partOf(tx: Tx, catalogue: CountryCatalogue, { group, person }: NonNullable<Place['guest']>): () => Promise<Part> {
  return async () => {
    const fresh = await groupById(tx, group.id) ?? group;
    const { now } = await readSystem(tx);
    if (fresh.state !== 'OPEN') refuse(409, 'GROUP_OVER', messages.GROUP_OVER);
    return {
      personId: person.id, isOpen: stateOf(fresh, now) === 'OPEN', limit: fresh.limit_each,
      tooMuch: (limit) => messages.groupLimit(formatMoney(money(limit), catalogue.country)),
    };
  };
}

/** The group's cart as a guest has it: the own lines, at the menu's prices. Offers and charges are the host's. */
export async function guestCart(db: Db, catalogues: Catalogue, { group, person }: NonNullable<Place['guest']>, now: number): Promise<Cart> {
  const fresh = await groupById(db, group.id) ?? group;
  const buyer = await hostBuyer(db, fresh);
  const people = await peopleIn(db, group.id);
  const { cart } = await pricedCart(db, catalogues, fresh.cart_id, buyer, now, { personId: person.id });
  return { ...cart, cartId: group.code, group: cartGroup(fresh, people, 'guest', now) };
}

async function hostBuyer(db: Db, group: GroupRow): Promise<Buyer> {
  const host = await userById(db, group.host_user_id);
  return { country: group.country, partner: group.partner as Partner, userId: group.host_user_id, mobile: host?.mobile ?? null };
}

/** The shares of everybody in a group by the lines of one bill. Lines of nobody who is in it are the host's. */
function sharesAmong(people: readonly PersonRow[], lines: readonly CartLine[], bill: Cart['bill']): { lines: CartLine[]; share: Share }[] {
  const guests = new Set(people.filter((one) => one.is_host === 0).map((one) => one.id));
  const own = people.map((one) => lines.filter((line) => line.free !== true && (one.is_host === 1 ? !guests.has(line.by?.personId ?? '') : line.by?.personId === one.id)));
  const shares = sharesOf(bill, own.map(dishesOf));
  return own.map((part, index) => ({ lines: part, share: shares[index]! }));
}

const NOTHING: Share = { dishes: money(0), discount: money(0), charges: money(0), total: money(0) };

/** The shares of an order, for its snapshot. */
export async function sharesOfOrder(db: Db, groupId: string, lines: readonly CartLine[], bill: Cart['bill']): Promise<{ group: GroupRow; shares: GroupShares } | null> {
  const group = await groupById(db, groupId);
  if (group?.state !== 'OPEN') return null;
  const people = await peopleIn(db, groupId);
  const among = sharesAmong(people, lines, bill);
  return { group, shares: { code: group.code, people: people.map((one, index) => ({ personId: one.id, name: one.name, isHost: one.is_host === 1, share: among[index]!.share })) } };
}

/** What an answer was made of: another one only when this is another. */
async function stampOf(db: Db, group: GroupRow, { now, changes: menus }: SystemRow): Promise<string> {
  if (group.order_id !== null) {
    const order = await orderById(db, group.order_id);
    return `${group.changes}-${order?.status ?? ''}-${order?.stage ?? ''}`.replaceAll(' ', '_');
  }
  return `${group.changes}-${await cartVersion(db, group.cart_id)}-${menus}-${stateOf(group, now)}`;
}

/** A group as the caller may see it, and its stamp; null where the caller has the newest. */
export async function groupView(db: Db, call: Call, group: GroupRow, have?: string): Promise<{ stamp: string; group: Group | null }> {
  const { caller, services } = call;
  const system = await readSystem(db);
  const { now } = system;
  const person = await personOf(db, group.id, caller.userId ?? '');
  const role = group.host_user_id === caller.userId ? 'host' : person?.state === 'IN' ? 'guest' : 'stranger';
  const stamp = `${await stampOf(db, group, system)}-${role}`;
  if (stamp === have) return { stamp, group: null };
  const people = await peopleIn(db, group.id);
  const catalogue = await services.catalogue.of(db, group.country, system);
  const order = group.order_id === null ? undefined : await orderById(db, group.order_id);
  const snapshot = order && (JSON.parse(order.snapshot) as OrderSnapshot);
  const priced = group.state === 'OPEN' ? await pricedCart(db, services.catalogue, group.cart_id, await hostBuyer(db, group), now, {}, system) : null;
  const lines = priced?.cart.validItems ?? snapshot?.lines ?? [];
  const bill = priced?.cart.bill ?? snapshot?.bill ?? null;
  const among = bill === null || role === 'stranger' ? [] : sharesAmong(people, lines, bill);
  const mine = person?.id ?? '';
  const isMine = (one: PersonRow) => (role === 'host' ? one.is_host === 1 : one.id === mine);
  const gone = priced?.cart.invalidItems ?? [];
  const spent = role !== 'guest' ? 0 : among[people.findIndex((one) => one.id === mine)]?.share.dishes ?? 0;
  const store = catalogue.stores.get(priced?.state.storeId ?? snapshot?.store.id ?? '');
  return {
    stamp,
    group: {
      code: group.code, role, state: stateOf(group, now), hostName: people.find((one) => one.is_host === 1)?.name ?? '',
      store: { id: store?.id ?? '', name: store?.name ?? '' },
      deliveryType: priced?.state.deliveryType ?? (order?.delivery_type as Cart['deliveryType'] | undefined) ?? 'DELIVERY',
      closesAt: group.closes_at, limit: group.limit_each === null ? null : money(group.limit_each), size: people.length,
      left: role !== 'guest' || group.limit_each === null ? null : money(Math.max(0, group.limit_each - spent)),
      people: role === 'stranger' ? [] : people.map((one, index): Person => ({
        personId: one.id, name: one.name, isHost: one.is_host === 1, isMe: isMine(one), done: one.done === 1, diet: dietOf(one),
        lines: among[index]?.lines ?? [],
        gone: gone.filter((line) => (line.by?.personId ?? people[0]?.id) === one.id).map(({ lineId, name, reason }) => ({ lineId, name, reason })),
        // What was frozen with the order is what counts.
        share: snapshot?.group?.people.find((own) => own.personId === one.id)?.share ?? among[index]?.share ?? NOTHING,
      })),
      free: role === 'stranger' ? [] : lines.filter((line) => line.free === true),
      bill: role === 'stranger' ? null : bill,
      order: role === 'stranger' || order === undefined ? null : await progressOf(db, order.id, role === 'host', now),
    },
  };
}

/** How far an order is, without a word on whose it is. */
async function progressOf(db: Db, orderId: string, isHost: boolean, now: number): Promise<Group['order']> {
  const order = await orderById(db, orderId);
  if (order === undefined) return null;
  const { orderNumber, orderStatus, orderType, steps, eta } = await viewOf(db, order, now);
  return { orderNumber, orderStatus, orderType, steps, eta: isHost ? eta : etaForOthers(eta), ...(isHost ? { orderId } : {}) };
}

/** Two people of one name are told apart. */
function ownName(name: string, others: readonly PersonRow[]): string {
  const taken = new Set(others.map((one) => one.name.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(tried.toLowerCase())) return tried;
  }
}

/** Opens the caller's own cart; a second time answers the group that is there. */
export async function startGroup(tx: Tx, call: Call, cartId: string, wish: { name: string; diet: readonly Diet[]; minutes: number; limit: number | null }): Promise<GroupRow> {
  const { caller } = call;
  const userId = caller.userId ?? '';
  await mustOwnCart(tx, caller, cartId);
  const seen = await readSystem(tx);
  const { country } = await call.services.catalogue.of(tx, caller.country, seen);
  await takeCart(tx, { cartId, userId, country: caller.country, storeId: country.DEFAULT_STORE }, seen.now);
  const { now } = await readSystem(tx);
  const row: GroupRow = {
    id: newId('grp'), code: newCode(CODE_PARTS), country: caller.country, partner: caller.partner, cart_id: cartId, host_user_id: userId, state: 'OPEN',
    closes_at: now + wish.minutes * MINUTE_MS, limit_each: wish.limit, people: 1, changes: 0, order_id: null, created_at: now,
  };
  if (await addGroup(tx, row)) {
    await addPerson(tx, { id: newId('prs'), group_id: row.id, user_id: userId, is_host: 1, name: wish.name, diet: JSON.stringify(wish.diet), done: 0, state: 'IN', joined_at: now });
    return row;
  }
  return await openGroupOf(tx, cartId) ?? notFound();
}

/** @throws Refusal 403 GROUP_HOST_ONLY */
function mustHost(group: GroupRow, caller: Caller): void {
  if (group.host_user_id !== caller.userId) refuse(403, 'GROUP_HOST_ONLY', messages.GROUP_HOST_ONLY);
}

export async function changeRules(tx: Tx, caller: Caller, found: GroupRow, wish: { close?: boolean | undefined; moreMinutes?: number | undefined; limit?: number | null | undefined }): Promise<void> {
  mustHost(found, caller);
  const { group, now } = await taken(tx, found);
  const closesAt = wish.close === true ? Math.min(group.closes_at, now)
    : wish.moreMinutes === undefined ? group.closes_at : Math.min(Math.max(group.closes_at, now) + wish.moreMinutes * MINUTE_MS, now + LONGEST_MS);
  const isDone = await ruleGroup(tx, group.id, { closes_at: closesAt, ...(wish.limit === undefined ? {} : { limit_each: wish.limit }) });
  if (!isDone) refuse(409, 'GROUP_OVER', messages.GROUP_OVER);
}

export async function endGroup(tx: Tx, caller: Caller, found: GroupRow): Promise<void> {
  mustHost(found, caller);
  const { group, now } = await taken(tx, found);
  if (!await finishGroup(tx, group, 'ENDED')) {
    if (group.state === 'ENDED') return;
    refuse(409, 'GROUP_OVER', messages.GROUP_OVER);
  }
  await removeLinesOf(tx, group.cart_id, null, now);
  await growVersion(tx, group.cart_id);
}

/** Takes a seat in it, or changes the name and the marks of one's own. @throws Refusal 409 GROUP_CLOSED, GROUP_OVER, GROUP_FULL; 403 GROUP_OUT */
export async function joinGroup(tx: Tx, caller: Caller, found: GroupRow, wish: { name: string; diet: readonly Diet[] }): Promise<void> {
  const userId = caller.userId ?? '';
  const { group, now } = await taken(tx, found);
  const own = await personOf(tx, group.id, userId);
  const others = (await peopleIn(tx, group.id)).filter((one) => one.user_id !== userId);
  const values = { name: ownName(wish.name, others), diet: JSON.stringify(wish.diet) };
  if (group.state !== 'OPEN') refuse(409, 'GROUP_OVER', messages.GROUP_OVER);
  if (own?.state === 'OUT') refuse(403, 'GROUP_OUT', messages.GROUP_OUT);
  if (own?.state === 'IN') {
    await setPerson(tx, own.id, values);
    await noteGroupChange(tx, group.id);
    return;
  }
  if (!await takeSeat(tx, group.id, MOST_PEOPLE, now)) {
    if (stateOf(group, now) !== 'OPEN') refuse(409, 'GROUP_CLOSED', messages.GROUP_CLOSED);
    refuse(409, 'GROUP_FULL', messages.GROUP_FULL);
  }
  if (own !== undefined) await setPerson(tx, own.id, { ...values, state: 'IN', done: 0 });
  else await addPerson(tx, { id: newId('prs'), group_id: group.id, user_id: userId, is_host: 0, ...values, done: 0, state: 'IN', joined_at: now });
}

/** The person of a path, if it is the caller, or the caller is the host and `byHost` says that this is enough. */
async function personFor(tx: Tx, caller: Caller, group: GroupRow, personId: string, byHost: boolean): Promise<PersonRow> {
  const person = (await peopleIn(tx, group.id)).find((one) => one.id === personId);
  const isHost = group.host_user_id === caller.userId;
  const isOwn = person !== undefined && (person.is_host === 1 ? isHost : person.user_id === caller.userId);
  if (person === undefined || !(isOwn || (byHost && isHost))) {
    const isIn = isHost || (await personOf(tx, group.id, caller.userId ?? ''))?.state === 'IN';
    if (person !== undefined && isIn) refuse(403, 'GROUP_NOT_YOURS', messages.GROUP_NOT_YOURS, { field: 'personId' });
    return notFound();
  }
  return person;
}

export async function changePerson(tx: Tx, caller: Caller, found: GroupRow, personId: string, wish: { name?: string | undefined; diet?: readonly Diet[] | undefined; done?: boolean | undefined }): Promise<void> {
  const { group } = await taken(tx, found);
  const person = await personFor(tx, caller, group, personId, false);
  if (group.state !== 'OPEN') refuse(409, 'GROUP_OVER', messages.GROUP_OVER);
  const others = (await peopleIn(tx, group.id)).filter((one) => one.id !== person.id);
  await setPerson(tx, person.id, {
    ...(wish.name === undefined ? {} : { name: ownName(wish.name, others) }), ...(wish.diet === undefined ? {} : { diet: JSON.stringify(wish.diet) }),
    ...(wish.done === undefined ? {} : { done: wish.done ? 1 : 0 }),
  });
  await noteGroupChange(tx, group.id);
}

/** Out goes the person with the dishes: oneself while it is open, anybody else by the host's word and for good. */
export async function removePerson(tx: Tx, caller: Caller, found: GroupRow, personId: string): Promise<void> {
  const { group, now } = await taken(tx, found);
  const person = await personFor(tx, caller, group, personId, true);
  const isHost = group.host_user_id === caller.userId;
  if (person.is_host === 1) refuse(422, 'GROUP_HOST', messages.GROUP_HOST_ONLY, { field: 'personId' });
  // What was ordered stays as it was told.
  if (group.state !== 'OPEN') return;
  if (!isHost && stateOf(group, now) === 'CLOSED') refuse(409, 'GROUP_CLOSED', messages.GROUP_CLOSED);
  await setPerson(tx, person.id, { state: isHost ? 'OUT' : 'LEFT' });
  await freeSeat(tx, group.id);
  await removeLinesOf(tx, group.cart_id, person.id, now);
  await growVersion(tx, group.cart_id);
}

/** A host or a guest of a group logs in: the group, the seat and the lines go into the account, after the cart has. */
async function moveGroups(tx: Tx, move: LoginMove): Promise<void> {
  for (const group of await groupsHostedBy(tx, move.guestUserId)) {
    await setHost(tx, group.id, move.userId);
    const seat = await personOf(tx, group.id, move.guestUserId);
    const other = await personOf(tx, group.id, move.userId);
    // Whoever joined the own group from another device was a guest there, and is the host now.
    if (other !== undefined && other.is_host === 0) {
      await handLinesOver(tx, move.cartId, other.id, null);
      if (other.state === 'IN') await freeSeat(tx, group.id);
      await setPerson(tx, other.id, { user_id: `${move.userId}:${other.id}`, state: 'LEFT' });
    }
    if (seat !== undefined) await setPerson(tx, seat.id, { user_id: move.userId });
    if (group.state !== 'OPEN' || group.cart_id !== move.guestCartId) continue;
    const older = await openGroupOf(tx, move.cartId);
    if (older !== undefined) {
      // One cart has one group: the newer one goes on, and no line of the older one is lost.
      const guests = new Set((await peopleIn(tx, older.id)).map((one) => one.id));
      for (const personId of guests) await handLinesOver(tx, move.cartId, personId, null);
      await finishGroup(tx, older, 'ENDED');
    }
    await moveGroup(tx, group.id, move.guestCartId, move.cartId);
  }
  for (const seat of await seatsOf(tx, move.guestUserId)) {
    if (seat.is_host === 1) continue;
    const group = await groupById(tx, seat.group_id);
    const own = await personOf(tx, seat.group_id, move.userId);
    if (group === undefined) continue;
    if (own === undefined) {
      await setPerson(tx, seat.id, { user_id: move.userId });
      continue;
    }
    await handLinesOver(tx, group.cart_id, seat.id, own.is_host === 1 ? null : own.id);
    if (seat.state === 'IN') await (own.state === 'IN' ? freeSeat(tx, group.id) : setPerson(tx, own.id, { state: 'IN' }));
    await setPerson(tx, seat.id, { state: 'LEFT' });
  }
}

onLogin(moveGroups);
