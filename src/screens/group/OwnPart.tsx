import * as t from '#text/group.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Group } from '../../contract/group.ts';
import { typedText } from '../../domain/typedText.ts';
import {
  changeMeAtom,
  groupTasks,
  meAtom,
  removePersonAtom,
  sitDownAtom,
  standUpAtom,
} from '../../state/group/group.ts';
import { popupAtom } from '../../state/base/popup.ts';
import { seatAtom } from '../../state/first/group.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { MeFields } from './MeFields.tsx';
import { Closing } from './Closing.tsx';
import css from './GroupScreen.module.css';

/** A guest's own part: how much of the limit is left, saying that one is done, and leaving. */
export function OwnPart({ group }: { group: Group }) {
  const [me, setMe] = useAtom(meAtom);
  const [isEditing, setEditing] = useState(false);
  const isBusy = useAtomValue(groupTasks.isBusyAtom);
  const seat = useAtomValue(seatAtom);
  const change = useSetAtom(changeMeAtom);
  const remove = useSetAtom(removePersonAtom);
  const ask = useSetAtom(popupAtom);
  const [sit, stand] = [useSetAtom(sitDownAtom), useSetAtom(standUpAtom)];
  const own = group.people.find((person) => person.isMe);
  const isOpen = group.state === 'OPEN';
  const isSeated = seat?.code === group.code;
  if (!own) return null;
  const save = async () => {
    if (
      typedText(me.name) !== '' &&
      (await change(group.code, own.personId, { name: typedText(me.name), diet: me.diet }))
    )
      setEditing(false);
  };
  return (
    <Card title={t.hostsTitle({ host: group.hostName })}>
      <div className={css.stack}>
        <Closing group={group} />
        {isOpen && group.limit !== null && group.left !== null && (
          <p>
            {rich(t.limitLeft, {
              left: <Price amount={group.left} />,
              limit: <Price amount={group.limit} />,
              b: <b />,
            })}
          </p>
        )}
        {!isOpen && <p>{t.closedForGuests({ host: group.hostName })}</p>}
        {isEditing && (
          <MeFields me={me} error={typedText(me.name) === '' ? t.groupNameMissing : undefined} onChange={setMe} />
        )}
        <div className={css.row}>
          {isEditing && (
            <Button small busy={isBusy} onClick={() => void save()}>
              {t.save}
            </Button>
          )}
          {!isEditing && isOpen && (
            <Button
              kind="secondary"
              small
              onClick={() => {
                setMe({ name: own.name, diet: own.diet });
                setEditing(true);
              }}
            >
              {t.changeMe}
            </Button>
          )}
          {isOpen && (
            <Button
              kind="secondary"
              small
              onClick={() =>
                ask({
                  header: t.leaveAsk,
                  message: t.leaveText,
                  left: { label: t.leaveNot },
                  right: {
                    label: t.leave,
                    act: () => {
                      void remove(group.code, own.personId);
                    },
                  },
                })
              }
            >
              {t.leave}
            </Button>
          )}
          {isSeated ? (
            <Button kind="secondary" small onClick={() => void stand()}>
              {t.useOwnCart}
            </Button>
          ) : (
            <Button kind="secondary" small onClick={() => void sit(group)}>
              {t.goOnHere}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
