import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { ReactNode } from 'react';
import { ATTRIBUTION } from '../../../country/shape.ts';
import type { DeliveryType } from '../../contract/names.ts';
import { DELIVERY_LABELS } from '../../domain/delivery.ts';
import { RECENT_SEARCHES_SHOWN } from '../../domain/recents.ts';
import { accountAddressesState, addressesAtom, addressLabel, addressLine } from '../../state/addresses.ts';
import { deliveryPlaceAtom, chosenStoreAtom } from '../../state/location.ts';
import {
  choosePlaceAtom, choosePredictionAtom, findingAtom, gpsMessageAtom, hostAddressMessageAtom, isHostPickerFirstAtom, pickHostAddressAtom, useHereAtom,
} from '../../state/places.ts';
import { sentenceOf } from '../../state/popup.ts';
import { recentLocationsAtom, recentSearchesAtom } from '../../state/recents.ts';
import { isLoggedInAtom } from '../../state/session.ts';
import { aroundAtom, citiesState, flowAtom, flowPath, lookAtTypeAtom, nearestState, nearStoresAtom, openChoiceAtom, shownTypeAtom } from '../../state/stores.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { BagIcon } from '../../ui/icons/BagIcon.tsx';
import { CarIcon } from '../../ui/icons/CarIcon.tsx';
import { ClockIcon } from '../../ui/icons/ClockIcon.tsx';
import { HomeIcon } from '../../ui/icons/HomeIcon.tsx';
import { LocateIcon } from '../../ui/icons/LocateIcon.tsx';
import { OfficeIcon } from '../../ui/icons/OfficeIcon.tsx';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { ScooterIcon } from '../../ui/icons/ScooterIcon.tsx';
import { SearchIcon } from '../../ui/icons/SearchIcon.tsx';
import { StoreIcon } from '../../ui/icons/StoreIcon.tsx';
import { TableIcon } from '../../ui/icons/TableIcon.tsx';
import { WalletIcon } from '../../ui/icons/WalletIcon.tsx';
import { ListRow } from '../../ui/ListRow.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { NoDelivery } from './NoDelivery.tsx';
import { PlaceSearch } from './PlaceSearch.tsx';
import { StoreList } from './StoreList.tsx';
import css from './LocationScreen.module.css';

export const enter = atom(null, async (get, set, { query }: { query: URLSearchParams }) => {
  const type = set(openChoiceAtom, query);
  set(gpsMessageAtom, '');
  set(hostAddressMessageAtom, '');
  if (type !== 'DELIVERY') void set(nearestState.load, type);
  else if (get(citiesState.atom).data === null) void set(citiesState.load, type);
  if (get(isLoggedInAtom)) await set(accountAddressesState.load);
});

const SHOWN_ADDRESSES = 4;
const SHOWN_CITIES = 6;
const TYPES: readonly { type: DeliveryType; Symbol: typeof BagIcon }[] = [
  { type: 'DELIVERY', Symbol: ScooterIcon }, { type: 'PICKUP', Symbol: BagIcon }, { type: 'CURB', Symbol: CarIcon }, { type: 'DINEIN', Symbol: TableIcon },
];
const TITLES: Readonly<Record<DeliveryType, string>> = {
  DELIVERY: 'Where should we deliver?', PICKUP: 'Where will you collect it?', CURB: 'Where will you drive to?', DINEIN: 'Where will you eat?',
};
const LEADS: Readonly<Record<Exclude<DeliveryType, 'DELIVERY'>, string>> = {
  PICKUP: 'Hot at the counter, no delivery charge.', CURB: 'Stay in your car: we bring it out to you.', DINEIN: 'Order now, sit down when it is ready.',
};
const ADDRESS_ICONS = { home: HomeIcon, office: OfficeIcon, other: PinIcon };

/** The position is asked for on this tap, never before, and the row says what for. */
function Here({ type }: { type: DeliveryType }) {
  const find = useSetAtom(useHereAtom);
  const isFinding = useAtomValue(findingAtom) === 'here';
  const message = useAtomValue(gpsMessageAtom);
  return (
    <>
      <ListRow
        icon={<LocateIcon />}
        title={isFinding ? 'Finding where you are…' : 'Use my current location'}
        detail={type === 'DELIVERY' ? 'Asked for once, to find the store that delivers to you' : 'Asked for once, to find the stores near you'}
        onClick={() => void find(type)}
      />
      <div role="status">{message && <p className={css.message}>{message}</p>}</div>
    </>
  );
}

