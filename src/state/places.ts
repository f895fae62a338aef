import { atom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf } from '../api/failure.ts';
import type { HostAddress } from '../bridge/hostBridge.ts';
import type { AddressInput } from '../contract/addresses.ts';
import type { DeliveryType } from '../contract/names.ts';
import * as contract from '../contract/places.ts';
import type { Prediction } from '../contract/places.ts';
import * as stores from '../contract/stores.ts';
import type { Store } from '../contract/stores.ts';
import { afterAddress } from '../domain/returns.ts';
import { detailAtom } from './checkout.ts';
import { sessionAtom } from './lib/forget.ts';
import { kept } from './lib/kept.ts';
import { remote } from './lib/remote.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from './location.ts';
import { toastMessageAtom } from './popup.ts';
import { rememberLocationAtom, rememberSearchAtom } from './recents.ts';
import { apiAtom, hostAtom, navigateAtom } from './seams.ts';
import { hostNewsAtom } from './share.ts';
import { aroundAtom, flowAtom, flowPath, nearestState, rememberStoreAtom, showStoreFailureAtom } from './stores.ts';

/** Typing stands still this long before the server is asked. */
export const SEARCH_WAIT_MS = 250;
const SHORTEST_SEARCH = 2;

function stillness(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs);
    signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason as Error); }, { once: true });
  });
}

export const searchTextAtom = sessionAtom('');

/** Predicted locations; the contract lets only an answer with status SUCCESS through (specification section 5). */
export const predictionsState = remote(async (get, _set, signal, text: string) => {
  await stillness(SEARCH_WAIT_MS, signal);
  const around = get(aroundAtom);
  const { predictions } = await get(apiAtom).call(contract.autocomplete, {
    query: { input: text, ...(around ? { latitude: String(around.latitude), longitude: String(around.longitude) } : {}) },
  }, { signal });
  return { text, predictions };
});

/** What is being typed; too little of it asks nobody. */
export const searchAtom = atom(null, (_get, set, typed: string) => {
  const text = typed.slice(0, 80);
  set(searchTextAtom, text);
  if (text.trim().length < SHORTEST_SEARCH) set(predictionsState.put, null);
  else void set(predictionsState.load, text.trim());
});

/** Location action payload of the specification, section 3, with the words and the address that belong to the point. */
export interface LocationPayload {
  readonly delType: DeliveryType;
  readonly lat: number;
  readonly long: number;
  /** The point is known to lie outside every delivery area. */
  readonly isNoDelZone?: boolean | undefined;
  /** Where one could collect instead, when that is known already. */
  readonly nearbyStore?: Store | null;
  /** Stores to collect from are wanted, not one that delivers. */
  readonly isTakeAwayFlow?: boolean;
  readonly text: string;
  readonly address?: AddressInput | null;
  readonly addressId?: string | undefined;
}

/** Search-address state of the specification, section 3: what the last look at a place found. */
export interface SearchAddress {
  readonly text: string;
  readonly geoLocation: { readonly lat: number; readonly lng: number };
  readonly servicable: boolean;
  readonly storeDetails: Store | null;
  /** The advance-order store of the one that delivers. */
  readonly childStoreId: string;
  /** Where one could collect instead. */
  readonly nearbyStore: Store | null;
}
export const searchAddressAtom = sessionAtom<SearchAddress | null>(null);

/** What is being found out right now; buttons say so and a second tap does nothing. */
export const findingAtom = sessionAtom<'' | 'place' | 'here' | 'host' | 'address'>('');

/** Asks whether somebody delivers to a point, before any login (requirement LOC-X01). Null: the answer was an alert. */
const lookUpAtom = atom(null, async (get, set, { lat, long, text }: LocationPayload, isFromSelector: boolean): Promise<SearchAddress | null> => {
  try {
    const reply = await get(apiAtom).call(stores.lookup, { body: { latitude: lat, longitude: long, deliveryType: 'DELIVERY' } });
    return {
      text: text || reply.geoCodeData.formatted_address, geoLocation: { lat, lng: long },
      servicable: reply.servicable, storeDetails: reply.storeData, childStoreId: reply.storeData?.advanceOrderStoreId ?? '', nearbyStore: reply.nearestPickup,
    };
  } catch (thrown) {
    if (codeOf(thrown) === 'NO_STORE') return { text, geoLocation: { lat, lng: long }, servicable: false, storeDetails: null, childStoreId: '', nearbyStore: null };
    set(showStoreFailureAtom, thrown, isFromSelector);
    return null;
  }
});

