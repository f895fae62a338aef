import { loadChunk } from '../../bridge/scripts.ts';
import { syncCartAtom } from '../../state/cart/cart.ts';
import { sideCartAtom } from '../../state/first/cart.ts';
import { afterPaint } from '../../ui/time/afterPaint.ts';
import { watchersAtom, type Store } from '../first/watchers.tsx';

const CART_RETRY_MS = 5_000;

/** Sends changes of the cart after the tap is on the screen; what could not be sent is tried again. */
export function sendCart(store: Store): () => void {
  const send = () => {
    void store.set(syncCartAtom);
  };
  const forget = afterPaint(send);
  const again = setInterval(send, CART_RETRY_MS);
  return () => {
    forget();
    clearInterval(again);
  };
}

/** Home greets somebody who has ordered before with what they had. */
export function showUsual(store: Store): void {
  loadChunk(() => import('../usual.ts')).then(
    ({ usualWatchers }) => store.set(watchersAtom, usualWatchers),
    () => undefined,
  );
}

/** Where the page is wide enough for it, the cart stands beside the menu; its place is the stylesheet's. */
export function showCart(store: Store): () => void {
  const room = matchMedia('(min-width: 1024px)');
  const show = () => {
    if (room.matches)
      loadChunk(() => import('../../screens/cart/SideCart.tsx')).then(
        ({ SideCart }) => store.set(sideCartAtom, { Cart: SideCart }),
        () => undefined,
      );
  };
  show();
  room.addEventListener('change', show);
  return () => room.removeEventListener('change', show);
}