function HostPicker() {
  const isFirst = useAtomValue(isHostPickerFirstAtom);
  const message = useAtomValue(hostAddressMessageAtom);
  const pick = useSetAtom(pickHostAddressAtom);
  const isOpen = useAtomValue(findingAtom) === 'host';
  if (!isFirst && !message) return null;
  return (
    <Card flush>
      {isFirst && (
        <ListRow
          icon={<WalletIcon />} title={isOpen ? 'Opening your addresses…' : 'Choose from your saved addresses'} detail="The addresses you keep in this app, nothing to type"
          onClick={() => void pick()}
        />
      )}
      <div role="status">{message && <p className={css.message}>{message}</p>}</div>
    </Card>
  );
}

function Saved() {
  const addresses = useAtomValue(addressesAtom);
  const state = useAtomValue(accountAddressesState.atom);
  const load = useSetAtom(accountAddressesState.load);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const flow = useAtomValue(flowAtom);
  const choose = useSetAtom(choosePlaceAtom);
  const isLoading = isLoggedIn && state.data === null && state.status === 'loading';
  if (addresses.length === 0 && !isLoading && state.status !== 'failed') return null;
  return (
    <Card flush title="Saved addresses" end={addresses.length > 0 ? <a className={css.more} href={href(flowPath('/postorder-ui/myAddresses', flow))}>See all</a> : undefined}>
      {isLoading && <div className={css.bones} aria-busy="true"><Skeleton height="3rem" /><Skeleton height="3rem" /></div>}
      {isLoggedIn && state.status === 'failed' && (
        <p className={css.message}>{sentenceOf(state.failure)} <Button kind="quiet" small onClick={() => void load()}>Try again</Button></p>
      )}
      {addresses.slice(0, SHOWN_ADDRESSES).map((address) => {
        const Symbol = ADDRESS_ICONS[address.type];
        return (
          <ListRow
            key={address.address_id} icon={<Symbol />} title={addressLabel(address)} detail={addressLine(address)}
            {...(place?.address_id === address.address_id ? { end: <b className={css.now}>Now</b> } : {})}
            onClick={() => void choose({
              delType: 'DELIVERY', lat: address.latitude, long: address.longitude, text: address.address, address, addressId: address.address_id,
            })}
          />
        );
      })}
    </Card>
  );
}

function Recents({ type }: { type: DeliveryType }) {
  const searches = useAtomValue(recentSearchesAtom);
  const locations = useAtomValue(recentLocationsAtom).filter((one) => one.deliveryType === 'DELIVERY' && one.recent.address_id === null);
  const choosePrediction = useSetAtom(choosePredictionAtom);
  const choose = useSetAtom(choosePlaceAtom);
  const names = new Set(locations.map((one) => one.text.split(',')[0]));
  const shown = searches.slice(0, RECENT_SEARCHES_SHOWN).filter((one) => type !== 'DELIVERY' || !names.has(one.main_text));
  const places = type === 'DELIVERY' ? locations : [];
  if (shown.length === 0 && places.length === 0) return null;
  return (
    <Card flush title="Recent">
      {places.map((one) => (
        <ListRow
          key={one.recent.id} icon={<ClockIcon />} title={one.text.split(',')[0]} detail={one.recent.offline_msg || one.text.split(',').slice(1).join(',').trim()}
          onClick={() => void choose({ delType: 'DELIVERY', lat: one.location.lat, long: one.location.lng, text: one.text })}
        />
      ))}
      {shown.map((one) => (
        <ListRow key={one.place_id} icon={<SearchIcon size={20} />} title={one.main_text} detail={one.secondary_text} onClick={() => void choosePrediction(one, type)} />
      ))}
    </Card>
  );
}

/** Where it goes now, with one tap to leave it so. */
function Now() {
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const finding = useAtomValue(findingAtom);
  const choose = useSetAtom(choosePlaceAtom);
  const flow = useAtomValue(flowAtom);
  if (!place) return null;
  return (
    <section className={css.nowCard} aria-label="Delivering now to">
      <span className={css.dot} aria-hidden />
      <p><small>Delivering now to</small><b>{place.text}</b>{store && <span>From {store.name}{store.deliveryMinutes ? ` in ${store.deliveryMinutes.from} to ${store.deliveryMinutes.to} minutes` : ''}</span>}{!place.address?.houseNo && <a className={css.door} href={href(flowPath('/address', { ...flow, page: flow.page || '/menu' }))}>Add your door</a>}</p>
      <Button
        kind="secondary" small busy={finding === 'place'}
        onClick={() => void choose({ delType: 'DELIVERY', lat: place.latitude, long: place.longitude, text: place.text, address: place.address, addressId: place.address_id })}
      >
        Keep
      </Button>
    </section>
  );
}

