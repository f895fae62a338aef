import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  dateFormat,
  clockMinutes,
  dayText,
  hoursNews,
  isWithin,
  localDay,
  localTime,
  openState,
  slots,
  timeText,
  twelveHours,
  yearStart,
  type DayHours,
  type WeekHours,
} from '../../src/domain/hours.ts';
import { hoursText, slotText } from '../../src/server/rules/places/hours.ts';

const ZONE = 'Asia/Kolkata';
const at = (text: string) => Date.parse(`${text}+05:30`);
const week = (day: DayHours | undefined): WeekHours =>
  Object.fromEntries(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].flatMap((name) => (day ? [[name, day]] : [])));
const DAY = week({ open: '11:00', close: '23:00', closesNextDay: false });
const NIGHT = week({ open: '11:00', close: '03:00', closesNextDay: true });
const ALWAYS = week({ open: '00:00', close: '00:00', closesNextDay: true });

describe('store hours [LOC-X02]', () => {
  it("are read on the clock of the country, whatever the server's zone is", () => {
    expect(localTime(Date.parse('2027-01-14T20:00:00Z'), ZONE)).toEqual({
      year: 2027,
      month: 1,
      day: 15,
      weekday: 'fri',
      minutes: 90,
    });
    expect(localTime(Date.parse('2027-01-14T18:30:00Z'), ZONE).minutes).toBe(0);
    expect(localDay(Date.parse('2027-01-14T18:29:59Z'), ZONE)).toBe('2027-01-14');
    expect(localDay(Date.parse('2027-01-14T18:30:00Z'), 'Asia/Dhaka')).toBe('2027-01-15');
  });

  it('are read as the time zone database tells them, in other zones and before 2010, too', () => {
    const told = (at: number, timeZone: string) =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        weekday: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        hourCycle: 'h23',
      }).format(at);
    const two = (number: number) => String(number).padStart(2, '0');
    fc.assert(
      fc.property(
        fc.constantFrom('Asia/Kolkata', 'Asia/Colombo', 'Asia/Dhaka', 'Asia/Kathmandu'),
        fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2060, 0, 1) }),
        (zone, at) => {
          const { weekday, day, month, year, minutes } = localTime(at, zone);
          const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
          expect(`${weekday}, ${two(day)}/${two(month)}/${year}, ${clock}`).toBe(told(at, zone).toLowerCase());
        },
      ),
    );
  });

  it('begin with the opening minute and end before the closing one', () => {
    expect(openState(DAY, at('2027-01-15T10:59:59'), ZONE)).toEqual({
      isOpen: false,
      opensAt: at('2027-01-15T11:00:00'),
    });
    expect(openState(DAY, at('2027-01-15T11:00:00'), ZONE)).toEqual({
      isOpen: true,
      closesAt: at('2027-01-15T23:00:00'),
    });
    expect(openState(DAY, at('2027-01-15T22:59:59'), ZONE).isOpen).toBe(true);
    expect(openState(DAY, at('2027-01-15T23:00:00'), ZONE)).toEqual({
      isOpen: false,
      opensAt: at('2027-01-16T11:00:00'),
    });
  });

  it('may run past midnight', () => {
    expect(openState(NIGHT, at('2027-01-16T02:59:00'), ZONE)).toEqual({
      isOpen: true,
      closesAt: at('2027-01-16T03:00:00'),
    });
    expect(openState(NIGHT, at('2027-01-16T03:00:00'), ZONE)).toEqual({
      isOpen: false,
      opensAt: at('2027-01-16T11:00:00'),
    });
    const onlySaturday: WeekHours = { sat: { open: '18:00', close: '02:00', closesNextDay: true } };
    expect(openState(onlySaturday, at('2027-01-17T01:00:00'), ZONE).isOpen).toBe(true);
    expect(openState(onlySaturday, at('2027-01-16T01:00:00'), ZONE).isOpen).toBe(false);
  });

  it('are said in words', () => {
    expect(hoursText(DAY, at('2027-01-15T12:00:00'), ZONE)).toBe('Open until 11 PM');
    expect(hoursText(NIGHT, at('2027-01-15T23:30:00'), ZONE)).toBe('Open until 3 AM');
    expect(hoursText(DAY, at('2027-01-15T09:00:00'), ZONE)).toBe('Opens at 11 AM');
    expect(hoursText(DAY, at('2027-01-15T23:30:00'), ZONE)).toBe('Opens tomorrow at 11 AM');
    expect(
      hoursText({ mon: { open: '06:30', close: '23:30', closesNextDay: false } }, at('2027-01-15T12:00:00'), ZONE),
    ).toBe('Opens on Monday at 6:30 AM');
    expect(hoursText(ALWAYS, at('2027-01-15T12:00:00'), ZONE)).toBe('Open all day');
    expect(hoursText(week(undefined), at('2027-01-15T12:00:00'), ZONE)).toBe('Closed');
    expect([0, 725].map(twelveHours)).toEqual([
      { time: '12', half: 'AM' },
      { time: '12:05', half: 'PM' },
    ]);
  });

  it('agree with a window test on every minute of the clock', () => {
    for (let minute = 0; minute < 1440; minute += 1) {
      const now = at('2027-01-15T00:00:00') + minute * 60_000;
      expect(openState(NIGHT, now, ZONE).isOpen, `${minute}`).toBe(isWithin(minute, '11:00', '03:00'));
      expect(openState(DAY, now, ZONE).isOpen, `${minute}`).toBe(isWithin(minute, '11:00', '23:00'));
    }
    // The minute at which a window ends is no longer in it, by day and past midnight.
    expect([660, 1379, 1380].map((minute) => isWithin(minute, '11:00', '23:00'))).toEqual([true, true, false]);
    expect([179, 180].map((minute) => isWithin(minute, '11:00', '03:00'))).toEqual([true, false]);
    // A window that ends when it begins has no minute.
    expect([599, 600, 601].map((minute) => isWithin(minute, '10:00', '10:00'))).toEqual([false, false, false]);
    expect(clockMinutes('23:05')).toBe(1385);
  });
});

