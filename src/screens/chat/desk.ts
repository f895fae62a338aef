import * as t from '#text/chat.ts';
import * as historyText from '#text/history.ts';
import * as orderText from '#text/orders.ts';
import type { Getter, Setter } from 'jotai';
import * as history from '../../contract/history.ts';
import type { OrderCard } from '../../contract/history.ts';
import * as orders from '../../contract/orders.ts';
import type { OrderView } from '../../contract/orders.ts';
import type { Money } from '../../contract/price.ts';
import { cardOf } from '../../domain/history.ts';
import { dayText, localDay, timeText } from '../../domain/hours.ts';
import { formatMoney } from '../../domain/money.ts';
import { isFinal } from '../../domain/orders.ts';
import type { ChatAct, ChatAnswer, ChatChoice } from '../../state/menu/chat.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { countryAtom } from '../../state/base/country.ts';
import { deviceOrdersAtom, noteOrderAtom } from '../../state/orders/deviceOrders.ts';
import { apiAtom } from '../../state/first/seams.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { stateText } from '../base/words.ts';

/** What an answer is made with. Every call is one that a screen makes too, under the same rules. */
export interface Desk {
  readonly get: Getter;
  readonly set: Setter;
  readonly act: ChatAct;
  /** The order that the chat was opened from, '' for none. */
  readonly opened: string;
}

/** Answers one intent or step. @throws Failure */
export type Answerer = (desk: Desk) => ChatAnswer | Promise<ChatAnswer>;

export const said = (
  lines: readonly string[],
  choices: readonly ChatChoice[] = [],
  more: Partial<ChatAnswer> = {},
) => ({
  lines: lines.filter((line) => line !== ''),
  choices: [...choices],
  ...more,
});

export const moneyOf = ({ get }: Desk, amount: Money): string => formatMoney(amount, get(countryAtom));

/** Times and dates in the country's own time zone. */
export function clockOf({ get }: Desk) {
  const country = get(countryAtom);
  const time = (at: number) => timeText(at, country.timeZone, orderText.clock);
  const date = (at: number) => dayText(at, country);
  const isToday = (at: number) =>
    localDay(at, country.timeZone) === localDay(Date.now() + get(clockAheadAtom), country.timeZone);
  return {
    time,
    date,
    /** With the day unless it is today. */
    moment: (at: number) => (isToday(at) ? historyText.today : historyText.onDay)({ time: time(at), date: date(at) }),
    isToday,
  };
}

const MOST_CHOICES = 5;
const dishesOf = ({ lines }: Pick<OrderCard, 'lines'>) =>
  lines.map(({ quantity, product }) => historyText.dish({ quantity, dish: product.name })).join(', ');

/** The order in words, for whoever is called. */
const aboutOf = (desk: Desk, order: OrderView | OrderCard): string =>
  t.about({
    number: order.orderNumber,
    when: clockOf(desk).moment(order.placedAt),
    stage: stateText('bill' in order ? cardOf(order) : order),
  });

/** The customer's orders, newest first: those of the account, or those of the guest of this device. @throws Failure */
export async function knownOrders({ get, set }: Desk): Promise<readonly OrderCard[]> {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  if (get(isLoggedInAtom)) return (await call(history.list, { query: { pageNo: '1' } })).orders;
  const recent = (await call(orders.recent, {})).orders;
  const held = new Set(get(deviceOrdersAtom).map(({ orderId }) => orderId));
  for (const order of recent) if (held.has(order.orderId)) set(noteOrderAtom, order);
  const others = get(deviceOrdersAtom).filter(({ orderId }) => recent.every((order) => order.orderId !== orderId));
  return [...recent, ...others].map(cardOf).sort((a, b) => b.placedAt - a.placedAt);
}

/** One order as it is now. @throws Failure */
export async function orderOf({ get }: Desk, orderId: string): Promise<OrderView> {
  return (await get(apiAtom).call(orders.byId, { orderId })).order;
}

/** Whether a text has the number of an order. */
export const isNamed = ({ act }: Desk, { orderNumber }: OrderCard): boolean =>
  (act.text ?? '').match(/\d+/g)?.includes(orderNumber) === true;

/** Whether an order can be meant by an intent. */
type Fits = (order: OrderCard) => boolean;
export const isUnderWay: Fits = ({ orderStatus }) => !isFinal(orderStatus);

/**
 * Answers about the order that is meant: the one that was chosen, or named by its number, or the only one that fits, or
 * the newest one where none is better. Where several fit as well, it asks which.
 */
export async function withOrder(
  desk: Desk,
  { fits, none, newest = false }: { fits: Fits; none: () => ChatAnswer; newest?: boolean },
  answer: (order: OrderView) => ChatAnswer | Promise<ChatAnswer>,
): Promise<ChatAnswer> {
  const { act } = desk;
  const go = async (orderId: string) => {
    const order = await orderOf(desk, orderId);
    return { about: aboutOf(desk, order), ...(await answer(order)) };
  };
  if (act.orderId !== undefined) return await go(act.orderId);
  const all = await knownOrders(desk);
  if (all.length === 0) return noOrders(desk);
  const named = all.find((order) => isNamed(desk, order));
  const found = all.filter(fits);
  const opened = found.find(({ orderId }) => orderId === desk.opened);
  const only = named ?? opened ?? (found.length === 1 || newest ? found[0] : undefined);
  if (only) return await go(only.orderId);
  return found.length === 0 ? none() : said([t.whichOrder], choicesOf(desk, found));
}
/** The orders to choose from that may be meant. */
export const choicesOf = (desk: Desk, found: readonly OrderCard[]): ChatChoice[] =>
  found.slice(0, MOST_CHOICES).map((order) => ({
    label: t.orderChoice({
      number: order.orderNumber,
      when: clockOf(desk).moment(order.placedAt),
      dishes: dishesOf(order),
    }),
    act: { ...desk.act, orderId: order.orderId },
  }));

function noOrders({ get }: Desk): ChatAnswer {
  return get(isLoggedInAtom)
    ? said([t.noOrder], [{ label: t.dishMenu, path: '/menu' }])
    : said([t.noOrderGuest], [{ label: t.logIn, path: '/login?redirectUrl=%2Fchatbot' }]);
}
