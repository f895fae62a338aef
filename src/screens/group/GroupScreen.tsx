import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import type { Group } from '../../contract/group.ts';
import { BROKEN_LINK, GROUP_NAME_MISSING } from '../../domain/messages.ts';
import { isFinal, statusText } from '../../domain/orders.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import {
  changeMeAtom, endGroupAtom, groupState, isGroupBusyAtom, isOver, joinGroupAtom, meAtom, ownCodeAtom, removePersonAtom, ruleGroupAtom, shareGroupAtom, sitDownAtom, standUpAtom, watchGroupAtom,
} from '../../state/group.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { popupAtom, sentenceOf } from '../../state/popup.ts';
import { hostAtom } from '../../state/seams.ts';
import { seatAtom } from '../../state/seat.ts';
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
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Steps } from '../../ui/Steps.tsx';
import type { Entered } from '../entered.ts';
import { useClock } from '../order/clock.ts';
import { shownSteps } from '../order/words.ts';
import { MeFields } from './MeFields.tsx';
import { PersonCard } from './PersonCard.tsx';
import { SHARE_RULE, Shares } from './Shares.tsx';
import css from './GroupScreen.module.css';

export const enter = atom(null, (_get, set, { params }: Entered) => set(groupState.load, params.code ?? ''));

/** Where the strip does not look after it: a stranger's view, or an order on its way. */
const WATCH_MS = 10_000;
const MOST_MS = 120_000;
const MORE_MINUTES = 15;

function Closing({ group }: { group: Group }) {
  const aheadMs = useAtomValue(clockAheadAtom);
  if (group.state !== 'OPEN') return <p className={css.big}>Closed</p>;
  return <p className={css.big}><Countdown key={group.closesAt} endsAtMs={group.closesAt} nowMs={() => Date.now() + aheadMs} text={(time) => <>Closes in {time}</>} expired="Closed" /></p>;
}

/** A stranger with the link: a name, and one is in. */
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
    setError(isMissing ? GROUP_NAME_MISSING : undefined);
    if (isMissing) document.getElementById('group-name')?.focus();
    else void join(group.code, me);
  };
  if (group.state !== 'OPEN') {
    return (
      <EmptyState picture={<EmptyPicture />} title={isOver(group) ? 'This group order is over' : 'This group order is closed'} action={<Button href={href('/menu')}>See the menu</Button>}>
        {isOver(group) ? 'You can order for yourself, or start one of your own.' : `Ask ${group.hostName} to open it again.`}
      </EmptyState>
    );
  }
  return (
    <form noValidate onSubmit={submit}>
      <Page>
        <Card title={`${group.hostName} invites you to order together`}>
          <div className={css.stack}>
            <Closing group={group} />
            <p>Add your dishes from {group.store.name}. {group.hostName} pays for all, and you see your share.</p>
            {group.limit !== null && <p>Your dishes may come to <b><Price amount={group.limit} /></b>.</p>}
            {seat && seat.code !== group.code && <p role="status">You are in another group order. Your dishes there stay; from now on you add here.</p>}
          </div>
        </Card>
        <Card><MeFields me={me} error={error} onChange={setMe} /></Card>
      </Page>
      <BottomBar label="Join" action={<Button type="submit" full busy={isBusy} disabled={isOffline}>{isOffline ? 'You are offline' : 'Join'}</Button>}>
        <span>{group.size} {group.size === 1 ? 'person' : 'people'} so far</span>
      </BottomBar>
    </form>
  );
}

