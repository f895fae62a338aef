import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { use } from 'react';
import type { Cart } from '../../contract/cart.ts';
import { BULK_ORDER } from '../../domain/messages.ts';
import { formatMoney } from '../../domain/money.ts';
import { addLineAtom, cartAtom, cartCountAtom, cartLinesAtom, isBelowMinimumAtom, isCartWaitingAtom, loadCartAtom, pendingOptionsAtom, setCartOptionsAtom } from '../../state/cart.ts';
import { acceptAllAtom, changesAtom } from '../../state/changes.ts';
import { isOpenAtom } from '../../state/config.ts';
import { combinedState, confettiAtom } from '../../state/coupons.ts';
import { deliveryPlaceAtom, deliveryTypeAtom, chosenStoreAtom } from '../../state/location.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { showFailureAtom } from '../../state/popup.ts';
import { navigateAtom } from '../../state/seams.ts';
import { seatAtom } from '../../state/seat.ts';
import { slotsState } from '../../state/slots.ts';
import { isSlowAtom } from '../../state/slow.ts';
import { upsellItemsAtom, upsellState } from '../../state/upsell.ts';
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
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { BestOffer } from '../coupons/BestOffer.tsx';
import { CodeBox } from '../coupons/CodeBox.tsx';
import { OfferCard } from '../coupons/OfferCard.tsx';
import { CartLine } from './CartLine.tsx';
import { Changes } from './Changes.tsx';
import { Wheel } from './Wheel.tsx';
import css from './CartScreen.module.css';

