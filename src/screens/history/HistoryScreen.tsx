import * as alive from '#text/alive.ts';
import * as firstText from '#text/first.ts';
import * as orderText from '#text/order.ts';
import * as t from '#text/history.ts';
import * as searchText from '#text/search.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useDeferredValue, useMemo, type ReactElement } from 'react';
import type { OrderCard as Order } from '../../contract/history.ts';
import { isFinal } from '../../domain/orders.ts';
import {
  historyState,
  isSpendOpenAtom,
  loadHistoryAtom,
  openHistoryAtom,
  orderListAtom,
  searchOrdersAtom,
  spendState,
  tabAtom,
} from '../../state/orders/history.ts';
import { recommendedState } from '../../state/orders/favouriteOrders.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { useHeardAtOnce } from '../../ui/heard.ts';
import { useTextCut } from '../../ui/forms/textCut.ts';
import { href } from '../../ui/href.ts';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { CloseIcon, SearchIcon } from '../../ui/pictures/icons.ts';
import { Aside } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Tabs } from '../../ui/forms/Tabs.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import type { ScreenInput } from '../base/entered.ts';
import { Block, BLOCK } from '../first/Block.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { OrderCard } from './OrderCard.tsx';
import { SpendSheet } from './SpendSheet.tsx';
import { useWhen } from '../base/when.ts';
import css from './HistoryScreen.module.css';

const LOGIN = '/login?redirectUrl=%2Fpostorder-ui%2ForderHistory';

/** `?tab=favourites` opens that tab. */
export const enter = atom(null, (_get, set, { query }: ScreenInput) =>
  set(openHistoryAtom, query.get('tab') === 'favourites' ? 'favourites' : 'all'),
);

interface Group {
  readonly key: string;
  readonly title: string;
  readonly orders: Order[];
}

/** Orders under way first, then by month, in the order in which they come. */
function groupsOf(orders: readonly Order[], when: ReturnType<typeof useWhen>): Group[] {
  const groups = new Map<string, Group>();
  const put = (key: string, title: () => string, order: Order) => {
    const held = groups.get(key);
    if (held) held.orders.push(order);
    else groups.set(key, { key, title: title(), orders: [order] });
  };
  for (const order of orders) if (!isFinal(order.orderStatus)) put('now', () => t.underway, order);
  for (const order of orders)
    if (isFinal(order.orderStatus)) put(when.monthKey(order.placedAt), () => when.month(order.placedAt), order);
  return [...groups.values()];
}

const inBlocks = (orders: readonly Order[]): Order[][] =>
  Array.from({ length: Math.ceil(orders.length / BLOCK) }, (_, at) => orders.slice(at * BLOCK, (at + 1) * BLOCK));

const card = (order: Order, isNear = true) => (
  <li key={order.orderId}>
    <OrderCard order={order} to={`/postorder-ui/orderdetails?orderId=${order.orderId}`} isNear={isNear} />
  </li>
);

/**
 * Only the cards near the screen are drawn in full: a tap among 300 orders waits as little as among ten. Of the others the
 * words are in the page, where the browser finds them.
 */
function List({ orders }: { orders: readonly Order[] }) {
  const when = useWhen();
  return useMemo(() => {
    let before = 0;
    return groupsOf(orders, when).map(({ key, title, orders: own }) => (
      <section key={key} className={css.group} aria-label={title}>
        <h2>{title}</h2>
        <div>
          {inBlocks(own).map((part) => {
            const at = before;
            before += part.length;
            return (
              <Block key={part[0]!.orderId} count={part.length} open={at < BLOCK} lasting>
                {(isNear) => part.map((order) => card(order, isNear))}
              </Block>
            );
          })}
        </div>
      </section>
    ));
  }, [orders, when]);
}

/** Below the list: the way to older orders, and its end. */
function Older() {
  const { data, status, failure } = useAtomValue(historyState.atom);
  const load = useSetAtom(historyState.load);
  if (!data) return null;
  const { pageNo, isLast } = data.paging;
  if (isLast) return data.tab === 'all' && data.search === '' && pageNo > 1 && <Aside>{t.end}</Aside>;
  return (
    <div className={css.older}>
      {status === 'failed' && failure && <p role="alert">{t.olderFailed}</p>}
      <Button full kind="secondary" busy={status === 'loading'} onClick={() => void load(pageNo + 1)}>
        {status === 'failed' ? firstText.tryAgain : t.older}
      </Button>
    </div>
  );
}