function Rows({ type, children }: { type: DeliveryType; children?: ReactNode }) {
  const flow = useAtomValue(flowAtom);
  return (
    <Card flush>
      <Here type={type} />
      {children}
      <ListRow
        icon={<StoreIcon />} title={type === 'DELIVERY' ? 'Choose your city and area' : 'Choose a city and store'} detail="A plain list, nothing to search"
        href={href(flowPath('/manualSelector', flow, { deliveryType: type }))}
      />
    </Card>
  );
}

/** The cities with most stores, one tap away: for a first visit, when nothing is saved yet. */
function Cities() {
  const cities = useAtomValue(citiesState.atom).data ?? [];
  const flow = useAtomValue(flowAtom);
  if (cities.length === 0) return null;
  return (
    <section className={css.cities} aria-labelledby="big-cities">
      <h2 id="big-cities">Start with your city</h2>
      <ul>
        {cities.toSorted((a, b) => b.stores - a.stores).slice(0, SHOWN_CITIES).map((one) => (
          <li key={one.city}><a href={href(flowPath('/manualSelector', flow, { city: one.city, deliveryType: 'DELIVERY' }))}>{one.city} <small>{one.stores}<span className="visually-hidden"> stores</span></small></a></li>
        ))}
      </ul>
    </section>
  );
}

function Delivery() {
  return (
    <div className={css.columns}>
      <div className={css.column}>
        <NoDelivery />
        <HostPicker />
        <PlaceSearch label="Search for your area" />
        <Rows type="DELIVERY" />
      </div>
      <div className={css.column}>
        <Now />
        <Saved />
        <Recents type="DELIVERY" />
        <Cities />
        <p className={css.small}>No login needed: you see at once who delivers, how fast, and every price.</p>
      </div>
    </div>
  );
}

/** The nearest stores, or what came in their place. */
function Nearest({ type }: { type: DeliveryType }) {
  const { status, failure } = useAtomValue(nearestState.atom);
  const data = useAtomValue(nearStoresAtom);
  const load = useSetAtom(nearestState.load);
  const stores = data?.type === type ? data.stores : null;
  if (status === 'failed' && !stores) {
    return (
      <EmptyState title="The stores did not load" action={<Button kind="secondary" onClick={() => void load(type)}>Try again</Button>}>
        {sentenceOf(failure)}
      </EmptyState>
    );
  }
  if (!stores) return <div className={css.bones} aria-busy="true">{[1, 2, 3].map((one) => <Skeleton key={one} height="6.5rem" />)}</div>;
  if (stores.length === 0) return <EmptyState title={`No store near here offers ${DELIVERY_LABELS[type].toLowerCase()}`}>Try another place, or choose your city.</EmptyState>;
  return <StoreList stores={stores} />;
}

function Takeaway({ type }: { type: Exclude<DeliveryType, 'DELIVERY'> }) {
  const around = useAtomValue(aroundAtom);
  const flow = useAtomValue(flowAtom);
  return (
    <div className={css.columns}>
      <div className={css.column}>
        <p className={css.lead}>{LEADS[type]}</p>
        <PlaceSearch label="Search near a place" />
        <Rows type={type} />
        <Recents type={type} />
      </div>
      <section className={css.column} aria-labelledby="nearest-stores">
        <header className={css.head}>
          <h2 id="nearest-stores">{around ? `Nearest to ${around.text.split(',')[0]}` : 'Stores to start with'}</h2>
          <a className={css.more} href={href(flowPath('/postorder-ui/takeawayMapScreen', flow, { deliveryType: type }))}>On a map</a>
        </header>
        <Nearest type={type} />
      </section>
    </div>
  );
}

/** Where the order goes: by search, position, saved or recent places, or a plain list of cities. */
export default function LocationScreen() {
  const type = useAtomValue(shownTypeAtom);
  const lookAt = useSetAtom(lookAtTypeAtom);
  const flow = useAtomValue(flowAtom);
  return (
    <>
      <AppBar title={TITLES[type]} back={flow.from === 'cart' ? { label: 'Back to the cart', href: href('/cart') } : flow.fromProfile ? { label: 'Back to your addresses', href: href('/postorder-ui/myAddresses?fromProfile=true') } : { label: 'Back to home', href: href('/') }} />
      <div className={css.page}>
        <Tabs
          label="How do you want your order?" value={type} onChange={lookAt}
          tabs={TYPES.map(({ type: value, Symbol }) => ({ value, text: <span className={css.tab}><Symbol size={22} />{DELIVERY_LABELS[value].split(' ')[0]}</span> }))}
        >
          <div className={css.panel}>
            {type === 'DELIVERY' ? <Delivery /> : <Takeaway type={type} />}
          </div>
        </Tabs>
        <p className={css.small}>{ATTRIBUTION}</p>
      </div>
    </>
  );
}
