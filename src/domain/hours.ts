import { isKnown } from './locales.ts';
import { DAY_MINUTES, MINUTE_MS } from './time.ts';

export interface DayHours {
  readonly open: string;
  readonly close: string;
  readonly closesNextDay: boolean;
  readonly allNight?: boolean;
}
/** Opening hours by weekday; on a missing day the store is closed. */
export type WeekHours = Readonly<Partial<Record<Weekday, DayHours>>>;
export type Weekday = 'sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat';

/** In the order of Date.getDay(). */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const satisfies readonly Weekday[];

/**
 * Minutes ahead of UTC, all year, since 2010 (IANA time zone database). Intl takes 26 to 60 ms to get ready for its first
 * zone, and the menu, which hides dishes outside of their hours, would wait for it.
 */
const FIXED: Readonly<Record<string, number>> = { 'Asia/Kolkata': 330, 'Asia/Colombo': 330, 'Asia/Dhaka': 360 };
const FIXED_SINCE = Date.UTC(2010, 0, 1);
const clocks = new Map<string, Intl.DateTimeFormat>();

export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: Weekday;
  /** Minutes since local midnight. */ readonly minutes: number;
}

/** The local time in an IANA time zone at an instant (epoch milliseconds). */
export function localTime(at: number, timeZone: string): LocalTime {
  const offset = FIXED[timeZone];
  if (offset && at >= FIXED_SINCE) {
    const local = new Date(at + offset * MINUTE_MS);
    return {
      year: local.getUTCFullYear(),
      month: local.getUTCMonth() + 1,
      day: local.getUTCDate(),
      weekday: WEEKDAYS[local.getUTCDay()]!,
      minutes: local.getUTCHours() * 60 + local.getUTCMinutes(),
    };
  }
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      weekday: 'short',
    });
    clocks.set(timeZone, clock);
  }
  const part: Record<string, string> = {};
  for (const { type, value } of clock.formatToParts(at)) part[type] = value;
  return {
    year: Number(part['year']),
    month: Number(part['month']),
    day: Number(part['day']),
    weekday: (part['weekday'] ?? '').slice(0, 3).toLowerCase() as Weekday,
    minutes: Number(part['hour']) * 60 + Number(part['minute']),
  };
}