export const enter = atom(null, async (get, set) => {
  const seat = get(seatAtom);
  if (seat) return get(navigateAtom).go(`/group/${seat.code}`, { replace: true });
  try {
    await set(loadCartAtom);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
  if (get(cartCountAtom) === 0) return;
  // What goes with it is mostly pictures: not on a slow network.
  await Promise.all([get(isSlowAtom) ? null : set(upsellState.load), set(combinedState.load), set(wheelState.load), set(slotsState.load)]);
});

const HOW = { DELIVERY: 'Delivery to', PICKUP: 'Takeaway at', CURB: 'Curbside pickup at', DINEIN: 'Dine-in at' } as const;

function Where() {
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const now = useAtomValue(slotsState.atom).data?.store;
  const to = type === 'DELIVERY' ? place?.text : store?.name;
  const from = type === 'DELIVERY' && store ? `From ${store.name}` : store?.hoursText;
  const isShut = now !== undefined && now.id === store?.id && !now.isOpen;
  return (
    <Card flush>
      <ListRow
        icon={<PinIcon />}
        title={to ? `${HOW[type]} ${to}` : 'Choose where you want your food'}
        detail={isShut ? <b className={css.shut}>Closed now. {now.hoursText}: you choose a time when you pay.</b> : from}
        href={href('/postorder-ui/searchAddress?from=cart')}
        end={<span className={css.change}>{to ? 'Change' : 'Choose'}</span>}
      />
    </Card>
  );
}

/** The way to order with others. */
function Together() {
  const group = useAtomValue(cartAtom)?.group;
  if (!useAtomValue(isOpenAtom)('groupOrder')) return null;
  return (
    <Card flush>
      <ListRow
        icon={<UserIcon />}
        title={group ? 'Your group order' : 'Order with others'}
        detail={group ? (group.state === 'OPEN' ? 'Open: your guests may still add dishes' : 'Closed: only you can change it') : 'Send a link: everybody adds their own dishes, you pay, the shares are worked out.'}
        href={href(group ? `/group/${group.code}` : '/group')}
      />
    </Card>
  );
}

function Upsell() {
  const items = useAtomValue(upsellItemsAtom);
  const add = useSetAtom(addLineAtom);
  if (items.length === 0) return null;
  return (
    <section className={css.upsell} aria-labelledby="goes-with">
      <h2 id="goes-with">Goes well with it</h2>
      <ul>
        {items.slice(0, 8).map((item) => {
          const price = item.prices.ONE ?? item.prices.R ?? item.prices.M;
          return (
            <li key={item.id}>
              <div className={css.thumb}><ItemPicture item={item} /></div>
              <p><FoodMark type={item.foodType} /> {item.name}</p>
              {price !== undefined && <Price amount={price} />}
              <Button kind="secondary" small aria-label={`Add ${item.name}`} onClick={() => add({ productId: item.id, quantity: 1, ...(item.prices.ONE === undefined ? { size: 'R' as const } : {}) })}>Add</Button>
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
  return (
    <Card title={<span className={css.withIcon}><OfferIcon /> Offers</span>} end={isOpen('offers') ? <a className={css.change} href={href('/offers?from=cart')}>See all coupons</a> : undefined}>
      {party && (
        <Celebration message={party.message} second={party.subMessage} onDone={() => setParty(null)} />
      )}
      <div className={css.offers}>
        <BestOffer />
        {offers.filter((offer) => offer.status !== 'AVAILABLE').map((offer) => <OfferCard key={offer.code} offer={offer} from="cart" isFromCart />)}
        <CodeBox from="cart" isFromCart />
        <Wheel />
      </div>
    </Card>
  );
}

function Extras() {
  const cart = useAtomValue(cartAtom);
  const setOptions = useSetAtom(setCartOptionsAtom);
  const pending = useAtomValue(pendingOptionsAtom);
  const bag = cart?.bill.lines.find((line) => line.id === 'carryBag');
  if (!cart) return null;
  // What was ticked is ticked at once, also without a network; what it costs comes with the bill.
  const { carryBag = cart.options.carryBag, cutlery = cart.options.cutlery, tip = cart.options.tip } = pending ?? {};
  return (
    <Card title="With your order">
      <CheckBox label="Carry bag" detail="Only if you need one" end={bag && <Price amount={bag.amount} />} checked={carryBag} onChange={(isOn) => setOptions({ carryBag: isOn })} />
      <CheckBox label="Cutlery and napkins" detail="Left out unless you ask for them" checked={cutlery} onChange={(isOn) => setOptions({ cutlery: isOn })} />
      {cart.deliveryType === 'DELIVERY' && cart.tipChoices.length > 0 && <Tip choices={cart.tipChoices} chosen={tip} onChoose={(amount) => setOptions({ tip: amount })} />}
    </Card>
  );
}

function Tip({ choices, chosen, onChoose }: { choices: Cart['tipChoices']; chosen: number; onChoose: (tip: number) => void }) {
  const currency = use(CurrencyContext);
  return (
    <div className={css.tip}>
      <p>A tip for the rider? All of it goes to them.</p>
      <Chips
        label="Tip"
        chips={choices.map((amount) => ({ id: String(amount), text: currency ? formatMoney(amount, currency) : '' }))}
        pressed={[String(chosen)]}
        onToggle={(id) => onChoose(Number(id) === chosen ? 0 : Number(id))}
      />
    </div>
  );
}

function Hints() {
  const cart = useAtomValue(cartAtom);
  if (!cart) return null;
  const { minimum, freeDelivery, promise } = cart;
  return (
    <>
      {minimum.missing > 0 && (
        <ProgressBar value={minimum.required - minimum.missing} max={minimum.required} label="Towards the smallest order">
          Add <Price amount={minimum.missing} /> more to reach the smallest order of <Price amount={minimum.required} />.
        </ProgressBar>
      )}
      {freeDelivery && freeDelivery.from > 0 && (
        <ProgressBar value={freeDelivery.from - freeDelivery.missing} max={freeDelivery.from} label="Towards free delivery">
          {freeDelivery.missing > 0 ? <>Add <Price amount={freeDelivery.missing} /> more for free delivery.</> : <b>Your delivery is free.</b>}
        </ProgressBar>
      )}
      {cart.deliveryType === 'DELIVERY' && (
        <p className={css.promise}>
          {promise.applies ? `${promise.minutes} minutes or it is free.` : promise.reason ?? BULK_ORDER}
        </p>
      )}
    </>
  );
}

/** The cart with its whole bill, before any login. */
export default function CartScreen() {
  const lines = useAtomValue(cartLinesAtom);
  const count = useAtomValue(cartCountAtom);
  const cart = useAtomValue(cartAtom);
  const isWaiting = useAtomValue(isCartWaitingAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const hasChanges = useAtomValue(changesAtom).length > 0;
  const acceptAll = useSetAtom(acceptAllAtom);
  const isPlaced = store !== null && (type !== 'DELIVERY' || place !== null);
  const hasAddress = type !== 'DELIVERY' || Boolean(place?.address?.houseNo);
  const next = !isPlaced ? '/postorder-ui/searchAddress?from=cart' : hasAddress ? '/payment' : '/address?from=cart';
  const isBelow = useAtomValue(isBelowMinimumAtom);
  const isBlocked = isBelow || lines.some((line) => line.problem !== null);
  if (lines.length === 0) {
    return (
      <>
        <AppBar title="Your cart" back={{ label: 'Back to the menu', href: href('/menu') }} />
        <EmptyState picture={<EmptyPicture />} title="Your cart is empty" action={<Button href={href('/menu')}>See the menu</Button>}>
          Something hot from the oven is a few taps away.
        </EmptyState>
        <Page><Together /></Page>
      </>
    );
  }
  return (
    <>
      <AppBar title="Your cart" subtitle={`${count} ${count === 1 ? 'item' : 'items'}`} back={{ label: 'Back to the menu', href: href('/menu') }} />
      <Page columns="first">
        <Column>
          <Where />
          <Changes />
          <Card>
            <ul className={css.lines}>{lines.map((line) => <CartLine key={line.lineId} line={line} />)}</ul>
            <a className={css.more} href={href('/menu')}>Add more items</a>
          </Card>
          <Together />
          <Hints />
          <Upsell />
        </Column>
        <Column>
          <Coupons />
          <Extras />
          <Card title="Bill">
            <div className={css.bill} data-old={isWaiting} aria-busy={isWaiting}>
              {cart && <BillLines bill={cart.bill} totalLabel="To pay" savingsText={(amount) => <>You save {amount} on this order.</>} />}
            </div>
            {isWaiting && <p className={css.waiting} role="status">{isOffline ? 'Prices follow when you are online again.' : 'Working out the new total…'}</p>}
          </Card>
        </Column>
      </Page>
      <BottomBar
        label="Go on to payment"
        action={hasChanges ? <Button full onClick={() => acceptAll()}>Accept the changes</Button> : isBlocked
          ? <Button full href={href('/menu')}>{isBelow ? 'Add more items' : 'Fix your cart first'}</Button>
          : <Button full href={href(next)}>{isPlaced ? (hasAddress ? 'Go to payment' : 'Add your address') : 'Choose where'}</Button>}
      >
        {cart && !isWaiting ? <b className={css.total}><Price amount={cart.bill.total} /></b> : <span className={css.total}>…</span>}
        <small>{cart && cart.bill.savings > 0 ? <>You save <Price amount={cart.bill.savings} /></> : 'Everything included'}</small>
      </BottomBar>
    </>
  );
}
