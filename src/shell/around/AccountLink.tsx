import * as t from '#text/alive.ts';
import { useAtomValue } from 'jotai';
import { mayHaveOrdersAtom } from '../../state/orders/lastOrders.ts';
import { isLoggedInAtom, userAtom } from '../../state/base/session.ts';
import { href } from '../../ui/href.ts';
import { ReceiptIcon, UserIcon } from '../../ui/pictures/icons.ts';
import css from './AccountLink.module.css';

/**
 * The way to the account, and for who has ordered to the orders, at the end of the brand's line. It comes with the
 * second load and lies in room that is there anyway: nothing moves, and the first load does not know it.
 */
export function AccountLink() {
  const name = useAtomValue(userAtom)?.firstName;
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const mayHaveOrders = useAtomValue(mayHaveOrdersAtom);
  return (
    <nav className={css.place} aria-label={t.account}>
      {mayHaveOrders && (
        <a href={href('/postorder-ui/orderHistory')} className={css.orders}>
          <ReceiptIcon size={20} />
          <span>{t.orders}</span>
        </a>
      )}
      <a href={href('/postorder-ui/profile')}>
        <UserIcon size={20} />
        <span>{(isLoggedIn && name) || t.accountLink}</span>
      </a>
    </nav>
  );
}
