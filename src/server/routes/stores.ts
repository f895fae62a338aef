import * as stores from '../../contract/stores.ts';
import { catalogueHere } from '../call/call.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, onOld, onShared, onSpoken } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { CountryCatalogue } from '../call/catalogue.ts';
import { hereOf, storeOr404 } from '../rules/catalogue/here.ts';
import { advanceStore } from '../rules/catalogue/taking.ts';
import { tableProblems } from '../rules/checkout/checkout.ts';
import { kitchenDelayNow } from '../rules/order/kitchen.ts';
import { areasOfCity, localitiesOf, placeAt, pointOf, storesServing } from '../rules/places/places.ts';
import {
  citiesOf,
  kitchenNow,
  lookUp,
  mustHaveStores,
  nearestStores,
  ownSlots,
  serves,
  slotsOf,
  storeView,
  typesOr400,
} from '../rules/places/stores.ts';
import type { SeedStore } from '../store/seeds.ts';

const programmeOf = ({ country }: CountryCatalogue) => ({
  loyaltyProgramCode: country.LOYALTY_INFO_DEFAULT_DATA.loyaltyProgramCode,
});

export const storeRoutes: Route[] = [
  onOld(stores.nearest, async ({ query }, call) => {
    const { catalogue, offline } = await hereOf(call);
    const from = pointOf(query.latitude, query.longitude) ?? catalogue.country.mapCentre;
    const list = nearestStores(catalogue, typesOr400(query.orderDeliveryType, 'orderDeliveryType'), from);
    return { storeStationDetails: list.map((store) => storeView(catalogue, store, offline, call.now, from)) };
  }),
  on(stores.lookup, async ({ body }, call) => {
    const { catalogue, offline } = await hereOf(call);
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
    const { catalogue, offline } = await hereOf(call);
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
    const { catalogue, offline } = await hereOf(call);
    const maker = advanceStore(catalogue, storeOr404(catalogue, storeId), offline);
    if (maker === null) refuse(409, '2.STORENA', t.storeTrouble);
    return { storeId: maker.id, slots: slotsOf(catalogue.country, maker, 'DELIVERY', call.now) };
  }),
  onShared(stores.cities, async ({ query }, call) => {
    const catalogue = await catalogueHere(call);
    return {
      data: citiesOf(
        catalogue,
        typesOr400(query.delivery_type === 'PICKUP' ? 'PICKUP,CURB' : query.delivery_type, 'delivery_type'),
      ),
    };
  }),
  onOld(stores.ofCity, async ({ city, query }, call) => {
    const { catalogue, offline } = await hereOf(call);
    mustHaveStores(catalogue, city);
    const types = typesOr400(query.orderDeliveryType, 'orderDeliveryType');
    const point = pointOf(query.latitude, query.longitude);
    const { area, from, stores: list } = storesServing(catalogue, city, types, { locality: query.locality, point });
    return {
      storeStationDetails: list.map((store) => storeView(catalogue, store, offline, call.now, from ?? undefined)),
      ...(area ? { locality: { locality: area.locality, latitude: area.latitude, longitude: area.longitude } } : {}),
    };
  }),
  onShared(stores.localitiesOfStore, async ({ storeId }, call) => {
    const catalogue = await catalogueHere(call);
    return {
      data: localitiesOf(catalogue, storeOr404(catalogue, storeId)),
      // The answer is everybody's, asked for by this header or not.
      ...programmeOf(catalogue),
    };
  }),
  onShared(stores.localities, async ({ city, query }, call) => {
    const catalogue = await catalogueHere(call);
    mustHaveStores(catalogue, city);
    return {
      data: areasOfCity(catalogue, city, typesOr400(query.orderDeliveryType, 'orderDeliveryType')).map(
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
