import { refundExpected } from '../../call/bankDays.ts';
import { countryConfig } from '../../../../country/index.ts';
import type { Claim, Issue, MoneyWay, Piece, Ticket } from '../../../contract/help.ts';
import type { CartLine } from '../../../contract/cart.ts';
import { money, type Money } from '../../../contract/price.ts';
import {
  CLAIM_WINDOW_MS,
  CLAIMS_BY_RULE,
  COUNTER_FOR_MS,
  helpLimits,
  helpState,
  LATE_AFTER_MS,
  namedParts,
  partsOfLine,
  PERSON_ANSWERS_MS,
  personReason,
  RULES,
  shareOf,
  WHOLE_PART,
  worthByLine,
  worthOf,
  type PartCounts,
  type NamedBefore,
  type PersonReason,
} from '../../../domain/help.ts';
import { timeText } from '../../../domain/hours.ts';
import { allocate, fraction, smaller } from '../../../domain/money.ts';
import { isFinal, isLost } from '../../../domain/orders.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { errors, languageAsked, orders, t, dayText, formatMoney } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { Db, Tx } from '../../store/db.ts';
import {
  addTicket,
  answerTicket,
  countForCustomer,
  customerSums,
  takenParts,
  takePart,
  ticketById,
  ticketsOfOrders,
  type TicketRow,
} from '../../store/help.ts';
import { newId } from '../../store/ids.ts';
import {
  creditsOf,
  lockOrder,
  ordersByIds,
  plannedLife,
  snapshotOf,
  type OrderRow,
  type OrderSnapshot,
} from '../../store/orders.ts';
import { refundsOf, type RefundRow } from '../../store/payments.ts';
import { isOpenSession, lockUser } from '../../store/sessions.ts';
import { placeHolders, ROOM } from '../offers/firstOrder.ts';
import { promiseReward, rewardSpent } from '../loyalty/loyalty.ts';
import { dishesOf, type AmountParts } from '../order/invoice/invoicePapers.ts';
import { serviceOf } from '../order/orders.ts';
import { PROMISE_REASON } from '../order/promise.ts';
import { foundAgain, ownOrder } from '../order/rights.ts';
import { HELP_REASON } from '../payment/refunds.ts';
import { deviceOf } from '../people/devices.ts';
import { sessionOver } from '../people/sessions.ts';
import {
  lockWithOwner,
  paidOf,
  paidOfOrders,
  payBack,
  sourceLabel,
  waysFor,
  type RefundSources,
  type Pays,
} from './payBack.ts';

/** The line under which the store counts what is said of a whole order. */
const WHOLE_ORDER = '*';

const amountOf = (amount: number, order: OrderRow) => formatMoney(money(amount), countryConfig(order.country));
const dayOf = (at: number, order: OrderRow) => dayText(at, countryConfig(order.country));
const timeOf = (at: number, order: OrderRow) => timeText(at, countryConfig(order.country).timeZone, orders.clock);

/** Why an issue cannot be said of an order now; null if it can. */
export function closedReason(issue: Issue, order: OrderRow, now: number): string | null {
  const of = { service: serviceOf(order), endedAt: order.finished_at, isLost: isLost(order.status) };
  const state = helpState(issue, of, now);
  return state === 'OPEN' ? null : t.helpClosed({ state });
}

/** Something by which a customer is known again, and how many people may share it. */
interface ClaimHolder {
  readonly who: string;
  readonly room: number;
}

/**
 * A customer: by id, whatever number they gave with the order; by that number, which a new guest does not change; and by
 * what an invented number does not change either: the device, the door and the way that paid. Always in the same order,
 * so that two claims cannot deadlock.
 */
async function knownBy(db: Db, call: Call, order: OrderRow, { payment }: RefundSources): Promise<ClaimHolder[]> {
  const { country, mobile, user_id: userId, delivery_type: deliveryType } = order;
  const { address } = snapshotOf(order);
  const holders = await placeHolders(db, country, { device: deviceOf(call), deliveryType, address });
  return [
    ...[userId, ...(mobile === '' ? [] : [`${country}:${mobile}`])].map((who) => ({ who, room: 1 })),
    ...[...holders, ...(payment?.holder ? [{ kind: 'payment', id: payment.holder } as const] : [])].map(
      ({ kind, id }) => ({ who: `${country}:${kind}:${id}`, room: ROOM[kind].most }),
    ),
  ].toSorted((a, b) => (a.who < b.who ? -1 : 1));
}

