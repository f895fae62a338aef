import * as t from '#text/loyalty.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { loyaltyTasks, memberAtom, rewardOfferAtom, setRewardAtom } from '../../state/offers/loyalty.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Price } from '../../ui/money/Price.tsx';
import css from '../wheel/Wheel.module.css';

/** The customer's free pizza: to use it with this order, or what it pays for. Shows nothing without one. */
export function Reward() {
  const offer = useAtomValue(rewardOfferAtom);
  const count = useAtomValue(memberAtom)?.balance.burnable.freeItems ?? 0;
  const isBusy = useAtomValue(loyaltyTasks.busyAtom) === 'reward';
  const setReward = useSetAtom(setRewardAtom);
  if (offer === undefined && count === 0) return null;
  return (
    // Named, because the best offer beside it is used by a button of the same words.
    <div className={css.wheel} role="group" aria-label={t.title}>
      <p>
        {offer ? offer.title : t.cartHas({ count })}
        <small>
          {offer?.saving !== undefined && (
            <>
              <Price amount={offer.saving} /> ·{' '}
            </>
          )}
          {offer ? (offer.messages[0]?.message ?? t.cartOnText) : t.cartHow}
        </small>
      </p>
      <Button
        kind={offer ? 'quiet' : 'secondary'}
        small
        busy={isBusy}
        onClick={() => void setReward(offer === undefined)}
      >
        {offer ? t.cartKeep : t.cartUse}
      </Button>
    </div>
  );
}
