import * as t from '#text/payment.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { quoteState } from '../../state/checkout/quote.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { cartAtom } from '../../state/first/cart.ts';
import { wishOf } from '../../state/payment/funds.ts';
import { AmountSaid } from '../../ui/money/AmountSaid.tsx';
import { BillLines } from '../../ui/money/BillLines.tsx';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { ReceiptIcon } from '../../ui/pictures/icons.ts';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { LoadAgain } from '../base/LoadAgain.tsx';
import css from './PaymentModeScreen.module.css';

/** How long this price is held. Its line is there while it is asked for: what follows does not move. */
function Held() {
  const { data, status } = useAtomValue(quoteState.atom);
  const loadQuote = useSetAtom(quoteState.load);
  const aheadMs = useAtomValue(clockAheadAtom);
  const heldUntil = data?.quote.lockedUntil;
  if (heldUntil === undefined) return data === null && status !== 'failed' && <p className={css.note}>{'\u00a0'}</p>;
  return (
    <p className={css.note}>
      <Countdown
        endsAtMs={heldUntil}
        nowMs={() => Date.now() + aheadMs}
        text={(time) => t.priceHeld({ time })}
        expired={t.priceOver}
        onExpire={() => void loadQuote()}
      />
    </p>
  );
}

/** The locked bill in one line, which unfolds to all of it; a difference to the cart's bill is never folded away. */
export function BillFold() {
  // A wide screen has room for all of it.
  const [isOpen, setOpen] = useState(() => globalThis.matchMedia('(min-width: 771px)').matches);
  const cart = useAtomValue(cartAtom);
  const quote = useAtomValue(quoteState.atom);
  const loadQuote = useSetAtom(quoteState.load);
  const bill = quote.data?.quote.bill ?? cart?.bill ?? null;
  const totalLabel = quote.data && wishOf(quote.data.funds) ? t.billTotal : t.billToPay;
  return (
    <div aria-busy={quote.status === 'loading'} data-old={quote.status === 'loading'} className={css.bill}>
      <Fold
        icon={<ReceiptIcon size={20} />}
        title={totalLabel}
        detail={
          bill && bill.savings > 0 ? rich(t.billSavings, { amount: <Price amount={bill.savings} /> }) : t.billIncludes
        }
        end={bill ? <Price amount={bill.total} /> : <Skeleton width="3rem" height="1lh" />}
        isOpen={isOpen}
        onToggle={setOpen}
      >
        {bill && <BillLines bill={bill} totalLabel={totalLabel} />}
        <Held />
      </Fold>
      <AmountSaid
        amount={quote.data?.funds.rest ?? cart?.bill.total}
        isWaiting={quote.status === 'loading'}
        text={t.totalSaid}
      />
      {quote.data && cart && cart.bill.total !== quote.data.quote.bill.total && (
        <p className={css.news}>
          {rich(t.cartShowed, {
            before: <Price amount={cart.bill.total} />,
            after: <Price amount={quote.data.quote.bill.total} />,
          })}
        </p>
      )}
      {quote.status === 'failed' && (
        <div className={css.news}>
          <LoadAgain failure={quote.failure} onRetry={() => void loadQuote()} />
        </div>
      )}
    </div>
  );
}
