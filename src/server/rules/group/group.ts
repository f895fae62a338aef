import type { Cart, CartLine } from '../../../contract/cart.ts';
import type { Diet, Group, Person } from '../../../contract/group.ts';
import type { GroupShares, Share } from '../../../contract/shares.ts';
import { money } from '../../../contract/price.ts';
import { countryConfig } from '../../../../country/index.ts';
import { lineCosts, type LineCost, type TaxRule } from '../../../domain/allocation.ts';
import { GROUP_CODE, groupCode, sharesOf } from '../../../domain/group.ts';
import { isLost } from '../../../domain/orders.ts';
import { quoted } from '../../../domain/plainText.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { errors, t, formatMoney } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { Call } from '../../call/call.ts';
import type { Caller } from '../../call/caller.ts';
import type { Catalogue, CountryCatalogue } from '../../call/catalogue.ts';
import { cartVersion, growVersion, takeCart } from '../../store/carts.ts';
import { transact, type Db, type Tx } from '../../store/db.ts';
import {
  addGroup,
  addPerson,
  finishGroup,
  freeSeat,
  groupByCode,
  groupsHostedBy,
  handLinesOver,
  moveBillsOf,
  moveGroup,
  noteGroupChange,
  openGroupOf,
  peopleIn,
  personOf,
  removeLinesOf,
  ruleGroup,
  seatsOf,
  setHost,
  setPerson,
  takeSeat,
  groupById,
  type GroupRow,
  type PersonRow,
} from '../../store/group.ts';
import { ticketsOfOrders } from '../../store/help.ts';
import { newId } from '../../store/ids.ts';
import { creditsOf, orderById, snapshotOf, type OrderRow } from '../../store/orders.ts';
import { userById } from '../../store/sessions.ts';
import { readSystem, type SystemRow } from '../../store/system.ts';
import type { Part } from '../cart/cartChanges.ts';
import { viewOf } from '../order/orderView.ts';
import { sharesNow } from '../order/shares.ts';
import { etaForOthers } from '../order/tracking.ts';
import { mustOwnCart, pricedCart, type Buyer } from '../cart/pricingContext.ts';
import type { LoginMove } from '../people/sessions.ts';
import { newCode } from '../people/codes.ts';
import { cartGroup, groupFacts, stateOf } from '../cart/groupCart.ts';

/** A cart may have 60 lines: three for each of 20 people. */
const MOST_PEOPLE = 20;
/** The host can extend a group to at most 12 hours from now. */
const LONGEST_MS = 12 * HOUR_MS;

/** About 79 random bits: whoever has the code may join, and nobody can guess it. */
const CODE_PARTS = 4;

const dietOf = (person: PersonRow) => JSON.parse(person.diet) as Diet[];
const notFound = () => refuse(404, 'NOT_FOUND', errors.notFound, { field: 'code' });

/** The group with this code in the caller's country. @throws Refusal 404 NOT_FOUND */
export async function groupFor(db: Db, caller: Caller, typed: string): Promise<GroupRow> {
  const code = groupCode(typed);
  const group = code === null ? undefined : await groupByCode(db, code);
  return group === undefined || group.country !== caller.country ? notFound() : group;
}

/**
 * Reads the group again with its cart locked: others wait until this transaction ends. `now` is the database's clock
 * after the wait, so that nothing is added after the closing time.
 */
async function taken(tx: Tx, found: GroupRow): Promise<{ group: GroupRow; now: number }> {
  const { now: before } = await readSystem(tx);
  for (let group = found; ;) {
    await takeCart(
      tx,
      { cartId: group.cart_id, userId: group.host_user_id, country: group.country, storeId: '' },
      before,
    );
    const fresh = (await groupById(tx, group.id)) ?? notFound();
    // If the host logged in meanwhile, the group moved to another cart; lock that one.
    if (fresh.cart_id === group.cart_id) return { group: fresh, now: (await readSystem(tx)).now };
    group = fresh;
  }
}

/**
 * The cart that a path names: the caller's own, or, for the guest of a group, the host's cart, named by the group's
 * code.
 */
export interface Place {
  readonly cartId: string;
  readonly guest: { readonly group: GroupRow; readonly person: PersonRow } | null;
}

/**
 * Whose a cart is that no group's code names, its reader checks. In a transaction this also locks a group's cart.
 * @throws Refusal 404 NOT_FOUND for an unknown group, 403 GROUP_OUT or GROUP_JOIN_FIRST
 */
