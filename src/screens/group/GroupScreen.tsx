import * as errors from '#text/errors.ts';
import * as firstText from '#text/first.ts';
import * as t from '#text/group.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { isGone } from '../../api/failure.ts';
import type { Group } from '../../contract/group.ts';
import { groupCode } from '../../domain/group.ts';
import { isFinal } from '../../domain/orders.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { groupState, ownCodeAtom, watchGroupAtom } from '../../state/group/group.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Poll } from '../../ui/time/Poll.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import type { ScreenInput } from '../base/entered.ts';
import { Join } from './Join.tsx';
import { RunningGroup } from './RunningGroup.tsx';
import { OrderedGroup } from './OrderedGroup.tsx';

/** The code of the link as the group has it: people write a link down in capitals. */
const codeIn = ({ code = '' }: ScreenInput['params']) => groupCode(code) ?? code;

export const enter = atom(null, (_get, set, { params }: ScreenInput) => set(groupState.load, codeIn(params)));

/**
 * How often this page asks when the strip (shell/around/GroupStrip.tsx) does not: for a stranger with the link, and for a
 * placed order.
 */
const WATCH_MS = 10_000;

const MOST_MS = 2 * MINUTE_MS;

function Body({ group }: { group: Group }) {
  if (group.role === 'stranger') return <Join group={group} />;
  if (group.state === 'ORDERED') return <OrderedGroup group={group} />;
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
  return <RunningGroup group={group} />;
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
          {firstText.tryAgain}
        </Button>
      }
    />
  );
}

/** A group order for anybody with its link: joining it, adding to it, and following what became of it. */
export default function GroupScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const code = codeIn(params);
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
