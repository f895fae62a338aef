import * as errors from '#text/errors.ts';
import * as t from '#text/location.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf, isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/addresses.ts';
import type { Address, AddressInput } from '../../contract/addresses.ts';
import { areaNames, isHouse, isStreet } from '../../domain/houseNumber.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { withoutAddress } from '../../domain/recents.ts';
import { splitRedirect } from '../../domain/safeRedirect.ts';
import { trimmedEnd } from '../../domain/trimmedEnd.ts';
import { typedText } from '../../domain/typedText.ts';
import { kept } from '../first/lib/kept.ts';
import { newId } from '../first/lib/ids.ts';
import { remote } from '../lib/remote.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../first/location.ts';
import { choosePlaceAtom, findTasks, takePlaceAtom, typedDoorAtom, type AddressField } from './places.ts';
import { showFailureAtom } from '../base/popup.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { countryAtom } from '../base/country.ts';
import type { Problems } from '../base/task.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { isLoggedInAtom, sessionAtom } from '../base/session.ts';
import { isSlowAtom } from '../base/network.ts';
import { flowAtom, type Flow } from './stores.ts';

/** Guests keep their addresses on the device (specification section 6); a login takes them into the account. */
export const localAddressesAtom = kept<Address[]>({
  key: 'addresses',
  schema: z.array(contract.Address),
  initial: [],
  forget: 'logout',
});

/** The account's addresses. A guest has none, and no request is made. */
export const accountAddressesState = remote(async (get, _set, signal) => {
  const userId = get(sessionAtom)?.attributes.userId ?? '';
  return get(isLoggedInAtom) ? (await get(apiAtom).call(contract.list, { userId }, { signal })).addresses : [];
});

/** All saved addresses: the account's first, then the device's. */
export const addressesAtom = atom((get): readonly Address[] => [
  ...(get(isLoggedInAtom) ? (get(accountAddressesState.atom).data ?? []) : []),
  ...get(localAddressesAtom),
]);

/** addressDetail of the specification, section 3. It is kept until the form is saved, whatever happens to the page. */
const AddressDetail = z.object({
  /** null: a new address. */
  address_id: z.nullable(z.string()),
  latitude: z.number(),
  longitude: z.number(),
  /** The area, which is not typed and follows the pin; '' where the address has it already. */
  placeText: z.string(),
  houseNo: z.string(),
  /** The street. What is sent as `address` is the street and the area. */
  address: z.string(),
  landmark: z.string(),
  type: z.enum(['home', 'office', 'other']),
  label: z.string(),
  instructions: z.string(),
  receiverName: z.string(),
  receiverMobile: z.string(),
});
export type AddressDetail = z.output<typeof AddressDetail>;
export const addressDetailAtom = kept<AddressDetail | null>({
  key: 'address-detail',
  schema: z.nullable(AddressDetail),
  initial: null,
  forget: 'logout',
});

type AddressProblems = Problems<AddressField | 'form'>;

/** The street of a saved address. One that does not say where its area begins is kept as it is. */
function streetOf({ address = '', area = '' }: Partial<AddressInput>): string {
  if (area === '' || !address.endsWith(area)) return address;
  return trimmedEnd(address.slice(0, -area.length), /[\s,]/);
}

const EMPTY = {
  houseNo: '',
  address: '',
  landmark: '',
  type: 'home' as const,
  label: '',
  instructions: '',
  receiverName: '',
  receiverMobile: '',
};

function detailOf(
  from: { latitude: number; longitude: number; text: string },
  saved: Partial<AddressInput> | null,
  addressId: string | null,
): AddressDetail {
  const { latitude, longitude } = from;
  if (!saved) return { ...EMPTY, address_id: addressId, latitude, longitude, placeText: from.text };
  const text = (name: 'houseNo' | 'area' | 'landmark' | 'label' | 'instructions' | 'receiverName' | 'receiverMobile') =>
    saved[name] ?? '';
  return {
    address_id: addressId,
    latitude,
    longitude,
    placeText: text('area'),
    houseNo: text('houseNo'),
    address: streetOf(saved),
    landmark: text('landmark'),
    type: saved.type ?? 'home',
    label: text('label'),
    instructions: text('instructions'),
    receiverName: text('receiverName'),
    receiverMobile: text('receiverMobile'),
  };
}

