import * as t from '#text/location.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf, type Failure } from '../../api/failure.ts';
import type { HostAddress } from '../../bridge/hostBridge.ts';
import type { AddressInput } from '../../contract/addresses.ts';
import type { DeliveryType } from '../../contract/names.ts';
import * as contract from '../../contract/places.ts';
import type { Prediction } from '../../contract/places.ts';
import * as stores from '../../contract/stores.ts';
import type { Locality, Store } from '../../contract/stores.ts';
import { alertOf } from '../../domain/alerts.ts';
import { STORE_NOT_AVAILABLE } from '../../domain/storeAlert.ts';
import { sleep } from '../../domain/sleep.ts';
import { afterAddress } from '../../domain/safeRedirect.ts';
import { typedText } from '../../domain/typedText.ts';
import { detailAtom } from '../drafts/detail.ts';
import { countryAtom } from '../base/country.ts';
import { tasks } from '../base/task.ts';
import { customerAtom } from '../lib/forget.ts';
import { kept } from '../first/lib/kept.ts';
import { question, stayingHere } from '../lib/question.ts';
import { remote } from '../lib/remote.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../first/location.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { rememberLocationAtom, rememberSearchAtom } from './recents.ts';
import { apiAtom, hostAtom, navigateAtom } from '../first/seams.ts';
import { hostNewsAtom } from '../base/share.ts';
import {
  aroundAtom,
  flowAtom,
  flowPath,
  isIndependentFlowAtom,
  nearestState,
  rememberStoreAtom,
  shownTypeAtom,
  showStoreFailureAtom,
  storeErrorAtom,
} from './stores.ts';

/** Typing has to pause for this long before the server is asked. */
const SEARCH_WAIT_MS = 250;
const SHORTEST_SEARCH = 2;

/** Waits for `waitMs`. @throws Error if something newer was typed or moved meanwhile */
async function stillness(waitMs: number, signal: AbortSignal): Promise<void> {
  await sleep(waitMs, signal);
  if (signal.aborted) throw new Error('There is newer text.');
}

export const searchTextAtom = customerAtom('');

/** Predicted locations; the contract lets only an answer with status SUCCESS through (specification section 5). */
export const predictionsState = remote(async (get, _set, signal, text: string) => {
  await stillness(SEARCH_WAIT_MS, signal);
  const around = get(aroundAtom);
  const { predictions } = await get(apiAtom).call(
    contract.autocomplete,
    {
      query: {
        input: text,
        country: get(countryAtom).GOOGLE_MAP_COUNTRY,
        ...(around ? { latitude: String(around.latitude), longitude: String(around.longitude) } : {}),
      },
    },
    { signal },
  );
  return { text, predictions };
});

/** Takes what is typed into the search. The server is not asked about less than SHORTEST_SEARCH characters. */
export const searchAtom = atom(null, (_get, set, typed: string) => {
  set(searchTextAtom, typed);
  const text = typedText(typed);
  // The field says that it is too long.
  if (text.length < SHORTEST_SEARCH || text.length > contract.LONGEST_PLACE) set(predictionsState.put, null);
  else void set(predictionsState.load, text);
});

/** Location action payload of the specification, section 3, with the name and the address of the point. */
export interface LocationPayload {
  readonly delType: DeliveryType;
  readonly lat: number;
  readonly long: number;
  /** The point is already known to be outside every delivery area. */
  readonly isNoDelZone?: boolean | undefined;
  /** The nearest store to collect from, if that is known already. */
  readonly nearbyStore?: Store | null;
  /** Stores to collect from are wanted, not one that delivers. */
  readonly isTakeAwayFlow?: boolean;
  /** The store that is wanted for it; without it the server chooses. */
  readonly storeId?: string;
  /** Name of the place; '' is the customer's own position. */
  readonly text: string;
  readonly address?: AddressInput | null;
  readonly addressId?: string | undefined;
}

/** Search-address state of the specification, section 3: the result of the last look-up of a place. */
export interface SearchAddress {
  readonly text: string;
  readonly geoLocation: { readonly lat: number; readonly lng: number };
  readonly servicable: boolean;
  readonly storeDetails: Store | null;
  /** The store that takes advance orders for the one that delivers. */
  readonly childStoreId: string;
  /** Where one could collect instead. */
  readonly nearbyStore: Store | null;
}
export const searchAddressAtom = customerAtom<SearchAddress | null>(null);

export type AddressField = 'houseNo' | 'address' | 'landmark' | 'label' | 'receiverMobile';
/** What the server is looking up or saving now: a 'place' or an 'address', with what it has refused of that. */
export const findTasks = tasks<AddressField | 'form'>();