/** Takes a point as the delivery place if somebody delivers there; says so in `searchAddressAtom` if not. Answers the store. */
export const takePlaceAtom = atom(null, async (get, set, payload: LocationPayload, isFromSelector: boolean): Promise<Store | null> => {
  set(searchAddressAtom, null);
  const found = await set(lookUpAtom, payload, isFromSelector);
  if (!found) return null;
  const store = found.storeDetails;
  if (!found.servicable || !store) {
    set(searchAddressAtom, found);
    return null;
  }
  const { lat: latitude, long: longitude } = payload;
  // The type first: the store is remembered for the type of now.
  set(deliveryTypeAtom, 'DELIVERY');
  set(chosenStoreAtom, store);
  set(deliveryPlaceAtom, {
    latitude, longitude, text: found.text, address: payload.address ?? null, ...(payload.addressId ? { address_id: payload.addressId } : {}),
  });
  set(aroundAtom, null);
  set(rememberStoreAtom, store.id);
  set(rememberLocationAtom, {
    id: payload.addressId ?? [latitude, longitude].map((degrees) => Math.round(degrees * 1e4)).join(), text: found.text, latitude, longitude,
    deliveryType: 'DELIVERY', isOffline: store.online === 0, addressId: payload.addressId,
  });
  return store;
});

/** A chosen point: looks it up, takes it, and goes on (specification section 4, product.md C21). */
export const choosePlaceAtom = atom(null, async (get, set, payload: LocationPayload): Promise<void> => {
  const flow = get(flowAtom);
  if (payload.isTakeAwayFlow) {
    set(aroundAtom, { latitude: payload.lat, longitude: payload.long, text: payload.text });
    await set(nearestState.load, payload.delType);
    return;
  }
  if (payload.isNoDelZone) {
    // It was asked before: the answer is shown, and nobody is asked again.
    const { lat, long: lng, text, nearbyStore = null } = payload;
    set(searchAddressAtom, { text, geoLocation: { lat, lng }, servicable: false, storeDetails: null, childStoreId: '', nearbyStore });
    return;
  }
  const store = await set(takePlaceAtom, payload, true);
  if (!store) return;
  // A place whose door is known has nothing to be asked for: the page it leads to is the menu.
  const target = afterAddress(flow.from, flow.page || (payload.address?.houseNo ? '/menu' : ''), store.online);
  // The door's own page says it for as long as one is there.
  if ('reload' in target || !target.go.startsWith('/address')) set(toastMessageAtom, `${store.name} delivers to you${store.deliveryMinutes ? ` in ${store.deliveryMinutes.from} to ${store.deliveryMinutes.to} minutes` : ''}.`);
  if ('reload' in target) globalThis.location.reload();
  else get(navigateAtom).go(target.go);
});

/** Runs one look-up at a time. */
const findAtom = atom(null, async (get, set, what: 'place' | 'here' | 'host' | 'address', work: () => Promise<void>): Promise<void> => {
  if (get(findingAtom) !== '') return;
  set(findingAtom, what);
  try {
    await work();
  } finally {
    set(findingAtom, '');
  }
});

/** Takes a suggestion: its details' first result is the place. */
export const choosePredictionAtom = atom(null, (get, set, prediction: Prediction, delType: DeliveryType): Promise<void> => set(findAtom, 'place', async () => {
  const isTakeAwayFlow = delType !== 'DELIVERY';
  try {
    const { results } = await get(apiAtom).call(contract.details, { query: { place_id: prediction.place_id } });
    const place = results[0];
    if (!place) return;
    set(rememberSearchAtom, prediction);
    set(searchTextAtom, '');
    set(predictionsState.put, null);
    const { lat, lng } = place.geometry.location;
    await set(choosePlaceAtom, { delType, lat, long: lng, isTakeAwayFlow, text: place.formatted_address });
  } catch (thrown) {
    set(showStoreFailureAtom, thrown, true);
  }
}));

