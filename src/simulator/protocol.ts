/*
 * What the page and the imitated hosts say to one another. The other side is hosts/imitated/phone.ts, which describes each
 * message; nothing is imported from there, since the page must not pull a host in. A test holds both to the same words.
 */
import * as z from 'zod/mini';
import type { Phone } from '../contract/phones.ts';

export const SHEET_CHOICES = {
  login: ['grant', 'deny', 'silent'],
  phone: ['grant', 'deny', 'silent'],
  location: ['grant', 'deny', 'timeout'],
  payment: ['success', 'failure', 'pending', 'cancel', 'unknown', 'no-reply', 'duplicate', 'closed', 'late'],
  address: ['pick', 'dismiss', 'silent'],
  share: ['share', 'dismiss'],
  shortcut: ['add', 'dismiss'],
} as const;
export type SheetName = keyof typeof SHEET_CHOICES;
export type Choice<N extends SheetName> = (typeof SHEET_CHOICES)[N][number];
const NAMES = Object.keys(SHEET_CHOICES) as [SheetName, ...SheetName[]];

/** The part of the fake's controls that this page offers. */
export interface Controls {
  readonly networkType: 'wifi' | '4g' | '3g' | '2g' | 'none';
  readonly ready: 'before' | 'late' | 'never';
  readonly readyAfterMs: number;
  readonly consented: boolean;
  readonly login: Choice<'login'>;
  readonly location: Choice<'location'>;
  readonly payment: Choice<'payment'>;
  readonly position: { readonly latitude: number; readonly longitude: number };
  readonly reply: 'none' | 'never' | 'twice' | 'truncated';
  readonly storage: 'works' | 'full' | 'throws';
}

/** Controls that only one payment app has, as its half on the server declares them. */
export type OwnControls = Readonly<Record<string, string>>;

export function calmOwn({ app }: Phone): OwnControls {
  return Object.fromEntries((app?.switches ?? []).map(({ control, choices }) => [control, choices[0]?.value ?? '']));
}

/** How a phone is when nobody has touched a switch. */
export function calm({ country }: Phone): Controls {
  return {
    networkType: '4g',
    ready: 'before',
    readyAfterMs: 0,
    consented: false,
    login: 'grant',
    location: 'grant',
    payment: 'success',
    position: { ...country.mapCentre },
    reply: 'none',
    storage: 'works',
  };
}

/** A behaviour that the imitated host can play from its start. */
const Scenario = z.object({ name: z.string(), title: z.string(), group: z.string() });
export type Scenario = z.output<typeof Scenario>;
/** The scenario in which all is as it should be. */
export const CALM = 'calm';

const offered = <const V extends string>(values: readonly V[]) => z.catch(z.optional(z.enum(values)), undefined);
/** The controls as this page offers them; a value that it does not offer is left out. */
const Shown = z.object({
  networkType: offered(['wifi', '4g', '3g', '2g', 'none']),
  ready: offered(['before', 'late', 'never']),
  login: offered(SHEET_CHOICES.login),
  location: offered(SHEET_CHOICES.location),
  payment: offered(SHEET_CHOICES.payment),
  reply: offered(['none', 'never', 'twice', 'truncated']),
  storage: offered(['works', 'full', 'throws']),
  consented: z.boolean(),
});

export const Heard = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), controls: Shown, scenarios: z.array(Scenario) }),
  /** The fake itself changes only this one: a consent given once is not asked for again. */
  z.object({ type: z.literal('controls'), controls: z.object({ consented: z.boolean() }) }),
  z.object({
    type: z.literal('sheet'),
    id: z.number(),
    sheet: z.enum(NAMES),
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

export type Said =
  | { readonly type: 'answer'; readonly id: number; readonly choice: string }
  | { readonly type: 'set'; readonly controls: Partial<Controls> | OwnControls }
  | { readonly type: 'attach'; readonly sheets: boolean }
  | { readonly type: 'back' | 'hide' | 'show' };
