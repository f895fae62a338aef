import * as t from '#text/payment.ts';
import { useAtomValue } from 'jotai';
import {
  isPlacingAtom,
  isStrandedAtom,
  isWholeAtom,
  optionsState,
  paymentModeAtom,
  quoteState,
} from '../../state/checkout.ts';
import { cartAtom } from '../../state/first/cart.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { isCardBusyAtom } from '../../state/payments.ts';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Price } from '../../ui/Price.tsx';
import css from './PaymentModeScreen.module.css';

function usePayLabel(): string {
  const isOffline = useAtomValue(isOfflineAtom);
  const isStranded = useAtomValue(isStrandedAtom);
  const isWhole = useAtomValue(isWholeAtom);
  const mode = useAtomValue(paymentModeAtom);
  if (isOffline) return t.payOffline;
  if (isStranded) return t.payStranded;
  if (mode === 'COD' || isWhole) return t.placeOrder;
  return mode === 'LINK' ? t.getLink : t.payNow;
}

/** What is to be paid, and the button that does it. */
export function PayBar() {
  const label = usePayLabel();
  const isOffline = useAtomValue(isOfflineAtom);
  const isStranded = useAtomValue(isStrandedAtom);
  const isPlacing = useAtomValue(isPlacingAtom);
  const isCardBusy = useAtomValue(isCardBusyAtom);
  const options = useAtomValue(optionsState.atom);
  const quote = useAtomValue(quoteState.atom);
  const cart = useAtomValue(cartAtom);
  const total = quote.data?.funds.rest ?? quote.data?.quote.bill.total ?? cart?.bill.total;
  const isLoading = quote.status === 'loading' || (options.data === null && options.status !== 'failed');
  return (
    <BottomBar
      label={t.pay}
      action={
        <Button type="submit" full busy={isPlacing || isCardBusy || isLoading} disabled={isOffline || isStranded}>
          {label}
        </Button>
      }
    >
      {total !== undefined && (
        <b className={css.total}>
          <Price amount={total} />
        </b>
      )}
      {quote.data && <small>{t.minutes(quote.data.deliveryMinutes)}</small>}
    </BottomBar>
  );
}
