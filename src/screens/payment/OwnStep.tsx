import * as t from '#text/payment.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import type { PaymentStep } from '../../contract/payments.ts';
import { addressAt } from '../../domain/addressAt.ts';
import { goOnPayingAtom } from '../../state/after/anotherAttempt.ts';
import { originAtom } from '../../state/first/seams.ts';
import { linkCode } from '../../state/payment/linkedWallets.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { LinkStep } from './link/LinkStep.tsx';
import css from './PaymentScreen.module.css';

/** What a payment outside a host waits for: the bank's page, a linked wallet, or somebody else. */
export default function OwnStep({ order, next }: { order: OrderView; next: PaymentStep }) {
  const goOn = useSetAtom(goOnPayingAtom);
  const origin = useAtomValue(originAtom);
  const isTaking = useAtomValue(linkCode.busyAtom) !== '';
  switch (next.kind) {
    case 'link':
      return <LinkStep order={order} token={next.token} expiresAt={next.expiresAt} />;
    case 'redirect':
      // A payment app's page has a screen of its own before it.
      if (next.app) return null;
      return (
        <div className={css.form}>
          <p>{t.leaveForBank}</p>
          <Button full href={addressAt(origin, next.paymentUrl)} data-leave>
            {t.goToBank}
          </Button>
        </div>
      );
    case 'linked':
      return (
        <div className={css.form}>
          <p>{t.linkedTakes({ label: next.label })}</p>
          <Button full busy={isTaking} onClick={() => void goOn(order, next)}>
            {rich(t.payAmount, { amount: <Price amount={next.amount} /> })}
          </Button>
        </div>
      );
    default:
      // The other steps have pages of their own.
      return null;
  }
}
