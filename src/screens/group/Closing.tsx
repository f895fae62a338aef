import * as t from '#text/group.ts';
import { useAtomValue } from 'jotai';
import type { Group } from '../../contract/group.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { Countdown } from '../../ui/time/Countdown.tsx';
import css from './GroupScreen.module.css';

export function Closing({ group }: { group: Group }) {
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
