import type { Pick } from '../../../contract/league.ts';
import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact } from '../../store/db.ts';
import { dropPlayer, lockPlayers, setPlayer, setPrediction } from '../../store/league.ts';
import { lockUser } from '../../store/sessions.ts';
import { countLater, matchById } from './matches.ts';
import { mustBeNickname } from './nicknames.ts';

/** Joins the league, or changes the nickname. @throws Refusal 409 NICKNAME_TAKEN, and as `mustBeNickname` */
export async function joinLeague(call: Call, nickname: string | null): Promise<void> {
  const userId = userIdOf(call);
  const name = nickname === null ? { nickname: null, nickname_key: null } : mustBeNickname(nickname);
  await transact(call.db, async (tx) => {
    await lockUser(tx, userId);
    const row = { user_id: userId, country: call.caller.country, joined_at: call.now, ...name };
    if (!(await setPlayer(tx, row))) refuse(409, 'NICKNAME_TAKEN', t.nicknameTaken, { field: 'nickname' });
  });
}

export const leaveLeague = (call: Call): Promise<void> => transact(call.db, (tx) => dropPlayer(tx, userIdOf(call)));

/** @throws Refusal 404 NOT_FOUND, 409 PREDICTION_CLOSED, LEAGUE_JOIN */
export async function predict(call: Call, matchId: string, pick: Pick): Promise<void> {
  const userId = userIdOf(call);
  const found = matchById(await catalogueHere(call), matchId);
  if (found === undefined) return refuse(404, 'NOT_FOUND', errors.notFound, { field: 'matchId' });
  const { round } = found;
  if (round.startsAt <= call.now) refuse(409, 'PREDICTION_CLOSED', t.predictionClosed, { field: 'matchId' });
  await transact(call.db, async (tx) => {
    const [player] = await lockPlayers(tx, [userId]);
    if (player === undefined) refuse(409, 'LEAGUE_JOIN', t.leagueJoin);
    await setPrediction(tx, { match_id: matchId, user_id: userId, pick, at: call.now });
    await countLater(tx, call.caller.country, round);
  });
}
