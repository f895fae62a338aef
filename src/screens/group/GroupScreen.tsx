import * as errors from '#text/errors.ts';
import * as orderText from '#text/orders.ts';
import * as t from '#text/group.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { isGone } from '../../api/failure.ts';
import type { Group } from '../../contract/group.ts';
import { isFinal, statusNews } from '../../domain/orders.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import {
  changeMeAtom,
  endGroupAtom,
  groupState,
  isGroupBusyAtom,
  isOver,
  joinGroupAtom,
  meAtom,
  ownCodeAtom,
  removePersonAtom,
  ruleGroupAtom,
  shareGroupAtom,
  sitDownAtom,
  standUpAtom,
  watchGroupAtom,
} from '../../state/group.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { sentenceOf } from '../../state/popup.ts';
import { popupAtom } from '../../state/popup.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { seatAtom } from '../../state/first/group.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BillLines } from '../../ui/BillLines.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/Page.tsx';
import { Poll } from '../../ui/Poll.tsx';
import { Price } from '../../ui/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Steps } from '../../ui/Steps.tsx';
import type { Entered } from '../entered.ts';
import { useClock } from '../order/clock.ts';
import { shownSteps } from '../order/steps.ts';
import { MeFields } from './MeFields.tsx';
import { PersonCard } from './PersonCard.tsx';
import { Shares } from './Shares.tsx';
import css from './GroupScreen.module.css';

export const enter = atom(null, (_get, set, { params }: Entered) => set(groupState.load, params.code ?? ''));

/**
 * How often this page asks when the strip (shell/GroupStrip.tsx) does not: for a stranger with the link, and for a
 * placed order.
 */
const WATCH_MS = 10_000;
const MOST_MS = 120_000;
const MORE_MINUTES = 15;

function Closing({ group }: { group: Group }) {
  const aheadMs = useAtomValue(clockAheadAtom);
  if (group.state !== 'OPEN') return <p className={css.big}>{t.closed}</p>;
  return (
    <p className={css.big}>
      <Countdown
        endsAtMs={group.closesAt}
        nowMs={() => Date.now() + aheadMs}
        text={(time) => t.closesIn({ time })}
        expired={t.closed}
      />
    </p>
  );
}

