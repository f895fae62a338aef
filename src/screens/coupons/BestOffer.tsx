import * as t from '#text/offers.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { putLineAtom } from '../../state/cart/cart.ts';
import { takeBestAtom } from '../../state/offers/couponActions.ts';
import { couponTasks, bestOfferAtom } from '../../state/offers/coupons.ts';
import { fitsAtom, madeAtom } from '../../state/first/filters.ts';
import { itemsByIdAtom } from '../../state/first/menu.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { CheckIcon } from '../../ui/pictures/icons.ts';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import css from './BestOffer.module.css';

/**
 * The best permitted combination of offers, taken with one tap, and the one dish that would make it better. The server
 * works out both.
 */
export function BestOffer() {
  const { best, suggestion: found } = useAtomValue(bestOfferAtom);
  const fits = useAtomValue(fitsAtom);
  const made = useAtomValue(madeAtom);
  const dish = useAtomValue(itemsByIdAtom).get(found?.productId ?? '');
  // A diet filter holds for what we suggest, too.
  const suggestion = dish && fits(dish) && made(dish) !== null ? found : undefined;
  const isBusy = useAtomValue(couponTasks.busyAtom) !== '';
  const take = useSetAtom(takeBestAtom);
  const add = useSetAtom(putLineAtom);
  const hasBest = best && best.codes.length > 0;
  if (!hasBest && !suggestion) return null;
  return (
    <div className={css.best} role="group" aria-label={t.best}>
      {hasBest && (
        <div>
          <p>
            <b>{best.message}</b>
            <small>{rich(t.bestTotal, { amount: <Price amount={best.total} /> })}</small>
          </p>
          {best.isOn ? (
            <span className={css.on}>
              <CheckIcon size={16} /> {t.bestIsOn}
            </span>
          ) : (
            <Button small busy={isBusy} onClick={() => void take()}>
              {t.bestUse}
            </Button>
          )}
        </div>
      )}
      {suggestion && (
        <div>
          <p>{suggestion.message}</p>
          <Button
            kind="secondary"
            small
            onClick={() =>
              add({
                productId: suggestion.productId,
                quantity: 1,
                ...(suggestion.crust ? { crust: suggestion.crust } : {}),
                ...(dish && made(dish)),
                ...(suggestion.size && suggestion.size !== 'ONE' ? { size: suggestion.size } : {}),
              })
            }
          >
            {rich(t.suggestionAdd, {
              name: suggestion.name,
              price: <Price amount={suggestion.price} />,
              hidden: <span className="visually-hidden" />,
            })}
          </Button>
        </div>
      )}
    </div>
  );
}
