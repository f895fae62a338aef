import * as t from '#text/help.ts';
import * as historyText from '#text/history.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { ticketsState } from '../../state/after/help.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { loadHistoryAtom, shownOrdersAtom } from '../../state/orders/history.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { StoreIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Aside, Page } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { ChatCard } from '../chat/ChatRow.tsx';
import { useWhen } from '../base/when.ts';
import { useIsWaiting } from '../base/isWaiting.ts';
import { LinePicture } from '../base/LinePicture.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { TicketRow } from './TicketRow.tsx';
import css from './Tickets.module.css';

export const enter = atom(null, async (_get, set) => {
  await Promise.all([set(ticketsState.load), set(loadHistoryAtom)]);
});

/** The last orders, of which help may be wanted. */
const ORDERS_SHOWN = 5;

function Orders() {
  const orders = (useAtomValue(shownOrdersAtom) ?? []).slice(0, ORDERS_SHOWN);
  const when = useWhen();
  if (orders.length === 0) return null;
  return (
    <Card title={t.whichOrder} flush>
      {orders.map(({ orderId, lines, placedAt, orderNumber }) => (
        <ListRow
          key={orderId}
          icon={
            <span className={css.picture}>
              {lines[0] && <LinePicture line={{ ...lines[0], productId: lines[0].product.id }} />}
            </span>
          }
          title={lines.map(({ quantity, product }) => historyText.dish({ quantity, dish: product.name })).join(', ')}
          detail={
            <>
              {rich(t.orderOf, { number: <Exact>{orderNumber}</Exact> })} · <span>{when.moment(placedAt)}</span>
            </>
          }
          href={href(`/help/${orderId}`)}
        />
      ))}
    </Card>
  );
}

function Tickets() {
  const { data, failure } = useAtomValue(ticketsState.atom);
  const load = useSetAtom(ticketsState.load);
  if (!data)
    return (
      <NotLoaded
        title={failure?.kind === 'offline' ? t.offline : sentenceOf(failure)}
        failure={failure}
        onRetry={() => void load()}
      />
    );
  if (data.length === 0)
    return (
      <EmptyState picture={<EmptyPicture />} title={t.noTickets}>
        <p>{t.noTicketsText}</p>
      </EmptyState>
    );
  return (
    <Card title={t.myTickets} flush>
      {data.map((ticket) => (
        <TicketRow key={ticket.eventId} ticket={ticket} isNumbered />
      ))}
    </Card>
  );
}

/** All that this customer has asked, and the orders that help may be wanted for. */
export default function TicketsScreen() {
  const isOpen = useAtomValue(isOpenAtom);
  const hasOrders = useAtomValue(shownOrdersAtom) !== null;
  const isWaiting = useIsWaiting(ticketsState.atom) || !hasOrders;
  return (
    <>
      <AppBar title={t.title} back={{ label: t.account, href: href('/postorder-ui/profile') }} />
      <Page>
        <ChatCard />
        {isWaiting ? (
          <div aria-busy>
            <Skeleton height="10rem" />
          </div>
        ) : (
          <>
            <Orders />
            <Tickets />
          </>
        )}
        {!isWaiting && isOpen('feedback') && (
          <Card flush>
            <ListRow icon={<StoreIcon size={22} />} title={t.visit} href={href('/feedback')} />
          </Card>
        )}
        {!isWaiting && <Aside>{rich(t.callUs, { help: <HelpNumber /> })}</Aside>}
      </Page>
    </>
  );
}
