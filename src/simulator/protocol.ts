/*
 * What the page and the imitated hosts say to one another. The other side is hosts/imitated/phone.ts, which describes each
 * message; nothing is imported from there, since the page must not pull a host in. A test holds both to the same words.
 */
import * as z from 'zod/mini';
import type { Phone } from '../contract/simulator.ts';

/** The host's native sheets with the answers to each in words: the one that goes on first, what Escape means in `away`. */
export const SHEETS = {
  login: {
    title: 'Share your profile?',
    choices: { grant: 'Share and continue', deny: 'Not now', silent: 'Never answer' },
    away: 'deny',
  },
  phone: {
    title: 'Share your phone number?',
    choices: { grant: 'Share number', deny: 'Not now', silent: 'Never answer' },
    away: 'deny',
  },
  location: {
    title: 'Share where this phone is?',
    choices: { grant: 'Allow', deny: 'Do not allow', timeout: 'Stay without an answer' },
    away: 'deny',
  },
  payment: {
    title: 'Confirm your payment',
    choices: {
      success: 'Pay',
      failure: 'Decline',
      pending: 'Leave pending',
      cancel: 'Close without paying',
      unknown: 'Pay, unclear reply',
      'no-reply': 'Pay, no reply',
      duplicate: 'Pay twice',
      closed: 'Close, no reply',
      late: 'Pay, late reply',
    },
    away: 'cancel',
  },
  address: {
    title: 'Deliver to a saved address?',
    choices: { pick: 'Use my home address', dismiss: 'Close', silent: 'Never answer' },
    away: 'dismiss',
  },
  share: { title: 'Share with a friend', choices: { share: 'Share', dismiss: 'Close' }, away: 'dismiss' },
  shortcut: { title: 'Add to the home screen?', choices: { add: 'Add', dismiss: 'Cancel' }, away: 'dismiss' },
} as const;
type SheetName = keyof typeof SHEETS;

/** The part of the fake's controls that this page offers for every host, as it is when nobody has touched a switch. */
export const CALM_CONTROLS = {
  networkType: '4g',
  ready: 'before',
  readyAfterMs: 0,
  consented: false,
  login: 'grant',
  location: 'grant',
  payment: 'success',
  reply: 'none',
  storage: 'works',
} as const;

/** By name; each payment app has some of its own, as its half on the server declares them. */
export type Controls = Readonly<Record<string, unknown>>;

/** How a phone is when nobody has touched a switch: in the middle of its country, at the first choice of each switch. */
export const calm = ({ app, country }: Phone): Controls => ({
  ...CALM_CONTROLS,
  position: country.mapCentre,
  ...Object.fromEntries((app?.switches ?? []).map(({ control, choices }) => [control, choices[0]?.value])),
});

/** A behaviour of real hosts that the fake can play from its start on. */
const Scenario = z.object({ name: z.string(), title: z.string(), group: z.string() });
export type Scenario = z.output<typeof Scenario>;
/** The scenario in which all is as it should be. */
export const CALM = 'calm';

const Heard = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), controls: z.record(z.string(), z.unknown()), scenarios: z.array(Scenario) }),
  /** The fake itself changes only this one: a consent given once is not asked for again. */
  z.object({ type: z.literal('controls'), controls: z.object({ consented: z.boolean() }) }),
  z.object({
    type: z.literal('sheet'),
    id: z.number(),
    sheet: z.enum(Object.keys(SHEETS) as [SheetName, ...SheetName[]]),
    detail: z.record(z.string(), z.unknown()),
    choices: z.array(z.string()),
  }),
  z.object({ type: z.literal('sheet-over'), id: z.number() }),
  z.object({ type: z.literal('event'), name: z.string(), detail: z.optional(z.unknown()) }),
]);
export type Heard = z.output<typeof Heard>;
export type OpenSheet = Extract<Heard, { type: 'sheet' }>;

/** A message of an imitated host, or null for anything else that may be said to a window. */
export function hear(host: string, data: unknown): Heard | null {
  if (typeof data !== 'object' || data === null || (data as { hostFake?: unknown }).hostFake !== host) return null;
  const read = Heard.safeParse(data);
  return read.success ? read.data : null;
}

export type Message =
  | { readonly type: 'answer'; readonly id: number; readonly choice: string }
  | { readonly type: 'set'; readonly controls: Controls }
  | { readonly type: 'attach'; readonly sheets: boolean }
  | { readonly type: 'back' | 'hide' | 'show' };
