import * as t from '#text/cart.ts';
import * as errors from '#text/errors.ts';
import * as trains from '#text/trains.ts';
import { useAtomValue } from 'jotai';
import { use } from 'react';
import { formatMoney } from '../../domain/money.ts';
import { isSmallAtom } from '../../state/cart/cart.ts';
import { countryAtom } from '../../state/base/country.ts';
import { cartAtom } from '../../state/first/cart.ts';
import { isTrainOffAtom, onTrainAtom } from '../../state/trains/onTrain.ts';
import { CurrencyContext, Price } from '../../ui/money/Price.tsx';
import { ProgressBar } from '../../ui/page/ProgressBar.tsx';
import { rich } from '../../ui/rich.ts';
import css from './Hints.module.css';

/** How far the cart is from the smallest order and from free delivery, and what is promised. */
export function Hints() {
  const cart = useAtomValue(cartAtom);
  const isBelow = useAtomValue(isSmallAtom);
  const { guarantee } = useAtomValue(countryAtom);
  const currency = use(CurrencyContext);
  const isOnTrain = useAtomValue(onTrainAtom) !== null;
  const isTrainOff = useAtomValue(isTrainOffAtom);
  if (!cart) return null;
  const { minimum, freeDelivery, promise } = cart;
  return (
    <>
      {isBelow && (
        <ProgressBar value={minimum.required - minimum.missing} max={minimum.required} label={t.minimumMeter}>
          {rich(t.minimumText, {
            missing: <Price amount={minimum.missing} />,
            required: <Price amount={minimum.required} />,
          })}
        </ProgressBar>
      )}
      {freeDelivery && freeDelivery.from > 0 && (
        <ProgressBar
          value={freeDelivery.from - freeDelivery.missing}
          max={freeDelivery.from}
          label={t.freeDeliveryMeter}
        >
          {freeDelivery.missing > 0 ? (
            rich(t.freeDeliveryText, { missing: <Price amount={freeDelivery.missing} /> })
          ) : (
            <b>{t.freeDeliveryReached}</b>
          )}
        </ProgressBar>
      )}
      {cart.deliveryType === 'DELIVERY' && !isTrainOff && (
        <p className={css.promise}>
          {TRAINS && isOnTrain
            ? trains.howDoorDetail
            : promise.applies
              ? t.promise({
                  minutes: promise.minutes,
                  amount: currency ? formatMoney(guarantee.maxLiability, currency) : '',
                })
              : (promise.reason ?? errors.bulkOrder)}
        </p>
      )}
    </>
  );
}