/**
 * Asks whether a store delivers to a point, before any login (requirement LOC-X01). @returns null if the answer was
 * shown as an alert
 */
const lookUpAtom = atom(
  null,
  async (
    get,
    set,
    { lat, long, text, storeId }: LocationPayload,
    isFromSelector: boolean,
  ): Promise<SearchAddress | null> => {
    try {
      const reply = await get(apiAtom).call(
        stores.lookup,
        {
          body: {
            latitude: lat,
            longitude: long,
            deliveryType: 'DELIVERY',
            ...(storeId === undefined ? {} : { storeId }),
          },
        },
        { headers: { [stores.LOYALTY_HEADER]: 'true' } },
      );
      return {
        text: text || reply.geoCodeData.formatted_address,
        geoLocation: { lat, lng: long },
        servicable: reply.servicable,
        storeDetails: reply.storeData,
        childStoreId: reply.storeData?.advanceOrderStoreId ?? '',
        nearbyStore: reply.nearestPickup,
      };
    } catch (thrown) {
      if (codeOf(thrown) === 'NO_STORE')
        return {
          text,
          geoLocation: { lat, lng: long },
          servicable: false,
          storeDetails: null,
          childStoreId: '',
          nearbyStore: null,
        };
      set(showStoreFailureAtom, thrown, isFromSelector);
      return null;
    }
  },
);

/**
 * Takes a point as the delivery place if a store delivers there, else says so in `searchAddressAtom`. @returns the
 * store, or null
 */
export const takePlaceAtom = atom(
  null,
  async (_get, set, payload: LocationPayload, isFromSelector: boolean): Promise<Store | null> => {
    set(searchAddressAtom, null);
    set(storeErrorAtom, null);
    const found = await set(lookUpAtom, payload, isFromSelector);
    if (!found) return null;
    const store = found.storeDetails;
    if (!found.servicable || !store) {
      set(searchAddressAtom, found);
      return null;
    }
    const { lat: latitude, long: longitude } = payload;
    // The type is set first: `chosenStoreAtom` writes the store for the current type.
    set(deliveryTypeAtom, 'DELIVERY');
    set(chosenStoreAtom, store);
    set(deliveryPlaceAtom, {
      latitude,
      longitude,
      text: found.text,
      address: payload.address ?? null,
      ...(payload.addressId ? { address_id: payload.addressId } : {}),
    });
    set(aroundAtom, null);
    set(rememberStoreAtom, store.id);
    set(rememberLocationAtom, {
      id: payload.addressId ?? [latitude, longitude].map((degrees) => Math.round(degrees * 1e4)).join(),
      text: found.text,
      latitude,
      longitude,
      deliveryType: 'DELIVERY',
      // One that takes nothing is not found.
      isForLater: store.online === 0,
      addressId: payload.addressId,
    });
    return store;
  },
);

/** Looks up a chosen point, takes it, and goes on (specification section 4, product.md C21). */
export const choosePlaceAtom = atom(null, async (get, set, payload: LocationPayload): Promise<void> => {
  const flow = get(flowAtom);
  const isHere = stayingHere(get);
  set(dropPlaceQuestionsAtom);
  if (payload.isTakeAwayFlow) {
    set(aroundAtom, { latitude: payload.lat, longitude: payload.long, text: payload.text });
    await set(nearestState.load, payload.delType);
    return;
  }
  if (payload.isNoDelZone) {
    // The answer is known already, so the server is not asked again.
    const { lat, long: lng, text, nearbyStore = null } = payload;
    set(searchAddressAtom, {
      text,
      geoLocation: { lat, lng },
      servicable: false,
      storeDetails: null,
      childStoreId: '',
      nearbyStore,
    });
    return;
  }
  const store = await set(takePlaceAtom, payload, true);
  if (!store) return;
  // If the place is chosen for its own sake and has a house number, nothing more is asked: it leads to the menu.
  const page = get(isIndependentFlowAtom) && payload.address?.houseNo ? '/menu' : flow.page;
  const target = afterAddress(flow.from, page, store.online);
  // The address page and the cart say the same for as long as they are open.
  if ('reload' in target || !/^\/(address|cart)/.test(target.go))
    set(
      toastMessageAtom,
      store.deliveryMinutes
        ? t.deliversIn({ store: store.name, ...store.deliveryMinutes })
        : t.delivers({ store: store.name }),
    );
  // Whoever has gone elsewhere meanwhile has the place, and stays there.
  if (!isHere()) return;
  if ('reload' in target) globalThis.location.reload();
  else get(navigateAtom).go(target.go);
});

