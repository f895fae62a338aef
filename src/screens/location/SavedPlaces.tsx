import * as t from '#text/location.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import {
  accountAddressesState,
  addressesAtom,
  addressLabel,
  addressLine,
  chooseAddressAtom,
} from '../../state/places/addresses.ts';
import { deliveryPlaceAtom } from '../../state/first/location.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { flowAtom, flowPath } from '../../state/places/stores.ts';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { useIsWaiting } from '../base/isWaiting.ts';
import { LoadAgain } from '../base/LoadAgain.tsx';
import { AddressIcon } from './AddressIcon.tsx';
import css from './LocationScreen.module.css';

const SHOWN_ADDRESSES = 4;

export function useAreAddressesWaiting(): boolean {
  const isWaiting = useIsWaiting(accountAddressesState.atom);
  return useAtomValue(isLoggedInAtom) && isWaiting;
}

/** Those of the device stand below those of the account, and wait for them. */
export function SavedPlaces() {
  useCustomerChange(accountAddressesState.load);
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
      {isLoggedIn && state.status === 'failed' && <LoadAgain failure={state.failure} onRetry={() => void load()} />}
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
