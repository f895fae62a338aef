import * as errors from '#text/errors.ts';
import * as firstText from '#text/first.ts';
import * as t from '#text/offers.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useContext, useState } from 'react';
import type { JudgedOffer } from '../../contract/coupons.ts';
import { formatMoney } from '../../domain/money.ts';
import { isOfferAvailable, isOutOfReach } from '../../domain/offers.ts';
import { cartAtom, cartCountAtom } from '../../state/first/cart.ts';
import { combinedState, isStoreShownAtom, milestonesState } from '../../state/offers/coupons.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { pathAtom } from '../../state/first/seams.ts';
import { storeOffersState } from '../../state/offers/storeOffers.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/page/Page.tsx';
import { CurrencyContext } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { useIsWaiting } from '../base/isWaiting.ts';
import { BestOffer } from './BestOffer.tsx';
import { CodeBox } from './CodeBox.tsx';
import { OfferCard } from './OfferCard.tsx';
import Remedies from './Remedies.tsx';
import { Rewards } from './Rewards.tsx';
import css from './CouponsScreen.module.css';

export const enter = atom(null, async (get, set) => {
  const isAfterOrder = get(pathAtom).startsWith('/postorder-ui/');
  // Which rewards the customer is on the way to stands among the offers for their own cart, empty or not.
  if (get(cartCountAtom) === 0 && !isAfterOrder) return await set(storeOffersState.load);
  set(isStoreShownAtom, false);
  await set(combinedState.load);
  if (isAfterOrder) await set(milestonesState.load);
});

/** Offers of the page: those for the cart, or, while it is empty, those that run at the store. */
const listAtom = atom((get) => {
  if (get(isStoreShownAtom)) {
    const { data, ...rest } = get(storeOffersState.atom);
    const groups = data ? [{ title: t.runningNow, list: data.offers }] : [];
    return { ...rest, word: data && data.status, said: undefined, groups };
  }
  const { data, ...rest } = get(combinedState.atom);
  const groups = data?.combinedOffers?.coupons ?? [];
  return { ...rest, word: data && data.status, said: data?.errors?.[0]?.displayMsg, groups };
});

/** Offers of a group shown at first: nobody reads a page of forty coupons. */
const IN_VIEW = 3;

/** The offers of one group: the best or the nearest first, the others after a tap. */
function Group({ title, offers, isFromCart }: { title: string; offers: readonly JudgedOffer[]; isFromCart: boolean }) {
  const [isWhole, setWhole] = useState(false);
  // The group with the offers on the cart is always shown whole.
  const most =
    isWhole || offers.some((offer) => offer.status === 'APPLIED') || offers.length <= IN_VIEW + 1
      ? offers.length
      : IN_VIEW;
  return (
    <section className={css.group}>
      <h2>{title}</h2>
      {offers.slice(0, most).map((offer) => (
        <OfferCard key={offer.code} offer={offer} from="offers" isFromCart={isFromCart} Remedies={Remedies} />
      ))}
      {most < offers.length && (
        <Button kind="quiet" small onClick={() => setWhole(true)}>
          {rich(t.showMore, {
            count: offers.length - most,
            group: title.toLowerCase(),
            hidden: <span className="visually-hidden" />,
          })}
        </Button>
      )}
    </section>
  );
}

/** Shown in place of the list while it loads, when it did not load, and when it is empty. */
function ListState() {
  const { status, word, failure, said, groups } = useAtomValue(listAtom);
  const load = useSetAtom(enter);
  const isBroken = status === 'failed' || word === 'FAILED';
  if (word === null && !isBroken) return [1, 2, 3].map((one) => <Skeleton key={one} height="9rem" />);
  return (
    <>
      {word === 'WAIT' && (
        <p className={css.note} role="status">
          {t.waiting}{' '}
          <Button kind="quiet" small onClick={() => void load()}>
            {t.lookAgain}
          </Button>
        </p>
      )}
      {isBroken && (
        <EmptyState
          picture={<EmptyPicture />}
          title={t.sectionBroken}
          action={
            <Button kind="secondary" busy={status === 'loading'} onClick={() => void load()}>
              {firstText.tryAgain}
            </Button>
          }
        >
          {failure ? sentenceOf(failure) : said}
        </EmptyState>
      )}
      {!isBroken && !isOfferAvailable({ coupons: groups }) && word === 'SUCCESS' && (
        <EmptyState
          picture={<EmptyPicture />}
          title={t.emptyTitle}
          action={<Button href={href('/menu')}>{errors.addItems}</Button>}
        >
          {t.emptyText}
        </EmptyState>
      )}
    </>
  );
}

function Gone({ offers }: { offers: readonly JudgedOffer[] }) {
  return (
    <details className={css.gone}>
      <summary>{t.outOfReach({ count: offers.length })}</summary>
      <ul>
        {offers.map((offer) => (
          <li key={offer.code}>
            <b>{offer.title}</b> <code translate="no">{offer.code}</code>
            <small>{offer.reason?.message}</small>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Title({ isFromCart }: { isFromCart: boolean }) {
  const cart = useAtomValue(cartAtom);
  const count = useAtomValue(cartCountAtom);
  const currency = useContext(CurrencyContext);
  return (
    <AppBar
      title={t.couponsTitle}
      subtitle={
        cart && currency && count > 0 ? t.cartValue({ amount: formatMoney(cart.displayNetPrice, currency) }) : undefined
      }
      back={{ label: isFromCart ? t.backToCart : t.back, href: href(isFromCart ? '/cart' : '/') }}
    />
  );
}

/** Coupons page of the specification, section 2. */
export default function CouponsScreen() {
  useCustomerChange(enter);
  const count = useAtomValue(cartCountAtom);
  const { status, word, groups: coupons } = useAtomValue(listAtom);
  const place = useAtomValue(pathAtom);
  const isAfterOrder = place.startsWith('/postorder-ui/');
  const isWaiting = useIsWaiting(milestonesState.atom) && isAfterOrder;
  const isFromCart = new URLSearchParams(place.split('?')[1]).get('from') === 'cart';
  const groups = coupons.filter((group) => group.list.some((offer) => !isOutOfReach(offer)));
  const gone = coupons.flatMap((group) => group.list.filter(isOutOfReach));
  return (
    <>
      <Title isFromCart={isFromCart} />
      <Page busy={word === null && status !== 'failed'}>
        {isAfterOrder && <Rewards />}
        {isWaiting ? (
          <Skeleton height="4.25rem" />
        ) : (
          <>
            <CodeBox from="offers" isFromCart={isFromCart} />
            <ListState />
            <BestOffer />
            {groups.map((group) => (
              <Group
                key={group.title}
                title={group.title}
                offers={group.list.filter((offer) => !isOutOfReach(offer))}
                isFromCart={isFromCart}
              />
            ))}
            {gone.length > 0 && <Gone offers={gone} />}
          </>
        )}
      </Page>
      <BottomBar
        label={t.next}
        action={
          <Button full href={href(count > 0 ? '/cart' : '/')}>
            {count > 0 ? t.goToCart : t.goToHome}
          </Button>
        }
      >
        <Button kind="quiet" href={href('/menu')}>
          {errors.addItems}
        </Button>
      </BottomBar>
    </>
  );
}
