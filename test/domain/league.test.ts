import { describe, expect, it } from 'vitest';
import { outcomeOf, roundsOf, seasonAt, seasonOf } from '../../src/domain/league.ts';

const ZONE = 'Asia/Kolkata';
const DAY_MS = 86_400_000;
const TEAMS = ['a', 'b', 'c', 'd'];
/** Midnight in India of a day. */
const day = (text: string) => Date.parse(`${text}T00:00:00+05:30`);
const seasonOn = (text: string) => seasonAt('IN', day(text), ZONE);
const namesOf = (matches: readonly { home: string; away: string }[]) => matches.map(({ home, away }) => home + away);

describe('a season of the league', () => {
  it('is a quarter of the year by the country’s own calendar, and is found again by its id', () => {
    const season = seasonOn('2026-05-17');
    expect(season).toEqual({ id: 'IN-2026-Q2', startsAt: day('2026-04-01'), endsAt: day('2026-07-01') });
    expect(seasonOf('IN', season.id, ZONE)).toEqual(season);
    expect(seasonAt('IN', season.endsAt, ZONE).id).toBe('IN-2026-Q3');
    expect(seasonAt('IN', season.startsAt - 1, ZONE).id).toBe('IN-2026-Q1');
    // The id of a match begins with that of its season.
    expect(seasonOf('IN', `${season.id}-1-2`, ZONE)).toEqual(season);
    for (const [country, id] of [
      ['LK', season.id],
      ['IN', 'IN-2026-Q5'],
      ['IN', 'IN-2026-Q0'],
      ['IN', 'IN-226-Q1'],
      ['IN', `X${season.id}`],
      ['IN', ''],
    ] as const)
      expect(seasonOf(country, id, ZONE), id).toBeNull();
  });

  it.each([
    // The first of the month is a Wednesday, a Thursday, a Saturday and a Sunday.
    ['2026-04-01', '2026-04-04', 13],
    ['2026-01-01', '2026-01-03', 13],
    ['2028-01-01', '2028-01-01', 13],
    ['2023-01-01', '2023-01-07', 12],
    // Its last day is a Sunday.
    ['2024-01-01', '2024-01-06', 13],
  ])('that begins on %s has its first round on %s, and %s weekends that lie in it as a whole', (from, first, count) => {
    const season = seasonOn(from);
    const rounds = roundsOf(season, TEAMS, ZONE);
    expect(rounds.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    for (const [n, { startsAt, endsAt }] of rounds.entries()) {
      expect([startsAt, endsAt]).toEqual([day(first) + n * 7 * DAY_MS, day(first) + (n * 7 + 2) * DAY_MS]);
      expect(endsAt).toBeLessThanOrEqual(season.endsAt);
    }
    expect(rounds.at(-1)!.endsAt + 7 * DAY_MS).toBeGreaterThan(season.endsAt);
  });

  it('lets everybody play everybody once, then again with the other one at home, and each match has an id of its own', () => {
    const rounds = roundsOf(seasonOn('2026-04-01'), TEAMS, ZONE);
    const [once, again] = [rounds.slice(0, 3), rounds.slice(3, 6)].map((part) =>
      part.flatMap(({ matches }) => namesOf(matches)),
    ) as [string[], string[]];
    expect(once.map((pair) => [...pair].sort().join('')).sort()).toEqual(['ab', 'ac', 'ad', 'bc', 'bd', 'cd']);
    expect(again).toEqual(once.map((pair) => [...pair].reverse().join('')));
    expect(rounds.slice(0, 4).map(({ matches }) => namesOf(matches))).toEqual([
      ['ad', 'bc'],
      ['ab', 'cd'],
      ['ac', 'db'],
      ['da', 'cb'],
    ]);
    expect(namesOf(rounds[6]!.matches)).toEqual(namesOf(rounds[0]!.matches));
    for (const { matches } of rounds) expect([...namesOf(matches).join('')].sort()).toEqual(TEAMS);
    const ids = rounds.flatMap(({ matches }) => matches.map(({ id }) => id));
    expect(ids[0]).toBe('IN-2026-Q2-1-1');
    expect(new Set(ids).size).toBe(13 * 2);
    expect(roundsOf(seasonOn('2026-04-01'), [], ZONE)).toEqual([]);
  });
});

it('a match is won at home or away, or drawn', () => {
  expect([outcomeOf({ home: 2, away: 1 }), outcomeOf({ home: 1, away: 2 }), outcomeOf({ home: 1, away: 1 })]).toEqual([
    'HOME',
    'AWAY',
    'DRAW',
  ]);
});
