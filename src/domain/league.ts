import { localTime, yearStart } from './hours.ts';
import { DAY_MS } from './time.ts';

// The World Pizza League: cities play each other on weekends, and whoever's stores deliver more orders per store wins.
// A season is a quarter of the year, and its fixtures follow from the calendar and the teams alone. There is nothing to
// stake and nothing to win but the place.

/** A pizza for each order that arrived, half a one for each match that was foreseen. */
export const SLICES = { order: 8, prediction: 4 } as const;

const MONTHS = 3;
const SATURDAY = 5;
const WEEK = 7;

export interface Season {
  readonly id: string;
  /** Epoch ms; the end is not included. */
  readonly startsAt: number;
  readonly endsAt: number;
}
export interface Fixture {
  readonly id: string;
  readonly home: string;
  readonly away: string;
}
export interface Round {
  /** From 1. */
  readonly number: number;
  /** Epoch ms: Saturday and Sunday. Predictions close when it starts. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly matches: readonly Fixture[];
}

/** Correct only without daylight saving, which none of the three countries has. */
const dayStart = (year: number, month: number, timeZone: string) =>
  yearStart(year, timeZone) + Date.UTC(year, month, 1) - Date.UTC(year, 0, 1);

function quarter(country: string, year: number, index: number, timeZone: string): Season {
  const [startsAt, endsAt] = [index, index + 1].map((n) => dayStart(year, n * MONTHS, timeZone));
  return { id: `${country}-${year}-Q${index + 1}`, startsAt: startsAt!, endsAt: endsAt! };
}

/** @param at epoch ms */
export function seasonAt(country: string, at: number, timeZone: string): Season {
  const { year, month } = localTime(at, timeZone);
  return quarter(country, year, Math.floor((month - 1) / MONTHS), timeZone);
}

/** A season by its id; null if it is none of this country. */
export function seasonOf(country: string, id: string, timeZone: string): Season | null {
  const [, code, year, index] = /^([A-Z]{2})-(\d{4})-Q([1-4])/.exec(id) ?? [];
  return code === country ? quarter(country, Number(year), Number(index) - 1, timeZone) : null;
}

/**
 * The rounds of a season, one for each weekend that lies in it as a whole: everybody plays everybody else, then again with
 * the other one at home.
 * @param teams ids, an even number of them
 */
export function roundsOf(season: Season, teams: readonly string[], timeZone: string): Round[] {
  const { year, month } = localTime(season.startsAt, timeZone);
  // Monday is 0.
  const weekday = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % WEEK;
  const first = season.startsAt + ((SATURDAY - weekday + WEEK) % WEEK) * DAY_MS;
  const [fixed, ...turning] = teams;
  const rounds: Round[] = [];
  if (fixed === undefined) return rounds;
  for (let n = 0; first + (n * WEEK + 2) * DAY_MS <= season.endsAt; n += 1) {
    const startsAt = first + n * WEEK * DAY_MS;
    const circle = [fixed, ...turning.map((_, at) => turning[(at + n) % turning.length]!)];
    const isSwapped = Math.floor(n / turning.length) % 2 === 1;
    const matches = circle.slice(0, circle.length / 2).map((one, at) => {
      const other = circle[circle.length - 1 - at]!;
      const [home, away] = isSwapped ? [other, one] : [one, other];
      return { id: `${season.id}-${n + 1}-${at + 1}`, home, away };
    });
    rounds.push({ number: n + 1, startsAt, endsAt: startsAt + 2 * DAY_MS, matches });
  }
  return rounds;
}

export type Outcome = 'HOME' | 'DRAW' | 'AWAY';
export const outcomeOf = ({ home, away }: { readonly home: number; readonly away: number }): Outcome =>
  home > away ? 'HOME' : home < away ? 'AWAY' : 'DRAW';
