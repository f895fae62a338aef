import * as t from '#text/payment.ts';
import { atom } from 'jotai';
import { dateFormat } from '../../domain/hours.ts';
import type { OrderView } from '../../contract/orders.ts';
import { clockAheadAtom } from '../base/clock.ts';
import { countryAtom } from '../base/country.ts';
import { tasks } from '../base/task.ts';
import { customerAtom } from '../lib/forget.ts';
import { askProviderAtom, isMoneyOpen, orderAtom } from '../orders/orders.ts';
import { payLinkState } from './paylinks.ts';

/** True while the server asks, because the customer has said that they have paid. */
export const checkTasks = tasks();
/** The result of the last check as a sentence. Money that has arrived needs none: the page moves on. */
const answerAtom = customerAtom<{ readonly of: string; readonly text: string; readonly state?: string } | null>(null);
/** The answer about an order (its id) or a pay link (its token); '' before anybody has asked, and once it is not true any more. */
export const checkAnswerAtom = atom((get) => (of: string): string => {
  const [answer, order] = [get(answerAtom), get(orderAtom)];
  const isOld = answer?.state !== undefined && order?.orderId === of && order.payment.state !== answer.state;
  return answer?.of === of && !isOld ? answer.text : '';
});

/** Writes a time of the server, epoch ms, in the country's own zone. */
const timeAtom = atom((get) => {
  const { locale, timeZone } = get(countryAtom);
  const clock = dateFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit', second: '2-digit' });
  return (at: number) => clock.format(at);
});
const nowAtom = atom(null, (get) => get(timeAtom)(Date.now() + get(clockAheadAtom)));

/** "I have paid: check now": asks, and says what is known. @returns whether somebody could be asked */
export const checkPaidAtom = checkTasks.task(async (get, set, order: OrderView) => {
  const found = await set(askProviderAtom, order);
  const time = set(nowAtom);
  const text = !found
    ? t.checkUnasked({ time })
    : found.payment.state === 'UNKNOWN'
      ? t.checkUnknown({ time, since: get(timeAtom)(found.payment.startedAt) })
      : t.checkNothing({ time });
  set(
    answerAtom,
    found && !isMoneyOpen(found) ? null : { of: order.orderId, text, state: (found ?? order).payment.state },
  );
  return found !== null;
});

/** The same for somebody who pays by a link. */
export const checkLinkAtom = checkTasks.task(async (get, set, token: string) => {
  await set(payLinkState.load, token);
  const time = set(nowAtom);
  const { status, data } = get(payLinkState.atom);
  if (status === 'failed') set(answerAtom, { of: token, text: t.checkUnasked({ time }) });
  else set(answerAtom, data?.state === 'OPEN' ? { of: token, text: t.checkNothing({ time }) } : null);
});
