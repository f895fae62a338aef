import { useAtomValue, useSetAtom } from 'jotai';
import { cartAtom } from '../state/basket.ts';
import { clockAheadAtom } from '../state/clock.ts';
import { ownCodeAtom, ownGroupAtom, watchGroupAtom } from '../state/group.ts';
import { isOfflineAtom } from '../state/network.ts';
import { placeAtom } from '../state/seams.ts';
import { Countdown } from '../ui/Countdown.tsx';
import { href } from '../ui/href.ts';
import { Poll } from '../ui/Poll.tsx';
import { Price } from '../ui/Price.tsx';
import css from './ActiveOrder.module.css';

/** Soon enough to see each other choose; a closed group changes by its host alone. */
const OPEN_MS = 5_000;
const CLOSED_MS = 10_000;
const MOST_MS = 120_000;

/** Says on every screen whose cart the dishes go to, until when and up to how much; and keeps what is known of it fresh. */
export default function GroupStrip() {
  const code = useAtomValue(ownCodeAtom);
  const own = useAtomValue(cartAtom)?.group;
  const data = useAtomValue(ownGroupAtom);
  const place = useAtomValue(placeAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const watch = useSetAtom(watchGroupAtom);
  if (code === null) return null;
  const group = data?.code === code ? data : own ?? null;
  const isOpen = group?.state === 'OPEN';
  const left = data?.code === code ? data.left : null;
  const isHere = place.startsWith(`/group/${code}`);
  return (
    <>
      {!isOffline && <Poll key={code} everyMs={isOpen ? OPEN_MS : CLOSED_MS} mostMs={MOST_MS} run={() => watch(code)} />}
      {!isHere && (
        <aside className={css.strip} aria-label="Group order">
          <a className={css.link} href={href(`/group/${code}`)} data-open={!isOpen}>
            <span className={css.dot} aria-hidden />
            <span className={css.text}>
              <b>{!group ? 'A group order' : group.role === 'host' ? 'Your group order' : `You are adding to ${group.hostName}’s group order`}</b>
              {group && (
                <span>
                  {isOpen
                    ? <Countdown key={group.closesAt} endsAtMs={group.closesAt} nowMs={() => Date.now() + aheadMs} text={(time) => <>Closes in {time}</>} expired="Closed" />
                    : group.role === 'host' ? 'Closed: only you can change it' : 'Closed: only the host can change it'}
                  {isOpen && group.role === 'guest' && group.limit !== null && (left === null ? <>, your limit <Price amount={group.limit} /></> : <>, <Price amount={left} /> of <Price amount={group.limit} /> left</>)}
                </span>
              )}
            </span>
            <span className={css.go} aria-hidden>View</span>
          </a>
        </aside>
      )}
    </>
  );
}
