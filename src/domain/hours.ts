export interface DayHours { readonly open: string; readonly close: string; readonly closesNextDay: boolean; readonly allNight?: boolean }
/** By weekday: mon, tue, wed, thu, fri, sat, sun. A missing day is closed. */
export type WeekHours = Readonly<Partial<Record<Weekday, DayHours>>>;
export type Weekday = 'sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat';

const WEEKDAYS: readonly Weekday[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

const clocks = new Map<string, Intl.DateTimeFormat>();

export interface LocalTime { readonly year: number; readonly month: number; readonly day: number; readonly weekday: Weekday; /** Minutes since local midnight. */ readonly minutes: number }

/** Wall clock of an IANA time zone at an instant in epoch milliseconds. */
export function localTime(at: number, timeZone: string): LocalTime {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', weekday: 'short',
    });
    clocks.set(timeZone, clock);
  }
  const part: Record<string, string> = {};
  for (const { type, value } of clock.formatToParts(at)) part[type] = value;
  return {
    year: Number(part['year']), month: Number(part['month']), day: Number(part['day']),
    weekday: (part['weekday'] ?? '').slice(0, 3).toLowerCase() as Weekday,
    minutes: Number(part['hour']) * 60 + Number(part['minute']),
  };
}

/** Local calendar day, for example 2027-01-15: the day of "first eligible order of the day". */
export function localDay(at: number, timeZone: string): string {
  const { year, month, day } = localTime(at, timeZone);
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Minutes since midnight of 'HH:MM'. */
export function clockMinutes(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** Whether a local time lies in a window that may pass midnight; the start belongs to it, the end does not. */
export function isWithin(minutes: number, from: string, to: string): boolean {
  const start = clockMinutes(from);
  const end = clockMinutes(to);
  return start <= end ? minutes >= start && minutes < end : minutes >= start || minutes < end;
}

/** Epoch milliseconds of the local midnight that begins the day of `at`. Zones of the three countries have no daylight saving. */
function midnight(at: number, timeZone: string): number {
  return at - (at % MINUTE_MS) - localTime(at, timeZone).minutes * MINUTE_MS;
}

interface Opening { readonly opens: number; readonly closes: number }

/** Openings from yesterday's (which may run past midnight) to a week ahead, in order, joined where one begins as another ends. */
function openings(hours: WeekHours, at: number, timeZone: string): Opening[] {
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
    const last = list.at(-1);
    if (last && opens <= last.closes) last.closes = Math.max(last.closes, closes);
    else list.push({ opens, closes });
  }
  return list;
}

export type OpenState = { readonly isOpen: true; readonly closesAt: number } | { readonly isOpen: false; readonly opensAt: number | null };

/** Open or closed at an instant, and until when or from when (epoch ms). A closing time is no longer open. */
export function openState(hours: WeekHours, at: number, timeZone: string): OpenState {
  const all = openings(hours, at, timeZone);
  const now = all.find((opening) => opening.opens <= at && at < opening.closes);
  if (now) return { isOpen: true, closesAt: now.closes };
  return { isOpen: false, opensAt: all.find((opening) => opening.opens > at)?.opens ?? null };
}

/** 11 PM, 6:30 AM. */
export function clockText(at: number, timeZone: string): string {
  const { minutes } = localTime(at, timeZone);
  const hour = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `${hour % 12 || 12}${rest ? `:${String(rest).padStart(2, '0')}` : ''} ${hour < 12 ? 'AM' : 'PM'}`;
}

const DAY_NAMES: Readonly<Record<Weekday, string>> = {
  sun: 'Sunday', mon: 'Monday', tue: 'Tuesday', wed: 'Wednesday', thu: 'Thursday', fri: 'Friday', sat: 'Saturday',
};

/** 'Open until 11 PM', 'Opens at 11 AM', 'Opens tomorrow at 11 AM', 'Opens on Friday at 11 AM' or 'Closed'. */
export function hoursText(hours: WeekHours, at: number, timeZone: string): string {
  const state = openState(hours, at, timeZone);
  if (state.isOpen) {
    return state.closesAt - at >= DAY_MINUTES * MINUTE_MS ? 'Open all day' : `Open until ${clockText(state.closesAt, timeZone)}`;
  }
  if (state.opensAt === null) return 'Closed';
  const days = Math.round((midnight(state.opensAt, timeZone) - midnight(at, timeZone)) / (DAY_MINUTES * MINUTE_MS));
  const when = days === 0 ? '' : days === 1 ? 'tomorrow ' : `on ${DAY_NAMES[localTime(state.opensAt, timeZone).weekday]} `;
  return `Opens ${when}at ${clockText(state.opensAt, timeZone)}`;
}

export interface Slot { readonly id: string; readonly label: string; readonly startsAt: number }

/**
 * Times an order can be wanted for: every `everyMinutes` while the store is open, today and tomorrow, the first one at
 * least `leadMinutes` from now, the last one at least `leadMinutes` before closing. An id is the start in epoch minutes.
 */
export function slots(hours: WeekHours, at: number, timeZone: string, leadMinutes: number, everyMinutes = 30): Slot[] {
  const step = everyMinutes * MINUTE_MS;
  const today = midnight(at, timeZone);
  const until = today + 2 * DAY_MINUTES * MINUTE_MS;
  const list: Slot[] = [];
  for (const { opens, closes } of openings(hours, at, timeZone)) {
    const earliest = Math.max(opens, at) + leadMinutes * MINUTE_MS;
    // Slots sit on local half hours, whatever the zone's offset.
    for (let start = today + Math.ceil((earliest - today) / step) * step; start <= closes - leadMinutes * MINUTE_MS && start < until; start += step) {
      const day = start >= today + DAY_MINUTES * MINUTE_MS ? 'Tomorrow' : 'Today';
      list.push({ id: String(start / MINUTE_MS), label: `${day}, ${clockText(start, timeZone)}`, startsAt: start });
    }
  }
  return list;
}
