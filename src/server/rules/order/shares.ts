import type { Piece } from '../../../contract/help.ts';
import type { GroupShares } from '../../../contract/shares.ts';
import { sharesAfter, type Back } from '../../../domain/group.ts';
import { namedParts, worthByLine } from '../../../domain/help.ts';
import type { TicketRow } from '../../store/help.ts';
import { snapshotOf, type OrderRow } from '../../store/orders.ts';
import { dishesOf } from './invoice/invoicePapers.ts';

/** What the dishes that a ticket names have cost each person; null where it names none. */
function worthsOf(order: OrderRow, { people }: GroupShares, ticket: TicketRow): Back['worths'] {
  const items = JSON.parse(ticket.pieces) as Piece[];
  const dishes = dishesOf(order);
  const named = items.length === 0 ? null : namedParts(dishes.lines, items);
  if (named === null) return null;
  const host = people.find(({ isHost }) => isHost)?.personId ?? '';
  const worths = new Map<string, number>();
  for (const [lineId, worth] of worthByLine(dishes, named)) {
    const by = dishes.lines.find((line) => line.lineId === lineId)?.by?.personId ?? '';
    const whose = people.some(({ personId }) => personId === by) ? by : host;
    worths.set(whose, (worths.get(whose) ?? 0) + worth);
  }
  return worths;
}

/**
 * What everybody owes of a group's order by now: less what went back of it since it was late, by what they owed, and what
 * the help gave back for dishes, to those who had them.
 */
export function sharesNow(
  order: OrderRow,
  credit: { readonly amount: number } | undefined,
  tickets: readonly TicketRow[],
): GroupShares | undefined {
  const { group } = snapshotOf(order);
  if (group === undefined) return undefined;
  const own = tickets.filter((ticket) => ticket.order_id === order.id && ticket.amount > 0);
  return sharesAfter(group, [
    { amount: credit?.amount ?? 0, worths: null },
    ...[...own].reverse().map((ticket) => ({ amount: ticket.amount, worths: worthsOf(order, group, ticket) })),
  ]);
}