/** Opens the form for a saved address; one that is gone leads to the list. */
const openSavedAtom = atom(null, async (get, set, addressId: string): Promise<void> => {
  if (get(addressDetailAtom)?.address_id === addressId) return;
  if (get(isLoggedInAtom) && get(accountAddressesState.atom).data === null) await set(accountAddressesState.load);
  const saved = get(addressesAtom).find((one) => one.address_id === addressId);
  if (saved) set(addressDetailAtom, detailOf({ ...saved, text: saved.address }, saved, addressId));
  else get(navigateAtom).go('/postorder-ui/myAddresses', { replace: true });
});

const isSamePoint = (
  one: { readonly latitude: number; readonly longitude: number } | null,
  two: { readonly latitude: number; readonly longitude: number },
) => one?.latitude === two.latitude && one.longitude === two.longitude;

/** The house, street and landmark that were typed into the search for this place, once. */
const takeTypedDoorAtom = atom(null, (get, set, place: { latitude: number; longitude: number }) => {
  const typed = get(typedDoorAtom);
  if (!typed || !isSamePoint(typed, place)) return {};
  set(typedDoorAtom, null);
  return {
    ...(typed.house === '' ? {} : { houseNo: typed.house }),
    ...(typed.street === '' ? {} : { address: typed.street }),
    ...(typed.landmark === '' ? {} : { landmark: typed.landmark }),
  };
});

/**
 * Opens the form for a saved address, or for the chosen place (null). What was typed before a reload or a moved pin is
 * still there.
 */
export const openAddressAtom = atom(null, async (get, set, addressId: string | null): Promise<void> => {
  set(findTasks.clear);
  if (addressId !== null) return await set(openSavedAtom, addressId);
  const place = get(deliveryPlaceAtom);
  if (!place) return set(addressDetailAtom, null);
  const draft = get(addressDetailAtom);
  const isOther =
    !draft ||
    (draft.address_id !== null && draft.address_id !== place.address_id) ||
    (place.address !== null && !isSamePoint(draft, place));
  if (isOther) {
    const opened = detailOf(place, place.address, place.address_id ?? null);
    return set(addressDetailAtom, place.address ? opened : { ...opened, ...set(takeTypedDoorAtom, place) });
  }
  const typed = set(takeTypedDoorAtom, place);
  if (isSamePoint(draft, place)) return set(addressDetailAtom, { ...draft, ...typed });
  const { latitude, longitude, text } = place;
  // Before the street was asked for, the area's name stood in its field.
  const address = draft.address === draft.placeText ? '' : draft.address;
  set(addressDetailAtom, { ...draft, latitude, longitude, placeText: text, address, ...typed });
});

/** What is wrong with the form, by field (specification section 5). */
export const checkAddressAtom = atom((get): AddressProblems => {
  const detail = get(addressDetailAtom);
  const country = get(countryAtom);
  if (!detail) return {};
  const isArea = areaNames(detail.placeText);
  const long = (['houseNo', 'address', 'landmark'] as const).filter(
    (field) => typedText(detail[field]).length > contract.LONGEST[field],
  );
  return {
    ...Object.fromEntries(long.map((field) => [field, errors.textLong({ count: contract.LONGEST[field] })])),
    ...(typedText(detail.houseNo) === ''
      ? { houseNo: errors.fieldEmpty }
      : isHouse(detail.houseNo)
        ? {}
        : { houseNo: errors.houseMissing }),
    ...(isStreet(detail.address, isArea) || isStreet(detail.landmark, isArea) ? {} : { address: errors.streetMissing }),
    ...(detail.type === 'other' && typedText(detail.label) === '' ? { label: errors.fieldEmpty } : {}),
    ...(typedText(detail.receiverMobile) !== '' && phoneNumber(detail.receiverMobile, country) === null
      ? { receiverMobile: errors.mobileInvalid({ digits: country.PHONE_DIGIT }) }
      : {}),
  };
});

