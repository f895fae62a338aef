import { useAtomValue, useSetAtom } from 'jotai';
import { sentenceOf } from '../../state/popup.ts';
import { faceAtom } from '../../state/seams.ts';
import { isSpinningAtom, spinAtom, wheelState } from '../../state/wheel.ts';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { WheelDot, WheelPicture } from '../../ui/WheelPicture.tsx';
import css from './WheelSheet.module.css';

/** The wheel of a cart: its odds in words and to scale, one spin, and what it brought. */
export function WheelSheet({ onClose }: { onClose: () => void }) {
  const { status, data, failure } = useAtomValue(wheelState.atom);
  const isSpinning = useAtomValue(isSpinningAtom);
  const face = useAtomValue(faceAtom);
  const load = useSetAtom(wheelState.load);
  const spin = useSetAtom(spinAtom);
  const result = data?.result ?? null;
  return (
    <Sheet title="Spin the wheel" onClose={onClose} closeOnOutside={face.fullMode}
      footer={result ? <Button full onClick={onClose}>Back to the cart</Button> : <Button full busy={isSpinning} disabled={!data} onClick={() => void spin()}>Spin once</Button>}
    >
      {!data && (status === 'failed'
        ? <p role="alert">{sentenceOf(failure)} <Button kind="quiet" small onClick={() => void load()}>Try again</Button></p>
        : <div aria-busy><Skeleton height="16rem" /></div>)}
      {data && (
        <>
          <WheelPicture chances={data.slots.map((slot) => slot.chance)} landed={result?.slot ?? null} />
          <p className={css.result} role="status">{result ? result.message : 'One spin for each cart. What you win goes on this cart.'}</p>
          <h3 className={css.title}>What can come out</h3>
          <ul className={css.odds}>
            {data.slots.map((slot, index) => (
              <li key={`${index}${slot.label}`} aria-current={result?.slot === index || undefined}><WheelDot index={index} /><span>{slot.label}</span><b>{slot.chance} %</b></li>
            ))}
          </ul>
        </>
      )}
    </Sheet>
  );
}
