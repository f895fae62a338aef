import { countryConfig } from '../../../../country/index.ts';
import { minorOf } from '../../../domain/money.ts';
import { quoted } from '../../../domain/plainText.ts';
import { money } from '../../../contract/price.ts';
import { inLanguage, formatMoney } from '../../call/language.ts';
import { transact, type Root } from '../../store/db.ts';
import { ticketById, waitingTickets, type TicketRow } from '../../store/help.ts';
import { orderById } from '../../store/orders.ts';
import { now } from '../../store/system.ts';
import { planTicketNews } from './ticketNews.ts';
import { lockWithOwner, paidOf } from './payBack.ts';
import { decideTicket, ticketViews } from './tickets.ts';

// What somebody who runs a shop does with the tickets that the rules left to a person; in words for operators.

const MOST_LISTED = 200;
const clock = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

async function described(db: Root, ticket: TicketRow, at: number): Promise<string> {
  const order = await orderById(db, ticket.order_id);
  const [view] = await ticketViews(db, [ticket]);
  if (order === undefined || view === undefined) return `${ticket.id}  its order is gone`;
  const { left } = await paidOf(db, order);
  const style = countryConfig(order.country);
  const due = ticket.answer_by ?? ticket.created_at;
  const lines = [
    `${ticket.id}  ${view.label}  ${due < at ? 'LATE, was to be' : 'to be'} answered by ${clock(due)} UTC`,
    `  order ${order.number}@${order.store_id} in ${order.country}, ${order.id}; asked ${clock(ticket.created_at)}; why a person: ${ticket.reason ?? 'unknown'}`,
    ...(view.items.length > 0 ? [`  ${view.items.join(', ')}`] : []),
    ...(view.comment === null ? [] : [`  “${quoted(view.comment)}”`]),
    `  worth ${formatMoney(money(ticket.worth), style)}, at most ${formatMoney(money(left), style)} can go back`,
  ];
  return lines.join('\n');
}

/** The tickets that wait for a person, those first that were to be answered first. */
export async function waitingList(db: Root): Promise<string[]> {
  const at = await now(db);
  const found: string[] = [];
  for (const ticket of await waitingTickets(db, MOST_LISTED)) found.push(await described(db, ticket, at));
  return found;
}

export interface PersonsAnswer {
  /** In the country's currency, as a person writes it: 120.50. Absent: what the rules say, or nothing for a refusal. */
  readonly amount?: string | undefined;
  readonly isRefused: boolean;
  /** What the customer reads before the money, in the customer's language; a refusal needs it. */
  readonly sentence?: string | undefined;
}

/**
 * Answers a ticket once, by the rules and limits of all answers, and tells the customer.
 * @returns what the customer reads; null where this database has no such ticket
 * @throws Error that says what is wrong with the answer; nothing has changed then
 */
export async function answerByPerson(db: Root, ticketId: string, answer: PersonsAnswer): Promise<string | null> {
  const known = await ticketById(db, ticketId);
  if (known === undefined) return null;
  const sentence = answer.sentence?.trim() ?? '';
  if (answer.isRefused && (sentence === '' || answer.amount !== undefined))
    throw new Error('a refusal needs --say "why" and no --amount');
  const wished = answer.amount === undefined ? null : minorOf(answer.amount);
  if (answer.amount !== undefined && (wished === null || wished <= 0))
    throw new Error(`--amount ${answer.amount} is no amount of money: 120 or 120.50`);
  return await inLanguage(known.language, async () => {
    const answered = await transact(db, async (tx) => {
      const order = await lockWithOwner(tx, known.order_id);
      if (order === undefined) throw new Error('its order is gone');
      const { left } = await paidOf(tx, order);
      if (wished !== null && wished > left)
        throw new Error(`at most ${formatMoney(money(left), countryConfig(order.country))} of this order can go back`);
      const at = await now(tx);
      const amount = answer.isRefused ? 0 : wished;
      const ids = await decideTicket(tx, ticketId, { amount, answer: sentence === '' ? null : sentence }, at);
      if (ids.length === 0) throw new Error(`${ticketId} is answered already`);
      for (const id of ids) await planTicketNews(tx, id, at);
      return ids;
    });
    const rows = await Promise.all(answered.map((id) => ticketById(db, id)));
    const views = await ticketViews(
      db,
      rows.filter((row) => row !== undefined),
    );
    return views.map((view) => view.answer).join(' ');
  });
}
