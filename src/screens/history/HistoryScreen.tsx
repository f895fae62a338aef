import * as alive from '#text/alive.ts';
import * as firstText from '#text/first.ts';
import * as orderText from '#text/order.ts';
import * as t from '#text/history.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { ReactNode } from 'react';
import type { OrderCard as Order } from '../../contract/history.ts';
import { isFinal } from '../../domain/orders.ts';
import { historyState, loadHistoryAtom, shownOrdersAtom } from '../../state/history.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { isLoggedInAtom } from '../../state/session.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Page } from '../../ui/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { NotLoaded } from '../NotLoaded.tsx';
import { OrderCard } from './OrderCard.tsx';
import { useWhen } from './when.ts';
import css from './HistoryScreen.module.css';

const LOGIN = '/login?redirectUrl=%2Fpostorder-ui%2ForderHistory';

export const enter = atom(null, (_get, set) => set(loadHistoryAtom));

interface Group {
  readonly key: string;
  readonly title: string;
  readonly orders: Order[];
}

/** Orders under way first, then by month, in the order in which they come. */
function useGroups(orders: readonly Order[]): Group[] {
  const when = useWhen();
  const groups: Group[] = [];
  const put = (key: string, title: string, order: Order) => {
    const held = groups.find((group) => group.key === key);
    if (held) held.orders.push(order);
    else groups.push({ key, title, orders: [order] });
  };
  for (const order of orders) if (!isFinal(order.orderStatus)) put('now', t.underway, order);
  for (const order of orders)
    if (isFinal(order.orderStatus)) put(when.monthKey(order.placedAt), when.month(order.placedAt), order);
  return groups;
}

function List({ orders }: { orders: readonly Order[] }) {
  return useGroups(orders).map(({ key, title, orders: own }) => (
    <section key={key} className={css.group} aria-label={title}>
      <h2>{title}</h2>
      <ul className={css.list}>
        {own.map((order) => (
          <li key={order.orderId}>
            <OrderCard order={order} to={`/postorder-ui/orderdetails?orderId=${order.orderId}`} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** Below the list: the way to older orders, and its end. */
function Older() {
  const { data, status, failure } = useAtomValue(historyState.atom);
  const load = useSetAtom(historyState.load);
  if (!data) return null;
  const { pageNo, isLast } = data.paging;
  if (isLast) return data.orders.length > 1 && <Aside>{t.end}</Aside>;
  return (
    <div className={css.older}>
      {status === 'failed' && failure && <p role="alert">{t.olderFailed}</p>}
      <Button full kind="secondary" busy={status === 'loading'} onClick={() => void load(pageNo + 1)}>
        {status === 'failed' ? firstText.tryAgain : t.older}
      </Button>
    </div>
  );
}

function None({ isLoggedIn }: { isLoggedIn: boolean }): ReactNode {
  return (
    <EmptyState
      picture={<EmptyPicture />}
      title={t.none}
      action={
        <div className={css.ways}>
          {!isLoggedIn && <Button href={href(LOGIN)}>{alive.login}</Button>}
          <Button kind={isLoggedIn ? 'primary' : 'quiet'} href={href('/menu')}>
            {firstText.seeMenu}
          </Button>
        </div>
      }
    >
      <p>{isLoggedIn ? t.noneText : t.noneGuest}</p>
    </EmptyState>
  );
}

/** The orders of an account; a guest's are those of the device (product.md 3.12). */
export default function HistoryScreen() {
  const orders = useAtomValue(shownOrdersAtom);
  const { failure, data } = useAtomValue(historyState.atom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const load = useSetAtom(loadHistoryAtom);
  const hasFailed = isLoggedIn && data === null && failure !== null;
  return (
    <>
      <AppBar title={t.title} back={{ label: orderText.home, href: href('/') }} />
      <Page busy={orders === null}>
        {orders === null && [1, 2, 3].map((one) => <Skeleton key={one} height="14rem" />)}
        {orders?.length === 0 && hasFailed && (
          <NotLoaded
            title={isOffline ? orderText.offlineTitle : t.notLoaded}
            failure={failure}
            onRetry={() => void load()}
          />
        )}
        {orders?.length === 0 && !hasFailed && <None isLoggedIn={isLoggedIn} />}
        {orders && orders.length > 0 && (
          <>
            {hasFailed && (
              <p className={css.note} role="status">
                {t.offline}{' '}
                <Button kind="quiet" small onClick={() => void load()}>
                  {firstText.tryAgain}
                </Button>
              </p>
            )}
            <List orders={orders} />
            {isLoggedIn ? <Older /> : <Aside>{rich(t.loginMore, { link: <a href={href(LOGIN)} /> })}</Aside>}
          </>
        )}
      </Page>
    </>
  );
}
