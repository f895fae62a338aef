import * as z from 'zod/mini';
import { Id, text } from './names.ts';
import { Price } from './price.ts';

/** Shapes of one order to a train; the calls are in trains.ts. All times are epoch ms. */

/**
 * Whether food can be ordered to a stop of the journey. TOO_EARLY: more than 96 hours ahead. CLOSED: the cut-off is past.
 * STORE_SHUT: the station's store takes no order for that hour. NOT_SERVED: no store of ours. SKIPPED: the train does not
 * stop there this time. PASSED: it was there.
 */
export const StopState = z.enum(['OPEN', 'TOO_EARLY', 'CLOSED', 'STORE_SHUT', 'NOT_SERVED', 'SKIPPED', 'PASSED']);
export type StopState = z.output<typeof StopState>;

/** A halt of the train at a station. */
const Halt = {
  /** The railway's code, for example NDLS. */
  stationId: z.string(),
  name: z.string(),
  city: z.string(),
  /** Arrival by the timetable, and as it is expected now. */
  scheduledAt: z.number(),
  arrivesAt: z.number(),
  departsAt: z.number(),
  haltMinutes: z.int(),
  /** How late the train is there; 0 when it is on time. */
  delayMinutes: z.int(),
  /** Null until the railway has said it. */
  platform: z.nullable(z.string()),
};

/** A stop of a journey. */
export const Stop = z.object({
  ...Halt,
  latitude: z.number(),
  longitude: z.number(),
  isBoarding: z.boolean(),
  isDestination: z.boolean(),
  state: StopState,
  /** Why nothing can be ordered there, in a sentence; null for OPEN. */
  reason: z.nullable(z.string()),
  /** Null where we have no store. */
  storeId: z.nullable(z.string()),
  storeName: z.nullable(z.string()),
  /** From when until when it can be ordered to, and until when it must be paid; null where we have no store. */
  opensAt: z.nullable(z.number()),
  orderUntil: z.nullable(z.number()),
  payUntil: z.nullable(z.number()),
});
export type Stop = z.output<typeof Stop>;

/** CONFIRMED: has a berth. RAC: a seat that is shared. WAITING: on the waiting list. */
const Ticket = z.enum(['CONFIRMED', 'RAC', 'WAITING']);

const Train = z.object({ number: z.string(), name: z.string() });

/** What a PNR tells. It has no names: whoever knows a number of ten digits is not yet the passenger. */
export const Journey = z.object({
  /** The last four digits. */
  pnrEnd: z.string(),
  train: Train,
  from: z.object({ stationId: z.string(), name: z.string() }),
  to: z.object({ stationId: z.string(), name: z.string() }),
  departsAt: z.number(),
  ticket: Ticket,
  isCharted: z.boolean(),
  /** Null until the chart is drawn up; the passenger may give or change them until the rider leaves. */
  coach: z.nullable(z.string()),
  berth: z.nullable(z.string()),
  passengers: z.int(),
  /** What the passenger should know of this ticket: on the waiting list, shared, or not charted yet. */
  notice: z.nullable(z.string()),
  /** From boarding to destination. */
  stations: z.array(Stop),
});
export type Journey = z.output<typeof Journey>;

/** Coach and berth as a passenger writes them: B4, S12, 32, 7-LB. */
const Seat = text(8).check(z.regex(/^[A-Za-z0-9][A-Za-z0-9 /-]*$/));
export const Coach = Seat;
export const Berth = Seat;
/** The passenger, where it is not the customer. */
export const Passenger = z.object({ name: text(60).check(z.minLength(1)), mobile: text(24) });
export type Passenger = z.output<typeof Passenger>;

export const Answer = z.enum(['TIME', 'STATION', 'REFUND']);
export type Answer = z.output<typeof Answer>;

/**
 * The train is late or does not stop where the food should come, and we cannot decide for the passenger. Whoever does not
 * answer by `answerBy` gets all the money back.
 */
export const TrainQuestion = z.object({
  kind: z.enum(['LATE', 'SKIPPED']),
  /** What happened, in a sentence. */
  text: z.string(),
  /** What happens without an answer, in a sentence. */
  otherwise: z.string(),
  answerBy: z.number(),
  /** Why a station of ours on the way is no choice, in sentences: its store lacks a dish of the order. */
  whyNot: z.array(z.string()),
  choices: z.array(
    z.object({
      choice: Answer,
      label: z.string(),
      detail: z.string(),
      /** STATION: which one; sent back with the answer. TIME and STATION: when the train is there. */
      stationId: z.optional(z.string()),
      arrivesAt: z.optional(z.number()),
      /** REFUND: all that was paid. */
      amount: z.optional(Price),
    }),
  ),
});
export type TrainQuestion = z.output<typeof TrainQuestion>;

/** Train and kitchen on one line of time. */
export const TrainStep = z.object({
  id: z.string(),
  kind: z.enum(['TRAIN', 'KITCHEN']),
  label: z.string(),
  /** When it was; null while it is still to come. */
  at: z.nullable(z.number()),
  /** When it is expected; null once it was. */
  expectedAt: z.nullable(z.number()),
  state: z.enum(['done', 'current', 'next']),
});
export type TrainStep = z.output<typeof TrainStep>;

/**
 * SAVED: journey and station are chosen, nothing is ordered yet. UNPAID: ordered, and the payment is not known. ORDERED:
 * under way. ASKING: under way, with a question that is open.
 */
export const TrainState = z.enum(['SAVED', 'UNPAID', 'ORDERED', 'ASKING', 'DELIVERED', 'CANCELLED', 'FAILED']);
export type TrainState = z.output<typeof TrainState>;

export const TrainOrder = z.object({
  trainOrderId: Id,
  /** Null while it is SAVED. */
  orderId: z.nullable(z.string()),
  state: TrainState,
  /** The last four digits; null once the journey is over and the number forgotten. */
  pnrEnd: z.nullable(z.string()),
  train: Train,
  station: z.object(Halt),
  storeId: z.string(),
  coach: z.nullable(z.string()),
  berth: z.nullable(z.string()),
  /** Coach, berth and passenger can be changed: until the rider leaves the store. */
  mayChange: z.boolean(),
  passenger: z.nullable(Passenger),
  /** The number of who orders, and whether a code has shown that it is theirs; '' until it is given. */
  mobile: z.string(),
  isPhoneChecked: z.boolean(),
  orderUntil: z.number(),
  payUntil: z.number(),
  cancel: z.object({ possible: z.boolean(), until: z.nullable(z.number()), rule: z.string() }),
  question: z.nullable(TrainQuestion),
  /** What was told of the train since the order, newest first. */
  news: z.array(z.object({ at: z.number(), text: z.string() })),
  timeline: z.array(TrainStep),
  /** Letters and digits to show at the coach door. */
  handOverCode: z.optional(z.string()),
});
export type TrainOrder = z.output<typeof TrainOrder>;