/** What a stranger with the link sees: a name is all that is needed to join. */
function Join({ group }: { group: Group }) {
  const [me, setMe] = useAtom(meAtom);
  const [error, setError] = useState<string>();
  const seat = useAtomValue(seatAtom);
  const isBusy = useAtomValue(isGroupBusyAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const join = useSetAtom(joinGroupAtom);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isMissing = me.name.trim() === '';
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

/** How to invite others: by the host's share sheet where there is one, by the link, or by telling them the code. */
function Invite({ group }: { group: Group }) {
  const host = useAtomValue(hostAtom);
  const share = useSetAtom(shareGroupAtom);
  const canShare = host.supports('share').state !== 'unavailable';
  return (
    <Card title={t.invite}>
      <div className={css.stack}>
        <Closing group={group} />
        <div className={css.row}>
          {canShare && (
            <Button small onClick={() => void share(group, 'share')}>
              {t.inviteShare}
            </Button>
          )}
          <Button kind={canShare ? 'secondary' : 'primary'} small onClick={() => void share(group, 'copy')}>
            {t.inviteCopy}
          </Button>
        </div>
        <p className={css.soft}>{t.inviteCode}</p>
        <p>
          <code className={css.code}>{group.code}</code>
        </p>
      </div>
    </Card>
  );
}

function Rules({ group }: { group: Group }) {
  const isBusy = useAtomValue(isGroupBusyAtom);
  const rule = useSetAtom(ruleGroupAtom);
  const end = useSetAtom(endGroupAtom);
  const ask = useSetAtom(popupAtom);
  const isOpen = group.state === 'OPEN';
  return (
    <Card title={t.rulesTitle}>
      <div className={css.stack}>
        <p>{group.limit === null ? t.noLimit : rich(t.limitNow, { amount: <Price amount={group.limit} /> })}</p>
        <div className={css.row}>
          {isOpen && (
            <Button kind="secondary" small busy={isBusy} onClick={() => void rule(group.code, { close: true })}>
              {t.closeNow}
            </Button>
          )}
          <Button
            kind="secondary"
            small
            busy={isBusy}
            onClick={() => void rule(group.code, { moreMinutes: MORE_MINUTES })}
          >
            {(isOpen ? t.openLonger : t.openAgain)({ minutes: MORE_MINUTES })}
          </Button>
          {group.limit !== null && (
            <Button kind="secondary" small busy={isBusy} onClick={() => void rule(group.code, { limit: null })}>
              {t.limitLift}
            </Button>
          )}
          <Button
            kind="secondary"
            small
            onClick={() =>
              ask({
                header: t.callOffAsk,
                message: t.callOffText,
                left: { label: t.callOffNot },
                right: {
                  label: t.callOff,
                  act: () => {
                    void end(group.code);
                  },
                },
              })
            }
          >
            {t.callOff}
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** A guest's own part: how much of the limit is left, saying that one is done, and leaving. */
function Mine({ group }: { group: Group }) {
  const [me, setMe] = useAtom(meAtom);
  const [isEditing, setEditing] = useState(false);
  const isBusy = useAtomValue(isGroupBusyAtom);
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
    if (me.name.trim() !== '' && (await change(group.code, own.personId, { name: me.name.trim(), diet: me.diet })))
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
          <MeFields me={me} error={me.name.trim() === '' ? t.groupNameMissing : undefined} onChange={setMe} />
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

/** Before the order is placed: everybody's dishes and shares so far. */
function Running({ group }: { group: Group }) {
  const isBusy = useAtomValue(isGroupBusyAtom);
  const change = useSetAtom(changeMeAtom);
  const seat = useAtomValue(seatAtom);
  const own = group.people.find((person) => person.isMe);
  const isHost = group.role === 'host';
  const waiting = group.people.filter((person) => !person.isHost && !person.done);
  return (
    <>
      <Page columns="first">
        <Column>
          {isHost ? <Invite group={group} /> : <Mine group={group} />}
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
                  {line.quantity} × <FoodMark type={line.product.foodType} /> {line.product.name}
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

/** After the order was placed: who pays what, and how far the food is, but not where it goes. */
function Ordered({ group }: { group: Group }) {
  const clock = useClock();
  const share = useSetAtom(shareGroupAtom);
  const { order } = group;
  return (
    <Page columns="first">
      <Column>
        {order && (
          <Card title={t.order({ number: order.orderNumber })}>
            <div className={css.stack}>
              <p className={css.big}>
                {order.orderStatus === 'PENDING'
                  ? t.hostPays({ host: group.hostName })
                  : orderText.status({ news: statusNews(order.orderStatus, order.orderType) })}
              </p>
              {order.eta && !isFinal(order.orderStatus) && (
                <p>
                  <b>{t.expected({ from: clock.time(order.eta.from), to: clock.time(order.eta.to) })}</b>{' '}
                  {order.eta.reason}
                </p>
              )}
              {order.orderStatus !== 'PENDING' && <Steps label={t.steps} steps={shownSteps(order.steps, clock.time)} />}
              {order.orderId && (
                <Button full href={href(`/order/${order.orderId}`)}>
                  {t.seeOrder}
                </Button>
              )}
            </div>
          </Card>
        )}
        <Shares people={group.people}>
          {group.role === 'host' && (
            <Button full kind="secondary" onClick={() => void share(group, 'share')}>
              {t.sendShares}
            </Button>
          )}
        </Shares>
      </Column>
      <Column>
        {group.people.map((person) => (
          <PersonCard key={person.personId} group={group} person={person} />
        ))}
        {group.bill && (
          <Card title={t.bill}>
            <BillLines bill={group.bill} totalLabel={t.total} />
          </Card>
        )}
      </Column>
    </Page>
  );
}

function Body({ group }: { group: Group }) {
  if (group.role === 'stranger') return <Join group={group} />;
  if (group.state === 'ORDERED') return <Ordered group={group} />;
  if (group.state === 'ENDED') {
    return (
      <EmptyState
        picture={<EmptyPicture />}
        title={group.role === 'host' ? t.calledOff : t.calledOffBy({ host: group.hostName })}
        action={
          <Button href={href(group.role === 'host' ? '/cart' : '/menu')}>
            {group.role === 'host' ? t.backToOwnCart : t.seeMenu}
          </Button>
        }
      >
        {t.calledOffText}
      </EmptyState>
    );
  }
  return <Running group={group} />;
}

function titleOf(group: Group | null): string {
  if (!group || group.role === 'stranger') return t.title;
  return group.role === 'host' ? t.ownTitle : t.withTitle({ host: group.hostName });
}

/** Shown until the group is known, and when it cannot be loaded or does not exist. */
function Missing({ code }: { code: string }) {
  const { status, failure } = useAtomValue(groupState.atom);
  const load = useSetAtom(groupState.load);
  if (status !== 'failed')
    return (
      <Page busy>
        <Skeleton height="9rem" />
        <Skeleton height="14rem" />
      </Page>
    );
  return failure?.kind === 'refused' ? (
    <EmptyState
      picture={<EmptyPicture />}
      title={errors.brokenLink}
      action={<Button href={href('/group')}>{t.orderWithOthers}</Button>}
    />
  ) : (
    <EmptyState
      picture={<EmptyPicture />}
      title={sentenceOf(failure)}
      action={
        <Button kind="secondary" onClick={() => void load(code)}>
          {t.tryAgain}
        </Button>
      }
    />
  );
}

/** A group order for anybody with its link: joining it, adding to it, and following what became of it. */
export default function GroupScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const code = params.code ?? '';
  const { data, failure } = useAtomValue(groupState.atom);
  const watch = useSetAtom(watchGroupAtom);
  const own = useAtomValue(ownCodeAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const group = data?.code === code && !isGone(failure) ? data : null;
  const isSettled = group?.state === 'ENDED' || (group?.order && isFinal(group.order.orderStatus));
  return (
    <>
      <AppBar
        title={titleOf(group)}
        {...(group ? { subtitle: group.store.name } : {})}
        back={{ label: t.backToMenu, href: href('/menu') }}
      />
      {group ? <Body group={group} /> : <Missing code={code} />}
      {group && !isSettled && own !== code && !isOffline && (
        <Poll key={code} everyMs={WATCH_MS} mostMs={MOST_MS} run={() => watch(code)} />
      )}
    </>
  );
}
