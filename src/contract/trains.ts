import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { OtpSent } from './login.ts';
import { Id, text } from './names.ts';
import { OrderView } from './orders.ts';
import { success } from './reply.ts';
import { Store } from './stores.ts';
import { Answer, Berth, Coach, Journey, Passenger, TrainOrder } from './trainOrder.ts';

/**
 * Of whatever leads to an order. What an order that stands already needs is there also after trains were switched off: it is
 * changed, answered, cancelled and handed over as was said when it was paid.
 */
const feature = 'irctc';

/**
 * The order: `pnr`, then `save` for a station, `validateOtp` for the phone, the menu and cart of the station's store as
 * always, and the ordinary validations and submit (contract/orders.ts) with `train` and deliveryType DELIVERY.
 */
export const pnr = endpoint({
  method: 'GET',
  path: '/api/ve1/locator-service/pnr/{pnr}',
  feature,
  about:
    'The journey of a PNR and its stations; errors PNR_MALFORMED, PNR_UNKNOWN, PNR_CANCELLED, PNR_OVER, TRAIN_CANCELLED, TRAIN_NOT_SERVED, RAILWAY_AWAY, CHALLENGE, TOO_MANY.',
  reply: success({ journey: Journey }),
});

/** Nothing personal: the same for everybody. */
export const station = endpoint({
  method: 'GET',
  path: '/locator-service/ve3/stores/{storeId}/stations/{stationId}',
  access: 'open',
  feature,
  about: 'A station that a store brings to, and its rules; error NOT_FOUND.',
  reply: success({
    station: z.object({
      stationId: z.string(),
      name: z.string(),
      city: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      platforms: z.int(),
      /** Where to stand and what to show. */
      hint: z.string(),
      /** Order until so many minutes before arrival, pay until so many. */
      cutoffMinutes: z.int(),
      payMinutes: z.int(),
      /** Cancel until so many minutes before arrival. */
      cancelMinutes: z.int(),
      bookAheadHours: z.int(),
    }),
    store: Store,
    /** Ids of the dishes that are still good after an hour in a box. */
    travelsWell: z.array(z.string()),
  }),
});

export const terms = endpoint({
  method: 'GET',
  path: '/order-service/ve1/irctc/terms',
  access: 'open',
  feature,
  about: 'The terms of food on trains.',
  reply: success({ title: z.string(), terms: z.array(z.object({ heading: z.string(), text: z.string() })) }),
});

/** Saving again for the same cart replaces what was saved. A mobile that is not checked is sent a code. */
export const save = endpoint({
  method: 'POST',
  path: '/order-service/ve1/orders/irctc',
  feature,
  about:
    'Saves journey, station and seat for an order; errors as of pnr, and TRAIN_CUTOFF, TRAIN_EARLY, TRAIN_STATION, STORE_SHUT, INVALID_MOBILE, OTP_WAIT, OTP_LIMIT.',
  body: z.object({
    cartId: Id,
    /** The number alone, or the railway's message that has it. */
    pnr: text(500),
    stationId: Id,
    coach: z.optional(z.nullable(Coach)),
    berth: z.optional(z.nullable(Berth)),
    passenger: z.optional(z.nullable(Passenger)),
    /** The customer's number; may follow by `change`. */
    mobile: z.optional(text(24)),
    /** The last line of the SMS names this host. */
    host: z.optional(text(120)),
  }),
  /** `otp`: a code was sent. */
  reply: success({ train: TrainOrder, otp: z.nullable(OtpSent) }),
});

/** By its own id or the order's. What is left out stays; a mobile only while it is SAVED. */
export const change = endpoint({
  method: 'PUT',
  path: '/order-service/ve1/orders/irctc/{orderId}',
  about: 'Changes coach, berth, passenger or mobile; errors TRAIN_LEFT, INVALID_MOBILE, OTP_WAIT, OTP_LIMIT.',
  body: z.object({
    coach: z.optional(z.nullable(Coach)),
    berth: z.optional(z.nullable(Berth)),
    passenger: z.optional(z.nullable(Passenger)),
    mobile: z.optional(text(24)),
    host: z.optional(text(120)),
  }),
  reply: success({ train: TrainOrder, otp: z.nullable(OtpSent) }),
});

export const sendOtp = endpoint({
  method: 'POST',
  path: '/order-service/ve1/orders/irctc/sendOtp',
  feature,
  about: 'Sends the code for a train order again; errors OTP_WAIT, OTP_LIMIT, CHALLENGE.',
  body: z.object({ trainOrderId: Id, host: z.optional(text(120)) }),
  reply: OtpSent,
});

export const validateOtp = endpoint({
  method: 'POST',
  path: '/order-service/ve1/orders/irctc/validateOtp',
  feature,
  about: 'Checks the code for a train order; errors OTP_WRONG, OTP_EXPIRED, OTP_TRIES, CHALLENGE, TOO_MANY.',
  body: z.object({ trainOrderId: Id, code: text(12) }),
  reply: success({ train: TrainOrder }),
});

export const list = endpoint({
  method: 'GET',
  path: '/order-service/ve1/orders/irctc',
  feature,
  about: 'The train orders of this customer, newest first; what is saved is among them.',
  reply: success({ trains: z.array(TrainOrder) }),
});

export const byId = endpoint({
  method: 'GET',
  path: '/order-service/ve1/orders/irctc/{orderId}',
  about: 'One train order, by its own id or the order’s.',
  reply: success({ train: TrainOrder }),
});

/** What is SAVED is forgotten. An order is cancelled with all its money back, until two hours before arrival. */
export const remove = endpoint({
  method: 'DELETE',
  path: '/order-service/ve1/orders/irctc/{orderId}',
  about: 'Takes a train order back; errors CANCEL_TOO_LATE, PAYMENT_UNKNOWN.',
  reply: success({ order: z.nullable(OrderView) }),
});

export const answer = endpoint({
  method: 'POST',
  path: '/order-service/ve1/orders/irctc/{orderId}/answer',
  about: 'Answers the open question of a train order; errors TRAIN_NO_QUESTION, TRAIN_CHOICE, TRAIN_DISHES.',
  body: z.object({ choice: Answer, stationId: z.optional(Id) }),
  reply: success({ train: TrainOrder }),
});

/** The rider's own call at the coach door. The token comes with the order to the store. */
export const handOver = endpoint({
  method: 'POST',
  path: '/order-service/ve1/irctc/handover',
  access: 'open',
  about: 'The rider hands over against the passenger’s code; errors NOT_FOUND, CODE_WRONG, CODE_TRIES, TRAIN_NOT_HERE.',
  body: z.object({ token: text(80), code: text(12) }),
  reply: success({ orderNumber: z.string() }),
});
