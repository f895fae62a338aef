import { outcomeOf, roundsOf, seasonOf, SLICES, type Fixture, type Round } from '../../../domain/league.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { jobs } from '../../call/jobs.ts';
import { transact, type Root, type Tx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';
import {
  addEntries,
  addResult,
  deliveriesBetween,
  lockPlayers,
  resultsOf,
  rightPlayers,
  type MatchEnd,
} from '../../store/league.ts';

/** What the last steps of a weekend's orders may take to be written. */
const COUNT_AFTER_MS = 15 * MINUTE_MS;
const PLAYERS_AT_ONCE = 200;
const CHUNKS_AT_ONCE = 50;

export const teamsIn = ({ seeds }: CountryCatalogue) => seeds.content.worldPizzaLeague?.teams ?? [];

/** A match with its round; undefined when there is none of this id. */
export function matchById(catalogue: CountryCatalogue, id: string): { match: Fixture; round: Round } | undefined {
  const { COUNTRY_CODE, timeZone } = catalogue.country;
  const season = seasonOf(COUNTRY_CODE, id, timeZone);
  if (season === null) return undefined;
  const teams = teamsIn(catalogue).map((team) => team.id);
  for (const round of roundsOf(season, teams, timeZone)) {
    const match = round.matches.find((one) => one.id === id);
    if (match !== undefined) return { match, round };
  }
  return undefined;
}

/** Somebody has predicted: the matches of the round are counted when it is over. */
export async function countLater(tx: Tx, country: string, round: Round): Promise<void> {
  await enqueue(
    tx,
    ...round.matches.map(({ id }) => ({
      kind: 'league.count',
      runAt: round.endsAt + COUNT_AFTER_MS,
      payload: { country, matchId: id, after: '' },
      key: `league.count:${id}`,
    })),
  );
}

/** Orders per store, in tenths, of the stores that play for a team. */
function strength(catalogue: CountryCatalogue, teamId: string, deliveries: ReadonlyMap<string, number>): number {
  const cities = teamsIn(catalogue).find(({ id }) => id === teamId)?.cities ?? [];
  const stores = [...catalogue.stores.values()].filter(
    ({ city, fixture }) => cities.includes(city) && fixture !== true,
  );
  const orders = stores.reduce((sum, { id }) => sum + (deliveries.get(id) ?? 0), 0);
  return stores.length === 0 ? 0 : Math.round((orders * 10) / stores.length);
}

/** Gives the slices of a match to a number of players. @returns the last of them, null when all have theirs */
async function giveMatch(db: Root, match: MatchEnd, season: string, at: number, from: string): Promise<string | null> {
  let after = from;
  for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk += 1) {
    const next = await transact(db, async (tx) => {
      const ids = await rightPlayers(tx, match, { after, limit: PLAYERS_AT_ONCE });
      const players = await lockPlayers(tx, ids);
      await addEntries(
        tx,
        players.map(({ user_id: userId }) => ({
          unique_key: `match:${match.id}:${userId}`,
          season,
          user_id: userId,
          amount: SLICES.prediction,
          at,
        })),
      );
      return ids.length < PLAYERS_AT_ONCE ? null : (ids.at(-1) ?? null);
    });
    if (next === null) return null;
    after = next;
  }
  return after;
}

jobs.on<{ country: string; matchId: string; after: string }>(
  'league.count',
  async ({ country, matchId, after }, { db, services, now, jobId }) => {
    const catalogue = await services.catalogue.of(db, country);
    const found = matchById(catalogue, matchId);
    if (found === undefined) return;
    const { match, round } = found;
    if (!(await resultsOf(db, [matchId])).has(matchId)) {
      const deliveries = await deliveriesBetween(db, country, round.startsAt, round.endsAt);
      const [home, away] = [match.home, match.away].map((id) => strength(catalogue, id, deliveries));
      await addResult(db, { match_id: matchId, home: home!, away: away!, decided_at: now });
    }
    const result = (await resultsOf(db, [matchId])).get(matchId)!;
    const { id: season } = seasonOf(country, matchId, catalogue.country.timeZone)!;
    // The match was over then, however late it is counted.
    const last = await giveMatch(db, { id: matchId, pick: outcomeOf(result) }, season, round.endsAt - 1, after);
    if (last !== null)
      await enqueue(db, {
        kind: 'league.count',
        runAt: now,
        payload: { country, matchId, after: last },
        key: `league.count:${matchId}:${jobId}`,
      });
  },
);