const countsOf = (named: PartCounts | null): { line: string; part: string; quantity: number }[] =>
  [...(named ?? [])].flatMap(([line, parts]) => [...parts].map(([part, quantity]) => ({ line, part, quantity })));

/**
 * The pieces that a claim names; null for what is said of the whole order.
 * @throws Refusal 422 HELP_ITEMS when none is named, or one that is not there
 */
function namedOf(claim: Pick<Claim, 'issue' | 'items'>, snapshot: OrderSnapshot): PartCounts | null {
  if (RULES[claim.issue].about === 'order') return null;
  const items = claim.items ?? [];
  const named = items.length === 0 ? null : namedParts(snapshot.lines, items);
  return named ?? refuse(422, 'HELP_ITEMS', t.helpItems, { field: 'items' });
}

/** What is known of an order's lateness or money without anybody looking; null if that is no answer. */
async function knownAnswer(db: Db, order: OrderRow, issue: Issue): Promise<string | null> {
  if (issue === 'late') return await lateAnswer(db, order);
  if (issue !== 'payment') return null;
  const refund = (await refundsOf(db, [order.id])).findLast((own) => own.reason !== HELP_REASON);
  return refund === undefined ? null : refundAnswer(order, refund);
}

function refundAnswer(order: OrderRow, { state, amount, paid_at: paidAt, expected_to: to }: RefundRow): string {
  return t.helpRefund({ state, amount: amountOf(amount, order), date: dayOf(paidAt ?? to, order) });
}

async function lateAnswer(db: Db, order: OrderRow): Promise<string | null> {
  if (!isFinal(order.status) || order.finished_at === null) return t.helpOnItsWay;
  const [credit] = await creditsOf(db, [order.id]);
  if (credit !== undefined) {
    const refund = (await refundsOf(db, [order.id])).find((own) => own.reason === PROMISE_REASON);
    const by = dayOf(refund?.paid_at ?? refund?.expected_to ?? credit.at, order);
    return t.helpPromisePaid({ way: credit.way, amount: amountOf(credit.amount, order), date: by });
  }
  const stated = order.promise_deadline ?? (plannedLife(order)?.first?.to ?? order.finished_at) + LATE_AFTER_MS;
  return order.finished_at <= stated
    ? t.helpInTime({ time: timeOf(order.finished_at, order), stated: timeOf(stated, order) })
    : null;
}

/**
 * How much of an amount that goes back for dishes is their tax, how much the bill was rounded by, and which line the rest
 * is of; undefined where it is a part of the whole bill.
 */
function insideOf(order: OrderRow, issue: Issue, named: PartCounts | null, amount: number): AmountParts | undefined {
  const dishes = dishesOf(order);
  const worths = worthByLine(dishes, named);
  const whole = [...worths.values()].reduce<number>((sum, worth) => sum + worth, 0);
  if ((named === null && issue !== 'late') || whole === 0) return undefined;
  const part = (kind: 'tax' | 'rounding') => {
    const own = dishes.costs.map((one) =>
      one.cost === 0 ? 0 : fraction(money(one[kind]), worths.get(one.lineId) ?? 0, one.cost),
    );
    return fraction(money(own.reduce<number>((sum, share) => sum + share, 0)), amount, whole);
  };
  const [tax, rounding] = [part('tax'), part('rounding')];
  const back = dishes.lines.filter(({ lineId }) => (worths.get(lineId) ?? 0) > 0);
  const amounts = allocate(
    money(amount - tax - rounding),
    back.map(({ lineId }) => worths.get(lineId)!),
  );
  return {
    tax,
    rounding,
    lines: back.map(({ lineId, quantity }, at) => ({
      lineId,
      quantity: named === null ? quantity : Math.max(...named.get(lineId)!.values()),
      amount: amounts[at]!,
    })),
  };
}

