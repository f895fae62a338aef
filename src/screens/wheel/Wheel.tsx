import * as t from '#text/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState, type ComponentType } from 'react';
import { loadChunk } from '../../bridge/scripts.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { wheelState } from '../../state/offers/wheel.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useIsWaiting } from '../base/isWaiting.ts';
import css from './Wheel.module.css';

/** The button that opens the wheel, if this cart has one. */
export function Wheel() {
  const { data } = useAtomValue(wheelState.atom);
  const isWaiting = useIsWaiting(wheelState.atom);
  const say = useSetAtom(toastMessageAtom);
  const [Sheet, setSheet] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  if (isWaiting) return <Skeleton height="6.5rem" />;
  if (!data || data.slots.length === 0) return null;
  const prizes = [...new Set(data.slots.flatMap((slot) => (slot.isPrize ? [slot.label] : [])))];
  const open = () =>
    loadChunk(() => import('./WheelSheet.tsx')).then(
      (loaded) => setSheet(() => loaded.WheelSheet),
      () => say(t.wheelMissing),
    );
  return (
    <Card>
      <div className={css.wheel}>
        <p>
          {data.result ? data.result.message : t.wheelInvite}
          {!data.result && <small>{t.wheelPrizes({ prizes: prizes.join(', ') })}</small>}
        </p>
        <Button kind="secondary" small aria-haspopup="dialog" onClick={() => void open()}>
          {data.result ? t.wheelSee : t.wheelOpen}
        </Button>
        {Sheet && <Sheet onClose={() => setSheet(null)} />}
      </div>
    </Card>
  );
}
