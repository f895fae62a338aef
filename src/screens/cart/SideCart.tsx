import * as t from '#text/cart.ts';
import { useAtomValue } from 'jotai';
import { cartAtom, cartCountAtom, cartLinesAtom, isCartWaitingAtom } from '../../state/first/cart.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { seatAtom } from '../../state/first/group.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { href } from '../../ui/href.ts';
import { OfferIcon } from '../../ui/pictures/icons.ts';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { CartLine } from './CartLine.tsx';
import { Changes } from './changes/Changes.tsx';
import { Hints } from './Hints.tsx';
import { NextButton } from './NextButton.tsx';
import { TotalSaid } from './TotalSaid.tsx';
import css from './SideCart.module.css';

/** Offers on the cart, automatic or chosen, and the way to all others. */
function Offers() {
  const applied = useAtomValue(cartAtom)?.offers.filter((offer) => offer.status === 'APPLIED') ?? [];
  const isOpen = useAtomValue(isOpenAtom);
  return (
    <div className={css.offers}>
      <OfferIcon size={20} />
      <ul>
        {applied.map((offer) => (
          <li key={offer.code}>
            <b>{offer.title}</b> <small translate="no">{offer.code}</small>
          </li>
        ))}
        {isOpen('offers') && (
          <li>
            <a href={href('/offers?from=cart')}>{t.offersAll}</a>
          </li>
        )}
      </ul>
    </div>
  );
}

function Total() {
  const cart = useAtomValue(cartAtom);
  const isWaiting = useAtomValue(isCartWaitingAtom);
  const bill = isWaiting ? undefined : cart?.bill;
  return (
    <p className={css.total} aria-busy={!bill}>
      <span>
        {t.billTotal}
        <small>
          {bill && bill.savings > 0 ? rich(t.savings, { amount: <Price amount={bill.savings} /> }) : t.allIncluded}
        </small>
      </span>
      <b>{bill ? <Price amount={bill.total} /> : '…'}</b>
    </p>
  );
}

/** The cart beside the menu, where the page has room for it. In somebody's group order it leads to the group. */
export function SideCart() {
  const lines = useAtomValue(cartLinesAtom);
  const count = useAtomValue(cartCountAtom);
  const seat = useAtomValue(seatAtom);
  return (
    <aside className={css.side} aria-label={t.title}>
      <header>
        <h2 tabIndex={-1}>{t.title}</h2>
        {count > 0 && !seat && <a href={href('/cart')}>{t.seeCart}</a>}
      </header>
      {seat ? (
        <div className={css.foot}>
          <p>{t.items({ count })}</p>
          <Button full href={href(`/group/${seat.code}`)}>
            {t.groupOwn}
          </Button>
        </div>
      ) : lines.length === 0 ? (
        <div className={css.empty}>
          <EmptyPicture />
          <p>
            <b>{t.emptyTitle}</b>
            {t.emptyText}
          </p>
        </div>
      ) : (
        <>
          <div className={css.lines}>
            <Changes />
            <ul>
              {lines.map((line) => (
                <CartLine key={line.lineId} line={line} quiet />
              ))}
            </ul>
            <Offers />
            <Hints />
          </div>
          <div className={css.foot}>
            <Total />
            <NextButton isBeside />
          </div>
        </>
      )}
      <TotalSaid />
    </aside>
  );
}
