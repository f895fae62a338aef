import * as firstText from '#text/first.ts';
import * as t from '#text/location.ts';
import * as trains from '#text/trains.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { DeliveryType } from '../../contract/names.ts';
import { RECENT_SEARCHES_SHOWN } from '../../domain/recents.ts';
import {
  accountAddressesState,
  addressesAtom,
  addressLabel,
  addressLine,
  chooseAddressAtom,
} from '../../state/addresses.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { deliveryPlaceAtom, chosenStoreAtom } from '../../state/first/location.ts';
import {
  askPickerAgainAtom,
  choosePlaceAtom,
  choosePredictionAtom,
  dropPlaceQuestionsAtom,
  findingAtom,
  gpsMessageAtom,
  hereQuestion,
  hostAddressMessageAtom,
  isHostPickerOfferedAtom,
  pickerQuestion,
  pickHostAddressAtom,
  takeHereAtom,
} from '../../state/places.ts';
import { sentenceOf } from '../../state/popup.ts';
import { recentLocationsAtom, recentSearchesAtom } from '../../state/recents.ts';
import { isLoggedInAtom } from '../../state/session.ts';
import {
  aroundAtom,
  citiesState,
  flowAtom,
  flowPath,
  lookAtTypeAtom,
  openChoiceAtom,
  shownTypeAtom,
} from '../../state/stores.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { href } from '../../ui/href.ts';
import { BagIcon } from '../../ui/icons/BagIcon.tsx';
import { CarIcon } from '../../ui/icons/CarIcon.tsx';
import { ClockIcon } from '../../ui/icons/ClockIcon.tsx';
import { LocateIcon } from '../../ui/icons/LocateIcon.tsx';
import { ScooterIcon } from '../../ui/icons/ScooterIcon.tsx';
import { SearchIcon } from '../../ui/icons/SearchIcon.tsx';
import { StoreIcon } from '../../ui/icons/StoreIcon.tsx';
import { TableIcon } from '../../ui/icons/TableIcon.tsx';
import { TrainIcon } from '../../ui/icons/TrainIcon.tsx';
import { WalletIcon } from '../../ui/icons/WalletIcon.tsx';
import { ListRow } from '../../ui/ListRow.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useIsWaiting } from '../isWaiting.ts';
import { AddressIcon } from './AddressIcon.tsx';
import { backOf } from './back.ts';
import { nearestText, NearestStores } from './NearestStores.tsx';
import { NoDelivery } from './NoDelivery.tsx';
import { PlaceSearch } from './PlaceSearch.tsx';
import css from './LocationScreen.module.css';

export const enter = atom(null, async (get, set, { query }: { query: URLSearchParams }) => {
  const type = set(openChoiceAtom, query);
  set(dropPlaceQuestionsAtom);
  set(gpsMessageAtom, '');
  set(hostAddressMessageAtom, '');
  set(askPickerAgainAtom);
  set(lookAtTypeAtom, type);
  if (get(isLoggedInAtom)) await set(accountAddressesState.load);
});

const SHOWN_ADDRESSES = 4;
const SHOWN_CITIES = 6;
const TYPES: readonly { type: DeliveryType; Symbol: typeof BagIcon }[] = [
  { type: 'DELIVERY', Symbol: ScooterIcon },
  { type: 'PICKUP', Symbol: BagIcon },
  { type: 'CURB', Symbol: CarIcon },
  { type: 'DINEIN', Symbol: TableIcon },
];

function useAreAddressesWaiting(): boolean {
  const isWaiting = useIsWaiting(accountAddressesState.atom);
  return useAtomValue(isLoggedInAtom) && isWaiting;
}
/** The cities to start with; null while it is open how many there are, and so where the page ends. */
function useCities() {
  const { data, status } = useAtomValue(citiesState.atom);
  if (data?.type === 'DELIVERY') return data.cities;
  return status === 'failed' ? [] : null;
}

/** The phone's position is asked for only after a tap on this row, and the row says what for. */
function Here({ type }: { type: DeliveryType }) {
  const find = useSetAtom(takeHereAtom);
  const asked = useAtomValue(hereQuestion.atom);
  const message = useAtomValue(gpsMessageAtom) || (asked === 'silent' && t.hereSilent);
  return (
    <>
      <ListRow
        icon={<LocateIcon />}
        title={asked === 'idle' ? t.here : t.hereFinding}
        detail={t.hereWhy({ type })}
        onClick={() => void find(type)}
      />
      <div role="status">{message && <p className={css.message}>{message}</p>}</div>
    </>
  );
}

function HostPicker() {
  const isOffered = useAtomValue(isHostPickerOfferedAtom);
  const message = useAtomValue(hostAddressMessageAtom);
  const pick = useSetAtom(pickHostAddressAtom);
  const asked = useAtomValue(pickerQuestion.atom);
  const isSilent = asked === 'silent';
  if (!isOffered && !message) return null;
  return (
    <Card flush>
      {isOffered && (
        <ListRow
          icon={<WalletIcon />}
          title={isSilent ? t.pickerAgain : asked === 'asked' ? t.pickerOpening : t.picker}
          detail={isSilent ? t.pickerSilent : t.pickerDetail}
          onClick={() => void pick()}
        />
      )}
      <div role="status">{message && <p className={css.message}>{message}</p>}</div>
    </Card>
  );
}

