import { useAtomValue, useSetAtom } from 'jotai';
import { useState, type ComponentType } from 'react';
import { loadChunk } from '../../bridge/scripts.ts';
import { toastMessageAtom } from '../../state/popup.ts';
import { wheelState } from '../../state/wheel.ts';
import { Button } from '../../ui/Button.tsx';
import css from './CartScreen.module.css';

/** The way to the wheel, where this cart has one. */
export function Wheel() {
  const { data } = useAtomValue(wheelState.atom);
  const say = useSetAtom(toastMessageAtom);
  const [Sheet, setSheet] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  if (!data || data.slots.length === 0) return null;
  const open = () => loadChunk(() => import('./WheelSheet.tsx')).then((loaded) => setSheet(() => loaded.WheelSheet), () => say('The wheel did not arrive. Please try again.'));
  return (
    <div className={css.wheel}>
      <p>{data.result ? data.result.message : 'Your cart has one spin of the wheel.'}</p>
      <Button kind="secondary" small aria-haspopup="dialog" onClick={() => void open()}>{data.result ? 'See the wheel' : 'Spin the wheel'}</Button>
      {Sheet && <Sheet onClose={() => setSheet(null)} />}
    </div>
  );
}