/** What the next piece of each line cost that was not named before, by the line's id; null when none is left. */
export function paidFor(order: OrderRow, before: NamedBefore): Map<string, Money | null> {
  const dishes = dishesOf(order);
  return new Map(
    dishes.lines.map((line) => {
      const parts = partsOfLine(line);
      const isLeft = parts.every(({ id }) => before(line.lineId, id) < line.quantity);
      const one: PartCounts = new Map([[line.lineId, new Map(parts.map(({ id }) => [id, 1]))]]);
      return [line.lineId, isLeft ? worthOf(dishes, one, before) : null];
    }),
  );
}

interface Judgement {
  readonly kind: 'PAY' | 'PERSON' | 'ANSWER';
  readonly worth: Money;
  /** What the rules give, or would if a person agrees. */
  readonly amount: Money;
  readonly reason: PersonReason | null;
  readonly answer: string | null;
  /** Points of the order's reward that come back: its pizza cost nothing else. */
  readonly points: number;
}

/** The points that come back with these pieces: those of the reward, once the last piece of its line is named. */
async function pointsFor(
  db: Db,
  order: OrderRow,
  issue: Issue,
  named: PartCounts | null,
  before: NamedBefore,
): Promise<number> {
  const { lines, costs } = dishesOf(order);
  const reward = costs.find(({ isReward }) => isReward);
  const line = lines.find(({ lineId }) => lineId === reward?.lineId);
  if (RULES[issue].share !== 10_000 || named === null || line === undefined) return 0;
  const isNamed = partsOfLine(line).every(
    ({ id }) => before(line.lineId, id) + (named.get(line.lineId)?.get(id) ?? 0) >= line.quantity,
  );
  return isNamed && named.has(line.lineId) ? await rewardSpent(db, order.id) : 0;
}

/** What a claim comes to. In a transaction that has locked the order, what is left to give back does not change. */
async function judge(
  db: Db,
  order: OrderRow,
  claim: Claim,
  {
    named,
    before,
    paid,
    known,
    now,
  }: { named: PartCounts | null; before: NamedBefore; paid: RefundSources; known: readonly ClaimHolder[]; now: number },
): Promise<Judgement> {
  const { issue } = claim;
  const { roundTo } = countryConfig(order.country);
  const isWhole = issue === 'notDelivered';
  const hasMoney = RULES[issue].share !== null || isWhole;
  const worth = isWhole ? money(paid.left) : hasMoney ? worthOf(dishesOf(order), named, before) : money(0);
  const amount = smaller(isWhole ? worth : shareOf(issue, worth, roundTo), money(paid.left));
  const answer = claim.person === true ? null : await knownAnswer(db, order, issue);
  if (answer !== null) return { kind: 'ANSWER', worth: money(0), amount: money(0), reason: null, answer, points: 0 };
  const given = (await ticketsOfOrders(db, [order.id])).reduce((sum, ticket) => sum + ticket.amount, 0);
  const sums = await customerSums(
    db,
    known.map(({ who }) => who),
    now,
    CLAIM_WINDOW_MS,
  );
  const got = sums.map((sum) => ({ ...sum, room: known.find(({ who }) => who === sum.who)!.room }));
  const points = await pointsFor(db, order, issue, named, before);
  const of = {
    amount: amount === 0 && points > 0 ? 1 : amount,
    endedAt: order.finished_at,
    given,
    known: got,
    currency: order.currency,
  };
  const reason = claim.person === true ? 'ASKED' : personReason(issue, of, now);
  if (reason !== null) return { kind: 'PERSON', worth, amount, reason, answer: null, points };
  return {
    kind: amount > 0 ? 'PAY' : 'ANSWER',
    worth,
    amount,
    reason,
    answer: points > 0 ? t.helpPoints({ points }) : null,
    points,
  };
}

