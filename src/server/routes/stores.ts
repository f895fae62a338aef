import * as stores from '../../contract/stores.ts';
import { byDistance } from '../../domain/geo.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, onOld, onShared, onSpoken } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import type { CountryCatalogue } from '../call/catalogue.ts';
import { tableProblems } from '../rules/checkout/checkout.ts';
import { areasOfCity, localitiesOf, placeAt, pointOf } from '../rules/places/places.ts';
import type { SeedStore } from '../store/seeds.ts';
import { advanceStore } from '../rules/catalogue/taking.ts';
import {
  citiesOf,
  kitchenNow,
  lookUp,
  nearestStores,
  ownSlots,
  sameText,
  serves,
  slotsOf,
  storesOfCity,
  storeView,
  wantedTypes,
} from '../rules/places/stores.ts';
import { kitchenDelayNow } from '../rules/order/kitchen.ts';
import { offlineStores } from '../store/stores.ts';

async function context(call: Call) {
  const catalogue = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  return { catalogue, offline: await offlineStores(call.db, call.caller.country, call.seen) };
}

function typesOf(text: string | undefined, field: string) {
  return wantedTypes(text) ?? refuse(400, 'INVALID_INPUT', t.badInput, { field });
}

function storeOr404(catalogue: CountryCatalogue, storeId: string): SeedStore {
  const store = catalogue.stores.get(storeId);
  if (!store || store.fixture === true) refuse(404, 'NOT_FOUND', errors.notFound, { field: 'storeId' });
  return store;
}

const programmeOf = ({ country }: CountryCatalogue) => ({
  loyaltyProgramCode: country.LOYALTY_INFO_DEFAULT_DATA.loyaltyProgramCode,
});

export const storeRoutes: Route[] = [
  onOld(stores.nearest, async ({ query }, call) => {
    const { catalogue, offline } = await context(call);
    const from = pointOf(query.latitude, query.longitude) ?? catalogue.country.mapCentre;
    const list = nearestStores(catalogue, typesOf(query.orderDeliveryType, 'orderDeliveryType'), from);
    return { storeStationDetails: list.map((store) => storeView(catalogue, store, offline, call.now, from)) };
  }),
  on(stores.lookup, async ({ body }, call) => {
    const { catalogue, offline } = await context(call);
    const { deliveryType, storeId, ...from } = body;
    const found = lookUp(catalogue, deliveryType, from, offline, call.now, storeId);
    if (found.kind === 'unavailable') refuse(409, '2.STORENA', t.storeTrouble);
    // No store delivers here and none offers pickup: there is nothing to show except the message.
    if (found.kind === 'none' && found.pickup === null) refuse(404, 'NO_STORE', errors.noDeliveryHere);
    const view = (store: SeedStore) => storeView(catalogue, store, offline, call.now, from);
    return {
      servicable: found.kind === 'found',
      storeData: found.kind === 'found' ? view(found.store) : null,
      nearestPickup: found.kind === 'none' && found.pickup !== null ? view(found.pickup) : null,
      geoCodeData: {
        geometry: { location: { lat: from.latitude, lng: from.longitude } },
        formatted_address: placeAt(catalogue, from)?.formatted_address ?? '',
      },
      ...(call.header(stores.LOYALTY_HEADER) === 'true' ? programmeOf(catalogue) : {}),
    };
  }),
  onOld(stores.byId, async ({ storeId, query }, call) => {
    const { catalogue, offline } = await context(call);
    const store = storeOr404(catalogue, storeId);
    const deliveryType = query.deliveryType ?? 'DELIVERY';
    if (query.table !== undefined && !serves(store, ['DINEIN']))
      refuse(422, 'SERVICE_NOT_OFFERED', t.typeNotOffered({ type: 'DINEIN' }), { field: 'storeId' });
    const [tableProblem] = query.table === undefined ? [] : tableProblems(query.table, store);
    return {
      store: storeView(catalogue, store, offline, call.now),
      ...(query.kitchen === 'true'
        ? {
            kitchen: kitchenNow(
              catalogue,
              store,
              {
                deliveryType,
                from: pointOf(query.latitude, query.longitude),
                delayMs: await kitchenDelayNow(call.db, store, call.now),
              },
              offline,
              call.now,
            ),
          }
        : {}),
      ...(query.locality === 'false' ? {} : { localities: localitiesOf(catalogue, store) }),
      ...(query.timeSlots === 'true' ? { timeSlots: ownSlots(catalogue, store, offline, deliveryType, call.now) } : {}),
      ...(tableProblem ? { tableMessage: tableProblem.displayMsg } : {}),
    };
  }),
  onSpoken(stores.advanceOrderTime, async ({ storeId }, call) => {
    const { catalogue, offline } = await context(call);
    const maker = advanceStore(catalogue, storeOr404(catalogue, storeId), offline);
    if (maker === null) refuse(409, '2.STORENA', t.storeTrouble);
    return { storeId: maker.id, slots: slotsOf(catalogue.country, maker, 'DELIVERY', call.now) };
  }),
  onShared(stores.cities, async ({ query }, call) => {
    const { catalogue } = await context(call);
    return {
      data: citiesOf(
        catalogue,
        typesOf(query.delivery_type === 'PICKUP' ? 'PICKUP,CURB' : query.delivery_type, 'delivery_type'),
      ),
    };
  }),
  onOld(stores.ofCity, async ({ city, query }, call) => {
    const { catalogue, offline } = await context(call);
    const inCity = storesOfCity(catalogue, city);
    if (inCity.length === 0) refuse(404, 'NOT_FOUND', errors.notFound, { field: 'city' });
    const types = typesOf(query.orderDeliveryType, 'orderDeliveryType');
    const wanted = query.locality;
    const area =
      wanted === undefined
        ? null
        : (areasOfCity(catalogue, city, types).find(({ locality }) => sameText(locality, wanted)) ??
          refuse(404, 'NOT_FOUND', errors.notFound, { field: 'locality' }));
    // What is delivered is carried from the store to the locality.
    const from = pointOf(query.latitude, query.longitude) ?? (types.includes('DELIVERY') ? area : null);
    const list = area?.stores ?? inCity.filter((store) => serves(store, types));
    const ordered = from === null ? list : byDistance(list, from).map(({ id }) => storeOr404(catalogue, id));
    return {
      storeStationDetails: ordered.map((store) => storeView(catalogue, store, offline, call.now, from ?? undefined)),
      ...(area ? { locality: { locality: area.locality, latitude: area.latitude, longitude: area.longitude } } : {}),
    };
  }),
  onShared(stores.localitiesOfStore, async ({ storeId }, call) => {
    const { catalogue } = await context(call);
    return {
      data: localitiesOf(catalogue, storeOr404(catalogue, storeId)),
      // The answer is everybody's, asked for by this header or not.
      ...programmeOf(catalogue),
    };
  }),
  onShared(stores.localities, async ({ city, query }, call) => {
    const { catalogue } = await context(call);
    const inCity = storesOfCity(catalogue, city);
    if (inCity.length === 0) refuse(404, 'NOT_FOUND', errors.notFound, { field: 'city' });
    return {
      data: areasOfCity(catalogue, city, typesOf(query.orderDeliveryType, 'orderDeliveryType')).map(
        ({ locality, latitude, longitude, stores: serving }) => ({
          locality,
          // An area without a store is none.
          storeId: serving[0]!.id,
          stores: serving.length,
          latitude,
          longitude,
        }),
      ),
      // The answer is everybody's, asked for by this header or not.
      ...programmeOf(catalogue),
    };
  }),
];
