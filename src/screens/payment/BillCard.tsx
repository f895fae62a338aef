import * as t from '#text/payment.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { quoteState } from '../../state/checkout.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import { cartAtom } from '../../state/first/cart.ts';
import { wishOf } from '../../state/funds.ts';
import { sentenceOf } from '../../state/popup.ts';
import { BillLines } from '../../ui/BillLines.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { Price } from '../../ui/Price.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './PaymentModeScreen.module.css';

/** The locked bill, with its difference to the cart's. */
export function BillCard() {
  const cart = useAtomValue(cartAtom);
  const quote = useAtomValue(quoteState.atom);
  const loadQuote = useSetAtom(quoteState.load);
  const aheadMs = useAtomValue(clockAheadAtom);
  const bill = quote.data?.quote.bill ?? cart?.bill ?? null;
  return (
    <Card title={t.billTitle}>
      <div aria-busy={quote.status === 'loading'} data-old={quote.status === 'loading'} className={css.bill}>
        {bill ? (
          <BillLines
            bill={bill}
            totalLabel={quote.data && wishOf(quote.data.funds) ? t.billTotal : t.billToPay}
            savingsText={(amount) => rich(t.billSavings, { amount })}
          />
        ) : (
          <Skeleton height="8rem" />
        )}
      </div>
      {quote.data && cart && cart.bill.total !== quote.data.quote.bill.total && (
        <p className={css.note} role="status">
          {rich(t.cartShowed, {
            before: <Price amount={cart.bill.total} />,
            after: <Price amount={quote.data.quote.bill.total} />,
          })}
        </p>
      )}
      {!quote.data && quote.status !== 'failed' && (
        <p className={css.note}>
          <Skeleton width="60%" height="1lh" />
        </p>
      )}
      {quote.data && (
        <p className={css.note}>
          <Countdown
            endsAtMs={quote.data.quote.lockedUntil}
            nowMs={() => Date.now() + aheadMs}
            text={(time) => t.priceHeld({ time })}
            expired={t.priceOver}
            onExpire={() => void loadQuote()}
          />
        </p>
      )}
      {quote.status === 'failed' && (
        <Problems>
          {sentenceOf(quote.failure)}{' '}
          <Button kind="quiet" small onClick={() => void loadQuote()}>
            {t.tryAgain}
          </Button>
        </Problems>
      )}
    </Card>
  );
}
