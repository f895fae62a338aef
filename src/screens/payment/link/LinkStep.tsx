import * as errors from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../../contract/orders.ts';
import { checkAnswerAtom, checkPaidAtom, checkTasks } from '../../../state/payment/paymentCheck.ts';
import { clockAheadAtom } from '../../../state/base/clock.ts';
import { settleOrderAtom } from '../../../state/orders/orders.ts';
import { sharePayLinkAtom } from '../../../state/payment/paylinks.ts';
import { hostAtom } from '../../../state/first/seams.ts';
import { Button } from '../../../ui/forms/Button.tsx';
import { CheckPaid } from '../../../ui/CheckPaid.tsx';
import { Countdown } from '../../../ui/time/Countdown.tsx';
import { ShareIcon } from '../../../ui/pictures/icons.ts';
import css from '../PaymentScreen.module.css';

/** When somebody else pays: the link to send, how long it works, and a check for the payment. */
export function LinkStep({ order, token, expiresAt }: { order: OrderView; token: string; expiresAt: number }) {
  const host = useAtomValue(hostAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const share = useSetAtom(sharePayLinkAtom);
  const settle = useSetAtom(settleOrderAtom);
  const check = useSetAtom(checkPaidAtom);
  const isChecking = useAtomValue(checkTasks.isBusyAtom);
  const answerOf = useAtomValue(checkAnswerAtom);
  return (
    <div className={css.form}>
      <p>{t.linkHow}</p>
      <Button full onClick={() => void share(token)}>
        <ShareIcon /> {t.linkSend}
      </Button>
      <p className={css.address} translate="no">
        {host.link(`/pay/${token}`)}
      </p>
      <p role="status">
        {errors.linkWaits}{' '}
        <Countdown
          endsAtMs={expiresAt}
          nowMs={() => Date.now() + aheadMs}
          text={(time) => t.linkLasts({ time })}
          expired={t.timeOver}
          onExpire={() => void settle(order)}
        />
      </p>
      <CheckPaid
        label={t.checkNow}
        busy={isChecking}
        answer={answerOf(order.orderId)}
        onCheck={() => void check(order)}
      />
    </div>
  );
}
