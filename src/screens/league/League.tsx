import * as t from '#text/league.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { syncConsentsAtom } from '../../state/consent/consents.ts';
import { boardState, leagueState } from '../../state/offers/league.ts';
import { Column, Page } from '../../ui/page/Page.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { Board } from './Board.tsx';
import { Me, Rules } from './Me.tsx';
import { Rounds } from './Rounds.tsx';

export const enterLeagueAtom = atom(null, async (_get, set) => {
  await Promise.all([set(leagueState.load), set(boardState.load), set(syncConsentsAtom)]);
});

/** The league: the own place, the matches, the table and the rules. @param isFramed in a page of somebody else's */
export function League({ path, isFramed = false }: { path: string; isFramed?: boolean }) {
  useCustomerChange(enterLeagueAtom);
  const { data, status, failure } = useAtomValue(leagueState.atom);
  const board = useAtomValue(boardState.atom);
  const load = useSetAtom(enterLeagueAtom);
  // The rules stand below the table, and are not to jump when it comes for the first time.
  const [isWhole, setWhole] = useState(false);
  if (!isWhole && data !== null && (board.data !== null || board.status === 'failed')) setWhole(true);
  if (data === null || !isWhole)
    return (
      <Page columns="even">
        <Column>
          {data === null && status === 'failed' ? (
            <NotLoaded title={t.missing} failure={failure} onRetry={() => void load()} />
          ) : (
            <div aria-busy="true">
              <Skeleton height="26rem" />
            </div>
          )}
        </Column>
      </Page>
    );
  return (
    <Page columns="even">
      <Column>
        <Me league={data} path={path} isFramed={isFramed} />
        <Rounds league={data} />
      </Column>
      <Column>
        <Board league={data} />
        <Rules league={data} />
      </Column>
    </Page>
  );
}
