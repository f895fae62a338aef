import * as t from '#text/cart.ts';
import * as orderText from '#text/order.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { use } from 'react';
import { isFailure } from '../../api/failure.ts';
import type { Cart } from '../../contract/cart.ts';
import { REWARD_CODE } from '../../domain/loyalty.ts';
import { formatMoney } from '../../domain/money.ts';
import { firstSize } from '../../domain/sizes.ts';
import { isSharedAtom, loadCartAtom, putLineAtom } from '../../state/cart.ts';
import {
  cartAtom,
  cartCountAtom,
  cartLinesAtom,
  isCartWaitingAtom,
  pendingOptionsAtom,
} from '../../state/first/cart.ts';
import { setCartOptionsAtom } from '../../state/cart.ts';
import { clockAtom } from '../../state/first/clock.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { fitsAtom, madeAtom } from '../../state/first/filters.ts';
import { combinedState, confettiAtom } from '../../state/coupons.ts';
import { deliveryPlaceAtom, deliveryTypeAtom, chosenStoreAtom } from '../../state/first/location.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { showFailureAtom } from '../../state/popup.ts';
import { openSharedCartAtom } from '../../state/sharedCart.ts';
import { countryAtom } from '../../state/country.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { seatAtom } from '../../state/first/group.ts';
import { allergensTextAtom } from '../../state/first/menu.ts';
import { onTrainAtom } from '../../state/onTrain.ts';
import { dropLeftTrainAtom, renewTripOrderAtom } from '../../state/trainOrders.ts';
import { slotsState } from '../../state/timeSlots.ts';
import { isSlowAtom } from '../../state/network.ts';
import { tableAtom } from '../../state/table.ts';
import { upsellItemsAtom, upsellState } from '../../state/upsell.ts';
import { loyaltyState } from '../../state/loyalty.ts';
import { wheelState } from '../../state/wheel.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BillLines } from '../../ui/BillLines.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Celebration } from '../../ui/Celebration.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { OfferIcon } from '../../ui/icons/OfferIcon.tsx';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { UserIcon } from '../../ui/icons/UserIcon.tsx';
import { ItemPicture } from '../../ui/ItemPicture.tsx';
import { ListRow } from '../../ui/ListRow.tsx';
import { Column, Page } from '../../ui/Page.tsx';
import { CurrencyContext, Price } from '../../ui/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { BestOffer } from '../coupons/BestOffer.tsx';
import type { Entered } from '../entered.ts';
import { factsOf } from '../first/ItemCard.tsx';
import { useIsWaiting } from '../isWaiting.ts';
import { laterAt } from '../location/laterAt.ts';
import { CodeBox } from '../coupons/CodeBox.tsx';
import { OfferCard } from '../coupons/OfferCard.tsx';
import { CartTrain } from '../trains/CartTrain.tsx';
import { CartLine } from './CartLine.tsx';
import { Changes } from './Changes.tsx';
import { Reward } from './Reward.tsx';
import { ShareCart, SharedDishes } from './SharedCart.tsx';
import { Hints } from './Hints.tsx';
import { NextButton } from './NextButton.tsx';
import { Older } from './Older.tsx';
import { TotalSaid } from './TotalSaid.tsx';
import { Wheel } from './Wheel.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import css from './CartScreen.module.css';

export const enter = atom(null, async (get, set, { query }: Entered) => {
  set(openSharedCartAtom, query.get('dishes'));
  const seat = get(seatAtom);
  if (seat) return get(navigateAtom).go(`/group/${seat.code}`, { replace: true });
  if (TRAINS) {
    await set(dropLeftTrainAtom);
    void set(renewTripOrderAtom);
  }
  try {
    await set(loadCartAtom);
  } catch (thrown) {
    // The kept cart stands meanwhile, the offline strip says so, and it is asked again when the network is back.
    if (get(cartAtom) === null || !isFailure(thrown) || thrown.kind !== 'offline') set(showFailureAtom, thrown);
  }
  if (get(cartCountAtom) === 0) return;
  // Suggestions are mostly pictures, so a slow network does without them.
  await Promise.all([
    get(isSlowAtom) ? null : set(upsellState.load),
    set(combinedState.load),
    set(wheelState.load),
    set(loyaltyState.load),
    set(slotsState.load),
  ]);
});

