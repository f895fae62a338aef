import * as contract from '../../contract/league.ts';
import { on, type Route } from '../call/route.ts';
import { leaderboardOf, leagueOf } from '../rules/league/leaderboard.ts';
import { joinLeague, leaveLeague, predict } from '../rules/league/players.ts';

export const leagueRoutes: Route[] = [
  on(contract.leaderboard, ({ query }, call) => leaderboardOf(call, query)),

  on(contract.view, (_input, call) => leagueOf(call)),

  on(contract.play, async ({ body }, call) => {
    await joinLeague(call, body.nickname);
    return await leagueOf(call);
  }),

  on(contract.leave, async (_input, call) => {
    await leaveLeague(call);
    return await leagueOf(call);
  }),

  on(contract.predict, async ({ matchId, body }, call) => {
    await predict(call, matchId, body.pick);
    return await leagueOf(call);
  }),
];
