import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Metric } from './activity.ts';
import { Id, text } from './names.ts';
import { success } from './reply.ts';

/** The database's clock, epoch ms. Moving it forward runs every job that falls due. Never in production. */
export const clock = endpoint({
  method: 'GET',
  path: '/development/clock',
  access: 'development',
  about: 'The clock of the server.',
  reply: success({ now: z.number(), offsetMs: z.number() }),
});
export const advanceClock = endpoint({
  method: 'POST',
  path: '/development/clock',
  access: 'development',
  about: 'Moves the clock forward.',
  body: z.object({ seconds: z.int().check(z.gte(0), z.lte(60 * 60 * 24 * 60)) }),
  reply: success({ now: z.number(), offsetMs: z.number() }),
});
export const inbox = endpoint({
  method: 'GET',
  path: '/development/inbox',
  access: 'development',
  about: 'SMS messages and emails that were sent, newest first; `mobile` is the number or the address.',
  query: z.object({ mobile: z.optional(z.string()) }),
  reply: success({
    messages: z.array(z.object({ id: z.string(), mobile: z.string(), text: z.string(), at: z.number() })),
  }),
});
/** Outcome of the next payments; null means that the catalogue's test amounts decide, otherwise success. */
export const BankOutcome = z.enum([
  'success',
  'failure',
  'pending',
  'pending-then-success',
  'pending-then-failure',
  'late',
  'twice',
  'silent',
]);
export type BankOutcome = z.output<typeof BankOutcome>;
/** Applies to paths that contain `match`. */
const Fault = z.object({
  match: text(120),
  status: z.optional(z.int()),
  delayMs: z.optional(z.int().check(z.gte(0), z.lte(60_000))),
  times: z.optional(z.int()),
  drop: z.optional(z.boolean()),
  garble: z.optional(z.boolean()),
});
export const Switches = z.object({
  bankOutcome: z.nullable(BankOutcome),
  faults: z.array(Fault).check(z.maxLength(20)),
  offlineStores: z.array(Id),
  soldOut: z.array(Id),
  features: z.optional(z.string()),
  /** A `features` that cannot be read: pages are told it as it is, and the one before it stays in force. */
  unreadable: z.optional(z.string()),
  /** `steady`: every order follows its country's timeline exactly. `varied`: each order has its own pace. */
  kitchen: z.optional(z.enum(['steady', 'varied'])),
});
export type Switches = z.output<typeof Switches>;
export const switches = endpoint({
  method: 'GET',
  path: '/development/switches',
  access: 'development',
  about: 'Faults and outcomes in force.',
  reply: success({ switches: Switches }),
});
export const setSwitches = endpoint({
  method: 'PUT',
  path: '/development/switches',
  access: 'development',
  about: 'Sets faults and outcomes.',
  body: z.partial(Switches),
  reply: success({ switches: Switches }),
});

const figure = z.int();
/** How fast pages were, as customers who agreed have measured it. Milliseconds; of CLS thousandths. */
export const vitals = endpoint({
  method: 'GET',
  path: '/development/vitals',
  access: 'development',
  about: 'Percentiles of how fast pages were in the last 30 days, by country, host and kind of network.',
  reply: success({
    vitals: z.array(
      z.object({
        country: z.string(),
        host: z.string(),
        network: z.string(),
        metric: Metric,
        n: figure,
        p50: figure,
        p75: figure,
        p95: figure,
      }),
    ),
  }),
});

const Run = z.object({
  /** A ticket of the seed: it names the train and the day. */
  pnr: text(20),
});
/** What happens on the embedded railway. Never in production. */
export const railway = endpoint({
  method: 'POST',
  path: '/development/railway',
  access: 'development',
  about: 'Delays, skips, short-stops or cancels the train of a ticket, or changes a platform.',
  body: z.object({
    ...Run.shape,
    event: z.optional(z.enum(['delay', 'skip', 'short', 'cancel', 'platform', 'restore'])),
    /** From this station on (delay), or this one; not for cancel and restore. */
    stationId: z.optional(Id),
    /** delay: in all, later than the timetable. */
    minutes: z.optional(z.int().check(z.gte(0), z.lte(1440))),
    platform: z.optional(text(4)),
    /** No answer from the railway at all, until false. */
    away: z.optional(z.boolean()),
  }),
  reply: success({ run: z.string() }),
});
/** What the rider of a train order would be given by the store. */
export const rider = endpoint({
  method: 'GET',
  path: '/development/railway/{orderId}',
  access: 'development',
  about: 'The token with which the rider of a train order hands over.',
  reply: success({ token: z.string() }),
});
