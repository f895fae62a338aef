import * as t from '#text/first.ts';
import { atom, useAtomValue } from 'jotai';
import { useDeferredValue, type CSSProperties } from 'react';
import type { Cart } from '../../contract/cart.ts';
import { cartAtom, cartCountAtom, isCartWaitingAtom } from '../../state/first/cart.ts';
import { useCounted } from '../../ui/money/counted.ts';
import { href } from '../../ui/href.ts';
import { BagIcon, HomeIcon, MenuIcon, SearchIcon } from '../../ui/pictures/icons.ts';
import { Price } from '../../ui/money/Price.tsx';
import css from './Dock.module.css';

const places = () =>
  [
    ['/', t.home, HomeIcon],
    ['/menu', t.menu, MenuIcon],
    ['/search', t.search, SearchIcon],
  ] as const;

/** The server's amount, shown only while it belongs to the lines on screen. */
const shownAtom = atom((get) => ({ count: get(cartCountAtom), cart: get(isCartWaitingAtom) ? null : get(cartAtom) }));

/** The sum of the prices on the dishes' cards, added up by the server; the cart says what offers, delivery and taxes make of it. */
const listPrice = ({ bill, displayNetPrice }: Cart) =>
  bill.lines.find(({ id }) => id === 'items')?.amount ?? displayNetPrice;

/** The link to the cart with the number of pieces and, once it is known, the sum. */
export function CartLink({ count, cart }: { count: number; cart: Cart | null }) {
  return (
    <a href={href('/cart')} className={css.cart} data-full={count > 0 || undefined}>
      {/* Other elements, not moved ones: a page that finds a cart on the device shows it where it is. */}
      <span key={`b${count > 0}`} className={css.bag}>
        <BagIcon size={22} />
        {count > 0 && <b aria-hidden>{t.number({ count })}</b>}
      </span>
      <span key={`s${count > 0}`} className={css.sum}>
        <span className={css.word}>
          {t.cart}
          {count > 0 && <span className="visually-hidden">, {t.items({ count })}</span>}
        </span>
        {count > 0 &&
          (cart ? (
            <Price
              amount={listPrice(cart)}
              around={(sum) => <b style={{ '--letters': sum.length } as CSSProperties}>{sum}</b>}
            />
          ) : (
            <b aria-hidden>···</b>
          ))}
      </span>
    </a>
  );
}

/** The main places of the app: at the lower edge of a phone, at the top of a wide page. */
export function Dock({ current }: { current?: string }) {
  // Deferred: a tapped dish is on the screen before its sum is.
  const cart = useDeferredValue(useAtomValue(shownAtom));
  useCounted('docks');
  return (
    <nav className={css.dock} aria-label={t.dock} data-dock>
      {places().map(([path, label, Symbol]) => (
        <a key={path} href={href(path)} aria-current={path === current ? 'page' : undefined}>
          <Symbol size={22} />
          {label}
        </a>
      ))}
      <CartLink {...cart} />
    </nav>
  );
}