function Where() {
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const now = useAtomValue(slotsState.atom).data?.store;
  const to = type === 'DELIVERY' ? place?.text : store?.name;
  const table = useAtomValue(tableAtom).trim();
  const from = type === 'DELIVERY' && store ? t.fromStore({ store: store.name }) : store?.hoursText;
  const trip = useAtomValue(onTrainAtom);
  if (TRAINS && trip) return <CartTrain trip={trip} />;
  const isKnown = now !== undefined && now.id === store?.id;
  const later = isKnown ? laterAt(now, type) : null;
  return (
    <Card flush>
      <ListRow
        icon={<PinIcon />}
        title={to ? t.whereTo({ type, place: to }) : t.whereMissing}
        detail={
          <>
            {type === 'DINEIN' && table && <b className={css.table}>{orderText.placeTable({ table })}</b>}
            {isKnown && !now.isOpen ? <b className={css.shut}>{t.closedNow({ hours: now.hoursText })}</b> : from}
            {later !== null && <b className={css.shut}> {later}</b>}
          </>
        }
        href={href('/postorder-ui/searchAddress?from=cart')}
        end={<span className={css.change}>{to ? t.change : t.choose}</span>}
      />
    </Card>
  );
}

/** How much, and how soon. */
function Soon({ count }: { count: number }) {
  const clock = useAtomValue(clockAtom);
  const items = t.items({ count });
  if (!clock) return <span>{items}</span>;
  const { label, time, isUrgent } = clock;
  return <span>{(isUrgent && label !== '' ? t.itemsUrgent : t.itemsSoon)({ items, label, time })}</span>;
}

/** The link to ordering with others. */
function Together() {
  const group = useAtomValue(cartAtom)?.group;
  const isOpen = useAtomValue(isOpenAtom);
  const isOnTrain = useAtomValue(onTrainAtom) !== null;
  if (!isOpen('groupOrder') || (isOnTrain && !group)) return null;
  return (
    <Card flush>
      <ListRow
        icon={<UserIcon />}
        title={group ? t.groupOwn : t.groupStart}
        detail={group ? (group.state === 'OPEN' ? t.groupOpen : t.groupClosed) : t.groupHow}
        href={href(group ? `/group/${group.code}` : '/group')}
      />
    </Card>
  );
}

