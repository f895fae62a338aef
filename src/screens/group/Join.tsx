import * as t from '#text/group.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import type { Group } from '../../contract/group.ts';
import { typedText } from '../../domain/typedText.ts';
import { groupTasks, isOver, joinGroupAtom, meAtom } from '../../state/group/group.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { seatAtom } from '../../state/first/group.ts';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { MeFields } from './MeFields.tsx';
import { Closing } from './Closing.tsx';
import css from './GroupScreen.module.css';

/** The page of a guest who has the link: a name is all that is needed to join. */
export function Join({ group }: { group: Group }) {
  const [me, setMe] = useAtom(meAtom);
  const [error, setError] = useState<string>();
  const seat = useAtomValue(seatAtom);
  const isBusy = useAtomValue(groupTasks.isBusyAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const join = useSetAtom(joinGroupAtom);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isMissing = typedText(me.name) === '';
    setError(isMissing ? t.groupNameMissing : undefined);
    if (isMissing) document.getElementById('group-name')?.focus();
    else void join(group.code, me);
  };
  if (group.state !== 'OPEN') {
    return (
      <EmptyState
        picture={<EmptyPicture />}
        title={isOver(group) ? t.overTitle : t.closedTitle}
        action={<Button href={href('/menu')}>{t.seeMenu}</Button>}
      >
        {isOver(group) ? t.overText : t.closedText({ host: group.hostName })}
      </EmptyState>
    );
  }
  return (
    <form noValidate onSubmit={submit}>
      <Page>
        <Card title={t.invitation({ host: group.hostName })}>
          <div className={css.stack}>
            <Closing group={group} />
            <p>{t.invitationHow({ store: group.store.name, host: group.hostName })}</p>
            {group.limit !== null && (
              <p>{rich(t.invitationLimit, { amount: <Price amount={group.limit} />, b: <b /> })}</p>
            )}
            {seat && seat.code !== group.code && <p role="status">{t.seatedElsewhere}</p>}
          </div>
        </Card>
        <Card>
          <MeFields me={me} error={error} onChange={setMe} />
        </Card>
      </Page>
      <BottomBar
        label={t.join}
        action={
          <Button type="submit" full busy={isBusy} disabled={isOffline}>
            {isOffline ? t.offline : t.join}
          </Button>
        }
      >
        <span>{t.people({ count: group.size })}</span>
      </BottomBar>
    </form>
  );
}
