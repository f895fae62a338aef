import * as t from '#text/league.ts';
import { atom } from 'jotai';
import { codeOf } from '../../api/failure.ts';
import * as contract from '../../contract/league.ts';
import { consentToAtom, sayAtom } from '../consent/consents.ts';
import { apiAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { remote } from '../lib/remote.ts';
import { sentenceOf, showFailureAtom } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { isLoggedInAtom } from '../base/session.ts';
import { shareAtom } from '../base/share.ts';

/** The season with its matches, and what the customer said of them. */
export const leagueState = remote(async (get, _set, signal) => {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  return (await call(contract.view, {}, { signal })).league;
});

/** A page of the table; without a season that of today. */
export const boardState = remote(
  async (get, _set, signal, { pageNumber = 1, season }: { pageNumber?: number; season?: string | undefined } = {}) => {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    const query = { pageNumber: String(pageNumber), ...(season === undefined ? {} : { season }) };
    return await call(contract.leaderboard, { query }, { signal });
  },
);

/** What is wrong with the nickname that was sent stands beside it. */
export const leagueTasks = tasks<'nickname'>();

/** Whether the nickname may be shown to others, as the customer said it last. */
export const isNameShownAtom = atom((get) => get(consentToAtom)('league')?.given === true);

/**
 * Joins, or changes the nickname. What may be shown is said before the name is sent.
 * @param nickname null: plays without one
 * @returns whether the customer plays now, as they said
 */
export const playAtom = leagueTasks.task(
  async (get, set, nickname: string | null) => {
    const isNew = get(leagueState.atom).data?.me === null;
    const isShown = nickname !== null;
    if (isShown !== get(isNameShownAtom)) await set(sayAtom, 'league', isShown);
    const { league } = await get(apiAtom).call(contract.play, { body: { nickname } });
    set(leagueState.put, league);
    set(toastMessageAtom, isNew ? t.joined : t.saved);
    await set(boardState.load);
  },
  {
    failed: (_get, set, thrown) =>
      codeOf(thrown).startsWith('NICKNAME') ? { nickname: sentenceOf(thrown) } : set(showFailureAtom, thrown),
  },
);

/** @returns whether the customer has left */
export const leaveLeagueAtom = leagueTasks.task(async (get, set) => {
  const { league } = await get(apiAtom).call(contract.leave, {});
  set(leagueState.put, league);
  await set(sayAtom, 'league', false);
  set(toastMessageAtom, t.left);
  await set(boardState.load);
});

/** Says how a match ends. A refused prediction shows what holds. */
export const predictAtom = atom(null, async (get, set, match: contract.Match, pick: contract.Pick): Promise<void> => {
  const before = get(leagueState.atom).data;
  if (!before?.me || !get(isLoggedInAtom)) return;
  const withPick = (own: contract.Match) => (own.id === match.id ? { ...own, pick } : own);
  // Seen at once: the answer of the server replaces it.
  set(leagueState.put, {
    ...before,
    rounds: before.rounds.map((round) => ({ ...round, matches: round.matches.map(withPick) })),
  });
  try {
    const { league } = await get(apiAtom).call(contract.predict, { matchId: match.id, body: { pick } });
    set(leagueState.put, league);
    const name = (id: string) => league.teams.find((team) => team.id === id)?.name ?? '';
    set(toastMessageAtom, t.said({ home: name(match.home), away: name(match.away) }));
  } catch (thrown) {
    set(leagueState.put, before);
    set(showFailureAtom, thrown);
    await set(leagueState.load);
  }
});

/** Shares the own place with a link to the league. */
export const sharePlaceAtom = atom(null, async (get, set): Promise<void> => {
  const { data } = get(boardState.atom);
  if (!data?.me) return;
  const { rank, slices } = data.me;
  await set(shareAtom, {
    title: t.title,
    text: t.shareText({ rank, slices, players: data.players }),
    path: '/worldPizzaLeague',
  });
});