function Upsell() {
  const fits = useAtomValue(fitsAtom);
  const made = useAtomValue(madeAtom);
  const items = useAtomValue(upsellItemsAtom).filter((item) => fits(item) && made(item) !== null);
  const allergensText = useAtomValue(allergensTextAtom);
  const add = useSetAtom(putLineAtom);
  const isWaiting = useIsWaiting(upsellState.atom);
  const isSlow = useAtomValue(isSlowAtom);
  if (isWaiting && !isSlow) return <Skeleton height="19rem" />;
  if (items.length === 0) return null;
  return (
    <section className={css.upsell} aria-labelledby="goes-with">
      <h2 id="goes-with">{t.upsellTitle}</h2>
      <ul>
        {items.slice(0, 8).map((item) => {
          const price = item.prices[firstSize(item)];
          return (
            <li key={item.id}>
              <div className={css.thumb}>
                <ItemPicture item={item} />
              </div>
              <p className={css.dish}>
                <FoodMark type={item.foodType} /> {item.name}
              </p>
              {factsOf(item, firstSize(item), allergensText(item.allergens))}
              {price !== undefined && <Price amount={price} />}
              <Button
                kind="secondary"
                small
                aria-label={t.upsellAddItem({ name: item.name })}
                onClick={() =>
                  add({
                    productId: item.id,
                    quantity: 1,
                    ...(item.prices.ONE === undefined ? { size: firstSize(item) } : {}),
                    ...made(item),
                  })
                }
              >
                {t.upsellAdd}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Coupons() {
  const offers = useAtomValue(cartAtom)?.offers ?? [];
  const isOpen = useAtomValue(isOpenAtom);
  const [party, setParty] = useAtom(confettiAtom);
  const isBestWaiting = useIsWaiting(combinedState.atom);
  const isWheelWaiting = useIsWaiting(wheelState.atom);
  return (
    <Card
      title={
        <span className={css.withIcon}>
          <OfferIcon /> {t.offersTitle}
        </span>
      }
      end={
        isOpen('offers') ? (
          <a className={css.change} href={href('/offers?from=cart')}>
            {t.offersAll}
          </a>
        ) : undefined
      }
    >
      {party && <Celebration message={party.message} second={party.subMessage} onDone={() => setParty(null)} />}
      <div className={css.offers}>
        <Reward />
        {isBestWaiting ? <Skeleton height="4.25rem" /> : <BestOffer />}
        {offers
          .filter((offer) => offer.status !== 'AVAILABLE' && offer.code !== REWARD_CODE)
          .map((offer) => (
            <OfferCard key={offer.code} offer={offer} from="cart" isFromCart />
          ))}
        <CodeBox from="cart" isFromCart />
        {isWheelWaiting ? <Skeleton height="4.25rem" /> : <Wheel />}
      </div>
    </Card>
  );
}

function Extras() {
  const cart = useAtomValue(cartAtom);
  const setOptions = useSetAtom(setCartOptionsAtom);
  const pending = useAtomValue(pendingOptionsAtom);
  const bag = useAtomValue(countryAtom).fees.carryBag;
  if (!cart) return null;
  // A tick shows at once, also without a network; its price comes with the next bill.
  const { carryBag = cart.options.carryBag, cutlery = cart.options.cutlery, tip = cart.options.tip } = pending ?? {};
  return (
    <Card title={t.extrasTitle}>
      {cart.deliveryType !== 'DINEIN' && (
        <CheckBox
          label={t.carryBag}
          detail={t.carryBagDetail}
          end={<Price amount={bag} zero={t.free} />}
          checked={carryBag}
          onChange={(isOn) => setOptions({ carryBag: isOn })}
        />
      )}
      <CheckBox
        label={t.cutlery}
        detail={t.cutleryDetail}
        checked={cutlery}
        onChange={(isOn) => setOptions({ cutlery: isOn })}
      />
      {cart.deliveryType === 'DELIVERY' && cart.tipChoices.length > 0 && (
        <Tip choices={cart.tipChoices} chosen={tip} onChoose={(amount) => setOptions({ tip: amount })} />
      )}
    </Card>
  );
}

function Tip({
  choices,
  chosen,
  onChoose,
}: {
  choices: Cart['tipChoices'];
  chosen: number;
  onChoose: (tip: number) => void;
}) {
  const currency = use(CurrencyContext);
  return (
    <div className={css.tip}>
      <p>{t.tipAsk}</p>
      <Chips
        label={t.tip}
        chips={choices.map((amount) => ({ id: String(amount), text: currency ? formatMoney(amount, currency) : '' }))}
        pressed={[String(chosen)]}
        onToggle={(id) => onChoose(Number(id) === chosen ? 0 : Number(id))}
      />
    </div>
  );
}

function EmptyCart() {
  return (
    <>
      <AppBar title={t.title} back={{ label: t.backToMenu, href: href('/menu') }} />
      <EmptyState
        picture={<EmptyPicture />}
        title={t.emptyTitle}
        action={<Button href={href('/menu')}>{t.seeMenu}</Button>}
      >
        {t.emptyText}
      </EmptyState>
      <Page>
        <SharedDishes />
        <Older />
        <Together />
      </Page>
    </>
  );
}

function Bill() {
  const cart = useAtomValue(cartAtom);
  const isWaiting = useAtomValue(isCartWaitingAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  return (
    <div data-printed>
      <Card title={t.billTitle} end={cart?.hasComboSaving ? <Tag tone="lime">{t.comboSaving}</Tag> : undefined}>
        <div className={css.bill} data-old={isWaiting} aria-busy={isWaiting}>
          {cart && (
            <BillLines
              bill={cart.bill}
              totalLabel={t.billTotal}
              savingsText={(amount) => rich(t.billSavings, { amount })}
            />
          )}
        </div>
        <TotalSaid />
        {isWaiting && (
          <p className={css.waiting} role={isOffline ? 'status' : undefined}>
            {isOffline ? t.billOffline : t.billWaiting}
          </p>
        )}
      </Card>
    </div>
  );
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
  if (lines.length === 0) return <EmptyCart />;
  return (
    <>
      <AppBar title={t.title} subtitle={<Soon count={count} />} back={{ label: t.backToMenu, href: href('/menu') }}>
        {!isGroup && <ShareCart />}
      </AppBar>
      <Page columns="first">
        <Column>
          <Where />
          <SharedDishes />
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
          <Together />
          <Hints />
          <Upsell />
        </Column>
        <Column>
          <Coupons />
          <Extras />
          <Bill />
        </Column>
      </Page>
      <Next />
    </>
  );
}
