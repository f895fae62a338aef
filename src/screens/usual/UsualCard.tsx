import * as place from '#text/location.ts';
import * as t from '#text/usual.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { itemsByIdAtom } from '../../state/first/menu.ts';
import { usualLinesAtom } from '../../state/first/usual.ts';
import { addUsualAtom } from '../../state/cart/usual.ts';
import { openUsualAtom, usualKeyAtom, usualState, type UsualNow } from '../../state/after/usualOrder.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Price } from '../../ui/money/Price.tsx';
import css from './Usual.module.css';

function useNames(): string {
  const items = useAtomValue(itemsByIdAtom);
  return useAtomValue(usualLinesAtom)
    .flatMap(({ productId, quantity }) => {
      const name = items.get(productId)?.name;
      return name === undefined ? [] : [quantity > 1 ? t.pieces({ count: quantity, name }) : name];
    })
    .join(', ');
}

const timeOf = (now: UsualNow) =>
  now.problems.some(({ code }) => code === 'STORE_CLOSED')
    ? t.closed
    : now.takes === 'now'
      ? t.minutes(now.deliveryMinutes)
      : now.takes === 'later'
        ? place.laterOnly
        : place.noOrders;

/** Price, time and how it is paid, as the server says now. */
function Terms() {
  const { data, status } = useAtomValue(usualState.atom);
  if (!data) return status === 'failed' ? null : <span>{t.loading}</span>;
  const mode = data.modes.find(({ id }) => id === data.paymentMode)?.label;
  return (
    <>
      <b>
        <Price amount={data.bill.total} />
      </b>{' '}
      · {timeOf(data)}
      {mode !== undefined && (
        <>
          <br />
          {t.payWith({ label: mode })}
        </>
      )}
    </>
  );
}

/** The usual order on home: one tap opens the sheet that orders it again. */
export function UsualCard() {
  const names = useNames();
  const isReady = useAtomValue(usualKeyAtom) !== '';
  const open = useSetAtom(openUsualAtom);
  const add = useSetAtom(addUsualAtom);
  return (
    <>
      <h1 id="main" tabIndex={-1} className={css.title}>
        {t.title}
      </h1>
      <p className={css.names}>{names}</p>
      <p className={css.terms}>{isReady && <Terms />}</p>
      {isReady ? (
        <Button onClick={() => void open()}>{t.orderAgain}</Button>
      ) : (
        <Button onClick={() => add()}>{t.addAll}</Button>
      )}
    </>
  );
}
