import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { DeliveryType, Id, Position } from './names.ts';
import { success } from './reply.ts';

/** Whether orders of a type are taken now, for later alone, or not at all: what placing one says, said beforehand. */
export const Takes = z.enum(['now', 'later', 'none']);
export type Takes = z.output<typeof Takes>;

export const Store = z.object({
  id: z.string(),
  name: z.string(),
  city: z.string(),
  locality: z.string(),
  address: z.string(),
  postcode: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** 0 means offline (specification section 3). */
  online: z.number(),
  advanceOrderStoreId: z.string(),
  /** Which store makes its orders for later, and hands over what is collected, while this one is offline. */
  advanceOrderStore: z.optional(z.object({ name: z.string(), address: z.string() })),
  services: z.array(DeliveryType),
  /** By service. Stores that a device has kept from before lack it. */
  takes: z.optional(
    z.object({
      DELIVERY: z.optional(Takes),
      PICKUP: z.optional(Takes),
      CURB: z.optional(Takes),
      DINEIN: z.optional(Takes),
    }),
  ),
  /** Kilometres from the point asked about, one decimal. */
  distanceKm: z.optional(z.number()),
  isOpen: z.boolean(),
  /** For example 'Open until 11 PM' or 'Opens at 11 AM'. */
  hoursText: z.string(),
  deliveryMinutes: z.optional(z.object({ from: z.number(), to: z.number() })),
  dineInTables: z.number(),
  curbBays: z.number(),
});
export type Store = z.output<typeof Store>;

export const TimeSlot = z.object({ id: z.string(), label: z.string(), /** Epoch ms. */ startsAt: z.number() });
export type TimeSlot = z.output<typeof TimeSlot>;

/** What a store can do for an order that is placed now. */
export const Kitchen = z.object({
  /** Minutes until it is at the gate (DELIVERY) or ready; null when no order is taken now. */
  minutes: z.nullable(z.object({ from: z.number(), to: z.number() })),
  /** Minutes of the promise that holds now; null where there is none. */
  promiseMinutes: z.nullable(z.number()),
  /** 'Open until 11 PM', within the last hour 'Last order 11 PM', 'Opens at 11 AM', 'Orders for later only', 'No orders right now'. */
  text: z.string(),
  isLastHour: z.optional(z.boolean()),
  /** Epoch ms from which this text is no longer right; null when nothing is known to change. */
  changesAt: z.nullable(z.number()),
});
export type Kitchen = z.output<typeof Kitchen>;

const where = {
  latitude: z.optional(z.string()),
  longitude: z.optional(z.string()),
  orderDeliveryType: z.optional(z.string()),
};

/** `PICKUP,CURB` asks for both (specification section 7). Returns at most five. */
export const nearest = endpoint({
  method: 'GET',
  path: '/locator-service/ve3/stores',
  access: 'open',
  about: 'Nearest stores with distances.',
  query: z.object(where),
  reply: success({ storeStationDetails: z.array(Store) }),
});
/** With this header a look-up of a store also answers the code of the rewards programme that the store takes part in. */
export const LOYALTY_HEADER = 'getStoreLoyaltyProgramCode';

/**
 * The store for a point. If delivery does not reach it, `servicable` is false and `nearestPickup` is set. Error
 * NO_STORE if there is no such store either, '2.STORENA' if the store cannot take orders at all.
 */
export const lookup = endpoint({
  method: 'POST',
  path: '/locator-service/ve2/stores',
  access: 'open',
  about: 'The store for a point and delivery type.',
  body: z.object({
    ...Position.shape,
    deliveryType: DeliveryType,
    /** The store that is wanted; it answers if it serves the point, else another one does. */
    storeId: z.optional(Id),
  }),
  reply: success({
    servicable: z.boolean(),
    storeData: z.nullable(Store),
    /** Set if delivery does not reach the point. */
    nearestPickup: z.nullable(Store),
    geoCodeData: z.object({
      geometry: z.object({ location: z.object({ lat: z.number(), lng: z.number() }) }),
      formatted_address: z.string(),
    }),
    loyaltyProgramCode: z.optional(z.string()),
  }),
});
/** A part of a town, by the name that people have for it. */
export const Locality = z.object({ locality: z.string(), latitude: z.number(), longitude: z.number() });
export type Locality = z.output<typeof Locality>;
export const byId = endpoint({
  method: 'GET',
  path: '/locator-service/ve2/stores/{storeId}',
  access: 'open',
  about:
    'One store with its localities, or with locality=false without them; timeSlots=true adds the slots of today and tomorrow, kitchen=true how soon an order is there. With `table` the store has to be one to eat at.',
  query: z.object({
    timeSlots: z.optional(z.string()),
    kitchen: z.optional(z.string()),
    /** Where an order is brought to; for `kitchen` alone. */
    latitude: z.optional(z.string()),
    longitude: z.optional(z.string()),
    /** 'false' leaves `localities` out. */
    locality: z.optional(z.string()),
    deliveryType: z.optional(DeliveryType),
    /** The table of a link, as it stands there. */
    table: z.optional(z.string()),
  }),
  reply: success({
    store: Store,
    timeSlots: z.optional(z.array(TimeSlot)),
    kitchen: z.optional(Kitchen),
    localities: z.optional(z.array(Locality)),
    /** What to say of `table` if the store has no such table. */
    tableMessage: z.optional(z.string()),
  }),
});
export const advanceOrderTime = endpoint({
  method: 'GET',
  path: '/locator-service/ve2/stores/{storeId}/advanceorder-time',
  access: 'open',
  about: "When an offline or closed store's advance orders can start.",
  reply: success({ storeId: z.string(), slots: z.array(TimeSlot) }),
});
export const cities = endpoint({
  method: 'GET',
  path: '/locator-service/ve2/cities',
  access: 'open',
  about: 'Cities with a store of that delivery type.',
  query: z.object({ delivery_type: z.optional(DeliveryType) }),
  reply: success({ data: z.array(z.object({ city: z.string(), stores: z.number() })) }),
});
export const ofCity = endpoint({
  method: 'GET',
  path: '/locator-service/ve2/cities/{city}/stores',
  access: 'open',
  about: 'Stores of a city, or with locality those that deliver there or stand there, by the types asked for.',
  aliases: ['/locator-service/ve3/stores/city/{city}'],
  query: z.object({ ...where, locality: z.optional(z.string()) }),
  reply: success({
    storeStationDetails: z.array(Store),
    /** Where the locality is that was asked for. */
    locality: z.optional(Locality),
  }),
});
/** Where a store delivers, nearest first: its own locality and those around it (specification section 7). */
export const localitiesOfStore = endpoint({
  method: 'GET',
  path: '/locator-service/ve2/stores/{storeId}/localities',
  access: 'open',
  about: 'Localities of a store: its own, and those that it delivers to.',
  reply: success({ data: z.array(Locality), loyaltyProgramCode: z.string() }),
});
/** The locality 'pokhra' is never listed (specification section 5). */
export const localities = endpoint({
  method: 'GET',
  path: '/locator-service/ve2/cities/{city}/localities',
  access: 'open',
  about:
    'Localities of a city that are served by the types asked for, by name: those that are delivered to, and those that stores stand in.',
  query: z.object({ orderDeliveryType: z.optional(z.string()) }),
  reply: success({
    /** With how many stores serve it, and the nearest of them. */
    data: z.array(z.extend(Locality, { storeId: Id, stores: z.number() })),
    loyaltyProgramCode: z.string(),
  }),
});
