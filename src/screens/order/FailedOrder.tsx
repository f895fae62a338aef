import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import type { OrderView } from '../../contract/orders.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { FailedPicture } from '../../ui/pictures/FailedPicture.tsx';
import { href } from '../../ui/href.ts';
import { Actions } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import HelpCard from '../help/HelpCard.tsx';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { PartsBack } from './PaidParts.tsx';
import { useClock } from '../base/clock.ts';
import { moneySentence } from '../base/words.ts';

export default function FailedOrder({ order }: { order: OrderView }) {
  const clock = useClock();
  const isCancelled = order.orderStatus === 'CANCELLED';
  return (
    <EmptyState
      picture={<FailedPicture />}
      title={
        <span data-news>
          {isCancelled ? t.cancelledTitle : order.retryAt === undefined ? errors.givenUp : errors.orderFailed}
        </span>
      }
      action={
        <Actions>
          {FULL_MODE && <HelpCard orderId={order.orderId} />}
          {!isCancelled && (
            <Button full href={href('/cart')}>
              {t.backToCart}
            </Button>
          )}
        </Actions>
      }
    >
      <p>{moneySentence(order)}</p>
      <PartsBack order={order} />
      {!isCancelled && <p>{t.cartBack}</p>}
      {order.retryAt !== undefined && <p>{t.retryAt({ time: clock.time(order.retryAt) })}</p>}
      <p>{rich(t.needHelp, { help: <HelpNumber /> })}</p>
    </EmptyState>
  );
}
