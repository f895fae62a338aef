import { useAtomValue, useSetAtom } from 'jotai';
import { addLineAtom } from '../../state/cart.ts';
import { applyingCodeAtom, bestOfferAtom, takeBestAtom } from '../../state/coupons.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckIcon } from '../../ui/icons/CheckIcon.tsx';
import { Price } from '../../ui/Price.tsx';
import css from './BestOffer.module.css';

/** The best permitted combination with one tap, and the one dish that would make it better; both worked out by the server. */
export function BestOffer() {
  const { best, suggestion } = useAtomValue(bestOfferAtom);
  const isBusy = useAtomValue(applyingCodeAtom) !== '';
  const take = useSetAtom(takeBestAtom);
  const add = useSetAtom(addLineAtom);
  const hasBest = best && best.codes.length > 0;
  if (!hasBest && !suggestion) return null;
  return (
    <div className={css.best} role="group" aria-label="Best offer">
      {hasBest && (
        <div>
          <p><b>{best.message}</b><small>{best.codes.join(' + ')} · to pay <Price amount={best.total} /></small></p>
          {best.isOn ? <span className={css.on}><CheckIcon size={16} /> On your cart</span> : <Button small busy={isBusy} onClick={() => void take()}>Use it</Button>}
        </div>
      )}
      {suggestion && (
        <div>
          <p>{suggestion.message}</p>
          <Button kind="secondary" small onClick={() => add({ productId: suggestion.productId, quantity: 1, ...(suggestion.size && suggestion.size !== 'ONE' ? { size: suggestion.size } : {}) })}>
            Add <span className="visually-hidden">{suggestion.name}, </span><Price amount={suggestion.price} />
          </Button>
        </div>
      )}
    </div>
  );
}
