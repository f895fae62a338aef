import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { LINK_WAITS } from '../../domain/messages.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import { settleOrderAtom } from '../../state/orders.ts';
import { sharePayLinkAtom } from '../../state/paylinks.ts';
import { hostAtom } from '../../state/seams.ts';
import { Button } from '../../ui/Button.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { ShareIcon } from '../../ui/icons/ShareIcon.tsx';
import { Repeat } from '../../ui/Repeat.tsx';
import css from './PaymentScreen.module.css';

const EVERY_MS = 5_000;

/** Somebody else pays: the link to send, how long it can be paid, and the order as soon as it is. */
export function LinkStep({ order, token, expiresAt }: { order: OrderView; token: string; expiresAt: number }) {
  const host = useAtomValue(hostAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const share = useSetAtom(sharePayLinkAtom);
  const settle = useSetAtom(settleOrderAtom);
  return (
    <div className={css.form}>
      <p>Send this link to whoever pays. It shows the shop and the amount, and nothing about you.</p>
      <Button full onClick={() => void share(token)}><ShareIcon /> Send the link</Button>
      <p className={css.address}>{host.link(`/pay/${token}`)}</p>
      <p role="status">
        {LINK_WAITS}{' '}
        <Countdown endsAtMs={expiresAt} nowMs={() => Date.now() + aheadMs} text={(time) => <>The link works for {time}.</>} expired="The time for this payment is over." onExpire={() => void settle(order)} />
      </p>
      <Button full kind="secondary" onClick={() => void settle(order)}>Check now</Button>
      <Repeat everyMs={EVERY_MS} run={() => void settle(order)} />
    </div>
  );
}
