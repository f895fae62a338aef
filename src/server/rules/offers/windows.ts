// When an offer is valid. Windows lie in the calendar of the country, so that a shop has them however old its database is.
import { localTime, yearStart } from '../../../domain/hours.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import type { SeedWindow } from '../../store/seeds.ts';

const STEP_MS = { DAY: 24 * HOUR_MS, WEEK: 168 * HOUR_MS } as const;

/** Those that were asked for: each price of a cart asks for the windows of all offers, and a calendar takes long. */
const instants = new Map<string, number>();
const INSTANTS_KEPT = 2_000;

/** Epoch ms of a local time; correct without daylight saving, which none of the countries has. */
export function instantOf(local: string, timeZone: string): number {
  const key = `${local} ${timeZone}`;
  let instant = instants.get(key);
  if (instant === undefined) {
    const year = Number(local.slice(0, 4));
    if (instants.size >= INSTANTS_KEPT) instants.clear();
    instants.set(key, (instant = Date.parse(`${local}:00Z`) - Date.UTC(year, 0, 1) + yearStart(year, timeZone)));
  }
  return instant;
}

interface Window {
  readonly startsAt: number;
  readonly endsAt: number;
  /** When the one before it ended, of an offer that recurs. */
  readonly lastEndedAt: number;
}

/** The window that `now` (epoch ms) is in, else the next one, else the last; without one an offer is always valid. */
export function windowAt(window: SeedWindow | undefined, now: number, timeZone: string): Window {
  if (window === undefined) return { startsAt: -Infinity, endsAt: Infinity, lastEndedAt: -Infinity };
  const { starts, hours, every } = window;
  const length = hours * HOUR_MS;
  const from = (startsAt: number, lastEndedAt: number) => ({ startsAt, endsAt: startsAt + length, lastEndedAt });
  const first = from(instantOf(starts, timeZone), -Infinity);
  if (every === undefined || now < first.endsAt) return first;
  if (every !== 'YEAR') {
    const step = STEP_MS[every];
    const startsAt = first.startsAt + (Math.floor((now - first.endsAt) / step) + 1) * step;
    return from(startsAt, startsAt - step + length);
  }
  const { year } = localTime(now, timeZone);
  const startIn = (one: number) => instantOf(`${one}${starts.slice(4)}`, timeZone);
  const at = [year - 1, year].find((one) => now < startIn(one) + length) ?? year + 1;
  return from(startIn(at), startIn(at - 1) + length);
}
