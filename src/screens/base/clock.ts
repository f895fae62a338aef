import * as orderText from '#text/orders.ts';
import { useAtomValue } from 'jotai';
import { dayText, timeText } from '../../domain/hours.ts';
import { countryAtom } from '../../state/base/country.ts';

/** Writes times and dates for people, in the country's own time zone. */
export function useClock() {
  const country = useAtomValue(countryAtom);
  return {
    time: (at: number) => timeText(at, country.timeZone, orderText.clock),
    date: (at: number) => dayText(at, country),
  };
}