describe('time slots [LOC-32] [ORD-X09] [ORD-X10]', () => {
  it('lie inside the hours, after the lead time, on half hours, of today and tomorrow', () => {
    const list = slots(DAY, at('2027-01-15T20:10:00'), ZONE, 45);
    expect(list[0]).toEqual({
      id: String(at('2027-01-15T21:00:00') / 60_000),
      day: 'TODAY',
      startsAt: at('2027-01-15T21:00:00'),
    });
    const said = list.map((slot) => slotText(slot, ZONE));
    expect(said.filter((text) => text.startsWith('Today'))).toEqual(['Today, 9 PM', 'Today, 9:30 PM', 'Today, 10 PM']);
    expect(said).toContain('Tomorrow, 12 PM');
    expect(said.at(-1)).toBe('Tomorrow, 10 PM');
  });

  it('are offered by a store that is closed now', () => {
    const list = slots(DAY, at('2027-01-15T08:00:00'), ZONE, 30);
    expect(list.map((slot) => slotText(slot, ZONE))[0]).toBe('Today, 11:30 AM');
    expect(slots(week(undefined), at('2027-01-15T08:00:00'), ZONE, 30)).toEqual([]);
  });

  it('are always open, in order and unique', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 7 * 1440 }),
        fc.integer({ min: 0, max: 120 }),
        fc.constantFrom(DAY, NIGHT, ALWAYS),
        (minute, lead, hours) => {
          const now = at('2027-01-15T00:00:00') + minute * 60_000;
          const list = slots(hours, now, ZONE, lead);
          for (const [index, slot] of list.entries()) {
            expect(slot.startsAt - now).toBeGreaterThanOrEqual(lead * 60_000);
            expect(openState(hours, slot.startsAt, ZONE).isOpen || lead === 0).toBe(true);
            if (index > 0) expect(slot.startsAt).toBeGreaterThan(list[index - 1]!.startsAt);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

test.each<[string, Intl.DateTimeFormatOptions, string]>([
  ['en-IN', { day: 'numeric', month: 'short' }, '15 Jan'],
  ['xx-LK', { weekday: 'short', day: 'numeric', month: 'short' }, '01-15'],
  ['xx-LK', { dateStyle: 'long' }, '2027-01-15'],
  ['xx-LK', { dateStyle: 'medium', timeStyle: 'short' }, '2027-01-15, 18:05'],
  ['xx-LK', { month: 'long', year: 'numeric' }, '2027-01'],
  ['xx-LK', { hour: 'numeric', minute: '2-digit', second: '2-digit' }, '18:05:00'],
])('a date in %s, %j, is in numbers where the browser does not know its months', (locale, options, text) => {
  expect(dateFormat(locale, { timeZone: ZONE, ...options }).format(at('2027-01-15T18:05:00'))).toBe(text);
});

describe('what is said about the hours', () => {
  const news = (hours: WeekHours, text: string) => hoursNews(hours, at(text), ZONE);
  const FRIDAY = '2027-01-15T';
  it('is until when it is open, all day if that is a day or more', () => {
    expect(news(DAY, `${FRIDAY}12:00:00`)).toEqual({ state: 'OPEN', at: at(`${FRIDAY}23:00:00`) });
    expect(news(ALWAYS, `${FRIDAY}12:00:00`)).toEqual({ state: 'ALL_DAY' });
    // From its opening to the same time of the next day, and a minute later.
    const long: WeekHours = { fri: { open: '11:00', close: '11:00', closesNextDay: true } };
    expect(news(long, `${FRIDAY}11:00:00`)).toEqual({ state: 'ALL_DAY' });
    expect(news(long, `${FRIDAY}11:01:00`)).toEqual({ state: 'OPEN', at: at('2027-01-16T11:00:00') });
  });

  it('is from when it is open: today, tomorrow, or on which day', () => {
    expect(news(DAY, `${FRIDAY}10:00:30`)).toEqual({ state: 'TODAY', at: at(`${FRIDAY}11:00:00`) });
    expect(news(DAY, `${FRIDAY}23:00:00`)).toEqual({ state: 'TOMORROW', at: at('2027-01-16T11:00:00') });
    const monday: WeekHours = { mon: { open: '06:30', close: '23:30', closesNextDay: false } };
    expect(news(monday, `${FRIDAY}12:00:00`)).toEqual({ state: 'mon', at: at('2027-01-18T06:30:00') });
    const friday: WeekHours = { fri: { open: '06:30', close: '11:00', closesNextDay: false } };
    expect(news(friday, `${FRIDAY}12:00:00`)).toEqual({ state: 'fri', at: at('2027-01-22T06:30:00') });
    expect(news({}, `${FRIDAY}12:00:00`)).toEqual({ state: 'NEVER' });
    // Hours that end before they begin are none.
    const none: WeekHours = { fri: { open: '11:00', close: '11:00', closesNextDay: false } };
    expect(news(none, `${FRIDAY}10:00:00`)).toEqual({ state: 'NEVER' });
  });

  it('joins hours that adjoin, and keeps the longer of two that overlap', () => {
    const adjoining: WeekHours = {
      fri: { open: '11:00', close: '02:00', closesNextDay: true },
      sat: { open: '02:00', close: '05:00', closesNextDay: false },
    };
    expect(openState(adjoining, at(`${FRIDAY}12:00:00`), ZONE)).toEqual({
      isOpen: true,
      closesAt: at('2027-01-16T05:00:00'),
    });
    const within: WeekHours = {
      fri: { open: '11:00', close: '05:00', closesNextDay: true },
      sat: { open: '01:00', close: '02:00', closesNextDay: false },
    };
    expect(openState(within, at('2027-01-16T01:30:00'), ZONE)).toEqual({
      isOpen: true,
      closesAt: at('2027-01-16T05:00:00'),
    });
    const apart: WeekHours = {
      fri: { open: '11:00', close: '02:00', closesNextDay: true },
      sat: { open: '02:01', close: '05:00', closesNextDay: false },
    };
    expect(openState(apart, at('2027-01-16T02:00:00'), ZONE)).toEqual({
      isOpen: false,
      opensAt: at('2027-01-16T02:01:00'),
    });
  });
});

it('a time is on the clock of twelve hours, and a day as the country writes it', () => {
  const say = ({ time, half }: ReturnType<typeof twelveHours>) => `${time} ${half}`;
  expect(timeText(at('2027-01-15T18:30:00'), ZONE, say)).toBe('6:30 PM');
  expect(
    ['00:00', '00:09', '11:59', '12:00', '12:01', '23:00'].map((text) => say(twelveHours(clockMinutes(text)))),
  ).toEqual(['12 AM', '12:09 AM', '11:59 AM', '12 PM', '12:01 PM', '11 PM']);
  expect(dayText(at('2026-11-22T00:00:00'), { locale: 'en-IN', timeZone: ZONE })).toBe('Sun, 22 Nov');
});

it('a year begins at midnight of its place', () => {
  expect(yearStart(2027, ZONE)).toBe(at('2027-01-01T00:00:00'));
  expect(yearStart(2027, 'UTC')).toBe(Date.UTC(2027, 0, 1));
  // West of Greenwich it is still last year there.
  expect(yearStart(2027, 'America/Bogota')).toBe(Date.parse('2027-01-01T00:00:00-05:00'));
});

it('slots begin a lead after the opening and end one before the closing, to the minute', () => {
  const of = (text: string, lead: number, every?: number) =>
    slots(DAY, at(`2027-01-15T${text}`), ZONE, lead, every)
      .filter(({ day }) => day === 'TODAY')
      .map(({ startsAt }) => new Date(startsAt + 5.5 * 3_600_000).toISOString().slice(11, 16));
  expect(of('21:30:00', 30)).toEqual(['22:00', '22:30']);
  expect(of('21:30:01', 30)).toEqual(['22:30']);
  expect(of('21:30:00', 31)).toEqual([]);
  expect(of('22:00:00', 15, 15)).toEqual(['22:15', '22:30', '22:45']);
  expect(of('10:00:00', 0)[0]).toBe('11:00');
  expect(of('10:00:00', 1)[0]).toBe('11:30');
  // Until the end of tomorrow, and no further.
  const night = slots(NIGHT, at('2027-01-15T12:00:00'), ZONE, 0);
  expect(night.at(-1)).toEqual({
    id: String(at('2027-01-16T23:30:00') / 60_000),
    day: 'TOMORROW',
    startsAt: at('2027-01-16T23:30:00'),
  });
  expect(night.find(({ day }) => day === 'TOMORROW')?.startsAt).toBe(at('2027-01-16T00:00:00'));
});