/** How others come in: the host's own sheet where there is one, the link, or the code by word of mouth. */
function Invite({ group }: { group: Group }) {
  const host = useAtomValue(hostAtom);
  const share = useSetAtom(shareGroupAtom);
  const canShare = host.supports('share').state !== 'unavailable';
  return (
    <Card title="Invite">
      <div className={css.stack}>
        <Closing group={group} />
        <div className={css.row}>
          {canShare && <Button small onClick={() => void share(group, 'share')}>Share the link</Button>}
          <Button kind={canShare ? 'secondary' : 'primary'} small onClick={() => void share(group, 'copy')}>Copy the link</Button>
        </div>
        <p className={css.soft}>Or tell them this code; it opens under “Order with others”.</p>
        <p><code className={css.code}>{group.code}</code></p>
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
    <Card title="Time and limit">
      <div className={css.stack}>
        <p>{group.limit === null ? 'No limit for your guests.' : <>Each guest’s dishes may come to <Price amount={group.limit} />.</>}</p>
        <div className={css.row}>
          {isOpen && <Button kind="secondary" small busy={isBusy} onClick={() => void rule(group.code, { close: true })}>Close now</Button>}
          <Button kind="secondary" small busy={isBusy} onClick={() => void rule(group.code, { moreMinutes: MORE_MINUTES })}>{isOpen ? `${MORE_MINUTES} minutes more` : `Open again for ${MORE_MINUTES} minutes`}</Button>
          {group.limit !== null && <Button kind="secondary" small busy={isBusy} onClick={() => void rule(group.code, { limit: null })}>Lift the limit</Button>}
          <Button
            kind="secondary" small
            onClick={() => ask({ header: 'Call it off?', message: 'Your guests’ dishes leave the cart. Yours stay.', left: { label: 'Keep it' }, right: { label: 'Call it off', act: () => { void end(group.code); } } })}
          >
            Call it off
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** A guest's own: what is left, being done, and the ways out. */
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
  const save = async () => { if (me.name.trim() !== '' && await change(group.code, own.personId, { name: me.name.trim(), diet: me.diet })) setEditing(false); };
  return (
    <Card title={`${group.hostName}’s group order`}>
      <div className={css.stack}>
        <Closing group={group} />
        {isOpen && group.limit !== null && group.left !== null && <p><b><Price amount={group.left} /></b> of <Price amount={group.limit} /> left for your dishes.</p>}
        {!isOpen && <p>Only {group.hostName} can change it now. You see here when it is ordered, and what your share is.</p>}
        {isEditing && <MeFields me={me} error={me.name.trim() === '' ? GROUP_NAME_MISSING : undefined} onChange={setMe} />}
        <div className={css.row}>
          {isEditing && <Button small busy={isBusy} onClick={() => void save()}>Save</Button>}
          {!isEditing && isOpen && <Button kind="secondary" small onClick={() => { setMe({ name: own.name, diet: own.diet }); setEditing(true); }}>Name and marks</Button>}
          {isOpen && (
            <Button
              kind="secondary" small
              onClick={() => ask({ header: 'Leave the group order?', message: 'Your dishes leave it with you.', left: { label: 'Stay' }, right: { label: 'Leave', act: () => { void remove(group.code, own.personId); } } })}
            >
              Leave
            </Button>
          )}
          {isSeated ? <Button kind="secondary" small onClick={() => void stand()}>Use my own cart</Button> : <Button kind="secondary" small onClick={() => void sit(group)}>Go on adding here</Button>}
        </div>
      </div>
    </Card>
  );
}

/** Open or closed: everybody's dishes and shares so far. */
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
          {group.people.map((person) => <PersonCard key={person.personId} group={group} person={person} />)}
        </Column>
        <Column>
          {isHost && <Rules group={group} />}
          {group.free.length > 0 && <Card title="For everybody">{group.free.map((line) => <p key={line.lineId}>{line.quantity} × <FoodMark type={line.product.foodType} /> {line.product.name}</p>)}</Card>}
          {group.bill && <Card title="Bill for all"><div className={css.stack}><BillLines bill={group.bill} totalLabel="To pay" /><p className={css.soft}>{SHARE_RULE}</p></div></Card>}
        </Column>
      </Page>
      <BottomBar
        label={isHost ? 'Go on' : 'Your dishes'}
        action={isHost
          ? <div className={css.wide}><Button kind="secondary" href={href('/menu')}>Add dishes</Button><Button href={href('/cart')}>To the cart</Button></div>
          : group.state === 'OPEN' && own && seat?.code === group.code && (
            <div className={css.wide}>
              <Button kind="secondary" href={href('/menu')}>Add dishes</Button>
              <Button busy={isBusy} onClick={() => void change(group.code, own.personId, { done: !own.done })}>{own.done ? 'Not done yet' : 'I am done'}</Button>
            </div>
          )}
      >
        {isHost ? <small>{group.size === 1 ? 'Nobody has joined yet' : waiting.length === 0 ? 'Everybody is done' : `Waiting for ${waiting.map((person) => person.name).join(', ')}`}</small>
          : own && <><b>Share <Price amount={own.share.total} /></b><small>{own.done ? 'You are done' : ''}</small></>}
      </BottomBar>
    </>
  );
}

