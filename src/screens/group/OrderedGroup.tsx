import * as orderText from '#text/orders.ts';
import * as t from '#text/group.ts';
import { useSetAtom } from 'jotai';
import type { Group } from '../../contract/group.ts';
import { isFinal, isLost, statusNews } from '../../domain/orders.ts';
import { shareGroupAtom } from '../../state/group/group.ts';
import { BillLines } from '../../ui/money/BillLines.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Steps } from '../../ui/Steps.tsx';
import { useClock } from '../base/clock.ts';
import { shownSteps } from '../base/steps.ts';
import { PersonCard } from './PersonCard.tsx';
import Shares from './Shares.tsx';
import css from './GroupScreen.module.css';

/** After the order was placed: who pays what, and how far the food is, but not where it goes. */
export function OrderedGroup({ group }: { group: Group }) {
  const clock = useClock();
  const share = useSetAtom(shareGroupAtom);
  const { order } = group;
  return (
    <Page columns="first">
      <Column>
        {order && (
          <Card title={rich(t.order, { number: <Exact>{order.orderNumber}</Exact> })}>
            <div className={css.stack}>
              <p className={css.big}>
                {order.orderStatus === 'PENDING'
                  ? t.hostPays({ host: group.hostName })
                  : orderText.status({ news: statusNews(order.orderStatus, order.orderType) })}
              </p>
              {order.eta && !isFinal(order.orderStatus) && (
                <p>
                  <b>{t.expected({ from: clock.time(order.eta.from), to: clock.time(order.eta.to) })}</b>{' '}
                  {order.eta.reason}
                </p>
              )}
              {order.orderStatus !== 'PENDING' && <Steps label={t.steps} steps={shownSteps(order.steps, clock.time)} />}
              {order.orderId && (
                <Button full href={href(`/order/${order.orderId}`)}>
                  {t.seeOrder}
                </Button>
              )}
            </div>
          </Card>
        )}
        {!(order && isLost(order.orderStatus)) && (
          <Shares people={group.people}>
            {group.role === 'host' && (
              <Button full kind="secondary" onClick={() => void share(group, 'share')}>
                {t.sendShares}
              </Button>
            )}
          </Shares>
        )}
      </Column>
      <Column>
        {group.people.map((person) => (
          <PersonCard key={person.personId} group={group} person={person} />
        ))}
        {group.bill && (
          <Card title={t.bill}>
            <BillLines bill={group.bill} totalLabel={t.total} />
          </Card>
        )}
      </Column>
    </Page>
  );
}