export async function placeOf(db: Db, caller: Caller, cartId: string): Promise<Place> {
  if (!GROUP_CODE.test(cartId)) return { cartId, guest: null };
  const found = await groupFor(db, caller, cartId);
  const group = db.isTransaction ? (await taken(db as Tx, found)).group : found;
  if (group.host_user_id === caller.userId) return { cartId: group.cart_id, guest: null };
  const person = await personOf(db, group.id, caller.userId ?? '');
  if (person?.state === 'OUT') refuse(403, 'GROUP_OUT', errors.groupOut);
  if (person?.state !== 'IN') return refuse(403, 'GROUP_JOIN_FIRST', t.groupJoinFirst);
  return { cartId: group.cart_id, guest: { group, person } };
}

/** What a guest may do to the cart; to be called once the cart is locked. The result throws Refusal 409 GROUP_OVER. */
export function partOf(
  tx: Tx,
  catalogue: CountryCatalogue,
  { group, person }: NonNullable<Place['guest']>,
): () => Promise<Part> {
  return async () => {
    const fresh = (await groupById(tx, group.id)) ?? group;
    const { now } = await readSystem(tx);
    if (fresh.state !== 'OPEN') refuse(409, 'GROUP_OVER', t.groupOver);
    return {
      personId: person.id,
      isOpen: stateOf(fresh, now) === 'OPEN',
      limit: fresh.limit_each,
      tooMuch: (limit) => t.groupLimit({ amount: formatMoney(money(limit), catalogue.country) }),
    };
  };
}

/**
 * The group's cart as a guest sees it: only the guest's own lines, at menu prices. Offers and charges belong to the
 * host.
 */
export async function guestCart(
  db: Db,
  catalogues: Catalogue,
  { group, person }: NonNullable<Place['guest']>,
  now: number,
): Promise<Cart> {
  const fresh = (await groupById(db, group.id)) ?? group;
  const buyer = await hostBuyer(db, fresh);
  const people = await peopleIn(db, group.id);
  const { cart } = await pricedCart(db, catalogues, fresh.cart_id, buyer, now, { personId: person.id });
  return { ...cart, cartId: group.code, group: cartGroup(fresh, people, 'guest', now) };
}

async function hostBuyer(db: Db, group: GroupRow): Promise<Buyer> {
  const host = await userById(db, group.host_user_id);
  return {
    country: group.country,
    host: group.host,
    userId: group.host_user_id,
    mobile: host?.mobile ?? null,
  };
}

/** Each person's lines and share of one bill. Lines of somebody who is no longer in the group count as the host's. */
function sharesAmong(
  people: readonly PersonRow[],
  lines: readonly CartLine[],
  bill: Cart['bill'],
  costs: readonly LineCost[],
  tax: TaxRule,
): { lines: CartLine[]; share: Share }[] {
  const guests = new Set(people.filter((one) => one.is_host === 0).map((one) => one.id));
  const own = people.map((one) =>
    lines.filter(
      (line) =>
        line.free !== true && (one.is_host === 1 ? !guests.has(line.by?.personId ?? '') : line.by?.personId === one.id),
    ),
  );
  const shares = sharesOf(
    bill,
    own.map((part) => costs.filter(({ lineId }) => part.some((line) => line.lineId === lineId))),
    tax,
  );
  return own.map((part, index) => ({ lines: part, share: shares[index]! }));
}

const NOTHING: Share = { dishes: money(0), discount: money(0), charges: money(0), total: money(0) };

/** A group that is about to order. */
export interface GroupToOrder {
  readonly group: GroupRow;
  readonly people: readonly PersonRow[];
}

/** Null if the group is over. */
export async function groupToOrder(db: Db, groupId: string): Promise<GroupToOrder | null> {
  const group = await groupById(db, groupId);
  return group?.state === 'OPEN' ? { group, people: await peopleIn(db, groupId) } : null;
}

/** What each person owes for an order, to keep in its snapshot. */
export function sharesFor(
  { group, people }: GroupToOrder,
  lines: readonly CartLine[],
  bill: Cart['bill'],
  costs: readonly LineCost[] | undefined,
): GroupShares {
  const { tax } = countryConfig(group.country);
  const among = sharesAmong(people, lines, bill, costs ?? lineCosts(bill, lines, tax), tax);
  return {
    code: group.code,
    people: people.map((one, index) => ({
      personId: one.id,
      name: quoted(one.name),
      isHost: one.is_host === 1,
      share: among[index]!.share,
    })),
  };
}

