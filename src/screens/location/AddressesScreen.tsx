import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { Address } from '../../contract/addresses.ts';
import { accountAddressesState, addressesAtom, addressLabel, addressLine, removeAddressAtom } from '../../state/addresses.ts';
import { deliveryPlaceAtom } from '../../state/location.ts';
import { choosePlaceAtom, findingAtom, searchAddressAtom } from '../../state/places.ts';
import { sentenceOf } from '../../state/popup.ts';
import { navigateAtom } from '../../state/seams.ts';
import { isLoggedInAtom } from '../../state/session.ts';
import { flowAtom, flowPath, openChoiceAtom } from '../../state/stores.ts';
import { AddressCard } from '../../ui/AddressCard.tsx';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { HomeIcon } from '../../ui/icons/HomeIcon.tsx';
import { OfficeIcon } from '../../ui/icons/OfficeIcon.tsx';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { NoDelivery } from './NoDelivery.tsx';
import css from './AddressesScreen.module.css';

export const enter = atom(null, async (_get, set, { query }: { query: URLSearchParams }) => {
  set(openChoiceAtom, query);
  set(searchAddressAtom, null);
  await set(accountAddressesState.load);
});

const ICONS = { home: HomeIcon, office: OfficeIcon, other: PinIcon };

function notesOf(address: Address): string | undefined {
  const notes = [
    address.landmark && `Near ${address.landmark}`,
    address.receiverName || address.receiverMobile ? `For ${[address.receiverName, address.receiverMobile].filter(Boolean).join(', ')}` : '',
    address.instructions,
  ].filter(Boolean);
  return notes.length > 0 ? notes.join(' · ') : undefined;
}

/** Saved addresses: choose, change, delete. Guests have theirs on the device. */
export default function AddressesScreen() {
  const addresses = useAtomValue(addressesAtom);
  const { status, data, failure } = useAtomValue(accountAddressesState.atom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const flow = useAtomValue(flowAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const finding = useAtomValue(findingAtom);
  const { go } = useAtomValue(navigateAtom);
  const load = useSetAtom(accountAddressesState.load);
  const choose = useSetAtom(choosePlaceAtom);
  const remove = useSetAtom(removeAddressAtom);
  const isLoading = isLoggedIn && data === null && status !== 'failed';
  const addPath = flow.fromProfile ? '/postorder-ui/searchAddress?deliveryType=delivery&fromProfile=true&page=%2Faddress%26fromProfile%3Dtrue' : flowPath('/postorder-ui/searchAddress', flow, { deliveryType: 'delivery' });
  const edit = (address: Address) => go(flowPath('/address', flow, { addressId: address.address_id }));
  return (
    <>
      <AppBar title="My addresses" back={{ label: 'Back', href: href(flow.fromProfile ? '/' : flowPath('/postorder-ui/searchAddress', flow)) }} />
      <div className={css.page} aria-busy={isLoading || finding === 'place'}>
        <NoDelivery />
        {isLoading && [1, 2, 3].map((one) => <Skeleton key={one} height="7rem" />)}
        {isLoggedIn && status === 'failed' && (
          <p className={css.failed} role="alert">{sentenceOf(failure)} <Button kind="quiet" small onClick={() => void load()}>Try again</Button></p>
        )}
        {!isLoading && addresses.length === 0 && status !== 'failed' && (
          <EmptyState picture={<EmptyPicture />} title="No address saved yet" action={<Button href={href(addPath)}>Add an address</Button>}>
            Save home and office once, and every order after that is a tap.
          </EmptyState>
        )}
        {addresses.length > 0 && <h2 className="visually-hidden">Saved</h2>}
        <ul className={css.list}>
          {addresses.map((address) => {
            const Symbol = ICONS[address.type];
            const notes = notesOf(address);
            return (
              <li key={address.address_id}>
                <AddressCard
                  icon={<Symbol size={20} />} label={addressLabel(address)} address={addressLine(address)} selected={place?.address_id === address.address_id}
                  onClick={() => (flow.fromProfile ? edit(address) : void choose({
                    delType: 'DELIVERY', lat: address.latitude, long: address.longitude, text: address.address, address, addressId: address.address_id,
                  }))}
                  {...(notes ? { note: <span className={css.note}>{notes}</span> } : {})}
                  edit={{ text: 'Edit', onPress: () => edit(address) }}
                  remove={{ text: 'Delete', onPress: () => void remove(address.address_id) }}
                />
              </li>
            );
          })}
        </ul>
        {!isLoggedIn && addresses.length > 0 && <p className={css.small}>Kept on this device. When you log in, they move into your account. <a href={href('/phones')}>Take them to another phone</a></p>}
      </div>
      {addresses.length > 0 && <BottomBar label="Add" action={<Button full kind="secondary" href={href(addPath)}>Add an address</Button>} />}
    </>
  );
}