/** Where the phone is. */
export const hereQuestion = question((get, signal) => get(hostAtom).getLocation({ signal }));
/** Which of the addresses that the host keeps. */
export const pickerQuestion = question((get, signal) => get(hostAtom).pickAddress({ signal }));
/** Another way to say where has been taken, so nobody waits for the phone's or the host's any more. */
export const dropPlaceQuestionsAtom = atom(null, (_get, set): void => {
  set(hereQuestion.drop);
  set(pickerQuestion.drop);
});

/** Has the server look up one place at a time; another one meanwhile is ignored. */
const findAtom = findTasks.task(
  (_get, set, work: () => Promise<void>) => {
    set(dropPlaceQuestionsAtom);
    return work();
  },
  { as: 'place' },
);

/** Takes a locality of the list with the store that shall deliver there. */
export const chooseAreaAtom = atom(null, (_get, set, area: Locality, city: string, storeId: string) =>
  set(findAtom, () =>
    set(choosePlaceAtom, {
      delType: 'DELIVERY',
      lat: area.latitude,
      long: area.longitude,
      storeId,
      text: area.locality === city ? city : `${area.locality}, ${city}`,
    }),
  ),
);

/** The house, street and landmark that were typed into the search, for the form of the place that was chosen with them. */
const TypedDoor = z.nullable(
  z.object({
    latitude: z.number(),
    longitude: z.number(),
    house: z.string(),
    street: z.string(),
    landmark: z._default(z.string(), ''),
  }),
);
export const typedDoorAtom = kept<z.output<typeof TypedDoor>>({
  key: 'typed-door',
  schema: TypedDoor,
  initial: null,
  forget: 'logout',
});

/**
 * Takes a suggestion: the first result of its details is the place. A town that is delivered to in parts leads to the
 * list of its areas.
 */
export const choosePredictionAtom = atom(null, (get, set, prediction: Prediction, delType: DeliveryType) =>
  set(findAtom, async () => {
    const isTakeAwayFlow = delType !== 'DELIVERY';
    const isHere = stayingHere(get);
    try {
      const { results } = await get(apiAtom).call(contract.details, { query: { place_id: prediction.place_id } });
      const place = results[0];
      if (!place) return;
      set(rememberSearchAtom, prediction);
      set(searchTextAtom, '');
      set(predictionsState.put, null);
      const { lat, lng } = place.geometry.location;
      const { house = '', street = '', landmark = '' } = prediction;
      set(
        typedDoorAtom,
        house + street + landmark === '' ? null : { latitude: lat, longitude: lng, house, street, landmark },
      );
      if (!isHere()) return;
      if (!isTakeAwayFlow && prediction.delivery === 'PARTLY') {
        const city = prediction.main_text;
        get(navigateAtom).go(flowPath('/manualSelector', get(flowAtom), { city, deliveryType: delType }));
        return;
      }
      await set(choosePlaceAtom, { delType, lat, long: lng, isTakeAwayFlow, text: place.formatted_address });
    } catch (thrown) {
      set(showStoreFailureAtom, thrown, true);
    }
  }),
);

/** Whether the customer shares their position; null until they were asked. */
export const gpsAtom = kept<'on' | 'off' | null>({
  key: 'gps',
  schema: z.nullable(z.enum(['on', 'off'])),
  initial: null,
  forget: 'never',
});
/** Why the position is unknown, as a sentence; '' when nothing is wrong. */
export const gpsMessageAtom = customerAtom('');

function gpsMessage(code: string): string {
  if (code === 'DENIED') return t.gpsDenied;
  if (code === 'TIMEOUT') return t.gpsTimeout;
  return code === 'BUSY' ? t.gpsBusy : t.gpsUnavailable;
}

/** The point that is to be confirmed on the map. */
const Pin = z.nullable(z.object({ latitude: z.number(), longitude: z.number(), text: z.string() }));
export type Pin = z.output<typeof Pin>;
export const pinAtom = kept<Pin>({ key: 'pin', schema: Pin, initial: null, forget: 'logout' });

/**
 * Started only by a tap: asks the host for the customer's position, then which area that is, or shows the stores around it. Whoever
 * has turned to something else meanwhile, on this page or another, stays with that.
 */
