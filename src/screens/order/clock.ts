import { useAtomValue } from 'jotai';
import { countryAtom } from '../../state/seams.ts';

/** Times and dates for people, in the country's own zone. */
export function useClock() {
  const { locale, timeZone } = useAtomValue(countryAtom);
  return {
    time: (at: number) => new Intl.DateTimeFormat(locale, { timeZone, hour: 'numeric', minute: '2-digit' }).format(at),
    date: (at: number) => new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(at),
  };
}