/** A stamp of everything a group's answer is made from; it changes only when the answer may change. */
async function stampOf(db: Db, group: GroupRow, { now, changes: menus }: SystemRow): Promise<string> {
  if (group.order_id !== null) {
    const order = await orderById(db, group.order_id);
    return `${group.changes}-${order?.status ?? ''}-${order?.stage ?? ''}`.replaceAll(' ', '_');
  }
  return `${group.changes}-${await cartVersion(db, group.cart_id)}-${menus}-${stateOf(group, now)}`;
}

/** What a group eats: the content of its open cart, or what was ordered. */
interface Food extends Pick<Cart, 'storeId' | 'deliveryType'> {
  readonly lines: readonly CartLine[];
  /** Lines that cannot be sold now. */
  readonly gone: Cart['invalidItems'];
  readonly bill: Cart['bill'] | null;
  /** What each line costs; none once it is ordered, when the shares are frozen. */
  readonly costs: readonly LineCost[];
  /** Each person's share as ordered. From then on these amounts count. */
  readonly frozen: GroupShares['people'];
  /** It was cancelled: nobody owes anything. */
  readonly isOff?: boolean;
}
const NO_FOOD: Food = { storeId: '', deliveryType: 'DELIVERY', lines: [], gone: [], bill: null, costs: [], frozen: [] };

async function foodOf(
  db: Db,
  catalogues: Catalogue,
  group: GroupRow,
  order: OrderRow | undefined,
  system: SystemRow,
): Promise<Food> {
  if (group.state === 'OPEN') {
    const buyer = await hostBuyer(db, group);
    const { cart, state, costs } = await pricedCart(db, catalogues, group.cart_id, buyer, system.now, {}, system);
    const { storeId, deliveryType } = state;
    const { validItems: lines, invalidItems: gone, bill } = cart;
    return { storeId, deliveryType, lines, gone, bill, costs, frozen: [] };
  }
  if (order === undefined) return NO_FOOD;
  const { store, lines, bill } = snapshotOf(order);
  const deliveryType = order.delivery_type as Cart['deliveryType'];
  const [credit] = await creditsOf(db, [order.id]);
  const frozen = sharesNow(order, credit, await ticketsOfOrders(db, [order.id]))?.people ?? [];
  return { storeId: store.id, deliveryType, lines, gone: [], bill, costs: [], frozen, isOff: isLost(order.status) };
}

/** Each person with their own dishes and share, and what the viewer may still spend. */
function partsOf(
  group: GroupRow,
  people: readonly PersonRow[],
  food: Food,
  isMe: (one: PersonRow) => boolean,
): Pick<Group, 'left' | 'people'> {
  const { bill, lines, gone, costs, frozen, isOff = false } = food;
  const { tax } = countryConfig(group.country);
  const among = bill === null ? [] : sharesAmong(people, lines, bill, costs, tax);
  const spent = among[people.findIndex(isMe)]?.share.dishes ?? 0;
  const host = people[0]?.id;
  return {
    left: group.limit_each === null ? null : money(Math.max(0, group.limit_each - spent)),
    people: people.map((one, index): Person => ({
      personId: one.id,
      // One's own stands in a field, to be changed.
      name: isMe(one) ? one.name : quoted(one.name),
      isHost: one.is_host === 1,
      isMe: isMe(one),
      done: one.done === 1,
      diet: dietOf(one),
      lines: among[index]?.lines ?? [],
      gone: gone
        .filter((line) => (line.by?.personId ?? host) === one.id)
        .map(({ lineId, name, reason }) => ({ lineId, name, reason })),
      share: isOff ? NOTHING : (frozen.find((own) => own.personId === one.id)?.share ?? among[index]?.share ?? NOTHING),
    })),
  };
}

function roleOf(group: GroupRow, caller: Caller, person: PersonRow | undefined): Group['role'] {
  if (group.host_user_id === caller.userId) return 'host';
  return person?.state === 'IN' ? 'guest' : 'stranger';
}