/** Whether the customer lets us see where they are; null until they were asked. */
export const gpsAtom = kept<'on' | 'off' | null>({ key: 'gps', schema: z.nullable(z.enum(['on', 'off'])), initial: null, forget: 'never' });
/** Why the position is not known, in words; '' when nothing is wrong. */
export const gpsMessageAtom = sessionAtom('');

const GPS_MESSAGES: Readonly<Record<string, string>> = {
  DENIED: 'Your location is not shared with this page, and that is fine. Search for your area above, or choose your city.',
  TIMEOUT: 'Your phone is taking too long to find where you are. Try again near a window, or search for your area.',
  BUSY: 'Another window of your app is still open. Close it and try again.',
};
const GPS_UNAVAILABLE = 'Your location cannot be found right now. Search for your area above, or choose your city.';

/** The point to confirm on the map. */
const Pin = z.nullable(z.object({ latitude: z.number(), longitude: z.number(), text: z.string() }));
export type Pin = z.output<typeof Pin>;
export const pinAtom = kept<Pin>({ key: 'pin', schema: Pin, initial: null, forget: 'logout' });

/** Only ever started by a tap: asks the host where the customer is, then shows the pin or the stores around it. */
export const useHereAtom = atom(null, (get, set, delType: DeliveryType): Promise<void> => set(findAtom, 'here', async () => {
  set(gpsMessageAtom, '');
  let here;
  try {
    here = await get(hostAtom).getLocation();
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? '';
    if (code === 'DENIED') set(gpsAtom, 'off');
    set(gpsMessageAtom, GPS_MESSAGES[code] ?? GPS_UNAVAILABLE);
    return;
  }
  set(gpsAtom, 'on');
  const { latitude, longitude } = here;
  if (delType === 'DELIVERY') {
    set(pinAtom, { latitude, longitude, text: '' });
    get(navigateAtom).go(flowPath('/postorder-ui/mapScreen', get(flowAtom)));
    return;
  }
  await set(choosePlaceAtom, { delType, lat: latitude, long: longitude, isTakeAwayFlow: true, text: 'you' });
}));

/** What is at the pin, and who delivers there. */
export const pinState = remote(async (get, _set, signal, pin: NonNullable<Pin>) => {
  await stillness(SEARCH_WAIT_MS, signal);
  const { call } = get(apiAtom);
  const body = { latitude: pin.latitude, longitude: pin.longitude };
  const [named, served] = await Promise.all([
    call(contract.geocode, { body }, { signal }),
    call(stores.lookup, { body: { ...body, deliveryType: 'DELIVERY' } }, { signal }).catch((thrown: unknown) => {
      const code = codeOf(thrown);
      if (code === 'NO_STORE' || code === '2.STORENA') return { servicable: false, storeData: null, nearestPickup: null };
      throw thrown;
    }),
  ]);
  return { ...body, text: named.results[0]?.formatted_address ?? '', servicable: served.servicable, store: served.storeData, nearestPickup: served.nearestPickup };
});

/** Moves the pin; its words follow. */
export const movePinAtom = atom(null, (get, set, to: { latitude: number; longitude: number }) => {
  const pin = { latitude: to.latitude, longitude: to.longitude, text: get(pinAtom)?.text ?? '' };
  set(pinAtom, pin);
  void set(pinState.load, pin);
});

/** The words of the pin, once they are those of where it is. */
export const pinTextAtom = atom((get) => {
  const pin = get(pinAtom);
  const found = get(pinState.atom).data;
  return pin && found && found.latitude === pin.latitude && found.longitude === pin.longitude ? found.text : null;
});

export const confirmPinAtom = atom(null, (get, set): Promise<void> => set(findAtom, 'place', async () => {
  const pin = get(pinAtom);
  if (!pin) return;
  const text = get(pinTextAtom) || pin.text || 'The place of your pin';
  const found = get(pinState.atom).data;
  const isKnown = found !== null && found.latitude === pin.latitude && found.longitude === pin.longitude;
  await set(choosePlaceAtom, {
    delType: 'DELIVERY', lat: pin.latitude, long: pin.longitude, text, ...(isKnown && !found.servicable ? { isNoDelZone: true, nearbyStore: found.nearestPickup } : {}),
  });
}));

