import * as t from '#text/location.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { Country } from '../../../country/shape.ts';
import type { Address } from '../../contract/addresses.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import {
  accountAddressesState,
  addressesAtom,
  addressLabel,
  addressLine,
  chooseAddressAtom,
  removeAddressAtom,
} from '../../state/places/addresses.ts';
import { deliveryPlaceAtom } from '../../state/first/location.ts';
import { findTasks, searchAddressAtom } from '../../state/places/places.ts';
import { countryAtom } from '../../state/base/country.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { flowAtom, flowPath, openChoiceAtom } from '../../state/places/stores.ts';
import { AddressCard } from '../../ui/AddressCard.tsx';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { AddressIcon } from './AddressIcon.tsx';
import { NoDelivery } from '../stores/NoDelivery.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { LoadAgain } from '../base/LoadAgain.tsx';
import css from './AddressesScreen.module.css';

export const enter = atom(null, async (_get, set, { query }: { query: URLSearchParams }) => {
  set(openChoiceAtom, query);
  set(searchAddressAtom, null);
  await set(accountAddressesState.load);
});

function notesOf(address: Address, country: Country): string | undefined {
  const notes = [
    address.landmark && t.addressNear({ landmark: address.landmark }),
    address.receiverName || address.receiverMobile
      ? t.addressFor({
          receiver: [address.receiverName, address.receiverMobile && writtenPhone(address.receiverMobile, country)]
            .filter(Boolean)
            .join(', '),
        })
      : '',
    address.instructions,
  ].filter(Boolean);
  return notes.length > 0 ? notes.join(' · ') : undefined;
}

/** Saved addresses to choose, change and delete. A guest's are on the device. */
export default function AddressesScreen() {
  useCustomerChange(accountAddressesState.load);
  const addresses = useAtomValue(addressesAtom);
  const { status, data, failure } = useAtomValue(accountAddressesState.atom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const country = useAtomValue(countryAtom);
  const flow = useAtomValue(flowAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const finding = useAtomValue(findTasks.busyAtom);
  const { go } = useAtomValue(navigateAtom);
  const load = useSetAtom(accountAddressesState.load);
  const choose = useSetAtom(chooseAddressAtom);
  const remove = useSetAtom(removeAddressAtom);
  const isLoading = isLoggedIn && data === null && status !== 'failed';
  const addPath = flow.fromProfile
    ? '/postorder-ui/searchAddress?deliveryType=delivery&fromProfile=true&page=%2Faddress%26fromProfile%3Dtrue'
    : flowPath('/postorder-ui/searchAddress', flow, { deliveryType: 'delivery' });
  const edit = (address: Address) => go(flowPath('/address', flow, { addressId: address.address_id }));
  return (
    <>
      <AppBar
        title={t.addressesTitle}
        back={{
          label: t.back,
          href: href(flow.fromProfile ? '/postorder-ui/profile' : flowPath('/postorder-ui/searchAddress', flow)),
        }}
      />
      <div className={css.page} aria-busy={isLoading || finding === 'place'}>
        <NoDelivery />
        {isLoading && [1, 2, 3].map((one) => <Skeleton key={one} height="7rem" />)}
        {isLoggedIn && status === 'failed' && <LoadAgain failure={failure} onRetry={() => void load()} />}
        {!isLoading && addresses.length === 0 && status !== 'failed' && (
          <EmptyState
            picture={<EmptyPicture />}
            title={t.addressesNone}
            action={<Button href={href(addPath)}>{t.addressAdd}</Button>}
          >
            {t.addressesNoneText}
          </EmptyState>
        )}
        {addresses.length > 0 && <h2 className="visually-hidden">{t.addressesSaved}</h2>}
        <ul className={css.list}>
          {addresses.map((address) => {
            const notes = notesOf(address, country);
            const label = addressLabel(address);
            return (
              <li key={address.address_id}>
                <AddressCard
                  icon={<AddressIcon type={address.type} size={20} />}
                  label={label}
                  address={addressLine(address)}
                  selected={place?.address_id === address.address_id}
                  onClick={() => (flow.fromProfile ? edit(address) : void choose(address))}
                  {...(notes ? { note: <span className={css.note}>{notes}</span> } : {})}
                  edit={{ text: t.addressEdit, name: t.addressEditOne({ label }), onPress: () => edit(address) }}
                  remove={{
                    text: t.addressDelete,
                    name: t.addressDeleteOne({ label }),
                    onPress: () => void remove(address.address_id),
                  }}
                />
              </li>
            );
          })}
        </ul>
        {!isLoggedIn && addresses.length > 0 && (
          <p className={css.small}>{rich(t.addressesHere, { link: <a href={href('/phones')} /> })}</p>
        )}
      </div>
      {addresses.length > 0 && (
        <BottomBar
          label={t.addressAddBar}
          action={
            <Button full kind="secondary" href={href(addPath)}>
              {t.addressAdd}
            </Button>
          }
        />
      )}
    </>
  );
}
