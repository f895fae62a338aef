import * as t from '#text/history.ts';
import * as orderText from '#text/orders.ts';
import { useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { dateFormat, localDay, timeText } from '../../domain/hours.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { countryAtom } from '../../state/base/country.ts';
import { DAY_MS } from '../../domain/time.ts';

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const DAY_AND_YEAR: Intl.DateTimeFormatOptions = { ...DAY, year: 'numeric' };
const MONTH: Intl.DateTimeFormatOptions = { month: 'long', year: 'numeric' };

/** Writes when something was: today and yesterday by name, other days with their year unless it is this one. */
export function useWhen() {
  const { timeZone, locale } = useAtomValue(countryAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  return useMemo(() => {
    const day = (at: number) => localDay(at, timeZone);
    // Made once each: among hundreds of orders they would cost more than all else.
    const formats = new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>();
    const written = (at: number, parts: Intl.DateTimeFormatOptions) => {
      const format = formats.get(parts) ?? dateFormat(locale, { timeZone, ...parts });
      formats.set(parts, format);
      return format.format(at);
    };
    const dated = (at: number, parts: Intl.DateTimeFormatOptions) =>
      t.onDay({ date: written(at, parts), time: timeText(at, timeZone, orderText.clock) });
    return {
      /** For example `Yesterday, 2:30 PM`. */
      moment(at: number): string {
        const now = Date.now() + aheadMs;
        const [then, today] = [day(at), day(now)];
        if (then === today) return t.today({ time: timeText(at, timeZone, orderText.clock) });
        if (then === day(now - DAY_MS)) return t.yesterday({ time: timeText(at, timeZone, orderText.clock) });
        return dated(at, then.slice(0, 4) === today.slice(0, 4) ? DAY : DAY_AND_YEAR);
      },
      /** In full, for a table: `23 Nov 2026, 1 PM`. */
      written: (at: number): string => dated(at, DAY_AND_YEAR),
      /** For example `November 2026`. */
      month: (at: number): string => written(at, MONTH),
      /** Equal for moments of the same month. */
      monthKey: (at: number): string => day(at).slice(0, 7),
    };
  }, [timeZone, locale, aheadMs]);
}