/** The same, counted against what the rules give a customer: where that is used up, a person decides. */
async function decided(
  tx: Tx,
  order: OrderRow,
  claim: Claim,
  of: {
    named: PartCounts | null;
    before: NamedBefore;
    paid: RefundSources;
    known: readonly ClaimHolder[];
    now: number;
  },
): Promise<Judgement> {
  const judged = await judge(tx, order, claim, of);
  const isGiving = judged.kind === 'PAY' || (judged.kind === 'ANSWER' && judged.points > 0);
  if (!isGiving || (await isWithinLimits(tx, order, of.known, judged.amount, of.now))) return judged;
  return { ...judged, kind: 'PERSON', reason: 'OFTEN', answer: null };
}

/** @throws Refusal 409 HELP_CLOSED */
function mustBeOpen(issue: Issue, order: OrderRow, now: number): void {
  const reason = closedReason(issue, order, now);
  if (reason !== null) refuse(409, 'HELP_CLOSED', reason, { field: 'issue' });
}

/**
 * How often something can be said of the whole order: once by the rules and once more to a person, and the same again
 * once the order has ended, as the answer is another one then.
 */
const wholePart = ({ issue, person }: Claim, order: OrderRow) =>
  `${issue}${person === true ? ':PERSON' : ''}${isFinal(order.status) ? '' : ':EARLY'}`;

/** What a claim would bring, and where money may go back to; the proposed way first. @throws as claimHelp */
export async function quoteHelp(call: Call, order: OrderRow, claim: Claim) {
  const { db, now } = call;
  mustBeOpen(claim.issue, order, now);
  const snapshot = snapshotOf(order);
  const named = namedOf(claim, snapshot);
  const taken = await takenParts(db, order.id);
  const before = namedBefore(taken);
  const isTaken = (line: string, part: string, quantity: number, most: number) => before(line, part) + quantity > most;
  const most = (line: string) => snapshot.lines.find((own) => own.lineId === line)?.quantity ?? 0;
  if (
    named === null
      ? isTaken(WHOLE_ORDER, wholePart(claim, order), 1, 1)
      : countsOf(named).some(({ line, part, quantity }) => isTaken(line, part, quantity, most(line)))
  )
    refuse(409, 'HELP_CLAIMED', t.helpClaimed);
  const paid = await paidOf(db, order);
  const known = await knownBy(db, call, order, paid);
  const judged = await judge(db, order, claim, { named, before, paid, known, now });
  const ways = judged.amount > 0 ? await waysFor(db, order, paid, judged.amount) : [];
  const isPaying = judged.kind === 'PAY';
  const pays = isPaying
    ? t.helpWillPay({
        amount: amountOf(judged.amount, order),
        share: RULES[claim.issue].share === 10_000 ? 'ALL' : 'PART',
      })
    : null;
  const answer =
    [pays, judged.answer].filter((one) => one !== null).join(' ') ||
    t.helpWillAsk({ reason: judged.reason ?? 'RULE', time: timeOf(now + PERSON_ANSWERS_MS, order) });
  return {
    kind: judged.kind,
    amount: isPaying ? judged.amount : null,
    answer,
    ways: ways.map((id) => ({ id, label: wayLabel(id, paid), detail: wayDetail(id, order, paid, judged.amount, now) })),
  };
}

const wayLabel = (way: MoneyWay, paid: RefundSources) => t.helpWay({ way, label: sourceLabel(paid) });
function wayDetail(way: MoneyWay, order: OrderRow, paid: RefundSources, amount: number, now: number): string {
  const isSlow = way === 'SOURCE' && paid.atSource > 0;
  const date = dayOf(way === 'COUNTER' ? now + COUNTER_FOR_MS : refundExpected(now, order.currency).to, order);
  return t.helpWayWhen({
    way: isSlow ? 'SOURCE' : way === 'COUNTER' ? 'COUNTER' : 'NOW',
    date,
    amount: amountOf(amount, order),
  });
}

/**
 * Takes a claim: answers it by the rules, with money where they give it, or hands it to a person. The order is locked
 * here, and everything that limits is a guarded update.
 * @returns the ticket's id, and whether a person has to answer it
 * @throws Refusal 401 TOKEN_INVALID; 404 NOT_FOUND; 409 HELP_CLOSED, HELP_CLAIMED; 422 HELP_ITEMS, HELP_WAY
 */