/** Why the host's own picker gave no address, in words. */
export const hostAddressMessageAtom = sessionAtom('');
/** The host cannot give addresses, so our own form may be used: with what it had told of itself by then; null: it may be asked. */
const pickerGoneAtom = sessionAtom<{ readonly isLate: boolean; readonly news: number } | null>(null);
/** On coming to the page, never under somebody's hands: a bridge that was only late is here by now. */
export const askPickerAgainAtom = atom(null, (get, set) => {
  const gone = get(pickerGoneAtom);
  if (gone?.isLate && gone.news !== get(hostNewsAtom)) set(pickerGoneAtom, null);
});

/** The host wants its own address picker to be used, and it may still be able to show it. */
export const isHostPickerFirstAtom = atom((get) => {
  const host = get(hostAtom);
  return host.forbids.has('own-address-form') && get(pickerGoneAtom) === null && host.supports('address').state !== 'unavailable';
});

function linesOf(address: HostAddress): string {
  return [address.line2, address.area, address.city, address.pincode].filter((part): part is string => part !== null && part.trim() !== '').join(', ');
}

/** Where a picked address without a position lies, as near as our own gazetteer knows. */
const positionOfAtom = atom(null, async (get, _set, address: HostAddress): Promise<{ lat: number; lng: number } | null> => {
  const { call } = get(apiAtom);
  const tries = [address.pincode, [address.area, address.city].filter(Boolean).join(' '), address.area, address.city];
  for (const input of tries) {
    if (!input) continue;
    const found = (await call(contract.autocomplete, { query: { input: input.slice(0, 80) } })).predictions[0];
    const place = found && (await call(contract.details, { query: { place_id: found.place_id } })).results[0];
    if (place) return place.geometry.location;
  }
  return null;
});

/** Opens the host's address picker; what it gives is taken whole, name and number of the receiver too. */
export const pickHostAddressAtom = atom(null, (get, set): Promise<void> => set(findAtom, 'host', async () => {
  set(hostAddressMessageAtom, '');
  let picked: HostAddress;
  try {
    picked = await get(hostAtom).pickAddress();
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? '';
    if (code === 'CANCELLED' || code === 'BUSY') {
      set(hostAddressMessageAtom, 'No address was picked. You can open the list again whenever you like.');
      return;
    }
    set(pickerGoneAtom, { isLate: code === 'NOT_READY', news: get(hostNewsAtom) });
    set(hostAddressMessageAtom, 'Your app could not show its saved addresses, so please tell us here where to deliver.');
    return;
  }
  try {
    const isExact = picked.latitude !== null && picked.longitude !== null;
    const at = isExact ? { lat: picked.latitude as number, lng: picked.longitude as number } : await set(positionOfAtom, picked);
    const rest = linesOf(picked);
    if (!at) {
      set(pickerGoneAtom, { isLate: false, news: get(hostNewsAtom) });
      set(hostAddressMessageAtom, 'We could not find that address on our map. Please search for your area.');
      set(searchAtom, picked.area ?? picked.city ?? '');
      return;
    }
    const [fName = '', ...names] = (picked.name ?? '').trim().split(/\s+/);
    set(detailAtom, (detail) => ({ ...detail, fName: detail.fName || fName, lName: detail.lName || names.join(' '), mobNo: detail.mobNo || (picked.mobile ?? '') }));
    await set(choosePlaceAtom, {
      delType: 'DELIVERY', lat: at.lat, long: at.lng, text: rest || picked.line1,
      address: {
        latitude: at.lat, longitude: at.lng, houseNo: picked.line1.slice(0, 80), address: (rest || picked.line1).slice(0, 240), type: 'home',
        ...(picked.name ? { receiverName: picked.name.slice(0, 60) } : {}), ...(picked.mobile ? { receiverMobile: picked.mobile.slice(0, 24) } : {}),
      },
    });
  } catch (thrown) {
    set(showStoreFailureAtom, thrown, true);
  }
}));
