import * as contract from '../../contract/help.ts';
import { RULES, partsOfLine, WHOLE_PART } from '../../domain/help.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, type Route } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import { claimOnce } from '../rules/help/claim.ts';
import {
  closedReason,
  namedBefore,
  ownTicket,
  paidFor,
  partText,
  quoteHelp,
  ticketViews,
} from '../rules/help/tickets.ts';
import { takenParts, ticketsOfOrders, ticketsOfUser } from '../store/help.ts';
import { snapshotOf, type OrderRow } from '../store/orders.ts';
import { ownOrder } from '../rules/order/rights.ts';

const TICKETS_AT_MOST = 50;

const category = (id: contract.Issue) => ({ id, label: t.helpIssue({ issue: id }), about: RULES[id].about });
const ISSUES = contract.Issue.options;

function categoriesOf(order: OrderRow, now: number) {
  return ISSUES.map((id) => {
    const reason = closedReason(id, order, now);
    return { ...category(id), isOpen: reason === null, ...(reason === null ? {} : { reason }) };
  });
}

export const helpRoutes: Route[] = [
  on(contract.categories, () => ({ categories: ISSUES.map(category) })),

  on(contract.orderCategories, async ({ query }, call) => ({
    categories: categoriesOf(await ownOrder(call, query.orderId), call.now),
  })),

  on(contract.guide, async ({ query }, call) => {
    const order = await ownOrder(call, query.orderId);
    const before = namedBefore(await takenParts(call.db, order.id));
    const paid = paidFor(order, before);
    const items = snapshotOf(order).lines.map((line) => {
      const left = (part: string) => line.quantity - before(line.lineId, part);
      const parts = partsOfLine(line).map(({ id }) => ({ id, left: left(id) }));
      return {
        lineId: line.lineId,
        left: Math.min(...parts.map((part) => part.left)),
        paid: paid.get(line.lineId) ?? null,
        parts: parts
          .filter((part) => part.id !== WHOLE_PART)
          .map((part) => ({ ...part, label: partText(line, part.id) })),
      };
    });
    return {
      categories: categoriesOf(order, call.now),
      items,
      tickets: await ticketViews(call.db, await ticketsOfOrders(call.db, [order.id])),
    };
  }),

  on(contract.quote, async ({ body }, call) => ({
    ...(await quoteHelp(call, await ownOrder(call, body.orderId), body)),
  })),

  on(contract.claim, ({ body }, call) => claimOnce(call, body)),

  on(contract.tickets, async (_input, call) => ({
    tickets: await ticketViews(call.db, await ticketsOfUser(call.db, userIdOf(call), TICKETS_AT_MOST)),
  })),

  on(contract.status, async ({ eventId }, call) => {
    const [ticket] = await ticketViews(call.db, [await ownTicket(call, eventId)]);
    return ticket === undefined ? refuse(404, 'NOT_FOUND', errors.notFound) : { ticket };
  }),
];