export const takeHereAtom = atom(null, async (get, set, delType: DeliveryType): Promise<void> => {
  if (get(hereQuestion.atom) === 'asked' || get(findTasks.isBusyAtom)) return;
  set(gpsMessageAtom, '');
  set(pickerQuestion.drop);
  const doing = () => [get(shownTypeAtom), get(searchTextAtom)].join(' ');
  const before = doing();
  const answer = await set(hereQuestion.ask);
  if (answer.is === 'superseded') return;
  if (answer.is === 'failed') {
    const code = (answer.thrown as { code?: string }).code ?? '';
    if (code === 'DENIED') set(gpsAtom, 'off');
    if (answer.isHere()) set(gpsMessageAtom, gpsMessage(code));
    return;
  }
  set(gpsAtom, 'on');
  if (!answer.isHere()) return;
  if (doing() !== before) {
    set(gpsMessageAtom, t.hereKnown);
    return;
  }
  const { latitude, longitude } = answer.value;
  if (delType === 'DELIVERY') {
    set(pinAtom, { latitude, longitude, text: '' });
    get(navigateAtom).go(flowPath('/postorder-ui/mapScreen', get(flowAtom), { pin: 'here' }));
    return;
  }
  await set(choosePlaceAtom, { delType, lat: latitude, long: longitude, isTakeAwayFlow: true, text: '' });
});

/** What is at the pin, and which store delivers there. */
export const pinState = remote(async (get, _set, signal, pin: NonNullable<Pin>) => {
  await stillness(SEARCH_WAIT_MS, signal);
  const { call } = get(apiAtom);
  const body = { latitude: pin.latitude, longitude: pin.longitude };
  const [named, served] = await Promise.all([
    call(contract.geocode, { body }, { signal }),
    call(
      stores.lookup,
      { body: { ...body, deliveryType: 'DELIVERY' } },
      { signal, headers: { [stores.LOYALTY_HEADER]: 'true' } },
    ).catch((thrown: unknown) => {
      const none = { servicable: false, storeData: null, nearestPickup: null };
      if (codeOf(thrown) === 'NO_STORE') return none;
      // The pin chooses a store, but an alert at every step of it would be in the way: its words stand with the pin.
      if (codeOf(thrown) === STORE_NOT_AVAILABLE)
        return { ...none, refused: alertOf((thrown as Failure).errors).message };
      throw thrown;
    }),
  ]);
  return {
    ...body,
    text: named.results[0]?.formatted_address ?? '',
    /** The name of the area alone. */
    area: named.results[0]?.name ?? '',
    isNear: named.results[0]?.isNear === true,
    servicable: served.servicable,
    store: served.storeData,
    nearestPickup: served.nearestPickup,
    /** Why the store that delivers there takes no order; '' if that is not so. */
    refused: 'refused' in served ? served.refused : '',
  };
});

/** Moves the pin; its name is looked up again. */
export const movePinAtom = atom(null, (get, set, to: { latitude: number; longitude: number }) => {
  const pin = { latitude: to.latitude, longitude: to.longitude, text: get(pinAtom)?.text ?? '' };
  set(pinAtom, pin);
  void set(pinState.load, pin);
});

/** The name of the pin's place; null until it is that of where the pin is now. */
export const pinTextAtom = atom((get) => {
  const pin = get(pinAtom);
  const found = get(pinState.atom).data;
  return pin && found && found.latitude === pin.latitude && found.longitude === pin.longitude ? found.text : null;
});

export const confirmPinAtom = atom(null, (get, set) =>
  set(findAtom, async () => {
    const pin = get(pinAtom);
    if (!pin) return;
    const text = get(pinTextAtom) || pin.text || t.pinUnnamed;
    const found = get(pinState.atom).data;
    const isKnown = found !== null && found.latitude === pin.latitude && found.longitude === pin.longitude;
    await set(choosePlaceAtom, {
      delType: 'DELIVERY',
      lat: pin.latitude,
      long: pin.longitude,
      text,
      ...(isKnown && !found.servicable && !found.refused
        ? { isNoDelZone: true, nearbyStore: found.nearestPickup }
        : {}),
    });
  }),
);

/** Why the host's address picker gave no address, as a sentence. */
export const hostAddressMessageAtom = customerAtom('');
/**
 * Set when the host's picker has failed, so that our own form may be used. `isLate`: its bridge was not ready; `news`:
 * the host's news count at that time. null: it may be asked.
 */
const pickerGoneAtom = customerAtom<{ readonly isLate: boolean; readonly news: number } | null>(null);
/**
 * Runs when the page opens, never while somebody uses it: a bridge that was only late is ready by now, so the picker
 * may be asked again.
 */
export const askPickerAgainAtom = atom(null, (get, set) => {
  const gone = get(pickerGoneAtom);
  if (gone?.isLate && gone.news !== get(hostNewsAtom)) set(pickerGoneAtom, null);
});

