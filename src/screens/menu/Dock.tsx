import { useAtomValue } from 'jotai';
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
function Cart() {
  const count = useAtomValue(cartCountAtom);
  const cart = useAtomValue(cartAtom);
  const isWaiting = useAtomValue(isCartWaitingAtom);
  return (
    <a href={href('/cart')} className={css.cart} data-full={count > 0 || undefined}>
      <span className={css.bag}><BagIcon size={22} />{count > 0 && <b aria-hidden>{count}</b>}</span>
      <span className={css.sum}>
        Cart
        {count > 0 && <span className="visually-hidden">, {count} {count === 1 ? 'item' : 'items'}</span>}
        {count > 0 && (isWaiting || !cart ? <b aria-hidden>···</b> : <b><Price amount={cart.displayNetPrice} /></b>)}
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
