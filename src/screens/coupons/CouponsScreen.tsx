import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useContext, useState } from 'react';
import type { JudgedOffer } from '../../contract/coupons.ts';
import { ADD_ITEMS, cartValue, COUPONS_TITLE, GO_TO_CART, GO_TO_HOME, SECTION_BROKEN } from '../../domain/messages.ts';
import { formatMoney } from '../../domain/money.ts';
import { isOutOfReach } from '../../domain/offers.ts';
import { cartAtom, cartCountAtom } from '../../state/cart.ts';
import { combinedState, isOfferAvailableAtom, milestonesState } from '../../state/coupons.ts';
import { sentenceOf } from '../../state/popup.ts';
import { placeAtom } from '../../state/seams.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/Page.tsx';
import { CurrencyContext } from '../../ui/Price.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { BestOffer } from './BestOffer.tsx';
import { CodeBox } from './CodeBox.tsx';
import { OfferCard } from './OfferCard.tsx';
import { Rewards } from './Rewards.tsx';
import css from './CouponsScreen.module.css';

export const enter = atom(null, async (get, set) => {
  const isAfterOrder = get(placeAtom).startsWith('/postorder-ui/');
  await set(combinedState.load);
  if (isAfterOrder) await set(milestonesState.load);
});

/** So many of a group are in view; a page of forty coupons is one nobody reads. */
const IN_VIEW = 3;

/** The offers of one group, the best or the nearest first, the others a tap away. */
function Group({ title, offers, isFromCart }: { title: string; offers: readonly JudgedOffer[]; isFromCart: boolean }) {
  const [isWhole, setWhole] = useState(false);
  // What is on the cart is the customer's own: all of it.
  const most = isWhole || offers.some((offer) => offer.status === 'APPLIED') || offers.length <= IN_VIEW + 1 ? offers.length : IN_VIEW;
  return (
    <section className={css.group}>
      <h2>{title}</h2>
      {offers.slice(0, most).map((offer) => <OfferCard key={offer.code} offer={offer} from="offers" isFromCart={isFromCart} />)}
      {most < offers.length && <Button kind="quiet" small onClick={() => setWhole(true)}>Show {offers.length - most} more<span className="visually-hidden">: {title.toLowerCase()}</span></Button>}
    </section>
  );
}

/** Coupons page of the specification, section 2. */
export default function CouponsScreen() {
  const cart = useAtomValue(cartAtom);
  const count = useAtomValue(cartCountAtom);
  const { status, data, failure } = useAtomValue(combinedState.atom);
  const isAvailable = useAtomValue(isOfferAvailableAtom);
  const load = useSetAtom(combinedState.load);
  const currency = useContext(CurrencyContext);
  const place = useAtomValue(placeAtom);
  const isFromCart = new URLSearchParams(place.split('?')[1]).get('from') === 'cart';
  const groups = data?.combinedOffers?.coupons.filter((group) => group.list.some((offer) => !isOutOfReach(offer))) ?? [];
  const gone = data?.combinedOffers?.coupons.flatMap((group) => group.list.filter(isOutOfReach)) ?? [];
  const isFirstLoad = data === null && status !== 'failed';
  const isBroken = status === 'failed' || data?.status === 'FAILED';
  return (
    <>
      <AppBar
        title={COUPONS_TITLE}
        subtitle={cart && currency && count > 0 ? cartValue(formatMoney(cart.displayNetPrice, currency)) : undefined}
        back={{ label: isFromCart ? 'Back to the cart' : 'Back', href: href(isFromCart ? '/cart' : '/') }}
      />
      <Page busy={isFirstLoad}>
        {place.startsWith('/postorder-ui/') && <Rewards />}
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
          <Group key={group.title} title={group.title} offers={group.list.filter((offer) => !isOutOfReach(offer))} isFromCart={isFromCart} />
        ))}
        {gone.length > 0 && (
          <details className={css.gone}>
            <summary>{gone.length} more that cannot be used now</summary>
            <ul>{gone.map((offer) => <li key={offer.code}><b>{offer.title}</b> <code>{offer.code}</code><small>{offer.reason?.message}</small></li>)}</ul>
          </details>
        )}
      </Page>
      <BottomBar
        label="Go on"
        action={count > 0 ? <Button full href={href('/cart')}>{GO_TO_CART}</Button> : <Button full href={href('/')}>{GO_TO_HOME}</Button>}
      >
        <Button kind="quiet" href={href('/menu')}>{ADD_ITEMS}</Button>
      </BottomBar>
    </>
  );
}
