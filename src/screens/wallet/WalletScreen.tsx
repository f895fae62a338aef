import * as account from '#text/alive.ts';
import * as firstText from '#text/first.ts';
import * as orderText from '#text/order.ts';
import * as payment from '#text/payment.ts';
import * as t from '#text/wallet.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { WalletEntry } from '../../contract/wallet.ts';
import { add } from '../../domain/money.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import {
  loadWalletAtom,
  passbookState,
  statementState,
  walletBalanceAtom,
  walletLedgerStatementAtom,
  walletSummary,
} from '../../state/payment/wallet.ts';
import { walletAbsenceAtom } from '../../state/payment/hasWallet.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { MinusIcon, PlusIcon, WalletIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Aside, Column, Page } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { useWhen } from '../base/when.ts';
import { useIsWaiting } from '../base/isWaiting.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import css from './Wallet.module.css';

const LOGIN = '/postorder-ui/login?redirectUrl=%2Fpostorder-ui%2Fwallet';

export const enter = atom(null, async (get, set) => {
  const absence = get(walletAbsenceAtom);
  if (absence === '') return await set(loadWalletAtom);
  // A guest who followed a link here is told why there is nothing to see.
  set(toastMessageAtom, absence);
  get(navigateAtom).go('/postorder-ui/profile', { replace: true });
});

/** What is in it, and what came and went in all. */
function Summary() {
  const { data, status } = useAtomValue(walletSummary.atom);
  const last = useAtomValue(walletBalanceAtom);
  const balance = data?.balance ?? last;
  if (balance === null) return <Skeleton height="11rem" />;
  // The last balance is known before its parts are: these keep their room.
  const figures =
    status !== 'failed' || data
      ? ([
          [t.added, data?.credited],
          [t.returned, data?.returned],
          [t.spent, data?.spent],
        ] as const)
      : null;
  return (
    <section className={css.summary} aria-label={t.balance}>
      <p className={css.name}>{t.balance}</p>
      <p className={css.balance}>
        <Price amount={balance} />
      </p>
      {!data && status === 'failed' && <p className={css.name}>{t.balanceAsOf}</p>}
      {figures && (
        <dl className={css.figures}>
          {figures.map(([name, amount]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{amount === undefined ? <Skeleton width="3rem" height="1lh" /> : <Price amount={amount} />}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** What each month left, once there are several. */
function Months() {
  const months = useAtomValue(passbookState.atom).data ?? [];
  const when = useWhen();
  if (months.length < 2) return null;
  return (
    <Card flush title={t.months}>
      <ul className={css.list}>
        {months.map(({ month, credited, returned, spent, closing }) => (
          <li key={month}>
            <ListRow
              title={when.month(Date.parse(`${month}-15`))}
              detail={rich(t.inOut, { in: <Price amount={add(credited, returned)} />, out: <Price amount={spent} /> })}
              end={
                <b className={css.end}>
                  <Price amount={closing} />
                </b>
              }
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Entry({ entry }: { entry: WalletEntry }) {
  const when = useWhen();
  const { kind, amount, label, at, orderId, balanceAfter } = entry;
  const Symbol = kind === 'SPEND' ? MinusIcon : kind === 'RETURN' ? WalletIcon : PlusIcon;
  return (
    <li>
      <ListRow
        icon={<Symbol size={20} />}
        // What it was beside how much, and when beside what it left: neither takes the other's room.
        title={
          <span className={css.line}>
            {label}
            <b data-in={amount > 0 || undefined}>
              {amount > 0 && '+'}
              <Price amount={amount} />
            </b>
          </span>
        }
        detail={
          <span className={css.line}>
            {when.moment(at)}
            <span>{rich(t.after, { amount: <Price amount={balanceAfter} /> })}</span>
          </span>
        }
        href={orderId === undefined ? undefined : href(`/postorder-ui/orderdetails?orderId=${orderId}`)}
        end={false}
      />
    </li>
  );
}

/** Every movement by month, newest first, with the way to older ones. */
function Statement() {
  const when = useWhen();
  const { entries, pageNumber, pages } = useAtomValue(walletLedgerStatementAtom);
  const { status } = useAtomValue(statementState.atom);
  const load = useSetAtom(statementState.load);
  const months = [...new Set(entries.map(({ at }) => when.monthKey(at)))];
  return (
    <>
      {months.map((month) => {
        const own = entries.filter(({ at }) => when.monthKey(at) === month);
        return (
          <Card key={month} flush title={when.month(own[0]!.at)}>
            <ul className={css.list}>
              {own.map((entry) => (
                <Entry key={entry.entryId} entry={entry} />
              ))}
            </ul>
          </Card>
        );
      })}
      {pageNumber < pages ? (
        <div className={css.older}>
          {status === 'failed' && <p role="alert">{t.olderFailed}</p>}
          <Button
            full
            kind="secondary"
            busy={status === 'loading'}
            onClick={() => void load({ pageNumber: pageNumber + 1 })}
          >
            {status === 'failed' ? firstText.tryAgain : t.older}
          </Button>
        </div>
      ) : (
        entries.length > 1 && <Aside>{t.all}</Aside>
      )}
    </>
  );
}

const Bones = () => [1, 2, 3].map((one) => <Skeleton key={one} height="4rem" />);

function Movements() {
  const { entries } = useAtomValue(walletLedgerStatementAtom);
  const { status, failure } = useAtomValue(statementState.atom);
  const isOffline = useAtomValue(isOfflineAtom);
  const load = useSetAtom(loadWalletAtom);
  if (entries.length > 0) return <Statement />;
  if (status === 'failed')
    return (
      <NotLoaded
        title={isOffline ? orderText.offlineTitle : t.notLoaded}
        failure={failure}
        onRetry={() => void load()}
      />
    );
  if (status !== 'ready') return <Bones />;
  return (
    <EmptyState
      picture={<EmptyPicture />}
      title={t.none}
      action={<Button href={href('/menu')}>{firstText.seeMenu}</Button>}
    >
      <p>{t.noneText}</p>
    </EmptyState>
  );
}

/** The customer's wallet: the balance, and every movement with its order (specification section 2). */
export default function WalletScreen() {
  useCustomerChange(enter);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  // How many months there are is not known before; the movements stand below them on a phone.
  const isMonthless = useIsWaiting(passbookState.atom);
  const isWaiting = useIsWaiting(statementState.atom) || isMonthless;
  return (
    <>
      <AppBar title={payment.wallet} back={{ label: account.account, href: href('/postorder-ui/profile') }} />
      {isLoggedIn ? (
        <Page columns="even">
          <Column>
            <Summary />
            <p className={css.use}>{t.use}</p>
            {!isWaiting && <Months />}
          </Column>
          <Column>
            <h2 className="visually-hidden">{t.statement}</h2>
            {isWaiting ? <Bones /> : <Movements />}
          </Column>
        </Page>
      ) : (
        <Page>
          <EmptyState
            picture={<EmptyPicture />}
            title={t.guest}
            action={<Button href={href(LOGIN)}>{account.login}</Button>}
          >
            <p>{t.guestText}</p>
          </EmptyState>
        </Page>
      )}
    </>
  );
}
