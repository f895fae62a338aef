import type { CartGroup, GroupState } from '../../contract/cart.ts';
import { money } from '../../contract/price.ts';
import type { Db } from '../store/db.ts';
import { groupById, peopleIn, type GroupRow, type PersonRow } from '../store/group.ts';
import type { CartState } from './cart.ts';

// What a shared cart says of its group; the group's own rules are in group.ts.

/** Closed by the clock: a group is open until its time, and again when it is given more. */
export function stateOf(group: Pick<GroupRow, 'state' | 'closes_at'>, now: number): GroupState {
  return group.state === 'OPEN' && group.closes_at <= now ? 'CLOSED' : group.state;
}

export function cartGroup(group: GroupRow, people: readonly PersonRow[], role: CartGroup['role'], now: number): CartGroup {
  return {
    code: group.code, role, state: stateOf(group, now), hostName: people.find((one) => one.is_host === 1)?.name ?? '', closesAt: group.closes_at,
    limit: group.limit_each === null ? null : money(group.limit_each),
  };
}

/** The group and its guests' names, for the state of the host's cart. */
export async function groupOfCart(db: Db, groupId: string, now: number): Promise<Pick<CartState, 'group'>> {
  const group = await groupById(db, groupId);
  if (group === undefined) return {};
  const people = await peopleIn(db, groupId);
  return { group: { view: cartGroup(group, people, 'host', now), names: new Map(people.filter((one) => one.is_host === 0).map((one) => [one.id, one.name])) } };
}
