import * as t from '#text/league.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { League, Match, Pick, Round } from '../../contract/league.ts';
import { outcomeOf } from '../../domain/league.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { predictAtom } from '../../state/offers/league.ts';
import { Card } from '../../ui/page/Card.tsx';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { useClock } from '../base/clock.ts';
import { TeamMark } from './TeamMark.tsx';
import css from './League.module.css';

const TENTH = 10;

/** How a match ended, or that it is not known yet, and what the customer had said. */
function Ended({ match, league, names }: { match: Match; league: League; names: { home: string; away: string } }) {
  const { result, pick } = match;
  const isRight = result !== null && pick === outcomeOf(result);
  return (
    <div className={css.ended}>
      <p className={css.soft}>
        {pick === null ? t.notPicked : t.picked({ pick, ...names })} {result === null && t.counting}
      </p>
      {result !== null && pick !== null && (
        <Tag tone={isRight ? 'lime' : 'plain'}>{isRight ? t.right({ slices: league.slices.prediction }) : t.wrong}</Tag>
      )}
    </div>
  );
}

function OneMatch({ match, league, isOpen }: { match: Match; league: League; isOpen: boolean }) {
  const predict = useSetAtom(predictAtom);
  const name = (id: string) => league.teams.find((team) => team.id === id)?.name ?? id;
  const names = { home: name(match.home), away: name(match.away) };
  const { result } = match;
  const scores = result && { home: result.home / TENTH, away: result.away / TENTH };
  const options: { value: Pick; title: string }[] = [
    { value: 'HOME', title: t.home({ team: names.home }) },
    { value: 'DRAW', title: t.draw },
    { value: 'AWAY', title: t.home({ team: names.away }) },
  ];
  return (
    <li>
      <h3 className="visually-hidden">{t.match(names)}</h3>
      <div className={css.sides} aria-hidden>
        <span>
          <TeamMark id={match.home} />
          {names.home}
        </span>
        <b>{scores ? t.score(scores) : '–'}</b>
        <span>
          <TeamMark id={match.away} />
          {names.away}
        </span>
      </div>
      {scores && (
        <p className="visually-hidden">
          {t.scoreOf({ home: names.home, away: names.away, homeScore: scores.home, awayScore: scores.away })}
        </p>
      )}
      {isOpen && league.me ? (
        <RadioCards
          tiles
          quietLegend
          legend={t.match(names)}
          options={options}
          value={match.pick}
          onChange={(pick) => void predict(match, pick)}
        />
      ) : (
        league.me && <Ended match={match} league={league} names={names} />
      )}
    </li>
  );
}

function OneRound({ round, league, now }: { round: Round; league: League; now: number }) {
  const clock = useClock();
  const isOpen = now < round.startsAt;
  const isOver = now >= round.endsAt;
  const day = clock.date(isOpen ? round.startsAt : round.endsAt - 1);
  return (
    <>
      <p className={css.soft}>
        {isOpen
          ? t.roundOpen({ day, time: clock.time(round.startsAt) })
          : isOver
            ? t.roundOver({ day })
            : t.roundRuns({ day })}
      </p>
      <ul className={css.matches}>
        {round.matches.map((match) => (
          <OneMatch key={match.id} match={match} league={league} isOpen={isOpen} />
        ))}
      </ul>
    </>
  );
}

/** The matches of the next weekends, which can be foreseen until they begin, and those of the last one. */
export function Rounds({ league }: { league: League }) {
  const now = Date.now() + useAtomValue(clockAheadAtom);
  const open = league.rounds.filter(({ startsAt }) => startsAt > now).slice(0, 1);
  const begun = league.rounds.filter(({ startsAt }) => startsAt <= now);
  // What can be foreseen comes first. A match that nobody has predicted is not counted.
  const rounds = [
    ...open,
    ...begun.reverse().map((round) => ({
      ...round,
      matches: round.matches.filter(({ pick, result }) => now < round.endsAt || pick !== null || result !== null),
    })),
  ].filter(({ matches }) => matches.length > 0);
  return (
    <Card title={t.matches}>
      {rounds.length === 0 && <p className={css.soft}>{t.noMatches}</p>}
      {rounds.map((round) => (
        <OneRound key={round.number} round={round} league={league} now={now} />
      ))}
    </Card>
  );
}
