import * as firstText from '#text/first.ts';
import * as t from '#text/privacy.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { ComponentType, ReactNode } from 'react';
import { dateFormat } from '../../domain/hours.ts';
import { money } from '../../contract/money.ts';
import { writtenNumber } from '../../domain/funds.ts';
import { formatMoney } from '../../domain/money.ts';
import { countryAtom } from '../../state/base/country.ts';
import {
  deleteNumberlessAtom,
  deletionCode,
  handedOverAtom,
  isMoneyGivenUpAtom,
  sleepsUntilAtom,
  standingState,
} from '../../state/people/deletion.ts';
import { apiAtom } from '../../state/first/seams.ts';
import { forgetDeviceAtom } from '../../state/people/forgetting.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { Exact } from '../../ui/money/Exact.tsx';
import { showTop } from '../../ui/overlays/showTop.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { ClockIcon, DocumentIcon, TrashIcon } from '../../ui/pictures/icons.ts';
import { Actions, Column, Page } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Proof } from './Proof.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import css from './Privacy.module.css';

const loadOwnAtom = atom(null, async (get, set) => {
  if (get(isLoggedInAtom)) await set(standingState.load);
});
export const enter = atom(null, async (get, set) => {
  set(deletionCode.leave);
  set(isMoneyGivenUpAtom, false);
  set(sleepsUntilAtom, null);
  set(handedOverAtom, []);
  await get(apiAtom)
    .ensureSession()
    .catch(() => undefined);
  await set(loadOwnAtom);
});

type Standing = NonNullable<ReturnType<typeof useStanding>>;
const useStanding = () => useAtomValue(standingState.atom).data;
const PROFILE = '/postorder-ui/profile';
const dayOf = (at: number, { locale, timeZone }: { locale: string; timeZone: string }) =>
  dateFormat(locale, { dateStyle: 'long', timeZone }).format(at);

function List({ icon: Symbol, items }: { icon: ComponentType<{ size?: number }>; items: readonly ReactNode[] }) {
  return (
    <ul className={css.list}>
      {items.map((item, index) => (
        <li key={index}>
          <Symbol size={18} />
          <span>{item}</span>
        </li>
      ))}
    </ul>
  );
}

/** Steps that the customer should take before the deletion. */
function InTheWay({ standing: { orders, questions = 0, wallet } }: { standing: Standing }) {
  const country = useAtomValue(countryAtom);
  const [isGivenUp, giveUp] = useAtom(isMoneyGivenUpAtom);
  if (orders.length === 0 && questions === 0 && !wallet) return null;
  const amount = formatMoney(money(wallet ?? 0), country);
  return (
    <Card title={t.waysTitle}>
      <div className={css.stack}>
        {orders.map(({ orderId, orderNumber }) => (
          <div key={orderId} className={css.stack}>
            <p>{rich(t.orderOpen, { number: <Exact>{orderNumber}</Exact> })}</p>
            <Button kind="secondary" href={href(`/order/${orderId}`)}>
              {t.orderSee}
            </Button>
          </div>
        ))}
        {questions > 0 && <p>{t.questionOpen}</p>}
        {wallet !== null && wallet > 0 && (
          <>
            <p>{rich(t.walletLeft, { amount, b: <b /> })}</p>
            {orders.length === 0 && (
              <CheckBox label={t.walletGiveUp({ amount })} checked={isGivenUp} onChange={giveUp} />
            )}
          </>
        )}
      </div>
    </Card>
  );
}

function Goes({ standing: { addresses, cards, linkedWallets, vouchers, givenVouchers = 0 } }: { standing: Standing }) {
  const items = [
    t.goesWho,
    t.goesAddresses({ count: addresses }),
    t.goesRewards,
    ...(cards > 0 ? [t.goesCards({ count: cards })] : []),
    ...linkedWallets.map((names) => t.goesWallets({ names })),
    ...(vouchers > 0 ? [t.goesVouchers({ count: vouchers })] : []),
    ...(givenVouchers > 0 ? [t.goesGiven({ count: givenVouchers })] : []),
    t.goesConsents,
  ];
  return (
    <Card title={t.goesTitle}>
      <List icon={TrashIcon} items={items} />
    </Card>
  );
}

