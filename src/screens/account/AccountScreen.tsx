import * as alive from '#text/alive.ts';
import * as login from '#text/login.ts';
import * as memory from '#text/memory.ts';
import * as t from '#text/account.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { loadLastOrderAtom } from '../../state/after/account.ts';
import { countryAtom } from '../../state/base/country.ts';
import { oneTapState } from '../../state/orders/favouriteOrders.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { apiAtom, hostAtom } from '../../state/first/seams.ts';
import { languageLinksAtom } from '../../state/base/language.ts';
import { loyaltyState } from '../../state/offers/loyalty.ts';
import { logoutAtom } from '../../state/people/login.ts';
import { memoryAtom, memoryWordsAtom } from '../../state/people/memory.ts';
import { isEmailOpenAtom, openEmailAtom, profileState } from '../../state/people/profile.ts';
import { isPasswordOpenAtom } from '../../state/people/password.ts';
import { isLoggedInAtom, userAtom } from '../../state/base/session.ts';
import { isOutsideHostAtom, isOwnLoginAllowedAtom, isVendorHost } from '../../state/people/vendorLogin.ts';
import { hasWalletAtom, walletAbsenceAtom } from '../../state/payment/hasWallet.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { CheckIcon, UserIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Aside, Column, Page } from '../../ui/page/Page.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { rich } from '../../ui/rich.ts';
import { useCustomerChange } from '../base/customerChange.ts';
import { Languages } from '../base/Languages.tsx';
import { EmailSheet } from './EmailSheet.tsx';
import { ACCOUNT, LOGIN } from './paths.ts';
import { accountCards, accountRows, type AccountRow, type EntryConditions } from './rows.ts';
import css from './Account.module.css';

export const enter = atom(null, async (get, set) => {
  // Somebody who has never called has no order either; without a network the page shows what the device knows.
  await get(apiAtom)
    .ensureSession()
    .catch(() => undefined);
  const isCustomer = get(isLoggedInAtom);
  await Promise.all([
    set(loadLastOrderAtom),
    set(loyaltyState.load),
    isCustomer ? set(profileState.load) : undefined,
    FULL_MODE && isCustomer ? set(oneTapState.load) : undefined,
  ]);
});

