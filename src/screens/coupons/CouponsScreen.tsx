import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useContext } from 'react';
import { ADD_ITEMS, cartValue, COUPONS_TITLE, GO_TO_CART, GO_TO_HOME, SECTION_BROKEN } from '../../domain/messages.ts';
import { formatMoney } from '../../domain/money.ts';
import { cartAtom, cartCountAtom } from '../../state/cart.ts';
import { combinedState, isOfferAvailableAtom } from '../../state/coupons.ts';
import { sentenceOf } from '../../state/popup.ts';
import { placeAtom } from '../../state/seams.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { CurrencyContext } from '../../ui/Price.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { BestOffer } from './BestOffer.tsx';
import { CodeBox } from './CodeBox.tsx';
import { OfferCard } from './OfferCard.tsx';
import css from './CouponsScreen.module.css';

export const enter = atom(null, (_get, set) => { void set(combinedState.load); });

/** Coupons page of the specification, section 2. */
export default function CouponsScreen() {
  const cart = useAtomValue(cartAtom);
  const count = useAtomValue(cartCountAtom);
  const { status, data, failure } = useAtomValue(combinedState.atom);
  const isAvailable = useAtomValue(isOfferAvailableAtom);
  const load = useSetAtom(combinedState.load);
  const currency = useContext(CurrencyContext);
  const isFromCart = new URLSearchParams(useAtomValue(placeAtom).split('?')[1]).get('from') === 'cart';
  const groups = data?.combinedOffers?.coupons.filter((group) => group.list.length > 0) ?? [];
  const isFirstLoad = data === null && status !== 'failed';
  const isBroken = status === 'failed' || data?.status === 'FAILED';
  return (
    <>
      <AppBar
        title={COUPONS_TITLE}
        subtitle={cart && currency && count > 0 ? cartValue(formatMoney(cart.displayNetPrice, currency)) : undefined}
        back={{ label: isFromCart ? 'Back to the cart' : 'Back', href: href(isFromCart ? '/cart' : '/') }}
      />
      <div className={css.page} aria-busy={isFirstLoad}>
        <CodeBox from="offers" isFromCart={isFromCart} />
        {isFirstLoad && [1, 2, 3].map((one) => <Skeleton key={one} height="9rem" />)}
        {data?.status === 'WAIT' && <p className={css.note} role="status">We are still looking for your offers. <Button kind="quiet" small onClick={() => void load()}>Look again</Button></p>}
        {isBroken && (
          <EmptyState
            picture={<EmptyPicture />}
            title={SECTION_BROKEN}
            action={<Button kind="secondary" busy={status === 'loading'} onClick={() => void load()}>Try again</Button>}
          >
            {failure ? sentenceOf(failure) : data?.errors?.[0]?.displayMsg}
          </EmptyState>
        )}
        {!isFirstLoad && !isBroken && !isAvailable && data?.status === 'SUCCESS' && (
          <EmptyState picture={<EmptyPicture />} title="No offers right now" action={<Button href={href('/menu')}>{ADD_ITEMS}</Button>}>
            Add something to your cart, and we look for offers that fit it.
          </EmptyState>
        )}
        <BestOffer />
        {groups.map((group) => (
          <section key={group.title} className={css.group}>
            <h2>{group.title}</h2>
            {group.list.map((offer) => <OfferCard key={offer.code} offer={offer} from="offers" isFromCart={isFromCart} />)}
          </section>
        ))}
      </div>
      <BottomBar
        label="Go on"
        action={count > 0 ? <Button full href={href('/cart')}>{GO_TO_CART}</Button> : <Button full href={href('/')}>{GO_TO_HOME}</Button>}
      >
        <Button kind="quiet" href={href('/menu')}>{ADD_ITEMS}</Button>
      </BottomBar>
    </>
  );
}