/** A group as the caller may see it, with its stamp; `group` is null if the caller already has the newest (`have`). */
export async function groupView(
  db: Db,
  call: Call,
  group: GroupRow,
  have?: string,
): Promise<{ stamp: string; group: Group | null }> {
  const { caller, services } = call;
  const system = await readSystem(db);
  const { now } = system;
  const person = await personOf(db, group.id, caller.userId ?? '');
  const role = roleOf(group, caller, person);
  const stamp = `${await stampOf(db, group, system)}-${role}`;
  if (stamp === have) return { stamp, group: null };
  const people = await peopleIn(db, group.id);
  const catalogue = await services.catalogue.of(db, group.country, system);
  const order = group.order_id === null ? undefined : await orderById(db, group.order_id);
  const food = await foodOf(db, services.catalogue, group, order, system);
  const store = catalogue.stores.get(food.storeId);
  const forAll = {
    ...groupFacts(group, people, now),
    role,
    store: { id: store?.id ?? '', name: store?.name ?? '' },
    deliveryType: food.deliveryType,
    size: people.length,
  };
  if (role === 'stranger')
    return { stamp, group: { ...forAll, left: null, people: [], free: [], bill: null, order: null } };
  const isMe = (one: PersonRow) => (role === 'host' ? one.is_host === 1 : one.id === person?.id);
  const parts = partsOf(group, people, food, isMe);
  return {
    stamp,
    group: {
      ...forAll,
      // Only guests have a limit.
      left: role === 'host' ? null : parts.left,
      people: parts.people,
      free: food.lines.filter((line) => line.free === true),
      bill: food.bill,
      order: order === undefined ? null : await progressOf(db, order, role === 'host', now),
    },
  };
}

/** How far an order is; only the host gets its id. */
async function progressOf(db: Db, order: OrderRow, isHost: boolean, now: number): Promise<Group['order']> {
  const { orderNumber, orderStatus, orderType, steps, eta } = await viewOf(db, order, now);
  return {
    orderNumber,
    orderStatus,
    orderType,
    steps,
    eta: isHost ? eta : etaForOthers(eta),
    ...(isHost ? { orderId: order.id } : {}),
  };
}

/** A second person with the same name gets a number: 'Asha 2'. */
function ownName(name: string, others: readonly PersonRow[]): string {
  const taken = new Set(others.map((one) => one.name.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(tried.toLowerCase())) return tried;
  }
}

/** Opens the caller's own cart to a group; if it has one already, returns that. */
export async function startGroup(call: Call, cartId: string, wish: GroupWish): Promise<Group> {
  return await transact(call.db, async (tx) => {
    const row = await openedGroup(tx, call, cartId, wish);
    return (await groupView(tx, call, row)).group!;
  });
}

interface GroupWish {
  readonly name: string;
  readonly diet: readonly Diet[];
  readonly minutes: number;
  readonly limit: number | null;
}
async function openedGroup(tx: Tx, call: Call, cartId: string, wish: GroupWish): Promise<GroupRow> {
  const { caller } = call;
  const userId = caller.userId ?? '';
  await mustOwnCart(tx, caller, cartId);
  const seen = await readSystem(tx);
  const { country } = await call.services.catalogue.of(tx, caller.country, seen);
  await takeCart(tx, { cartId, userId, country: caller.country, storeId: country.DEFAULT_STORE }, seen.now);
  const { now } = await readSystem(tx);
  const row: GroupRow = {
    id: newId('grp'),
    code: newCode(CODE_PARTS),
    country: caller.country,
    host: caller.host,
    cart_id: cartId,
    host_user_id: userId,
    state: 'OPEN',
    closes_at: now + wish.minutes * MINUTE_MS,
    limit_each: wish.limit,
    people: 1,
    changes: 0,
    order_id: null,
    created_at: now,
  };
  if (await addGroup(tx, row)) {
    await addPerson(tx, {
      id: newId('prs'),
      group_id: row.id,
      user_id: userId,
      is_host: 1,
      name: wish.name,
      diet: JSON.stringify(wish.diet),
      done: 0,
      state: 'IN',
      joined_at: now,
    });
    return row;
  }
  return (await openGroupOf(tx, cartId)) ?? notFound();
}

/** @throws Refusal 403 GROUP_HOST_ONLY */
function mustHost(group: GroupRow, caller: Caller): void {
  if (group.host_user_id !== caller.userId) refuse(403, 'GROUP_HOST_ONLY', t.groupHostOnly);
}

interface RulesWish {
  readonly close?: boolean | undefined;
  readonly moreMinutes?: number | undefined;
  readonly limit?: number | null | undefined;
}
async function writeRules(tx: Tx, caller: Caller, found: GroupRow, wish: RulesWish): Promise<void> {
  mustHost(found, caller);
  const { group, now } = await taken(tx, found);
  const closesAt =
    wish.close === true
      ? Math.min(group.closes_at, now)
      : wish.moreMinutes === undefined
        ? group.closes_at
        : Math.min(Math.max(group.closes_at, now) + wish.moreMinutes * MINUTE_MS, now + LONGEST_MS);
  const isDone = await ruleGroup(tx, group.id, {
    closes_at: closesAt,
    ...(wish.limit === undefined ? {} : { limit_each: wish.limit }),
  });
  if (!isDone) refuse(409, 'GROUP_OVER', t.groupOver);
}

