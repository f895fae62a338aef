import * as errors from '#text/errors.ts';
import * as t from '#text/location.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { isFailure } from '../../api/failure.ts';
import type { DeliveryType } from '../../contract/names.ts';
import * as contract from '../../contract/stores.ts';
import type { Store } from '../../contract/stores.ts';
import type { Alert } from '../../domain/alerts.ts';
import { storeAlert } from '../../domain/storeAlert.ts';
import { deliveryType, storeQuery, takeawayType } from '../../domain/delivery.ts';
import { NEAREST_STORES, recentStores } from '../../domain/recents.ts';
import { afterTakeaway } from '../../domain/safeRedirect.ts';
import { customerAtom } from '../lib/forget.ts';
import { kept } from '../first/lib/kept.ts';
import { remote } from '../lib/remote.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../first/location.ts';
import { showFailureAtom } from '../base/popup.ts';
import { popupAtom } from '../base/popup.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { rememberLocationAtom } from './recents.ts';
import { apiAtom, navigateAtom, pathAtom } from '../first/seams.ts';
import { tableAtom } from '../drafts/table.ts';

/** storeIdList of the specification, section 3: the last four chosen, newest first. */
export const storeIdListAtom = kept<string[]>({
  key: 'store-ids',
  schema: z.array(z.string()),
  initial: [],
  forget: 'logout',
  optional: true,
});

/** storeError of the specification, section 3: the last alert about a store. */
export const storeErrorAtom = customerAtom<Alert | null>(null);

/** Where the choice of a place began, which decides where it leads (specification section 4). */
export interface Flow {
  readonly from: string;
  /** The path of the app that was asked for. */
  readonly page: string;
  readonly isFromHome: boolean;
  readonly fromProfile: boolean;
}
const NO_FLOW: Flow = { from: '', page: '', isFromHome: false, fromProfile: false };
export const flowAtom = customerAtom<Flow>(NO_FLOW);
/**
 * Independent-flow flag of the specification, section 3: the place is chosen for its own sake, not on the way to
 * another page.
 */
export const isIndependentFlowAtom = atom((get) => get(flowAtom).from === '' && get(flowAtom).page === '');

function flowOf(query: URLSearchParams): Flow {
  return {
    from: query.get('from') ?? '',
    page: query.get('page') ?? '',
    isFromHome: query.get('isFromHome') === 'true',
    fromProfile: query.get('fromProfile') === 'true',
  };
}

