import { atom, useAtomValue } from 'jotai';
import { useDeferredValue } from 'react';
import { cartAtom, cartCountAtom, isCartWaitingAtom } from '../../state/basket.ts';
import { href } from '../../ui/href.ts';
import { BagIcon } from '../../ui/icons/BagIcon.tsx';
import { HomeIcon } from '../../ui/icons/HomeIcon.tsx';
import { MenuIcon } from '../../ui/icons/MenuIcon.tsx';
import { SearchIcon } from '../../ui/icons/SearchIcon.tsx';
import { Price } from '../../ui/Price.tsx';
import css from './Dock.module.css';

const PLACES = [['/', 'Home', HomeIcon], ['/menu', 'Menu', MenuIcon], ['/search', 'Search', SearchIcon]] as const;

/** The server's amount, and only while it is that of the lines on screen. */
const shownAtom = atom((get) => ({ count: get(cartCountAtom), cart: get(isCartWaitingAtom) ? null : get(cartAtom) }));

function Cart() {
  // What was tapped is on the screen before its sum is.
  const { count, cart } = useDeferredValue(useAtomValue(shownAtom));
  return (
    <a href={href('/cart')} className={css.cart} data-full={count > 0 || undefined}>
      <span className={css.bag}><BagIcon size={22} />{count > 0 && <b aria-hidden>{count}</b>}</span>
      <span className={css.sum}>
        Cart
        {count > 0 && <span className="visually-hidden">, {count} {count === 1 ? 'item' : 'items'}</span>}
        {count > 0 && (cart ? <b><Price amount={cart.displayNetPrice} /></b> : <b aria-hidden>···</b>)}
      </span>
    </a>
  );
}

/** The main places of the app: under the thumb on a phone, at the top of a wide page. */
export function Dock({ current }: { current?: string }) {
  return (
    <nav className={css.dock} aria-label="Main" data-dock>
      {PLACES.map(([path, label, Symbol]) => (
        <a key={path} href={href(path)} aria-current={path === current ? 'page' : undefined}><Symbol size={22} />{label}</a>
      ))}
      <Cart />
    </nav>
  );
}