function None({ isLoggedIn }: { isLoggedIn: boolean }): ReactElement {
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

const SEARCH_MOST = 60;

function SearchBox() {
  const [text, setText] = useAtom(searchOrdersAtom);
  const { cut, watched } = useTextCut(SEARCH_MOST);
  useHeardAtOnce();
  return (
    <>
      <form role="search" className={css.search} onSubmit={(event) => event.preventDefault()}>
        <SearchIcon />
        <input
          {...watched}
          type="search"
          aria-label={t.searchLabel}
          placeholder={t.searchExample}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={SEARCH_MOST}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {text !== '' && (
          <IconButton label={searchText.clear} onClick={() => setText('')}>
            <CloseIcon size={20} />
          </IconButton>
        )}
      </form>
      <p className={cut ? css.found : 'visually-hidden'} role="status">
        {cut}
      </p>
    </>
  );
}

/** How many orders a search has found, for everybody who cannot see the list. */
function Found() {
  const { data, status } = useAtomValue(historyState.atom);
  const isAsked = data !== null && data.search !== '' && status === 'ready';
  const count = data?.orders.length ?? 0;
  return (
    <p className={css.found} role="status">
      {isAsked && (data.isNear ? t.near : data.paging.isLast ? t.found({ count }) : t.foundMore({ count }))}
    </p>
  );
}

function NoneFound() {
  const { data } = useAtomValue(historyState.atom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const search = data?.search ?? '';
  if (isLoggedIn && search !== '')
    return <EmptyState picture={<EmptyPicture />} title={t.foundNone({ text: search })} />;
  if (isLoggedIn && data?.tab === 'favourites')
    return (
      <EmptyState picture={<EmptyPicture />} title={t.favouritesNone}>
        <p>{t.favouritesNoneText}</p>
      </EmptyState>
    );
  return <None isLoggedIn={isLoggedIn} />;
}

/** Orders that the customer repeats: a tap on the heart keeps one. */
function Recommended() {
  const tab = useDeferredValue(useAtomValue(tabAtom));
  const { data } = useAtomValue(historyState.atom);
  const orders = useAtomValue(recommendedState.atom).data ?? [];
  if (tab !== 'favourites' || (data?.search ?? '') !== '' || orders.length === 0) return null;
  return (
    <section className={css.group} aria-label={t.repeated}>
      <h2>{t.repeated}</h2>
      <ul className={css.list}>{orders.map((order) => card(order))}</ul>
    </section>
  );
}

/** The list in each of its states. */
function Orders() {
  // Deferred: a tapped tab shows first, its orders follow.
  const { orders, failure, data } = useDeferredValue(useAtomValue(orderListAtom));
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const load = useSetAtom(loadHistoryAtom);
  // The whole list failed to load, and not only its next page.
  const hasFailed = isLoggedIn && failure !== null && (data === null || data.orders !== orders);
  if (orders === null) return [1, 2, 3].map((one) => <Skeleton key={one} height="13rem" />);
  if (orders.length === 0)
    return hasFailed ? (
      <NotLoaded
        title={isOffline ? orderText.offlineTitle : t.notLoaded}
        failure={failure}
        onRetry={() => void load()}
      />
    ) : (
      <NoneFound />
    );
  return (
    <>
      {hasFailed && (
        <p className={css.note} role="status">
          {isOffline ? t.offline : t.notLoaded}{' '}
          <Button kind="quiet" small onClick={() => void load()}>
            {firstText.tryAgain}
          </Button>
        </p>
      )}
      <List orders={orders} />
      {isLoggedIn ? <Older /> : <Aside>{rich(t.loginMore, { link: <a href={href(LOGIN)} /> })}</Aside>}
    </>
  );
}

/** The orders of an account; a guest's are those of the device (product.md 3.12). */
export default function HistoryScreen() {
  useCustomerChange(loadHistoryAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const [tab, setTab] = useAtom(tabAtom);
  const { status } = useAtomValue(historyState.atom);
  const [isSpendOpen, setSpendOpen] = useAtom(isSpendOpenAtom);
  const loadSpend = useSetAtom(spendState.load);
  const list = (
    <div className={css.orders} aria-busy={status === 'loading'}>
      <Orders />
    </div>
  );
  return (
    <>
      <AppBar title={t.title} back={{ label: orderText.home, href: href('/') }}>
        {isLoggedIn && (
          <Button
            kind="quiet"
            small
            onClick={() => {
              setSpendOpen(true);
              void loadSpend();
            }}
          >
            {t.spend}
          </Button>
        )}
      </AppBar>
      <div className={css.page}>
        {isLoggedIn ? (
          <>
            <SearchBox />
            <Tabs
              label={t.tabs}
              tabs={[
                { value: 'all', text: t.tabAll },
                { value: 'favourites', text: t.tabFavourites },
              ]}
              value={tab}
              onChange={setTab}
            >
              <Found />
              {list}
              <Recommended />
            </Tabs>
          </>
        ) : (
          list
        )}
      </div>
      {isSpendOpen && <SpendSheet />}
    </>
  );
}