function inputOf(detail: AddressDetail, mobile: string | null): AddressInput {
  const said = (name: 'landmark' | 'instructions' | 'receiverName') =>
    typedText(detail[name]) === '' ? {} : { [name]: typedText(detail[name]) };
  return {
    latitude: detail.latitude,
    longitude: detail.longitude,
    houseNo: typedText(detail.houseNo),
    address: [typedText(detail.address), detail.placeText].filter(Boolean).join(', '),
    ...(detail.placeText === '' ? {} : { area: detail.placeText }),
    type: detail.type,
    ...(detail.type === 'other' ? { label: typedText(detail.label) } : {}),
    ...said('landmark'),
    ...said('instructions'),
    ...said('receiverName'),
    ...(mobile ? { receiverMobile: mobile } : {}),
  };
}

/** Saves an address in the account, or for a guest on the device. @returns the address as saved */
const putAddressAtom = atom(null, async (get, set, input: AddressInput, addressId: string | null): Promise<Address> => {
  const isLocal = addressId !== null && get(localAddressesAtom).some((one) => one.address_id === addressId);
  if (!get(isLoggedInAtom) || isLocal) {
    const saved = { ...input, address_id: isLocal ? addressId : `local-${newId()}` };
    set(localAddressesAtom, (list) =>
      isLocal ? list.map((one) => (one.address_id === addressId ? saved : one)) : [saved, ...list],
    );
    return saved;
  }
  const { call } = get(apiAtom);
  const { address } =
    addressId === null
      ? await call(contract.create, { mobNo: get(sessionAtom)?.attributes.userId ?? '', body: input })
      : await call(contract.change, { addressId, body: input });
  const list = get(accountAddressesState.atom).data ?? [];
  set(accountAddressesState.put, [address, ...withoutAddress(list, address.address_id)]);
  return address;
});

/** An address in one line. */
export function addressLine(address: Pick<Address, 'houseNo' | 'address'>): string {
  return `${address.houseNo}, ${address.address}`;
}

/** The name of an address: Home, Office, or what the customer has called it. */
export function addressLabel(address: Pick<Address, 'type' | 'label'>): string {
  return address.type === 'home' ? t.home : address.type === 'office' ? t.office : address.label || t.other;
}

/** Takes a saved address as the delivery place. */
export const chooseAddressAtom = atom(null, (_get, set, address: Address): Promise<void> =>
  set(choosePlaceAtom, {
    delType: 'DELIVERY',
    lat: address.latitude,
    long: address.longitude,
    text: address.area ?? address.address,
    address,
    addressId: address.address_id,
  }),
);

function afterSaving({ fromProfile, from, page }: Flow): string {
  if (fromProfile) return '/postorder-ui/myAddresses?fromProfile=true';
  return from === 'cart' ? '/payment' : (splitRedirect(page) ?? '/menu');
}

/**
 * Saves the form and goes on: to the payment if the customer came from the cart, to the list if from the profile, else
 * to the page that was asked for. If saving fails, nothing typed is lost. @returns whether it was saved
 */