async function end(tx: Tx, caller: Caller, found: GroupRow): Promise<void> {
  mustHost(found, caller);
  const { group, now } = await taken(tx, found);
  if (!(await finishGroup(tx, group, 'ENDED'))) {
    if (group.state === 'ENDED') return;
    refuse(409, 'GROUP_OVER', t.groupOver);
  }
  await removeLinesOf(tx, group.cart_id, null, now);
  await growVersion(tx, group.cart_id);
}

type SeatWish = Pick<GroupWish, 'name' | 'diet'>;
/**
 * Takes a seat in the group, or, for somebody who is already in it, changes their name and diet.
 * @throws Refusal 409 GROUP_CLOSED, GROUP_OVER, GROUP_FULL; 403 GROUP_OUT
 */
async function takePlace(tx: Tx, caller: Caller, found: GroupRow, wish: SeatWish): Promise<void> {
  const userId = caller.userId ?? '';
  const { group, now } = await taken(tx, found);
  const own = await personOf(tx, group.id, userId);
  const others = (await peopleIn(tx, group.id)).filter((one) => one.user_id !== userId);
  const values = { name: ownName(wish.name, others), diet: JSON.stringify(wish.diet) };
  if (group.state !== 'OPEN') refuse(409, 'GROUP_OVER', t.groupOver);
  if (own?.state === 'OUT') refuse(403, 'GROUP_OUT', errors.groupOut);
  if (own?.state === 'IN') {
    await setPerson(tx, own.id, values);
    await noteGroupChange(tx, group);
    return;
  }
  if (!(await takeSeat(tx, group.id, MOST_PEOPLE, now))) {
    if (stateOf(group, now) !== 'OPEN') refuse(409, 'GROUP_CLOSED', t.groupClosed);
    refuse(409, 'GROUP_FULL', t.groupFull);
  }
  if (own !== undefined) await setPerson(tx, own.id, { ...values, state: 'IN', done: 0 });
  else
    await addPerson(tx, {
      id: newId('prs'),
      group_id: group.id,
      user_id: userId,
      is_host: 0,
      ...values,
      done: 0,
      state: 'IN',
      joined_at: now,
    });
}

/**
 * The person in a path: the caller, or, if `byHost` is true, anybody if the caller is the host.
 * @throws Refusal 403 GROUP_NOT_YOURS, 404 NOT_FOUND
 */
async function personFor(
  tx: Tx,
  caller: Caller,
  group: GroupRow,
  personId: string,
  byHost: boolean,
): Promise<PersonRow> {
  const person = (await peopleIn(tx, group.id)).find((one) => one.id === personId);
  const isHost = group.host_user_id === caller.userId;
  const isOwn = person !== undefined && (person.is_host === 1 ? isHost : person.user_id === caller.userId);
  if (person === undefined || !(isOwn || (byHost && isHost))) {
    const isIn = isHost || (await personOf(tx, group.id, caller.userId ?? ''))?.state === 'IN';
    if (person !== undefined && isIn) refuse(403, 'GROUP_NOT_YOURS', t.groupNotYours, { field: 'personId' });
    return notFound();
  }
  return person;
}

interface PersonWish {
  readonly name?: string | undefined;
  readonly diet?: readonly Diet[] | undefined;
  readonly done?: boolean | undefined;
}
async function writePerson(tx: Tx, caller: Caller, found: GroupRow, personId: string, wish: PersonWish): Promise<void> {
  const { group } = await taken(tx, found);
  const person = await personFor(tx, caller, group, personId, false);
  if (group.state !== 'OPEN') refuse(409, 'GROUP_OVER', t.groupOver);
  const others = (await peopleIn(tx, group.id)).filter((one) => one.id !== person.id);
  await setPerson(tx, person.id, {
    ...(wish.name === undefined ? {} : { name: ownName(wish.name, others) }),
    ...(wish.diet === undefined ? {} : { diet: JSON.stringify(wish.diet) }),
    ...(wish.done === undefined ? {} : { done: wish.done ? 1 : 0 }),
  });
  await noteGroupChange(tx, group);
}