/** Those of the device stand below those of the account, and wait for them. */
function Saved() {
  const addresses = useAtomValue(addressesAtom);
  const state = useAtomValue(accountAddressesState.atom);
  const load = useSetAtom(accountAddressesState.load);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const flow = useAtomValue(flowAtom);
  const choose = useSetAtom(chooseAddressAtom);
  const isLoading = useAreAddressesWaiting();
  if (addresses.length === 0 && !isLoading && state.status !== 'failed') return null;
  return (
    <Card
      flush
      title={t.saved}
      end={
        addresses.length > 0 || isLoading ? (
          <a className={css.more} href={href(flowPath('/postorder-ui/myAddresses', flow))}>
            {t.seeAll}
          </a>
        ) : undefined
      }
    >
      {isLoading && (
        <div className={css.bones} aria-busy="true">
          <Skeleton height="3rem" />
          <Skeleton height="3rem" />
        </div>
      )}
      {isLoggedIn && state.status === 'failed' && (
        <p className={css.message}>
          {sentenceOf(state.failure)}{' '}
          <Button kind="quiet" small onClick={() => void load()}>
            {t.tryAgain}
          </Button>
        </p>
      )}
      {(isLoading ? [] : addresses.slice(0, SHOWN_ADDRESSES)).map((address) => (
        <ListRow
          key={address.address_id}
          icon={<AddressIcon type={address.type} />}
          title={addressLabel(address)}
          detail={addressLine(address)}
          {...(place?.address_id === address.address_id ? { end: <b className={css.now}>{t.now}</b> } : {})}
          onClick={() => void choose(address)}
        />
      ))}
    </Card>
  );
}

function Recents({ type }: { type: DeliveryType }) {
  const searches = useAtomValue(recentSearchesAtom);
  const locations = useAtomValue(recentLocationsAtom).filter(
    (one) => one.deliveryType === 'DELIVERY' && one.recent.address_id === null,
  );
  const choosePrediction = useSetAtom(choosePredictionAtom);
  const choose = useSetAtom(choosePlaceAtom);
  const names = new Set(locations.map((one) => one.text.split(',')[0]));
  const shown = searches
    .slice(0, RECENT_SEARCHES_SHOWN)
    .filter((one) => type !== 'DELIVERY' || !names.has(one.main_text));
  const places = type === 'DELIVERY' ? locations : [];
  if (shown.length === 0 && places.length === 0) return null;
  return (
    <Card flush title={t.recent}>
      {places.map((one) => (
        <ListRow
          key={one.recent.id}
          icon={<ClockIcon />}
          title={one.text.split(',')[0]}
          detail={one.recent.offline_msg || one.text.split(',').slice(1).join(',').trim()}
          onClick={() =>
            void choose({ delType: 'DELIVERY', lat: one.location.lat, long: one.location.lng, text: one.text })
          }
        />
      ))}
      {shown.map((one) => (
        <ListRow
          key={one.place_id}
          icon={<SearchIcon size={20} />}
          title={one.main_text}
          detail={one.secondary_text}
          onClick={() => void choosePrediction(one, type)}
        />
      ))}
    </Card>
  );
}

/** The place that the order goes to now, with a button that keeps it. */
function Now() {
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const finding = useAtomValue(findingAtom);
  const choose = useSetAtom(choosePlaceAtom);
  const flow = useAtomValue(flowAtom);
  if (!place) return null;
  return (
    <section className={css.nowCard} aria-label={t.deliveringNow}>
      <span className={css.dot} aria-hidden />
      <p>
        <small>{t.deliveringNow}</small>
        <b>{place.text}</b>
        {store && (
          <span>
            {store.deliveryMinutes
              ? t.fromStoreIn({ store: store.name, ...store.deliveryMinutes })
              : t.fromStore({ store: store.name })}
          </span>
        )}
        {!place.address?.houseNo && (
          <a className={css.door} href={href(flowPath('/address', { ...flow, page: flow.page || '/menu' }))}>
            {t.addDoor}
          </a>
        )}
      </p>
      <Button
        kind="secondary"
        small
        busy={finding === 'place'}
        onClick={() =>
          void choose({
            delType: 'DELIVERY',
            lat: place.latitude,
            long: place.longitude,
            text: place.text,
            address: place.address,
            addressId: place.address_id,
          })
        }
      >
        {t.keep}
      </Button>
    </section>
  );
}

function Rows({ type }: { type: DeliveryType }) {
  const flow = useAtomValue(flowAtom);
  return (
    <Card flush>
      <Here type={type} />
      <ListRow
        icon={<StoreIcon />}
        title={t.cityList({ type })}
        detail={t.cityListDetail}
        href={href(flowPath('/manualSelector', flow, { deliveryType: type }))}
      />
    </Card>
  );
}