/** A path with the parameters of the flow and with `more` parameters. */
export function flowPath(path: string, flow: Flow, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(more);
  if (flow.from) query.set('from', flow.from);
  if (flow.page) query.set('page', flow.page);
  if (flow.isFromHome) query.set('isFromHome', 'true');
  if (flow.fromProfile) query.set('fromProfile', 'true');
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Where another store is chosen for the cart: for a delivery by its place, else from the list of stores. */
export const storeSelectorPath = (type: DeliveryType): string =>
  type === 'DELIVERY'
    ? '/postorder-ui/searchAddress?from=cart'
    : `/postorder-ui/selectRestaurant?deliveryType=${type}&from=cart`;

const SearchCentre = z.nullable(z.object({ latitude: z.number(), longitude: z.number(), text: z.string() }));
export type SearchCentre = z.output<typeof SearchCentre>;
const searchedAroundAtom = kept<SearchCentre>({ key: 'around', schema: SearchCentre, initial: null, forget: 'logout' });
/**
 * The point that distances to stores are measured from: the place searched for last, else the delivery place, else
 * null.
 */
export const aroundAtom = atom(
  (get): SearchCentre => get(searchedAroundAtom) ?? get(deliveryPlaceAtom),
  (_get, set, around: SearchCentre) => set(searchedAroundAtom, around),
);

/**
 * At most five stores, nearest first. Without a point to measure from they are those around the country's map centre,
 * without distances.
 */
export const nearestState = remote(
  async (get, _set, signal, type: DeliveryType): Promise<{ type: DeliveryType; stores: Store[] }> => {
    const around = get(aroundAtom);
    const { storeStationDetails } = await get(apiAtom).call(
      contract.nearest,
      {
        query: {
          orderDeliveryType: storeQuery(type),
          ...(around ? { latitude: String(around.latitude), longitude: String(around.longitude) } : {}),
        },
      },
      { signal },
    );
    const stores = storeStationDetails.slice(0, NEAREST_STORES);
    return { type, stores: around ? stores : stores.map(({ distanceKm: _distanceKm, ...store }) => store) };
  },
);

/** Stores farther away than this are shown only when there is none nearer. */
const NEAR_KM = 60;
/** The ones within reach of these five. */
export const nearStoresAtom = atom((get): { readonly type: DeliveryType; readonly stores: readonly Store[] } | null => {
  const { data } = get(nearestState.atom);
  if (!data) return null;
  const near = data.stores.filter((store) => store.distanceKm === undefined || store.distanceKm <= NEAR_KM);
  return { type: data.type, stores: near.length > 0 ? near : data.stores };
});

export const citiesState = remote(
  async (get, _set, signal, type: DeliveryType) => {
    const wanted = type === 'CURB' ? 'PICKUP' : type;
    const { data } = await get(apiAtom).call(contract.cities, { query: { delivery_type: wanted } }, { signal });
    return { type, cities: data };
  },
  { isCustomers: false },
);

/** The localities of a city that are served: city select of the specification, section 3. */
export const cityState = remote(
  async (get, _set, signal, city: string, type: DeliveryType) => {
    const { data } = await get(apiAtom).call(
      contract.localities,
      { city, query: { orderDeliveryType: storeQuery(type) } },
      { signal, headers: { [contract.LOYALTY_HEADER]: 'true' } },
    );
    return { city, type, localities: data };
  },
  { isCustomers: false },
);

/** The stores of a locality: those that deliver there, else those that stand there. */
export const areaState = remote(async (get, _set, signal, city: string, locality: string, type: DeliveryType) => {
  // Who has something brought is told how far it comes; who collects, how far the store is from them.
  const around = type === 'DELIVERY' ? null : get(aroundAtom);
  const reply = await get(apiAtom).call(
    contract.ofCity,
    {
      city,
      query: {
        locality,
        orderDeliveryType: storeQuery(type),
        ...(around ? { latitude: String(around.latitude), longitude: String(around.longitude) } : {}),
      },
    },
    { signal },
  );
  return { city, asked: locality, type, locality: reply.locality, stores: reply.storeStationDetails };
});

/** Puts the store first in the list of the last four. */
export const rememberStoreAtom = atom(null, (_get, set, storeId: string) =>
  set(storeIdListAtom, (list) => recentStores(list, storeId)),
);

/**
 * Shows why the server refuses a store: as an alert when the customer is choosing one, else only the store selector
 * closes (specification section 8).
 */
export const showStoreFailureAtom = atom(null, (_get, set, thrown: unknown, isFromSelector: boolean): void => {
  if (!isFailure(thrown) || thrown.errors.length === 0) {
    set(showFailureAtom, thrown);
    return;
  }
  const alert = storeAlert(thrown.errors, isFromSelector);
  set(storeErrorAtom, alert);
  if (!alert) return;
  set(popupAtom, {
    header: alert.header,
    message: alert.message,
    right: { label: alert.button },
    ...(thrown.requestId ? { reference: thrown.requestId } : {}),
  });
});

/**
 * Takes a store to collect from or to eat at (specification section 4). It is saved as the takeaway store, with type
 * CURB if the store has it; after Takeaway the counter is chosen all the same, after Curbside the car (product.md C02).
 * A table is of one store, and is forgotten with it.
 */
const takeStoreAtom = atom(null, (get, set, store: Store, wanted: DeliveryType): void => {
  const type = wanted === 'DINEIN' ? 'DINEIN' : takeawayType(store.services);
  const isAtCounter = wanted === 'PICKUP';
  if (get(chosenStoreAtom)?.id !== store.id) set(tableAtom, '');
  set(deliveryTypeAtom, type, isAtCounter);
  set(chosenStoreAtom, store);
  set(storeErrorAtom, null);
  set(rememberStoreAtom, store.id);
  set(rememberLocationAtom, {
    id: store.id,
    text: store.name,
    latitude: store.latitude,
    longitude: store.longitude,
    deliveryType: type,
    isForLater: store.online === 0 && store.takes?.[type] !== 'none',
  });
  if (type !== 'CURB') set(toastMessageAtom, t.storeChosen({ type, store: store.name }));
  else if (isAtCounter)
    set(toastMessageAtom, t.storeChosen({ type: 'PICKUP', store: store.name }), {
      label: t.toMyCar,
      act: () => set(deliveryTypeAtom, 'CURB'),
    });
  else
    set(toastMessageAtom, t.toCar({ place: store.locality }), {
      label: t.comeIn,
      act: () => set(deliveryTypeAtom, 'PICKUP'),
    });
});

/** Takes a store, and leads back to the cart, to '/' from home, else to the home path with offline=false. */
export const chooseStoreAtom = atom(null, (get, set, store: Store, wanted: DeliveryType): void => {
  const flow = get(flowAtom);
  set(takeStoreAtom, store, wanted);
  get(navigateAtom).go(flow.from === 'cart' ? '/cart' : afterTakeaway(flow.isFromHome));
});

/**
 * Takes store and table of a link, as of the code that stands on a table: `?store=10102&table=7`. Leads to the menu, in
 * place of the link, so that Back does not take them once more. A table that the store does not have is said and left
 * out: the checkout asks for it. A store that cannot be eaten at is said, and the stores stay to choose from. Whoever has
 * gone on to another page meanwhile is left there, with the store that they have.
 */
export const openTableAtom = atom(null, async (get, set, query: URLSearchParams): Promise<void> => {
  const storeId = query.get('store');
  const table = query.get('table')?.trim();
  if (!storeId || table === undefined) return;
  const path = get(pathAtom);
  try {
    const { store, tableMessage } = await get(apiAtom).call(contract.byId, {
      storeId,
      query: { table, locality: 'false' },
    });
    if (get(pathAtom) !== path) return;
    set(takeStoreAtom, store, 'DINEIN');
    set(tableAtom, tableMessage === undefined ? table : '');
    get(navigateAtom).go('/menu', { replace: true });
    if (tableMessage !== undefined) set(popupAtom, { message: tableMessage, right: { label: errors.ok } });
  } catch (thrown) {
    if (get(pathAtom) === path) set(showFailureAtom, thrown);
  }
});

/**
 * The delivery type that is being looked at. It is stored only with the choice, so that looking around changes no
 * price.
 */
const wantedTypeAtom = customerAtom<DeliveryType | null>(null);

/**
 * Opens a page of the choice: takes over its flow and its type, which is `deliveryType` of the address or the current
 * one.
 */
export const openChoiceAtom = atom(null, (get, set, query: URLSearchParams): DeliveryType => {
  set(flowAtom, flowOf(query));
  const type = query.has('deliveryType') ? deliveryType(query.get('deliveryType')) : get(deliveryTypeAtom);
  set(wantedTypeAtom, type);
  return type;
});

/** Shows another delivery type, and lists what it begins with: cities for what is brought, else the stores near by. */
export const lookAtTypeAtom = atom(null, (get, set, type: DeliveryType) => {
  set(wantedTypeAtom, type);
  if (type !== 'DELIVERY') void set(nearestState.load, type);
  else if (get(citiesState.atom).data?.type !== type) void set(citiesState.load, type);
});

/** The delivery type that the pages of the choice show. */
export const shownTypeAtom = atom((get): DeliveryType => get(wantedTypeAtom) ?? get(deliveryTypeAtom));

/** The stores within reach for that type; null until they are loaded. */
export const shownStoresAtom = atom((get): readonly Store[] | null => {
  const near = get(nearStoresAtom);
  return near?.type === get(shownTypeAtom) ? near.stores : null;
});
