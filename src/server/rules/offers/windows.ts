// When an offer is valid. Windows lie in the calendar of the country, so that a shop has them however old its database is.
import { localTime, yearStart } from '../../../domain/hours.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import type { SeedWindow } from '../../store/seeds.ts';

const STEP_MS = { DAY: 24 * HOUR_MS, WEEK: 168 * HOUR_MS } as const;

/** Epoch ms of a local time; correct without daylight saving, which none of the countries has. */
export function instantOf(local: string, timeZone: string): number {
  const year = Number(local.slice(0, 4));
  return Date.parse(`${local}:00Z`) - Date.UTC(year, 0, 1) + yearStart(year, timeZone);
}

/** The window that `now` (epoch ms) is in, else the next one, else the last; without one an offer is always valid. */
export function windowAt(
  window: SeedWindow | undefined,
  now: number,
  timeZone: string,
): { readonly startsAt: number; readonly endsAt: number } {
  if (window === undefined) return { startsAt: -Infinity, endsAt: Infinity };
  const { starts, hours, every } = window;
  const length = hours * HOUR_MS;
  const from = (startsAt: number) => ({ startsAt, endsAt: startsAt + length });
  const first = from(instantOf(starts, timeZone));
  if (every === undefined || now < first.endsAt) return first;
  if (every !== 'YEAR') {
    const step = STEP_MS[every];
    return from(first.startsAt + (Math.floor((now - first.endsAt) / step) + 1) * step);
  }
  const { year } = localTime(now, timeZone);
  const [last, next, after] = [year - 1, year, year + 1].map((one) =>
    from(instantOf(`${one}${starts.slice(4)}`, timeZone)),
  );
  return now < last!.endsAt ? last! : now < next!.endsAt ? next! : after!;
}