/** The local calendar day, for example 2027-01-15; used for "first eligible order of the day". */
export function localDay(at: number, timeZone: string): string {
  const { year, month, day } = localTime(at, timeZone);
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The instant (epoch ms) at which a year begins in a time zone. */
export function yearStart(year: number, timeZone: string): number {
  const utc = Date.UTC(year, 0, 1);
  const local = localTime(utc, timeZone);
  return utc - (Date.UTC(local.year, local.month - 1, local.day) + local.minutes * MINUTE_MS - utc);
}

/** Minutes since midnight of 'HH:MM'. */
export function clockMinutes(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** Whether a local time lies in a window, which may pass midnight; the start is included, the end is not. */
export function isWithin(minutes: number, from: string, to: string): boolean {
  const start = clockMinutes(from);
  const end = clockMinutes(to);
  return start <= end ? minutes >= start && minutes < end : minutes >= start || minutes < end;
}

/**
 * Epoch milliseconds of the local midnight before `at`. Correct only without daylight saving, which none of the three
 * countries has.
 */
function midnight(at: number, timeZone: string): number {
  return at - (at % MINUTE_MS) - localTime(at, timeZone).minutes * MINUTE_MS;
}

interface Opening {
  readonly opens: number;
  readonly closes: number;
}

/** Of each week's hours, what was worked out for the last minute that was asked for. */
const worked = new WeakMap<WeekHours, { readonly key: string; readonly list: readonly Opening[] }>();

/** Openings from yesterday's (it may run past midnight) to a week ahead, in order; adjoining ones are joined. */
function openings(hours: WeekHours, at: number, timeZone: string): readonly Opening[] {
  const key = Math.floor(at / MINUTE_MS) + timeZone;
  const known = worked.get(hours);
  if (known?.key === key) return known.list;
  const list = workOut(hours, at, timeZone);
  worked.set(hours, { key, list });
  return list;
}

function workOut(hours: WeekHours, at: number, timeZone: string): Opening[] {
  const today = midnight(at, timeZone);
  const first = WEEKDAYS.indexOf(localTime(at, timeZone).weekday);
  const list: { opens: number; closes: number }[] = [];
  for (let offset = -1; offset <= 7; offset += 1) {
    const weekday = WEEKDAYS[(first + offset + 7) % 7];
    const day = weekday && hours[weekday];
    if (!day) continue;
    const start = today + offset * DAY_MINUTES * MINUTE_MS;
    const opens = start + clockMinutes(day.open) * MINUTE_MS;
    const closes = start + (clockMinutes(day.close) + (day.closesNextDay ? DAY_MINUTES : 0)) * MINUTE_MS;
    if (closes <= opens) continue;
    const last = list[list.length - 1];
    if (last && opens <= last.closes) last.closes = Math.max(last.closes, closes);
    else list.push({ opens, closes });
  }
  return list;
}

export type OpenState =
  | { readonly isOpen: true; readonly closesAt: number }
  | { readonly isOpen: false; readonly opensAt: number | null };

/**
 * Whether the store is open at an instant, and until when or from when (epoch ms). At its closing time it is closed.
 */
export function openState(hours: WeekHours, at: number, timeZone: string): OpenState {
  const all = openings(hours, at, timeZone);
  const now = all.find((opening) => opening.opens <= at && at < opening.closes);
  if (now) return { isOpen: true, closesAt: now.closes };
  return { isOpen: false, opensAt: all.find((opening) => opening.opens > at)?.opens ?? null };
}

/** Whether an order for now is taken: the last one at `lastAt`, to be paid before `payBy`; both epoch ms. */
export type NowState =
  | {
      readonly takes: boolean;
      readonly isOpen: true;
      readonly closesAt: number;
      readonly lastAt: number;
      readonly payBy: number;
    }
  | { readonly takes: false; readonly isOpen: false; readonly opensAt: number | null };

/**
 * The last order for now is ready by the last time that can be wanted at the counter, which is as long before closing as
 * its preparation takes (see `slots`). Paid too late, it would be ready after closing.
 */
export function nowState(
  { hours, prepMinutes }: { readonly hours: WeekHours; readonly prepMinutes: number },
  at: number,
  timeZone: string,
): NowState {
  const state = openState(hours, at, timeZone);
  if (!state.isOpen) return { takes: false, ...state };
  const payBy = state.closesAt - prepMinutes * MINUTE_MS;
  const lastAt = payBy - prepMinutes * MINUTE_MS;
  return { takes: at <= lastAt, ...state, lastAt, payBy };
}

/** A time on a 12-hour clock: 11 and PM, 6:30 and AM. */
export function twelveHours(minutes: number): { readonly time: string; readonly half: 'AM' | 'PM' } {
  const hour = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return {
    time: `${hour % 12 || 12}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`,
    half: hour < 12 ? 'AM' : 'PM',
  };
}

/**
 * The time of day at an instant (epoch ms), as every screen and message writes it: 11 AM, 6:30 PM. `say` is the sentence
 * `clock` of the reader's language.
 */
export function timeText(at: number, timeZone: string, say: (time: ReturnType<typeof twelveHours>) => string): string {
  return say(twelveHours(localTime(at, timeZone).minutes));
}

/**
 * Writes dates as a locale does. Browsers know the names of days and months in most languages, Chrome not in Sinhala:
 * there it is 2026-11-22, which is Sri Lanka's own short form, and never a month of another language.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  if (isKnown(locale, Intl.DateTimeFormat)) return new Intl.DateTimeFormat(locale, options);
  const { timeZone, dateStyle, year, day, timeStyle, hour, minute = timeStyle && '2-digit', second } = options;
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: dateStyle ? 'numeric' : year,
    month: dateStyle || options.month ? '2-digit' : undefined,
    day: dateStyle || day ? '2-digit' : undefined,
    hour: timeStyle || hour ? '2-digit' : undefined,
    minute,
    second,
    hourCycle: 'h23',
  });
}

/** The day of an instant (epoch ms) in short, as the country writes it: Sun, 22 Nov. */
export const dayText = (at: number, { locale, timeZone }: { locale: string; timeZone: string }): string =>
  dateFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(at);

/** What to say about the hours, with the instant (epoch ms) of the next opening or closing. */
export type HoursNews =
  | { readonly state: 'ALL_DAY' | 'NEVER' }
  | { readonly state: 'OPEN' | 'TODAY' | 'TOMORROW' | Weekday; readonly at: number };

export function hoursNews(hours: WeekHours, at: number, timeZone: string): HoursNews {
  const state = openState(hours, at, timeZone);
  if (state.isOpen)
    return state.closesAt - at >= DAY_MINUTES * MINUTE_MS
      ? { state: 'ALL_DAY' }
      : { state: 'OPEN', at: state.closesAt };
  if (state.opensAt === null) return { state: 'NEVER' };
  const days = Math.round((midnight(state.opensAt, timeZone) - midnight(at, timeZone)) / (DAY_MINUTES * MINUTE_MS));
  const day = days === 0 ? 'TODAY' : days === 1 ? 'TOMORROW' : localTime(state.opensAt, timeZone).weekday;
  return { state: day, at: state.opensAt };
}

export interface Slot {
  readonly id: string;
  readonly day: 'TODAY' | 'TOMORROW';
  readonly startsAt: number;
}

/**
 * Start times that can be chosen for an order: every `everyMinutes` while the store is open, today and tomorrow. The
 * first is at least `leadMinutes` from now and from opening, the last at least `leadMinutes` before closing. An id is
 * the start in epoch minutes.
 */
export function slots(hours: WeekHours, at: number, timeZone: string, leadMinutes: number, everyMinutes = 30): Slot[] {
  const step = everyMinutes * MINUTE_MS;
  const today = midnight(at, timeZone);
  const until = today + 2 * DAY_MINUTES * MINUTE_MS;
  const list: Slot[] = [];
  for (const { opens, closes } of openings(hours, at, timeZone)) {
    const earliest = Math.max(opens, at) + leadMinutes * MINUTE_MS;
    // Counted from local midnight, so that slots fall on local half hours in any time zone.
    for (
      let start = today + Math.ceil((earliest - today) / step) * step;
      start <= closes - leadMinutes * MINUTE_MS && start < until;
      start += step
    ) {
      const day = start >= today + DAY_MINUTES * MINUTE_MS ? 'TOMORROW' : 'TODAY';
      list.push({ id: String(start / MINUTE_MS), day, startsAt: start });
    }
  }
  return list;
}
