import * as t from '#text/cart.ts';
import { atom, useAtomValue } from 'jotai';
import { isFailure } from '../../api/failure.ts';
import { isSharedAtom, renewCartAtom } from '../../state/cart/cart.ts';
import { cartAtom, cartCountAtom, cartLinesAtom, isCartWaitingAtom } from '../../state/first/cart.ts';
import { clockAtom } from '../../state/first/clock.ts';
import { renewOffersAtom } from '../../state/offers/coupons.ts';
import { showFailureAtom } from '../../state/base/popup.ts';
import { openSharedCartAtom } from '../../state/group/sharedCart.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { seatAtom } from '../../state/first/group.ts';
import { renewTrainAtom } from '../../state/trains/onTrain.ts';
import { slotsState } from '../../state/drafts/timeSlots.ts';
import { isSlowAtom } from '../../state/base/network.ts';
import { upsellState } from '../../state/cart/upsell.ts';
import { loyaltyState } from '../../state/offers/loyalty.ts';
import { wheelState } from '../../state/offers/wheel.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { part } from '../../ui/time/loaded.tsx';
import type { ScreenInput } from '../base/entered.ts';
import { CartLine } from './CartLine.tsx';
import { Changes } from './changes/Changes.tsx';
import { ShareCart } from './ShareCart.tsx';
import { Hints } from './Hints.tsx';
import { NextButton } from './NextButton.tsx';
import { CartPlace } from './CartPlace.tsx';
import { Together } from './Together.tsx';
import { Older, Received } from './changes/Undecided.tsx';
import { Coupons } from './Coupons.tsx';
import { Extras } from './Extras.tsx';
import { Bill } from './Bill.tsx';
import { EmptyCart } from './EmptyCart.tsx';
import { Wheel } from '../wheel/Wheel.tsx';
import css from './CartScreen.module.css';

export const enter = atom(null, async (get, set, { query }: ScreenInput) => {
  set(openSharedCartAtom, query.get('dishes'));
  const seat = get(seatAtom);
  if (seat) return get(navigateAtom).go(`/group/${seat.code}`, { replace: true });
  await set(renewTrainAtom);
  try {
    await set(renewCartAtom);
  } catch (thrown) {
    // The kept cart stands meanwhile, the offline strip says so, and it is asked again when the network is back.
    if (get(cartAtom) === null || !isFailure(thrown) || thrown.kind !== 'offline') set(showFailureAtom, thrown);
  }
  if (get(cartCountAtom) === 0) return;
  await Promise.all([
    get(isSlowAtom) ? null : set(upsellState.renew),
    set(renewOffersAtom),
    set(wheelState.renew),
    set(loyaltyState.load),
    set(slotsState.renew),
  ]);
});

// Not on a slow line: suggestions are mostly pictures.
const Upsell = part(
  () => import('./Upsell.tsx'),
  () => <Skeleton height="19rem" />,
);

/** How much, and how soon. */
function Soon({ count }: { count: number }) {
  const clock = useAtomValue(clockAtom);
  const items = t.items({ count });
  if (!clock) return <span>{items}</span>;
  const { label, time, isUrgent } = clock;
  return <span>{(isUrgent && label !== '' ? t.itemsUrgent : t.itemsSoon)({ items, label, time })}</span>;
}

function Next() {
  const cart = useAtomValue(cartAtom);
  const isWaiting = useAtomValue(isCartWaitingAtom);
  return (
    <BottomBar label={t.next} action={<NextButton />}>
      {cart && !isWaiting ? (
        <b className={css.total}>
          <Price amount={cart.bill.total} />
        </b>
      ) : (
        <span className={css.total}>…</span>
      )}
      <small>
        {cart && cart.bill.savings > 0
          ? rich(t.savings, { amount: <Price amount={cart.bill.savings} /> })
          : t.allIncluded}
      </small>
    </BottomBar>
  );
}

/** The cart with its whole bill; no login is needed to see it. */
export default function CartScreen() {
  const lines = useAtomValue(cartLinesAtom);
  const count = useAtomValue(cartCountAtom);
  // A group order has a link of its own.
  const isGroup = useAtomValue(isSharedAtom);
  const isSlow = useAtomValue(isSlowAtom);
  if (lines.length === 0) return <EmptyCart />;
  return (
    <>
      <AppBar title={t.title} subtitle={<Soon count={count} />} back={{ label: t.backToMenu, href: href('/menu') }}>
        {!isGroup && <ShareCart />}
      </AppBar>
      <Page columns="aside">
        <Column>
          <CartPlace />
          <Received />
          <Changes />
          <Older />
          <div data-printed>
            <Card>
              <ul className={css.lines}>
                {lines.map((line) => (
                  <CartLine key={line.lineId} line={line} />
                ))}
              </ul>
              <a className={css.more} href={href('/menu')}>
                {t.addMore}
              </a>
            </Card>
          </div>
          <Hints />
        </Column>
        {/* What it costs is known at once; what comes later stands below it, and moves nothing. */}
        <Column>
          <Bill />
          <Coupons />
        </Column>
        <Column>
          <Extras />
          {!isSlow && <Upsell />}
          <Together />
          <Wheel />
        </Column>
      </Page>
      <Next />
    </>
  );
}