export async function claimHelp(tx: Tx, call: Call, claim: Claim): Promise<{ ticketId: string; isPersons: boolean }> {
  const { now } = call;
  // A login or a deletion elsewhere may have ended this session: what is its owner's is another account's then, or sleeps.
  await lockUser(tx, userIdOf(call));
  if (!(await isOpenSession(tx, call.caller.sessionId!))) sessionOver(call.caller.host);
  const order = await lockOrder(tx, claim.orderId);
  if (order?.user_id !== userIdOf(call)) return refuse(404, 'NOT_FOUND', t.badInput);
  mustBeOpen(claim.issue, order, now);
  const snapshot = snapshotOf(order);
  const named = namedOf(claim, snapshot);
  const before = namedBefore(await takenParts(tx, order.id));
  await takeNamed(tx, order, claim, snapshot, named);
  const paid = await paidOf(tx, order);
  const known = await knownBy(tx, call, order, paid);
  const judged = await decided(tx, order, claim, { named, before, paid, known, now });
  const ways = judged.amount > 0 ? await waysFor(tx, order, paid, judged.amount) : [];
  const way = claim.way ?? ways[0] ?? 'SOURCE';
  if (judged.amount > 0 && !ways.includes(way)) refuse(422, 'HELP_WAY', t.helpWayGone, { field: 'way' });
  const id = newId('tsg');
  const { amount } = judged;
  const isPaid = judged.kind === 'PAY';
  const isPersons = judged.kind === 'PERSON';
  if (!isPersons && judged.points > 0) await promiseReward(tx, order.id, now);
  const inside = insideOf(order, claim.issue, named, amount);
  const by = isPaid ? await payBack(tx, order, paid, { id, amount, way, inside }, now) : null;
  await addTicket(tx, {
    id,
    order_id: order.id,
    user_id: order.user_id,
    issue: claim.issue,
    state: isPersons ? 'PERSON' : 'DONE',
    reason: judged.reason,
    pieces: JSON.stringify(claim.items ?? []),
    comment: claim.comment?.trim() || null,
    worth: judged.worth,
    amount: isPaid ? amount : 0,
    way,
    answer: judged.answer,
    language: languageAsked(),
    money_by: by,
    created_at: now,
    answer_by: isPersons ? now + PERSON_ANSWERS_MS : null,
    answered_at: isPersons ? null : now,
  });
  return { ticketId: id, isPersons };
}

/** How often each part was named, by what is counted. */
export const namedBefore =
  (taken: Awaited<ReturnType<typeof takenParts>>): NamedBefore =>
  (line, part) =>
    taken.find((row) => row.line_id === line && row.part === part)?.taken ?? 0;

/** @throws Refusal 409 HELP_CLAIMED when something named was named before */
async function takeNamed(
  tx: Tx,
  order: OrderRow,
  claim: Claim,
  snapshot: OrderSnapshot,
  named: PartCounts | null,
): Promise<void> {
  const rows =
    named === null
      ? [{ line: WHOLE_ORDER, part: wholePart(claim, order), quantity: 1, most: 1 }]
      : countsOf(named).map((row) => ({
          ...row,
          most: snapshot.lines.find((line) => line.lineId === row.line)?.quantity ?? 0,
        }));
  for (const { line, part, quantity, most } of rows)
    if (!(await takePart(tx, { order_id: order.id, line_id: line, part, quantity }, most)))
      refuse(409, 'HELP_CLAIMED', t.helpClaimed);
}

async function isWithinLimits(
  tx: Tx,
  { currency }: OrderRow,
  known: readonly ClaimHolder[],
  amount: number,
  now: number,
): Promise<boolean> {
  const { customer } = helpLimits(currency);
  for (const { who, room } of known) {
    const limits = { given: customer * room, claims: CLAIMS_BY_RULE * room };
    if (!(await countForCustomer(tx, { who, amount, now, windowMs: CLAIM_WINDOW_MS }, limits))) return false;
  }
  return true;
}

