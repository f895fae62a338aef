import * as t from '#text/league.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { League } from '../../contract/league.ts';
import { typedText } from '../../domain/typedText.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import {
  boardState,
  isNameShownAtom,
  leagueTasks,
  leaveLeagueAtom,
  playAtom,
  sharePlaceAtom,
} from '../../state/offers/league.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { href } from '../../ui/href.ts';
import { Actions } from '../../ui/page/Page.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { TeamMark } from './TeamMark.tsx';
import css from './League.module.css';

/** Asks for a nickname, which others read only where that is wanted. */
function NameSheet({ league, onClose }: { league: League; onClose: () => void }) {
  const play = useSetAtom(playAtom);
  const isBusy = useAtomValue(leagueTasks.isBusyAtom);
  const refused = useAtomValue(leagueTasks.problemsAtom).nickname;
  const isShown = useAtomValue(isNameShownAtom);
  const [nickname, setNickname] = useState(league.me?.nickname ?? '');
  const [show, setShow] = useState(isShown && league.me?.nickname != null);
  const [isMissing, setMissing] = useState(false);
  // A customer who joins is in the league before the sheet is closed.
  const [isNew] = useState(league.me === null);
  const send = async () => {
    const isEmpty = show && typedText(nickname) === '';
    setMissing(isEmpty);
    if (!isEmpty && (await play(show ? nickname : null))) onClose();
  };
  return (
    <Sheet title={isNew ? t.join : t.changeName} onClose={onClose}>
      <form
        className={css.name}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <CheckBox label={t.show} detail={t.showDetail} checked={show} onChange={setShow} />
        {show && (
          <Field
            label={t.nickname}
            hint={t.nicknameHint}
            error={isMissing ? t.nicknameWanted : refused}
            value={nickname}
            maxLength={40}
            autoComplete="nickname"
            enterKeyHint="done"
            onChange={({ target }) => setNickname(target.value)}
          />
        )}
        {!show && <p className={css.soft}>{t.unnamed}</p>}
        <Button full type="submit" busy={isBusy}>
          {isNew ? t.play : t.save}
        </Button>
      </form>
    </Sheet>
  );
}

function LeaveSheet({ onClose }: { onClose: () => void }) {
  const leave = useSetAtom(leaveLeagueAtom);
  const isBusy = useAtomValue(leagueTasks.isBusyAtom);
  return (
    <Sheet
      title={t.leaveTitle}
      onClose={onClose}
      footer={
        <Actions>
          <Button full onClick={onClose}>
            {t.stay}
          </Button>
          <Button full kind="danger" busy={isBusy} onClick={() => void leave().then((hasLeft) => hasLeft && onClose())}>
            {t.leave}
          </Button>
        </Actions>
      }
    >
      <p>{t.leaveText}</p>
    </Sheet>
  );
}

const loginTo = (path: string) => href(`/postorder-ui/login?redirectUrl=${encodeURIComponent(path)}`);
const OWN_PAGE = { href: loginTo('/worldPizzaLeague'), target: '_blank', rel: 'noopener' };

/** Where the player stands, to be shared; or how one joins. */
export function Me({ league, path, isFramed }: { league: League; path: string; isFramed: boolean }) {
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const { data } = useAtomValue(boardState.atom);
  const share = useSetAtom(sharePlaceAtom);
  const [open, setOpen] = useState<'name' | null>(null);
  const { me } = league;
  const isToday = data?.season.id === league.season.id;
  const [held, setHeld] = useState(data?.me ?? null);
  if (isToday && data.me !== held) setHeld(data.me);
  return (
    <Card>
      <div className={css.hero}>
        <div className={css.shields} aria-hidden>
          {league.teams.map(({ id }) => (
            <TeamMark key={id} id={id} />
          ))}
        </div>
        {me === null ? (
          <>
            <h2>{t.joinTitle}</h2>
            <p>{t.joinText(league.slices)}</p>
            {isLoggedIn ? (
              <Button full onClick={() => setOpen('name')}>
                {t.join}
              </Button>
            ) : (
              // Nobody types a code into a page that somebody else has framed: there the league opens in a page of its own.
              <Button full {...(isFramed ? OWN_PAGE : { href: loginTo(path) })}>
                {t.login}
              </Button>
            )}
          </>
        ) : (
          <>
            <h2>{held ? t.myRank({ rank: held.rank, players: data?.players ?? 0 }) : t.myPlace}</h2>
            <p className={css.sum}>
              {held ? t.mySlices({ slices: held.slices }) : t.noSlices({ order: league.slices.order })}
            </p>
            {held && <p className={css.soft}>{t.mySum({ orders: me.orders, right: me.right })}</p>}
            <p className={css.soft}>
              {me.nickname !== null && me.isNamed ? t.named({ nickname: me.nickname }) : t.unnamed}
            </p>
            {held && isToday && (
              <Button full onClick={() => void share()}>
                {t.share}
              </Button>
            )}
            <Button full kind="quiet" aria-haspopup="dialog" onClick={() => setOpen('name')}>
              {t.changeName}
            </Button>
          </>
        )}
      </div>
      {open === 'name' && <NameSheet league={league} onClose={() => setOpen(null)} />}
    </Card>
  );
}

/** How points are made, and the way out. */
export function Rules({ league }: { league: League }) {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Card title={t.rules}>
      <ul className={css.rules}>
        <li>{t.joinText(league.slices)}</li>
        <li>{t.ruleOrder}</li>
        <li>{t.ruleMatch}</li>
        <li>{t.ruleTie}</li>
        <li>{t.ruleEnd}</li>
      </ul>
      {league.me && (
        <Button full kind="quiet" aria-haspopup="dialog" onClick={() => setLeaving(true)}>
          {t.leave}
        </Button>
      )}
      {isLeaving && <LeaveSheet onClose={() => setLeaving(false)} />}
    </Card>
  );
}