/** Whether an entry of rows.ts is there for this customer, in this host and country. */
function useIsThere() {
  const isOpen = useAtomValue(isOpenAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const hasPasswords = useAtomValue(isPasswordOpenAtom);
  const hasWallet = useAtomValue(hasWalletAtom);
  return ({ feature, needsLogin, needsPasswords, needsWallet }: EntryConditions) =>
    (feature === undefined || isOpen(feature)) &&
    (needsLogin !== true || isLoggedIn) &&
    (needsPasswords !== true || hasPasswords) &&
    (needsWallet !== true || hasWallet);
}

function Email({ isConfirmable }: { isConfirmable: boolean }) {
  const user = useAtomValue(userAtom);
  if (!user?.email) return <p>{t.emailNone}</p>;
  return (
    <p>
      <Exact>{user.email}</Exact>{' '}
      {(user.emailVerified || isConfirmable) && (
        <Tag tone={user.emailVerified ? 'lime' : 'sun'}>{user.emailVerified ? t.emailIsConfirmed : t.emailIsOpen}</Tag>
      )}
    </p>
  );
}

/** The customer who is logged in: name, number as the country writes it, email. */
function Customer() {
  const user = useAtomValue(userAtom);
  const country = useAtomValue(countryAtom);
  const isOwnAllowed = useAtomValue(isOwnLoginAllowedAtom);
  const isEmailOpen = useAtomValue(isEmailOpenAtom);
  // Where no email can be sent, nobody is told that theirs still waits for one.
  const isConfirmable = useAtomValue(isOpenAtom)('emailConfirm');
  const confirm = useSetAtom(openEmailAtom);
  const name = [user?.firstName, user?.lastName].filter(Boolean).join(' ');
  return (
    <Card>
      <div className={css.who}>
        <span className={css.face} aria-hidden>
          {name ? [...name][0]!.toUpperCase() : <UserIcon size={28} />}
        </span>
        <div className={css.name}>
          <h2>{name || t.whoNameless}</h2>
          {user?.mobile ? <p translate="no">{writtenPhone(user.mobile, country)}</p> : <p>{t.numberNone}</p>}
          <Email isConfirmable={isConfirmable} />
        </div>
      </div>
      <div className={css.actions}>
        <Button kind="secondary" href={href(`${ACCOUNT}/edit`)}>
          {t.whoEdit}
        </Button>
        {user?.email && !user.emailVerified && isConfirmable && (
          <Button kind="secondary" onClick={() => void confirm()}>
            {t.emailConfirm}
          </Button>
        )}
        {!user?.mobile && isOwnAllowed && (
          <Button kind="secondary" href={href(LOGIN)}>
            {t.numberAdd}
          </Button>
        )}
      </div>
      {isEmailOpen && <EmailSheet />}
    </Card>
  );
}

/** The way in, and what this device knows without an account. */
function Guest() {
  const host = useAtomValue(hostAtom);
  const isOutside = useAtomValue(isOutsideHostAtom);
  const words = useAtomValue(memoryWordsAtom)(useAtomValue(memoryAtom));
  return (
    <>
      <Card title={t.whoGuest}>
        <div className={css.stack}>
          <p>{isOutside ? rich(login.outside, { b: <b /> }) : t.whoGuestText}</p>
          {!isOutside && (
            <Button full href={href(LOGIN)}>
              {isVendorHost(host) ? login.hostLogin : t.whoLogin}
            </Button>
          )}
        </div>
      </Card>
      {words.length > 0 && (
        <Card title={t.knownTitle}>
          <ul className={css.known}>
            {words.map((word) => (
              <li key={word}>
                <CheckIcon size={18} />
                <span>{word}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

const pathsAtom = atom(
  (get) => new Map(accountRows.map((row) => [row, typeof row.to === 'string' ? row.to : get(row.to)])),
);
function Row({ row }: { row: AccountRow }) {
  const to = useAtomValue(pathsAtom).get(row)!;
  const { icon: Symbol, title, detail } = row;
  return <ListRow icon={<Symbol size={20} />} title={title()} detail={detail?.()} href={href(to)} />;
}

function Rows({ group }: { group: AccountRow['group'] }) {
  const isThere = useIsThere();
  const titles = { food: t.food, details: t.details, service: t.service };
  const rows = accountRows.filter((row) => row.group === group && isThere(row));
  if (rows.length === 0) return null;
  return (
    <Card flush title={titles[group]}>
      {rows.map((row) => (
        <Row key={row.title()} row={row} />
      ))}
    </Card>
  );
}

function LanguageCard() {
  const links = useAtomValue(languageLinksAtom);
  return (
    links.length > 0 && (
      <Card title={alive.languages}>
        <div className={css.languages}>
          <Languages />
        </div>
      </Card>
    )
  );
}

function Cards({ isLate }: { isLate: boolean }) {
  const isThere = useIsThere();
  return accountCards
    .filter((card) => isThere(card) && (card.isLate === true) === isLate)
    .map(({ id, Card: Own }) => <Own key={id} />);
}

/** The account: the customer, their last order, and links to everything that is theirs (specification section 2). */
export default function AccountScreen() {
  useCustomerChange(enter);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const logout = useSetAtom(logoutAtom);
  const absence = useAtomValue(walletAbsenceAtom);
  return (
    <>
      <AppBar title={alive.account} back={{ label: memory.home, href: href('/') }} />
      <Page columns="even">
        <Column>
          {isLoggedIn ? <Customer /> : <Guest />}
          <Cards isLate={false} />
        </Column>
        <Column>
          <Rows group="food" />
          <Rows group="details" />
          <Rows group="service" />
          <LanguageCard />
          <Cards isLate />
          {isLoggedIn && absence !== '' && <Aside>{absence}</Aside>}
          {isLoggedIn && isOpen('logout') && (
            <Button full kind="quiet" onClick={() => void logout()}>
              {login.logout}
            </Button>
          )}
        </Column>
      </Page>
    </>
  );
}