/**
 * Takes a person and their dishes out. Guests can leave while the group is open; the host can remove any guest, who
 * cannot come back.
 * @throws Refusal 409 GROUP_CLOSED, 422 GROUP_HOST and what personFor refuses
 */
async function takeOut(tx: Tx, caller: Caller, found: GroupRow, personId: string): Promise<void> {
  const { group, now } = await taken(tx, found);
  const person = await personFor(tx, caller, group, personId, true);
  const isHost = group.host_user_id === caller.userId;
  if (person.is_host === 1) refuse(422, 'GROUP_HOST', t.groupHostOnly, { field: 'personId' });
  // After the group is over, what was ordered stays as it was.
  if (group.state !== 'OPEN') return;
  if (!isHost && stateOf(group, now) === 'CLOSED') refuse(409, 'GROUP_CLOSED', t.groupClosed);
  await setPerson(tx, person.id, { state: isHost ? 'OUT' : 'LEFT' });
  await freeSeat(tx, group.id);
  await removeLinesOf(tx, group.cart_id, person.id, now);
  await growVersion(tx, group.cart_id);
}

/** Does something with a group in one transaction. @returns the group as it is after that. @throws Refusal 404 NOT_FOUND */
async function inGroup(
  call: Call,
  code: string,
  work: (tx: Tx, caller: Caller, group: GroupRow) => Promise<void>,
): Promise<Group> {
  return await transact(call.db, async (tx) => {
    const found = await groupFor(tx, call.caller, code);
    await work(tx, call.caller, found);
    return (await groupView(tx, call, (await groupById(tx, found.id)) ?? found)).group!;
  });
}

/** @throws Refusal 403 GROUP_HOST_ONLY, 404 NOT_FOUND, 409 GROUP_OVER */
export const changeRules = (call: Call, code: string, wish: RulesWish): Promise<Group> =>
  inGroup(call, code, (...group) => writeRules(...group, wish));
/** @throws Refusal 404 NOT_FOUND and as `takePlace` */
export const joinGroup = (call: Call, code: string, wish: SeatWish): Promise<Group> =>
  inGroup(call, code, (...group) => takePlace(...group, wish));
/** @throws Refusal 409 GROUP_OVER and as `personFor` */
export const changePerson = (call: Call, code: string, personId: string, wish: PersonWish): Promise<Group> =>
  inGroup(call, code, (...group) => writePerson(...group, personId, wish));

// Nobody is left after these two who may look at the group.

/** @throws Refusal 403 GROUP_HOST_ONLY, 404 NOT_FOUND, 409 GROUP_OVER */
export const endGroup = (call: Call, code: string): Promise<void> =>
  transact(call.db, async (tx) => end(tx, call.caller, await groupFor(tx, call.caller, code)));
/** @throws Refusal as `takeOut` */
export const removePerson = (call: Call, code: string, personId: string): Promise<void> =>
  transact(call.db, async (tx) => takeOut(tx, call.caller, await groupFor(tx, call.caller, code), personId));

/** At the login of a host or guest, moves their group, seat and lines to the account. Runs after the cart has moved. */
export async function moveGroups(tx: Tx, move: LoginMove): Promise<void> {
  await moveBillsOf(tx, move.guestUserId, move.userId);
  for (const group of await groupsHostedBy(tx, move.guestUserId)) {
    await setHost(tx, group.id, move.userId);
    const seat = await personOf(tx, group.id, move.guestUserId);
    const other = await personOf(tx, group.id, move.userId);
    // If the account had joined this group as a guest from another device, that seat ends: the account is the host now.
    if (other !== undefined && other.is_host === 0) {
      await handLinesOver(tx, move.cartId, other.id, null);
      if (other.state === 'IN') await freeSeat(tx, group.id);
      await setPerson(tx, other.id, { user_id: `${move.userId}:${other.id}`, state: 'LEFT' });
    }
    if (seat !== undefined) await setPerson(tx, seat.id, { user_id: move.userId });
    if (group.state !== 'OPEN' || group.cart_id !== move.guestCartId) continue;
    const older = await openGroupOf(tx, move.cartId);
    if (older !== undefined) {
      // A cart has one group: the newer one stays. The older one ends, and its lines become the host's.
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
    if (seat.state === 'IN')
      await (own.state === 'IN' ? freeSeat(tx, group.id) : setPerson(tx, own.id, { state: 'IN' }));
    await setPerson(tx, seat.id, { state: 'LEFT' });
  }
}
