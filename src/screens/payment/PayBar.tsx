import * as t from '#text/payment.ts';
import * as trains from '#text/trains.ts';
import { useAtomValue } from 'jotai';
import { chosenOptionAtom, isStrandedAtom, optionsState } from '../../state/checkout/modes.ts';
import { placing } from '../../state/checkout/placing.ts';
import { isWholeAtom, quoteState } from '../../state/checkout/quote.ts';
import { cardTasks } from '../../state/drafts/card.ts';
import { paymentModeAtom } from '../../state/drafts/mode.ts';
import { cartAtom } from '../../state/first/cart.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { isTrainOffAtom } from '../../state/trains/onTrain.ts';
import { choiceOfAtom } from '../../state/drafts/paymentChoice.ts';
import { storeSelectorPath } from '../../state/places/stores.ts';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { href } from '../../ui/href.ts';
import { PayWords } from './PayWords.tsx';

function Words() {
  const isOffline = useAtomValue(isOfflineAtom);
  const isStranded = useAtomValue(isStrandedAtom);
  const isWhole = useAtomValue(isWholeAtom);
  const mode = useAtomValue(paymentModeAtom);
  const options = useAtomValue(optionsState.atom);
  const option = useAtomValue(chosenOptionAtom);
  const choice = useAtomValue(choiceOfAtom)(option);
  const quote = useAtomValue(quoteState.atom);
  const cart = useAtomValue(cartAtom);
  if (isOffline) return <span>{t.payOffline}</span>;
  if (isStranded) return <span>{t.payStranded}</span>;
  if (isWhole) return <span>{t.payWhole}</span>;
  // Until the ways to pay are known, nobody is asked to choose one.
  if (options.data === null || (quote.data === null && quote.status === 'loading')) return <span>{t.pay}</span>;
  return (
    <PayWords
      mode={mode}
      label={choice?.label ?? option?.label ?? ''}
      amount={quote.data?.funds.rest ?? quote.data?.quote.bill.total ?? cart?.bill.total}
    />
  );
}

/** The one button that pays, and says how much and how. */
export function PayBar() {
  const isOffline = useAtomValue(isOfflineAtom);
  const isStranded = useAtomValue(isStrandedAtom);
  const isPlacing = useAtomValue(placing.isBusyAtom);
  const isCardBusy = useAtomValue(cardTasks.isBusyAtom);
  const options = useAtomValue(optionsState.atom);
  const quote = useAtomValue(quoteState.atom);
  const isTrainOff = useAtomValue(isTrainOffAtom);
  if (TRAINS && isTrainOff)
    return (
      <BottomBar
        label={trains.cartOffNext}
        action={
          <Button full href={href(storeSelectorPath('DELIVERY'))}>
            {trains.cartOffNext}
          </Button>
        }
      />
    );
  const isLoading = quote.status === 'loading' || (options.data === null && options.status !== 'failed');
  return (
    <BottomBar
      label={t.pay}
      action={
        <Button type="submit" full busy={isPlacing || isCardBusy || isLoading} disabled={isOffline || isStranded}>
          {/* Other words take their place; the same element would move, as it is as wide as its words. */}
          <span key={String(options.data === null) + String(isLoading)}>
            <Words />
          </span>
        </Button>
      }
    />
  );
}
