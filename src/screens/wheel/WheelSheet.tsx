import * as t from '#text/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { profileAtom } from '../../state/first/seams.ts';
import { isSpinningAtom, spinAtom, wheelState } from '../../state/offers/wheel.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { WheelDot, WheelPicture } from '../../ui/pictures/WheelPicture.tsx';
import { LoadAgain } from '../base/LoadAgain.tsx';
import css from './WheelSheet.module.css';

/** The wheel of a cart: its odds in words and drawn to scale, one spin, and what was won. */
export function WheelSheet({ onClose }: { onClose: () => void }) {
  const { status, data, failure } = useAtomValue(wheelState.atom);
  const isSpinning = useAtomValue(isSpinningAtom);
  const profile = useAtomValue(profileAtom);
  const load = useSetAtom(wheelState.load);
  const spin = useSetAtom(spinAtom);
  const result = data?.result ?? null;
  return (
    <Sheet
      title={t.wheelTitle}
      onClose={onClose}
      closeOnOutside={profile.fullMode}
      footer={
        result ? (
          <Button full onClick={onClose}>
            {t.wheelBack}
          </Button>
        ) : (
          <Button full busy={isSpinning} disabled={!data} onClick={() => void spin()}>
            {t.wheelSpin}
          </Button>
        )
      }
    >
      {!data &&
        (status === 'failed' ? (
          <LoadAgain failure={failure} onRetry={() => void load()} />
        ) : (
          <div aria-busy>
            <Skeleton height="16rem" />
          </div>
        ))}
      {data && (
        <>
          <WheelPicture chances={data.slots.map((slot) => slot.chance)} landed={result?.slot ?? null} />
          <p className={css.result} role="status">
            {result ? result.message : t.wheelRule}
          </p>
          <h3 className={css.title}>{t.wheelOdds}</h3>
          <ul className={css.odds}>
            {data.slots.map((slot, index) => (
              <li key={`${index}${slot.label}`} aria-current={result?.slot === index || undefined}>
                <WheelDot index={index} />
                <span>{slot.label}</span>
                <b>{t.wheelChance({ chance: slot.chance })}</b>
              </li>
            ))}
          </ul>
        </>
      )}
    </Sheet>
  );
}
