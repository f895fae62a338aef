import * as t from '#text/group.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { Group } from '../../contract/group.ts';
import { changeMeAtom, groupTasks } from '../../state/group/group.ts';
import { seatAtom } from '../../state/first/group.ts';
import { BillLines } from '../../ui/money/BillLines.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { DishName } from '../../ui/DishName.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { PersonCard } from './PersonCard.tsx';
import { Invite } from './Invite.tsx';
import { Rules } from './Rules.tsx';
import { OwnPart } from './OwnPart.tsx';
import css from './GroupScreen.module.css';

/** Before the order is placed: everybody's dishes and shares so far. */
export function RunningGroup({ group }: { group: Group }) {
  const isBusy = useAtomValue(groupTasks.isBusyAtom);
  const change = useSetAtom(changeMeAtom);
  const seat = useAtomValue(seatAtom);
  const own = group.people.find((person) => person.isMe);
  const isHost = group.role === 'host';
  const waiting = group.people.filter((person) => !person.isHost && !person.done);
  return (
    <>
      <Page columns="first">
        <Column>
          {isHost ? <Invite group={group} /> : <OwnPart group={group} />}
          {group.people.map((person) => (
            <PersonCard key={person.personId} group={group} person={person} />
          ))}
        </Column>
        <Column>
          {isHost && <Rules group={group} />}
          {group.free.length > 0 && (
            <Card title={t.forEverybody}>
              {group.free.map((line) => (
                <p key={line.lineId}>
                  {line.quantity} × <FoodMark type={line.product.foodType} /> <DishName name={line.product.name} />
                </p>
              ))}
            </Card>
          )}
          {group.bill && (
            <Card title={t.bill}>
              <div className={css.stack}>
                <BillLines bill={group.bill} totalLabel={t.toPay} />
                <p className={css.soft}>{t.shareRule}</p>
              </div>
            </Card>
          )}
        </Column>
      </Page>
      <BottomBar
        label={isHost ? t.next : t.ownDishes}
        action={
          isHost ? (
            <div className={css.wide}>
              <Button kind="secondary" href={href('/menu')}>
                {t.addDishes}
              </Button>
              <Button href={href('/cart')}>{t.toCart}</Button>
            </div>
          ) : (
            group.state === 'OPEN' &&
            own &&
            seat?.code === group.code && (
              <div className={css.wide}>
                <Button kind="secondary" href={href('/menu')}>
                  {t.addDishes}
                </Button>
                <Button busy={isBusy} onClick={() => void change(group.code, own.personId, { done: !own.done })}>
                  {own.done ? t.notDone : t.done}
                </Button>
              </div>
            )
          )
        }
      >
        {isHost ? (
          <small>
            {group.size === 1
              ? t.nobodyYet
              : waiting.length === 0
                ? t.allDone
                : t.waitingFor({ names: waiting.map((person) => person.name).join(', ') })}
          </small>
        ) : (
          own && (
            <>
              <b>{rich(t.share, { amount: <Price amount={own.share.total} /> })}</b>
              <small>{own.done ? t.youAreDone : ''}</small>
            </>
          )
        )}
      </BottomBar>
    </>
  );
}
