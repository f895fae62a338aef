import type { EndpointInput, Reply } from '../../../contract/endpoint.ts';
import * as contract from '../../../contract/league.ts';
import { mayI } from '../../../domain/consents.ts';
import { roundsOf, seasonAt, seasonOf, SLICES, type Season } from '../../../domain/league.ts';
import { quoted } from '../../../domain/plainText.ts';
import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import { errors } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { consentsOf } from '../../store/consents.ts';
import type { Db } from '../../store/db.ts';
import {
  countAbove,
  countPlaced,
  countsOf,
  placedBetween,
  placeOf,
  playerOf,
  predictionsOf,
  resultsOf,
} from '../../store/league.ts';
import { teamsIn } from './matches.ts';

const ROUNDS_AHEAD = 2;

/** Whether somebody lets others read their nickname. */
const isNamed = async (db: Db, userId: string): Promise<boolean> => mayI('league', await consentsOf(db, userId));

/** The season's rounds around now, and how the caller plays. */
export async function leagueOf(call: Call): Promise<Omit<Reply<typeof contract.view>, 'status'>> {
  const { db, caller, now } = call;
  const catalogue = await catalogueHere(call);
  const { COUNTRY_CODE, timeZone } = catalogue.country;
  const teams = teamsIn(catalogue);
  const season = seasonAt(COUNTRY_CODE, now, timeZone);
  const all = roundsOf(
    season,
    teams.map(({ id }) => id),
    timeZone,
  );
  const ahead = all.filter(({ endsAt }) => endsAt > now).slice(0, ROUNDS_AHEAD);
  const rounds = [...all.filter(({ endsAt }) => endsAt <= now).slice(-1), ...ahead];
  const ids = rounds.flatMap(({ matches }) => matches.map(({ id }) => id));
  const player = caller.isLoggedIn ? await playerOf(db, userIdOf(call)) : undefined;
  const picks = player === undefined ? new Map() : await predictionsOf(db, player.user_id, ids);
  const results = await resultsOf(db, ids);
  return {
    league: {
      season,
      teams,
      slices: SLICES,
      rounds: rounds.map((round) => ({
        ...round,
        matches: round.matches.map((match) => ({
          ...match,
          pick: picks.get(match.id) ?? null,
          result: results.get(match.id) ?? null,
        })),
      })),
      me:
        player === undefined
          ? null
          : {
              nickname: player.nickname,
              isNamed: player.nickname !== null && (await isNamed(db, player.user_id)),
              ...(await countsOf(db, player.user_id, season.id)),
            },
    },
  };
}

/** The rows of a page with their places: equal slices share one, and the next ones are left out. */
async function ranked(db: Db, season: Season, pageNumber: number, me: string | null) {
  const offset = (pageNumber - 1) * contract.LEADERBOARD_PAGE;
  const rows = await placedBetween(db, season.id, { offset, limit: contract.LEADERBOARD_PAGE });
  let [rank, slices] = [0, -1];
  const leaderboard = [];
  for (const [at, row] of rows.entries()) {
    if (row.slices !== slices)
      [rank, slices] = [at === 0 ? (await countAbove(db, season.id, row.slices)) + 1 : offset + at + 1, row.slices];
    const name = row.nickname !== null && (await isNamed(db, row.user_id)) ? quoted(row.nickname) : null;
    leaderboard.push({ rank, name, slices, isMe: row.user_id === me });
  }
  return leaderboard;
}

/** A page of the players of a season, and the caller's own place. @throws Refusal 404 NOT_FOUND for a season that is none, or to come */
export async function leaderboardOf(call: Call, query: EndpointInput<typeof contract.leaderboard>['query']) {
  const { db, caller, now } = call;
  const {
    country: { COUNTRY_CODE, timeZone },
  } = await catalogueHere(call);
  const today = seasonAt(COUNTRY_CODE, now, timeZone);
  const season = query.season === undefined ? today : seasonOf(COUNTRY_CODE, query.season, timeZone);
  if (season === null || season.startsAt > now) return refuse(404, 'NOT_FOUND', errors.notFound, { field: 'season' });
  const before = seasonAt(COUNTRY_CODE, season.startsAt - 1, timeZone);
  const pageNumber = Number(query.pageNumber ?? '1');
  const me = caller.isLoggedIn ? userIdOf(call) : null;
  const place = me === null ? undefined : await placeOf(db, season.id, me);
  const players = await countPlaced(db, season.id);
  return {
    season,
    previous: (await countPlaced(db, before.id)) > 0 ? before : null,
    leaderboard: await ranked(db, season, pageNumber, me),
    pageNumber,
    pages: Math.ceil(players / contract.LEADERBOARD_PAGE),
    players,
    me:
      place === undefined
        ? null
        : {
            rank: place.above + 1,
            slices: place.slices,
            pageNumber: Math.floor(place.before / contract.LEADERBOARD_PAGE) + 1,
          },
  };
}