/** Ordered: who pays what, and how far the food is, without a word on where it goes. */
function Ordered({ group }: { group: Group }) {
  const clock = useClock();
  const share = useSetAtom(shareGroupAtom);
  const { order } = group;
  return (
    <Page columns="first">
      <Column>
        {order && (
          <Card title={`Order ${order.orderNumber}`}>
            <div className={css.stack}>
              <p className={css.big}>{order.orderStatus === 'PENDING' ? `${group.hostName} is paying` : statusText(order.orderStatus, order.orderType)}</p>
              {order.eta && !isFinal(order.orderStatus) && <p><b>{clock.time(order.eta.from)} to {clock.time(order.eta.to)}</b> {order.eta.reason}</p>}
              {order.orderStatus !== 'PENDING' && (
                <Steps
                  label="Progress of the order"
                  steps={shownSteps(order.steps, clock.time)}
                />
              )}
              {order.orderId && <Button full href={href(`/order/${order.orderId}`)}>See your order</Button>}
            </div>
          </Card>
        )}
        <Shares people={group.people}>
          {group.role === 'host' && <Button full kind="secondary" onClick={() => void share(group, 'share')}>Send the shares to everybody</Button>}
        </Shares>
      </Column>
      <Column>
        {group.people.map((person) => <PersonCard key={person.personId} group={group} person={person} />)}
        {group.bill && <Card title="Bill for all"><BillLines bill={group.bill} totalLabel="Total" /></Card>}
      </Column>
    </Page>
  );
}

function Body({ group }: { group: Group }) {
  if (group.role === 'stranger') return <Join group={group} />;
  if (group.state === 'ORDERED') return <Ordered group={group} />;
  if (group.state === 'ENDED') {
    return (
      <EmptyState picture={<EmptyPicture />} title={group.role === 'host' ? 'You have called this group order off' : `${group.hostName} has called this group order off`} action={<Button href={href(group.role === 'host' ? '/cart' : '/menu')}>{group.role === 'host' ? 'Back to your cart' : 'See the menu'}</Button>}>
        Nobody pays anything for it.
      </EmptyState>
    );
  }
  return <Running group={group} />;
}

/** A group order, for whoever has its link: joining it, filling it, and what became of it. */
export default function GroupScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const code = params.code ?? '';
  const { data, status, failure } = useAtomValue(groupState.atom);
  const load = useSetAtom(groupState.load);
  const watch = useSetAtom(watchGroupAtom);
  const own = useAtomValue(ownCodeAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const group = data?.code === code ? data : null;
  const isSettled = group?.state === 'ENDED' || (group?.order && isFinal(group.order.orderStatus));
  return (
    <>
      <AppBar title={group && group.role !== 'stranger' ? (group.role === 'host' ? 'Your group order' : `With ${group.hostName}`) : 'Group order'} {...(group ? { subtitle: group.store.name } : {})} back={{ label: 'Back to the menu', href: href('/menu') }} />
      {group && <Body group={group} />}
      {!group && status !== 'failed' && <Page busy><Skeleton height="9rem" /><Skeleton height="14rem" /></Page>}
      {!group && status === 'failed' && (failure?.kind === 'refused'
        ? <EmptyState picture={<EmptyPicture />} title={BROKEN_LINK} action={<Button href={href('/group')}>Order with others</Button>} />
        : <EmptyState picture={<EmptyPicture />} title={sentenceOf(failure)} action={<Button kind="secondary" onClick={() => void load(code)}>Try again</Button>} />)}
      {group && !isSettled && own !== code && !isOffline && <Poll key={code} everyMs={WATCH_MS} mostMs={MOST_MS} run={() => watch(code)} />}
    </>
  );
}
