import * as t from '#text/alive.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { Cart } from '../../contract/cart.ts';
import type { Money } from '../../contract/price.ts';
import { cartAtom } from '../../state/first/cart.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { ownCodeAtom, ownGroupAtom, watchGroupAtom } from '../../state/group/group.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { pathAtom } from '../../state/first/seams.ts';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { Poll } from '../../ui/time/Poll.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { StatusLink, StatusStrip } from './StatusStrip.tsx';
import { MINUTE_MS } from '../../domain/time.ts';

/**
 * Often enough for guests to see each other choose. Only its host changes a closed group, so that is asked for less
 * often.
 */
const OPEN_MS = 5_000;
const CLOSED_MS = 10_000;
const MOST_MS = 2 * MINUTE_MS;

/**
 * Says on every screen whose cart the dishes go to, until when and up to what amount, and keeps the group's state up to
 * date.
 */
export default function GroupStrip() {
  const code = useAtomValue(ownCodeAtom);
  const own = useAtomValue(cartAtom)?.group;
  const data = useAtomValue(ownGroupAtom);
  const place = useAtomValue(pathAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const watch = useSetAtom(watchGroupAtom);
  if (code === null) return null;
  const full = data?.code === code ? data : null;
  const group = full ?? own ?? null;
  const isOpen = group?.state === 'OPEN';
  const title = !group ? t.groupUnknown : group.role === 'host' ? t.groupOwn : t.groupOf({ name: group.hostName });
  return (
    <>
      {!isOffline && (
        <Poll key={code} everyMs={isOpen ? OPEN_MS : CLOSED_MS} mostMs={MOST_MS} run={() => watch(code)} />
      )}
      {!place.startsWith(`/group/${code}`) && (
        <StatusStrip label={t.group}>
          <StatusLink to={`/group/${code}`} title={title} isOpen={!isOpen}>
            {group && <span>{isOpen ? <Open group={group} left={full?.left ?? null} /> : closedText(group)}</span>}
          </StatusLink>
        </StatusStrip>
      )}
    </>
  );
}

type Shown = Pick<NonNullable<Cart['group']>, 'closesAt' | 'limit'> & { readonly role: string };

const closedText = ({ role }: Shown) => (role === 'host' ? t.groupClosedOwn : t.groupClosed);

/** How long the group is open, and how much of a guest's limit is left. */
function Open({ group, left }: { group: Shown; left: Money | null }) {
  const aheadMs = useAtomValue(clockAheadAtom);
  const limit = group.role === 'guest' && group.limit !== null ? <Price amount={group.limit} /> : null;
  return (
    <>
      <Countdown
        endsAtMs={group.closesAt}
        nowMs={() => Date.now() + aheadMs}
        text={(time) => t.groupCloses({ time })}
        expired={t.groupOver}
      />
      {limit && (
        <>
          ,{' '}
          {left === null ? rich(t.groupLimit, { limit }) : rich(t.groupLeft, { left: <Price amount={left} />, limit })}
        </>
      )}
    </>
  );
}