export const saveAddressAtom = findTasks.task(
  async (get, set) => {
    const detail = get(addressDetailAtom);
    if (!detail || Object.keys(get(checkAddressAtom)).length > 0) return false;
    const flow = get(flowAtom);
    const input = inputOf(detail, phoneNumber(detail.receiverMobile, get(countryAtom)));
    if (!flow.fromProfile && !(await set(isServedAtom, detail))) return false;
    const saved = await set(putAddressAtom, input, detail.address_id);
    const place = get(deliveryPlaceAtom);
    if (!flow.fromProfile || place?.address_id === saved.address_id) {
      set(deliveryPlaceAtom, {
        latitude: input.latitude,
        longitude: input.longitude,
        text: detail.placeText || input.address,
        address: input,
        address_id: saved.address_id,
      });
      if (!flow.fromProfile) set(deliveryTypeAtom, 'DELIVERY');
    }
    set(addressDetailAtom, null);
    const next = afterSaving(flow);
    // The payment page begins with the address.
    if (next !== '/payment') set(toastMessageAtom, t.addressSaved({ label: addressLabel(saved) }));
    get(navigateAtom).go(next, { replace: true });
    return true;
  },
  {
    as: 'address',
    failed(_get, set, thrown) {
      const first = isFailure(thrown) ? thrown.errors[0] : undefined;
      const field = (['houseNo', 'address', 'label', 'receiverMobile'] as const).find((name) =>
        first?.field?.endsWith(name),
      );
      if (first && (field || first.code === 'ADDRESS_LIMIT')) return { [field ?? 'form']: first.displayMsg };
      return set(showFailureAtom, thrown);
    },
  },
);

/** Whether a store delivers to the form's pin. The server is asked only if the pin is not at the chosen place. */
const isServedAtom = atom(null, async (get, set, detail: AddressDetail): Promise<boolean> => {
  const place = get(deliveryPlaceAtom);
  if (
    get(chosenStoreAtom) &&
    get(deliveryTypeAtom) === 'DELIVERY' &&
    place?.latitude === detail.latitude &&
    place.longitude === detail.longitude
  )
    return true;
  return (
    (await set(
      takePlaceAtom,
      { delType: 'DELIVERY', lat: detail.latitude, long: detail.longitude, text: detail.placeText },
      true,
    )) !== null
  );
});

/** Deletes an address at once and offers an Undo that saves it again. */
export const removeAddressAtom = atom(null, async (get, set, addressId: string): Promise<void> => {
  const address = get(addressesAtom).find((one) => one.address_id === addressId);
  if (!address) return;
  const isLocal = get(localAddressesAtom).some((one) => one.address_id === addressId);
  const { address_id: _id, ...input } = address;
  const before = get(accountAddressesState.atom).data ?? [];
  if (isLocal) {
    set(localAddressesAtom, (list) => withoutAddress(list, addressId));
  } else {
    set(accountAddressesState.put, withoutAddress(before, addressId));
    try {
      await get(apiAtom).call(contract.remove, { addressId });
    } catch (thrown) {
      // An address that is gone already counts as deleted.
      if (codeOf(thrown) !== 'NOT_FOUND') {
        set(accountAddressesState.put, before);
        set(showFailureAtom, thrown);
        return;
      }
    }
  }
  if (get(addressDetailAtom)?.address_id === addressId) set(addressDetailAtom, null);
  set(toastMessageAtom, t.addressRemoved({ label: addressLabel(address) }), {
    label: t.addressUndo,
    act: () => {
      set(putAddressAtom, input, null).catch((thrown: unknown) => set(showFailureAtom, thrown));
    },
  });
});

/**
 * After a login the guest's addresses move from the device into the account. Those that it does not take stay on the
 * device.
 */
export const mergeAddressesAtom = atom(null, async (get, set): Promise<void> => {
  const mobNo = get(sessionAtom)?.attributes.userId ?? '';
  for (const address of [...get(localAddressesAtom)].reverse()) {
    const { address_id, ...input } = address;
    try {
      const saved = await get(apiAtom).call(contract.create, { mobNo, body: input });
      set(localAddressesAtom, (list) => withoutAddress(list, address_id));
      const place = get(deliveryPlaceAtom);
      if (place?.address_id === address_id) set(deliveryPlaceAtom, { ...place, address_id: saved.address.address_id });
    } catch (thrown) {
      // The address stays on the device: neither a full account or a lost network nor an address that was saved before
      // the street was asked for may lose it or stop the login.
      if (!['ADDRESS_LIMIT', 'STREET_MISSING', 'HOUSE_MISSING'].includes(codeOf(thrown))) return;
    }
  }
  // On a slow line the list comes with the screens that show it.
  if (!get(isSlowAtom)) await set(accountAddressesState.load);
});
