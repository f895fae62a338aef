import * as t from '#text/league.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { League } from '../../contract/league.ts';
import { boardState } from '../../state/offers/league.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { useClock } from '../base/clock.ts';
import css from './League.module.css';

/** The table of a season, page by page; the own line stands out, and one tap leads to it. */
export function Board({ league }: { league: League }) {
  const { data, status, failure } = useAtomValue(boardState.atom);
  const load = useSetAtom(boardState.load);
  const clock = useClock();
  if (data === null)
    return (
      <Card title={t.table}>
        {status === 'failed' ? (
          <NotLoaded title={t.missing} failure={failure} onRetry={() => void load()} />
        ) : (
          <div aria-busy="true">
            <Skeleton height="20rem" />
          </div>
        )}
      </Card>
    );
  const { leaderboard, pageNumber, pages, me, season, previous } = data;
  const isToday = season.id === league.season.id;
  const own = league.me?.nickname;
  const to = (page: number) => void load({ pageNumber: page, season: season.id });
  const days = { from: clock.date(season.startsAt), to: clock.date(season.endsAt - 1) };
  return (
    <Card title={t.table}>
      <p className={css.soft}>{t.season(days)}</p>
      {leaderboard.length === 0 ? (
        <p className={css.soft}>{t.empty}</p>
      ) : (
        <table className={css.table} aria-busy={status === 'loading'}>
          <caption className="visually-hidden">{t.tableOf(days)}</caption>
          <thead>
            <tr>
              <th scope="col">{t.place}</th>
              <th scope="col">{t.player}</th>
              <th scope="col">{t.slices}</th>
            </tr>
          </thead>
          <tbody>
            {leaderboard.map(({ rank, name, slices, isMe }, at) => (
              <tr key={at} data-me={isMe} data-medal={rank <= 3 ? rank : undefined}>
                <td>
                  <span>{rank}</span>
                </td>
                <th scope="row" data-nameless={name === null && !isMe}>
                  {isMe ? (own ? t.youNamed({ nickname: own }) : t.you) : (name ?? t.nameless)}
                </th>
                <td>{slices}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <nav className={css.pages} aria-label={t.pagesOf}>
        {pages > 1 && (
          <>
            <Button small kind="secondary" disabled={pageNumber <= 1} onClick={() => to(1)}>
              {t.first}
            </Button>
            <Button small kind="secondary" disabled={pageNumber <= 1} onClick={() => to(pageNumber - 1)}>
              {t.before}
            </Button>
            <Button small kind="secondary" disabled={pageNumber >= pages} onClick={() => to(pageNumber + 1)}>
              {t.next}
            </Button>
            {/* It stays on the own page, too: a button that goes takes the focus with it. */}
            {me && (
              <Button small kind="secondary" onClick={() => to(me.pageNumber)}>
                {t.toMe}
              </Button>
            )}
            <p role="status">{t.pages({ page: pageNumber, pages })}</p>
          </>
        )}
        {!isToday && (
          <Button small kind="quiet" onClick={() => void load()}>
            {t.thisSeason}
          </Button>
        )}
        {isToday && previous && (
          <Button small kind="quiet" onClick={() => void load({ season: previous.id })}>
            {t.lastSeason}
          </Button>
        )}
      </nav>
    </Card>
  );
}
