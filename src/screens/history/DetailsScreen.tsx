import * as orderText from '#text/order.ts';
import * as t from '#text/history.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { OrderRecord } from '../../contract/history.ts';
import type { OrderView } from '../../contract/orders.ts';
import { cardOf } from '../../domain/history.ts';
import { detailedAtom, detailedIdAtom, recordState } from '../../state/orders/history.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Steps, type Step } from '../../ui/Steps.tsx';
import type { ScreenInput } from '../base/entered.ts';
import Shares from '../group/Shares.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { useClock } from '../base/clock.ts';
import { Lines } from '../order/Lines.tsx';
import { Place } from '../tracking/Place.tsx';
import { moneySentence, stageText } from '../base/words.ts';
import { OrderActions, OrderSections } from './actions.tsx';
import { FavouriteHeart } from './FavouriteHeart.tsx';
import { useWhen } from '../base/when.ts';
import { ServiceTag } from '../order/ServiceTag.tsx';
import css from './DetailsScreen.module.css';

export const enter = atom(null, (_get, set, { query }: ScreenInput) => {
  const orderId = query.get('orderId') ?? '';
  set(detailedIdAtom, orderId);
  return set(recordState.load, orderId);
});

/** When it was placed, confirmed, made and handed over. */
function Times({ order, riderName }: { order: OrderView; riderName: string | null }) {
  const when = useWhen();
  const steps: Step[] = [
    { title: t.placedAt, state: 'done', detail: when.moment(order.placedAt) },
    // What is to come is on the order's own page.
    ...order.steps.flatMap(({ id, label, at, state }): Step[] =>
      at === null || id === 'ORDER PLACED'
        ? []
        : [
            {
              title: label,
              state: id === 'FAILED' || id === 'CANCELLED' ? 'failed' : state === 'current' ? 'current' : 'done',
              detail: when.moment(at),
            },
          ],
    ),
  ];
  return (
    <Card title={t.times}>
      <Steps label={t.times} steps={steps} />
      {riderName !== null && <p className={css.soft}>{t.broughtBy({ name: riderName })}</p>}
    </Card>
  );
}

/** Every payment and refund with its day. */
function MoneyMoved({ order, record }: { order: OrderView; record: OrderRecord }) {
  const when = useWhen();
  const clock = useClock();
  const { payments, refunds } = record;
  const parts = order.parts ?? [];
  const said = moneySentence(order);
  return (
    <div data-printed>
      <Card title={t.moneyMoved}>
        {said !== '' && <p>{said}</p>}
        <ul className={css.moves}>
          {parts.map((part) => (
            <li key={part.label}>
              <span>{t.partPaid({ label: part.label })}</span>
              <Price amount={part.amount} />
            </li>
          ))}
          {payments.map(({ transactionId, label, amount, at, state }) => (
            <li key={transactionId} data-faded={state === 'FAILED' || undefined}>
              <span>
                {t.paymentTo({ state, label })}
                <small>{when.moment(at)}</small>
              </span>
              <Price amount={amount} />
            </li>
          ))}
          {parts
            .filter(({ returned }) => returned > 0)
            .map((part) => (
              <li key={part.label} data-back>
                <span>{t.partReturned({ label: part.label })}</span>
                <Price amount={part.returned} />
              </li>
            ))}
          {refunds.map(({ label, amount, at, isPromise, state, expectedFrom, expectedTo, paidAt }) => (
            <li key={`${at}${amount}`} data-back>
              <span>
                {isPromise ? t.promiseTo({ state, label }) : t.refundTo({ state, label })}
                <small>
                  {paidAt === null
                    ? t.refundFrom({ from: clock.date(expectedFrom), to: clock.date(expectedTo) })
                    : when.moment(paidAt)}
                </small>
              </span>
              <Price amount={amount} />
            </li>
          ))}
        </ul>
        <p className={css.soft}>{rich(t.reference, { id: <Exact>{order.transactionReferenceId}</Exact> })}</p>
      </Card>
    </div>
  );
}

function Details({ order, record, isOld }: { order: OrderView; record: OrderRecord | null; isOld: boolean }) {
  return (
    <Page columns="first">
      <Column>
        {isOld && <p className={css.soft}>{t.asLastSeen}</p>}
        <Lines order={order} />
        {order.bill.savings > 0 && (
          <p className={css.savings}>{rich(t.savings, { amount: <Price amount={order.bill.savings} /> })}</p>
        )}
        {order.group && <Shares people={order.group.people} />}
      </Column>
      <Column>
        <OrderActions order={cardOf(order)} place="details" />
        <Times order={order} riderName={record?.riderName ?? null} />
        {record && <MoneyMoved order={order} record={record} />}
        <Place order={order} />
        <OrderSections order={order} />
      </Column>
    </Page>
  );
}

/** All that is known of one order: what it was, what it cost, when it came, and what became of the money. */
export default function DetailsScreen() {
  const { order, record } = useAtomValue(detailedAtom);
  const orderId = useAtomValue(detailedIdAtom);
  const { status, failure } = useAtomValue(recordState.atom);
  const load = useSetAtom(recordState.load);
  const when = useWhen();
  return (
    <>
      <AppBar
        title={order ? rich(orderText.titleNumber, { number: <Exact>{order.orderNumber}</Exact> }) : t.detailsTitle}
        subtitle={
          order ? `${stageText(order)} · ${when.moment(order.placedAt)}` : status === 'failed' ? undefined : null
        }
        back={{ label: t.title, href: href('/postorder-ui/orderHistory') }}
      >
        {order && <ServiceTag label={order.serviceLabel} />}
        {order && !record && <span className={css.heart} />}
        {order && record && <FavouriteHeart order={{ ...cardOf(order), isFavourite: record.isFavourite }} />}
      </AppBar>
      {order ? (
        <Details key={order.orderId} order={order} record={record} isOld={status === 'failed'} />
      ) : status === 'failed' ? (
        <NotLoaded
          title={failure?.kind === 'offline' ? t.detailsOffline : sentenceOf(failure)}
          failure={failure}
          onRetry={() => void load(orderId)}
        />
      ) : (
        <Page columns="first" busy>
          <Skeleton height="22rem" />
          <Skeleton height="22rem" />
        </Page>
      )}
    </>
  );
}
