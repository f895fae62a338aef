import type { CartGroup, GroupState } from '../../../contract/cart.ts';
import { money } from '../../../contract/price.ts';
import { quoted } from '../../../domain/plainText.ts';
import type { Db } from '../../store/db.ts';
import { groupById, peopleIn, type GroupRow, type PersonRow } from '../../store/group.ts';
import type { CartState } from './cart.ts';

// What a shared cart shows of its group. The rules of a group are in rules/group/group.ts.

/** An open group counts as closed once its closing time has passed, until the host gives it more time. */
export function stateOf(group: Pick<GroupRow, 'state' | 'closes_at'>, now: number): GroupState {
  return group.state === 'OPEN' && group.closes_at <= now ? 'CLOSED' : group.state;
}

/** What everybody with the group's code may know about it. */
export function groupFacts(group: GroupRow, people: readonly PersonRow[], now: number): Omit<CartGroup, 'role'> {
  return {
    code: group.code,
    state: stateOf(group, now),
    hostName: quoted(people.find((one) => one.is_host === 1)?.name ?? ''),
    closesAt: group.closes_at,
    limit: group.limit_each === null ? null : money(group.limit_each),
  };
}

export function cartGroup(
  group: GroupRow,
  people: readonly PersonRow[],
  role: CartGroup['role'],
  now: number,
): CartGroup {
  return { ...groupFacts(group, people, now), role };
}

/** The group and its guests' names, to add to the state of the host's cart. */
export async function groupOfCart(db: Db, groupId: string, now: number): Promise<Pick<CartState, 'group'>> {
  const group = await groupById(db, groupId);
  if (group === undefined) return {};
  const people = await peopleIn(db, groupId);
  return {
    group: {
      view: cartGroup(group, people, 'host', now),
      names: new Map(people.filter((one) => one.is_host === 0).map((one) => [one.id, quoted(one.name)])),
    },
  };
}