/** Why a person has it: a wallet that it should have gone back to is deleted, or will be. */
const DELETED = 'DELETED';

/** What an order owes a wallet that nothing may be paid into any more waits for a person. @returns the ticket's id */
export async function leaveToPerson(tx: Tx, orderId: string, amount: number, now: number): Promise<string> {
  const [order] = await ordersByIds(tx, [orderId]);
  const id = newId('tsg');
  await addTicket(tx, {
    id,
    order_id: orderId,
    user_id: order!.user_id,
    issue: 'payment',
    state: 'PERSON',
    reason: DELETED,
    pieces: '[]',
    comment: null,
    worth: amount,
    amount: 0,
    way: 'COUNTER',
    answer: null,
    language: languageAsked(),
    money_by: null,
    created_at: now,
    answer_by: now + PERSON_ANSWERS_MS,
    answered_at: null,
  });
  return id;
}

/** What the rules say that a ticket comes to. */
function ruledFor({ issue, worth, reason }: TicketRow, { country }: OrderRow): number {
  if (issue === 'notDelivered' || reason === DELETED) return worth;
  return shareOf(issue, money(worth), countryConfig(country).roundTo);
}

/**
 * What a person decides about a ticket that waits: what the dishes are worth by the rules, or words alone. Never more
 * than is left of the order by then; a ticket that is answered stays as it is. Where the account is deleted or sleeps,
 * what paid takes all it can, and what only its own balances could take waits at the counter, as a ticket of its own.
 * @param wish minor units; null: what the rules say
 * @returns the tickets that this call answered; none if it was answered before
 */
export async function decideTicket(
  tx: Tx,
  ticketId: string,
  wish: { readonly amount: number | null; readonly answer: string | null },
  now: number,
): Promise<string[]> {
  const known = await ticketById(tx, ticketId);
  const order = known && (await lockWithOwner(tx, known.order_id));
  // Read again: whoever held the lock may have answered it.
  const ticket = known && (await ticketById(tx, ticketId));
  if (order === undefined || ticket?.state !== 'PERSON') return [];
  const paid = await paidOf(tx, order);
  const amount = Math.min(wish.amount ?? ruledFor(ticket, order), paid.left);
  if (amount <= 0) {
    const told = { amount: 0, way: ticket.way, answer: wish.answer ?? t.helpTold, money_by: null, answered_at: now };
    return (await answerTicket(tx, ticket.id, told)) ? [ticket.id] : [];
  }
  const taken = paid.atSource + paid.atBalances;
  const first = paid.atNobody > 0 && taken > 0 ? Math.min(amount, taken) : amount;
  const { id, issue } = ticket;
  const items = JSON.parse(ticket.pieces) as Piece[];
  const named = items.length === 0 ? null : namedParts(dishesOf(order).lines, items);
  const back = (part: number) => ({ amount: part, inside: insideOf(order, issue, named, part) });
  const values = await paidBack(tx, order, { id, ...back(first), way: ticket.way }, now);
  if (!(await answerTicket(tx, id, { ...values, answer: wish.answer, answered_at: now }))) return [];
  if (first === amount) return [id];
  const restId = newId('tsg');
  const rest = await paidBack(tx, order, { id: restId, ...back(amount - first), way: 'COUNTER' }, now);
  const other = { ...ticket, id: restId, ...rest, worth: rest.amount };
  await addTicket(tx, { ...other, state: 'DONE', reason: DELETED, answered_at: now });
  return [id, restId];
}

/** Gives an amount back in the way that is wished, or in the first that is possible; the order is locked. */
async function paidBack(
  tx: Tx,
  order: OrderRow,
  wish: Pays,
  now: number,
): Promise<{ amount: number; way: MoneyWay; money_by: number }> {
  const { amount } = wish;
  const paid = await paidOf(tx, order);
  const ways = await waysFor(tx, order, paid, amount);
  const way = ways.includes(wish.way) ? wish.way : ways[0]!;
  return { amount, way, money_by: await payBack(tx, order, paid, { ...wish, way }, now) };
}

