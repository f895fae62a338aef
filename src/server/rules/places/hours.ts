// Opening hours and times of the day in words.
import { hoursNews, timeText, type Slot, type WeekHours } from '../../../domain/hours.ts';
import { orders, t } from '../../call/language.ts';

/** '6:30 PM'. */
const clockText = (at: number, timeZone: string): string => timeText(at, timeZone, orders.clock);

/** 'Open until 11 PM', 'Opens at 11 AM', 'Opens tomorrow at 11 AM', 'Opens on Friday at 11 AM' or 'Closed'. */
export function hoursText(hours: WeekHours, at: number, timeZone: string): string {
  const news = hoursNews(hours, at, timeZone);
  return t.hours({ state: news.state, time: 'at' in news ? clockText(news.at, timeZone) : '' });
}

/** 'Last order 10:38 PM'. */
export const lastOrderText = (lastAt: number, timeZone: string): string =>
  t.lastOrder({ time: clockText(lastAt, timeZone) });
/** 'The last order was at 10:38 PM'. */
export const lastOrderOverText = (lastAt: number, timeZone: string): string =>
  t.lastOrderOver({ time: clockText(lastAt, timeZone) });

/** 'Today, 9:30 PM'. */
export function slotText({ day, startsAt }: Slot, timeZone: string): string {
  return t.slot({ day, time: clockText(startsAt, timeZone) });
}
