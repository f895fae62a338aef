import * as t from '#text/trains.ts';
import { useAtomValue } from 'jotai';
import { localDay } from '../../domain/hours.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { countryAtom } from '../../state/base/country.ts';
import { useClock } from '../base/clock.ts';

const HOUR = 60;

/** 75 becomes '1 hour 15 minutes'. */
export function spanText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / HOUR), minutes % HOUR];
  if (hours === 0) return t.minutes({ minutes: rest });
  if (rest === 0) return t.hours({ hours });
  return t.hoursMinutes({ hours: t.hours({ hours }), minutes: t.minutes({ minutes: rest }) });
}

/** Times of a journey that may take days: the day stands with a time that is not of today. */
export function useTrainTimes() {
  const clock = useClock();
  const aheadMs = useAtomValue(clockAheadAtom);
  const { timeZone } = useAtomValue(countryAtom);
  const now = () => Date.now() + aheadMs;
  const isToday = (at: number) => localDay(at, timeZone) === localDay(now(), timeZone);
  return {
    now,
    time: clock.time,
    date: clock.date,
    isToday,
    moment: (at: number): string => (isToday(at) ? clock.time(at) : `${clock.date(at)}, ${clock.time(at)}`),
  };
}