function Confirm({ standing: { orders, wallet, mobile } }: { standing: Standing }) {
  const isGivenUp = useAtomValue(isMoneyGivenUpAtom);
  const askNumberless = useSetAtom(deleteNumberlessAtom);
  if (orders.length > 0) return null;
  const isOff = Boolean(wallet) && !isGivenUp;
  return (
    <Card title={t.deleteTitle}>
      <div className={css.stack}>
        {mobile === null ? (
          <>
            <p>{t.freshOnly}</p>
            <Button full kind="danger" disabled={isOff} onClick={() => void askNumberless().then(showTop)}>
              {t.deleteNow}
            </Button>
          </>
        ) : (
          <Proof of={deletionCode} mobile={mobile} label={t.deleteNow} kind="danger" isOff={isOff} />
        )}
        <Button full kind="quiet" href={href(PROFILE)}>
          {t.deleteNot}
        </Button>
      </div>
    </Card>
  );
}

function Account({ standing }: { standing: Standing }) {
  const country = useAtomValue(countryAtom);
  return (
    <Page columns="even">
      <Column>
        <InTheWay standing={standing} />
        <Goes standing={standing} />
        <Card title={t.staysTitle}>
          <List icon={DocumentIcon} items={[t.staysOrders, t.staysInvoices, t.staysWhy({ law: standing.taxLaw })]} />
        </Card>
      </Column>
      <Column>
        <Card title={t.whenTitle}>
          <List
            icon={ClockIcon}
            items={[t.whenNow, t.whenWeek({ day: dayOf(standing.deletesAt, country) }), t.whenGone]}
          />
        </Card>
        <Confirm standing={standing} />
      </Column>
    </Page>
  );
}

function Guest() {
  const forget = useSetAtom(forgetDeviceAtom);
  return (
    <EmptyState
      picture={<EmptyPicture />}
      title={t.guestTitle}
      action={
        <Actions>
          <Button full kind="danger" onClick={() => void forget()}>
            {t.forget}
          </Button>
          <Button full kind="secondary" href={href('/login?redirectUrl=%2Fdelete-account')}>
            {t.login}
          </Button>
        </Actions>
      }
    >
      {t.guestText}
    </EmptyState>
  );
}

function Asleep({ until }: { until: number }) {
  const country = useAtomValue(countryAtom);
  const handed = useAtomValue(handedOverAtom);
  return (
    <EmptyState
      picture={<EmptyPicture />}
      title={t.asleepTitle}
      action={<Button href={href('/')}>{t.asleepHome}</Button>}
    >
      <span role="status">{rich(t.asleepText, { day: dayOf(until, country), b: <b /> })}</span>
      {handed.length > 0 && <p>{t.asleepVouchers({ count: handed.length })}</p>}
      {handed.map(({ number, pin, balance, expiresAt }) => (
        <p key={number}>
          {rich(t.asleepVoucher, {
            number: writtenNumber(number),
            pin,
            amount: formatMoney(balance, country),
            day: dayOf(expiresAt, country),
            b: <b />,
          })}
        </p>
      ))}
    </EmptyState>
  );
}

/** The deletion of an account: its effects, its obstacles, and then the deletion itself (product.md 4.2). */
export default function DeleteAccountScreen() {
  // What was deleted ends the login, and is told here.
  useCustomerChange(loadOwnAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const standing = useStanding();
  const { status } = useAtomValue(standingState.atom);
  const until = useAtomValue(sleepsUntilAtom);
  const load = useSetAtom(standingState.load);
  const content = () => {
    if (until !== null) return <Asleep until={until} />;
    if (!isLoggedIn) return <Guest />;
    if (standing) return <Account standing={standing} />;
    if (status === 'failed')
      return (
        <EmptyState
          picture={<EmptyPicture />}
          title={t.failed}
          action={
            <Button kind="secondary" onClick={() => void load()}>
              {firstText.tryAgain}
            </Button>
          }
        />
      );
    return (
      <Page busy>
        <Skeleton height="16rem" />
        <Skeleton height="8rem" />
      </Page>
    );
  };
  return (
    <>
      <AppBar title={t.deleteTitle} back={{ label: t.toProfile, href: href(PROFILE) }} />
      {content()}
    </>
  );
}