/** The cities with most stores, for a first visit without saved addresses. */
function Cities() {
  const cities = useCities();
  const flow = useAtomValue(flowAtom);
  if (cities?.length === 0) return null;
  return (
    <section className={css.cities} aria-labelledby="big-cities" aria-busy={cities === null}>
      <h2 id="big-cities">{t.bigCities}</h2>
      <ul>
        {cities === null
          ? Array.from({ length: SHOWN_CITIES }, (_, at) => (
              <li key={at} aria-hidden>
                <Skeleton height="var(--touch)" />
              </li>
            ))
          : [...cities]
              .sort((a, b) => b.stores - a.stores)
              .slice(0, SHOWN_CITIES)
              .map((one) => (
                <li key={one.city}>
                  <a href={href(flowPath('/manualSelector', flow, { city: one.city, deliveryType: 'DELIVERY' }))}>
                    {one.city}{' '}
                    <small>
                      {rich(t.cityStores, { count: one.stores, hidden: <span className="visually-hidden" /> })}
                    </small>
                  </a>
                </li>
              ))}
      </ul>
    </section>
  );
}

/** For whoever sits in a train: the station is the address. */
function OnTrain() {
  if (!useAtomValue(isOpenAtom)('deliver_on_train')) return null;
  return (
    <Card flush>
      <ListRow
        icon={<TrainIcon size={22} />}
        title={trains.homeCard}
        detail={trains.homeCardDetail}
        href={href('/deliverontrain')}
      />
    </Card>
  );
}

function Delivery({ isWhole }: { isWhole: boolean }) {
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isWaiting = useAreAddressesWaiting();
  const { forbids, fullMode: hasOwnLogin } = useAtomValue(hostAtom);
  const isOurFormForbidden = forbids.has('own-address-form');
  // Whoever comes back has their address to choose, for a delivery (specification section 4, Login).
  const flow = useAtomValue(flowAtom);
  const back = flowPath('/postorder-ui/searchAddress', flow, { changeAddress: 'true' });
  // Whose number is refused on the way from the cart is led back there (specification section 4).
  const login = `/login?redirectUrl=${encodeURIComponent(back)}${flow.from === 'cart' ? '&from=Address' : ''}`;
  return (
    <div className={css.columns}>
      <div className={css.column}>
        <NoDelivery />
        {isOurFormForbidden && <HostPicker />}
        <PlaceSearch label={t.searchArea} />
        {!isOurFormForbidden && <HostPicker />}
        <Rows type="DELIVERY" />
        {TRAINS && <OnTrain />}
      </div>
      <div className={css.column}>
        <Now />
        <Saved />
        {!isWaiting && (
          <>
            <Recents type="DELIVERY" />
            <Cities />
          </>
        )}
        {isWhole && (
          <>
            {!isLoggedIn && hasOwnLogin && (
              <p className={css.small}>{rich(t.savedLogin, { link: <a href={href(login)} /> })}</p>
            )}
            <p className={css.small}>{t.noLogin}</p>
          </>
        )}
      </div>
    </div>
  );
}

function Takeaway({ type }: { type: Exclude<DeliveryType, 'DELIVERY'> }) {
  const around = useAtomValue(aroundAtom);
  const flow = useAtomValue(flowAtom);
  return (
    <div className={css.columns}>
      <div className={css.column}>
        <p className={css.lead}>{t.lead({ type })}</p>
        <PlaceSearch label={t.searchNear} />
        <Rows type={type} />
        <Recents type={type} />
      </div>
      <section className={css.column} aria-labelledby="nearest-stores">
        <header className={css.head}>
          <h2 id="nearest-stores">{nearestText(around?.text.split(',')[0]) ?? t.storesUnplaced}</h2>
          <a
            className={css.more}
            href={href(flowPath('/postorder-ui/takeawayMapScreen', flow, { deliveryType: type }))}
          >
            {t.onMap}
          </a>
        </header>
        <NearestStores />
      </section>
    </div>
  );
}

/**
 * Chooses where the order goes: by search, by position, from saved or recent places, or from a plain list of cities.
 */
export default function LocationScreen() {
  const type = useAtomValue(shownTypeAtom);
  const lookAt = useSetAtom(lookAtTypeAtom);
  const flow = useAtomValue(flowAtom);
  // What stands below a list waits until it is known how long that is.
  const isWaiting = useAreAddressesWaiting();
  const isWhole = useCities() !== null && !isWaiting;
  return (
    <>
      <AppBar title={t.title({ type })} back={backOf(flow, { label: t.backToHome, href: href('/') })} />
      <div className={css.page}>
        <Tabs
          label={firstText.typesLabel}
          value={type}
          onChange={lookAt}
          tabs={TYPES.map(({ type: value, Symbol }) => ({
            value,
            text: (
              <span className={css.tab}>
                <Symbol size={22} />
                {firstText.deliveryTypeShort({ type: value })}
              </span>
            ),
          }))}
        >
          <div className={css.panel}>
            {type === 'DELIVERY' ? <Delivery isWhole={isWhole} /> : <Takeaway type={type} />}
          </div>
        </Tabs>
        {(isWhole || type !== 'DELIVERY') && (
          <p className={css.small}>
            <a href={href('/credits')}>{t.credits}</a>
          </p>
        )}
      </div>
    </>
  );
}
