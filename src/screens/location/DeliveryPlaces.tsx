import * as t from '#text/location.ts';
import * as trains from '#text/trains.ts';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { addressesAtom } from '../../state/places/addresses.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { isHostPickerOfferedAtom } from '../../state/places/places.ts';
import { recentLocationsAtom, recentSearchesAtom } from '../../state/places/recents.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { flowAtom, flowPath } from '../../state/places/stores.ts';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { TrainIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { rich } from '../../ui/rich.ts';
import { NoDelivery } from '../stores/NoDelivery.tsx';
import { PlaceSearch } from './PlaceSearch.tsx';
import { PlaceRows } from './PlaceRows.tsx';
import { HostPicker } from './HostPicker.tsx';
import { useAreAddressesWaiting, SavedPlaces } from './SavedPlaces.tsx';
import { RecentPlaces } from './RecentPlaces.tsx';
import { PlaceNow } from './PlaceNow.tsx';
import { Cities } from './Cities.tsx';
import css from './LocationScreen.module.css';

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

export function DeliveryPlaces({ isWhole }: { isWhole: boolean }) {
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isWaiting = useAreAddressesWaiting();
  const { forbids, fullMode: hasOwnLogin } = useAtomValue(hostAtom);
  const isOurFormForbidden = forbids.has('own-address-form');
  const isPickerOffered = useAtomValue(isHostPickerOfferedAtom);
  const places = [useAtomValue(addressesAtom), useAtomValue(recentSearchesAtom), useAtomValue(recentLocationsAtom)];
  // Whoever has nothing to choose from types: the keyboard would cover what others choose from.
  const [isNew] = useState(!isLoggedIn && !isPickerOffered && places.every(({ length }) => length === 0));
  // Whoever comes back has their address to choose, for a delivery (specification section 4, Login).
  const flow = useAtomValue(flowAtom);
  const back = flowPath('/postorder-ui/searchAddress', flow, { changeAddress: 'true' });
  // Whose number is refused on the way from the cart is led back there (specification section 4).
  const login = `/login?redirectUrl=${encodeURIComponent(back)}${flow.from === 'cart' ? '&from=Address' : ''}`;
  return (
    <div className={css.columns}>
      <div className={css.column}>
        <NoDelivery />
        {HOSTED && isOurFormForbidden && <HostPicker />}
        <PlaceSearch label={t.searchArea} autoFocus={isNew} />
        {HOSTED && !isOurFormForbidden && <HostPicker />}
        <PlaceRows type="DELIVERY" />
        {TRAINS && <OnTrain />}
      </div>
      <div className={css.column}>
        <PlaceNow />
        <SavedPlaces />
        {!isWaiting && (
          <>
            <RecentPlaces type="DELIVERY" />
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
