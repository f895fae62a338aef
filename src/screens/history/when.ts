import * as t from '#text/history.ts';
import * as orderText from '#text/orders.ts';
import { useAtomValue } from 'jotai';
import { localDay, timeText } from '../../domain/hours.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import { countryAtom } from '../../state/country.ts';

const DAY_MS = 86_400_000;

/** Writes when something was: today and yesterday by name, other days with their year unless it is this one. */
export function useWhen() {
  const { timeZone, locale } = useAtomValue(countryAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const now = Date.now() + aheadMs;
  const day = (at: number) => localDay(at, timeZone);
  const written = (at: number, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...parts }).format(at);
  return {
    /** For example `Yesterday, 2:30 PM`. */
    moment(at: number): string {
      const time = timeText(at, timeZone, orderText.clock);
      if (day(at) === day(now)) return t.today({ time });
      if (day(at) === day(now - DAY_MS)) return t.yesterday({ time });
      const isThisYear = day(at).slice(0, 4) === day(now).slice(0, 4);
      const date = written(at, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) });
      return t.onDay({ date, time });
    },
    /** In full, for a table: `23 Nov 2026, 1 PM`. */
    written: (at: number): string =>
      t.onDay({
        date: written(at, { day: 'numeric', month: 'short', year: 'numeric' }),
        time: timeText(at, timeZone, orderText.clock),
      }),
    /** For example `November 2026`. */
    month: (at: number): string => written(at, { month: 'long', year: 'numeric' }),
    /** Equal for moments of the same month. */
    monthKey: (at: number): string => day(at).slice(0, 7),
  };
}
