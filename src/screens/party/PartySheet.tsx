import * as t from '#text/menu.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { vegOnlyAtom } from '../../state/first/filters.ts';
import { allergensTextAtom, itemsByIdAtom } from '../../state/first/menu.ts';
import { addPartyAtom, GUESTS, guestsAtom, partyTasks, partyState, planPartyAtom } from '../../state/cart/party.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { QuantityStepper } from '../../ui/forms/QuantityStepper.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { factsOf } from '../first/ItemCard.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';
import css from './PartySheet.module.css';

function Plan() {
  const plan = useSetAtom(planPartyAtom);
  const { data, status, failure } = useAtomValue(partyState.atom);
  const items = useAtomValue(itemsByIdAtom);
  const allergensText = useAtomValue(allergensTextAtom);
  const isVeg = useAtomValue(vegOnlyAtom);
  if (status === 'failed') return <NotLoaded title={t.partyMissing} failure={failure} onRetry={() => void plan()} />;
  if (data === null)
    return (
      <div aria-busy="true">
        <Skeleton height="12rem" />
      </div>
    );
  if (data.plan === null) return <p className={css.soft}>{t.partyNone}</p>;
  const { lines, serves, price } = data.plan;
  return (
    <div aria-busy={status === 'loading'}>
      <ul className={css.lines}>
        {lines.map(({ productId, size = 'ONE', quantity }) => {
          const item = items.get(productId);
          return (
            <li key={`${productId} ${size}`}>
              {t.partyLine({ quantity, name: item?.name ?? productId, size })}
              {item && factsOf(item, size, allergensText(item.allergens))}
            </li>
          );
        })}
      </ul>
      <p className={css.sum} role="status">
        <span>{t.partyFeeds({ serves })}</span>
        <Price amount={price} />
      </p>
      <p className={css.soft}>{t.partyPrice}</p>
      {isVeg && <p className={css.soft}>{t.partyVeg}</p>}
    </div>
  );
}

/** Finds the cheapest dishes for a number of guests, and adds them to the cart. */
export function PartySheet({ onClose }: { onClose: () => void }) {
  const { data, status } = useAtomValue(partyState.atom);
  const isBusy = useAtomValue(partyTasks.isBusyAtom);
  const plan = useSetAtom(planPartyAtom);
  const add = useSetAtom(addPartyAtom);
  const guests = useAtomValue(guestsAtom);
  return (
    <Sheet
      title={t.partyTitle}
      onClose={onClose}
      footer={
        <Button
          full
          busy={isBusy}
          disabled={status !== 'ready' || data?.plan == null}
          onClick={() => void add().then((isIn) => isIn && onClose())}
        >
          {t.partyAdd}
        </Button>
      }
    >
      <div className={css.guests}>
        <b>{t.partyGuests}</b>
        <QuantityStepper
          label={t.partyGuests}
          value={guests}
          min={GUESTS.min}
          max={GUESTS.max}
          onChange={(count) => void plan(count)}
        />
      </div>
      <Plan />
    </Sheet>
  );
}