/** The words for a piece: '1 × Garden Four, left half'. */
function pieceText(lines: readonly CartLine[], { lineId, part, quantity }: Piece): string {
  const line = lines.find((own) => own.lineId === lineId);
  if (line === undefined) return '';
  const dish = { quantity, dish: line.product.name };
  return part === undefined || part === WHOLE_PART
    ? t.helpPiece(dish)
    : t.helpPiecePart({ ...dish, part: partText(line, part) });
}

/** How a part of a line is called: a half, or a dish of a combo. */
export function partText(line: CartLine, partId: string): string {
  const slot = partsOfLine(line).find((part) => part.id === partId)?.slot;
  return slot === undefined
    ? t.helpHalf({ half: partId === 'LEFT' ? 'LEFT' : 'RIGHT' })
    : (line.slots?.[slot]?.name ?? '');
}

function moneyOf(ticket: TicketRow, order: OrderRow, paid: RefundSources): Ticket['money'] {
  if (ticket.amount === 0) return null;
  const refund = paid.refunds.find((own) => own.capture_id.endsWith(`:${HELP_REASON}:${ticket.id}`));
  const isUnderWay = ticket.way === 'COUNTER' || refund?.state === 'STARTED';
  return {
    amount: money(ticket.amount),
    way: ticket.way,
    label:
      ticket.way === 'COUNTER'
        ? snapshotOf(order).store.name
        : wayLabel(ticket.way, { ...paid, atSource: refund ? 1 : 0 }),
    state: isUnderWay ? 'STARTED' : 'PAID',
    by: refund?.paid_at ?? ticket.money_by ?? ticket.created_at,
  };
}

function moneyText(order: OrderRow, { amount, way, label, state, by }: NonNullable<Ticket['money']>): string {
  const of = { amount: amountOf(amount, order), label, date: dayOf(by, order), number: order.number };
  if (way === 'COUNTER') return t.helpAtCounter(of);
  return t.helpMoney({ ...of, state: state === 'STARTED' ? 'COMES' : way === 'SOURCE' ? 'WENT' : 'THERE' });
}

function ticketView(ticket: TicketRow, order: OrderRow, paid: RefundSources): Ticket {
  const { lines } = snapshotOf(order);
  const back = moneyOf(ticket, order, paid);
  const waits = ticket.state === 'PERSON';
  const words = waits
    ? t.helpWaits({ time: timeOf(ticket.answer_by ?? ticket.created_at, order) })
    : [ticket.answer, back && moneyText(order, back)].filter(Boolean).join(' ');
  return {
    eventId: ticket.id,
    orderId: order.id,
    orderNumber: order.number,
    issue: ticket.issue,
    label: t.helpIssue({ issue: ticket.issue }),
    state: ticket.state,
    answer: words,
    items: (JSON.parse(ticket.pieces) as Piece[]).map((piece) => pieceText(lines, piece)).filter((text) => text !== ''),
    comment: ticket.comment,
    money: back,
    createdAt: ticket.created_at,
    answeredAt: ticket.answered_at,
    answerBy: ticket.answer_by,
    mayAskPerson: !waits && ticket.amount === 0 && ticket.reason === null,
  };
}

/** As their customer sees them, in the same order. As many statements for many as for one. */
export async function ticketViews(db: Db, rows: readonly TicketRow[]): Promise<Ticket[]> {
  const orders = await ordersByIds(db, [...new Set(rows.map((row) => row.order_id))]);
  const paid = await paidOfOrders(db, orders);
  return rows.flatMap((row) => {
    const order = orders.find((own) => own.id === row.order_id);
    return order === undefined ? [] : [ticketView(row, order, paid.get(order.id)!)];
  });
}

/** The caller's own ticket, of an order that is theirs as well. @throws Refusal 404 NOT_FOUND */
export async function ownTicket(call: Call, id: string): Promise<TicketRow> {
  const row = await foundAgain(call, id, () => ticketById(call.db, id));
  if (row === undefined || row.user_id !== userIdOf(call)) return refuse(404, 'NOT_FOUND', errors.notFound);
  await ownOrder(call, row.order_id);
  return row;
}