/** The host offers the addresses that it keeps, and its picker may still work. */
export const isHostPickerOfferedAtom = atom(
  (get) =>
    // What a host can do may be known only later.
    get(hostNewsAtom) >= 0 && get(pickerGoneAtom) === null && get(hostAtom).supports('address').state !== 'unavailable',
);
/** The host wants its picker to be used instead of our own form. */
export const isHostPickerFirstAtom = atom(
  (get) => get(isHostPickerOfferedAtom) && get(hostAtom).forbids.has('own-address-form'),
);

function linesOf(address: HostAddress): string {
  return [address.line2, address.area, address.city, address.pincode]
    .filter((part): part is string => part !== null && part.trim() !== '')
    .join(', ');
}

/** The position of a picked address that has none, as near as our own list of places knows. */
const positionOfAtom = atom(
  null,
  async (get, _set, address: HostAddress): Promise<{ lat: number; lng: number } | null> => {
    const { call } = get(apiAtom);
    const country = get(countryAtom).GOOGLE_MAP_COUNTRY;
    const tries = [address.pincode, [address.area, address.city].filter(Boolean).join(' '), address.area, address.city];
    for (const input of tries) {
      if (!input) continue;
      const found = (await call(contract.autocomplete, { query: { input: input.slice(0, 80), country } }))
        .predictions[0];
      const place = found && (await call(contract.details, { query: { place_id: found.place_id } })).results[0];
      if (place) return place.geometry.location;
    }
    return null;
  },
);

/** Tries in a row that the picker has not answered. */
const silentTriesAtom = atom(0);
const MOST_SILENT_TRIES = 2;

/**
 * Opens the host's address picker and takes all that it gives, including name and number of the receiver. One that stays
 * silent is asked again by another tap, and then counts as one that does not work.
 */
export const pickHostAddressAtom = atom(null, async (get, set): Promise<void> => {
  if (get(pickerQuestion.atom) === 'asked' || get(findTasks.isBusyAtom)) return;
  set(dropPlaceQuestionsAtom);
  set(hostAddressMessageAtom, '');
  if (get(silentTriesAtom) >= MOST_SILENT_TRIES) {
    set(silentTriesAtom, 0);
    set(pickerGoneAtom, { isLate: false, news: get(hostNewsAtom) });
    set(hostAddressMessageAtom, t.pickerFailed);
    return;
  }
  set(silentTriesAtom, (tries) => tries + 1);
  const answer = await set(pickerQuestion.ask);
  if (answer.is === 'superseded') return;
  set(silentTriesAtom, 0);
  if (answer.is === 'failed') {
    const code = (answer.thrown as { code?: string }).code ?? '';
    const isClosed = /^(CANCELLED|BUSY|ABORTED)$/.test(code);
    if (!isClosed) set(pickerGoneAtom, { isLate: code === 'NOT_READY', news: get(hostNewsAtom) });
    if (answer.isHere()) set(hostAddressMessageAtom, isClosed ? t.pickerCancelled : t.pickerFailed);
    return;
  }
  if (answer.isHere()) await set(findAtom, () => set(takePickedAtom, answer.value));
});

/** Takes the address that was picked in the host's picker. */
const takePickedAtom = atom(null, async (get, set, picked: HostAddress): Promise<void> => {
  const isHere = stayingHere(get);
  try {
    const isExact = picked.latitude !== null && picked.longitude !== null;
    const at = isExact ? { lat: picked.latitude, lng: picked.longitude } : await set(positionOfAtom, picked);
    if (!isHere()) return;
    const rest = linesOf(picked);
    if (!at) {
      set(pickerGoneAtom, { isLate: false, news: get(hostNewsAtom) });
      set(hostAddressMessageAtom, t.pickedUnknown);
      set(searchAtom, picked.area ?? picked.city ?? '');
      return;
    }
    const [fName = '', ...names] = (picked.name ?? '').trim().split(/\s+/);
    set(detailAtom, (detail) => ({
      ...detail,
      fName: detail.fName || fName,
      lName: detail.lName || names.join(' '),
      mobNo: detail.mobNo || (picked.mobile ?? ''),
    }));
    await set(choosePlaceAtom, {
      delType: 'DELIVERY',
      lat: at.lat,
      long: at.lng,
      text: rest || picked.line1,
      address: {
        latitude: at.lat,
        longitude: at.lng,
        houseNo: picked.line1.slice(0, 80),
        address: (rest || picked.line1).slice(0, 240),
        type: 'home',
        ...(picked.name ? { receiverName: picked.name.slice(0, 60) } : {}),
        ...(picked.mobile ? { receiverMobile: picked.mobile.slice(0, 24) } : {}),
      },
    });
  } catch (thrown) {
    if (isHere()) set(showStoreFailureAtom, thrown, true);
  }
});
