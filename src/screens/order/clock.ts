import { useAtomValue } from 'jotai';
import { countryAtom } from '../../state/country.ts';

/** Writes times and dates for people, in the country's own time zone. */
export function useClock() {
  const { locale, timeZone } = useAtomValue(countryAtom);
  return {
    time: (at: number) => new Intl.DateTimeFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit' }).format(at),
    date: (at: number) =>
      new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(at),
  };
}
