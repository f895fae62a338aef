import * as z from 'zod/mini';

// The messages between the app in its frame and the page around it (PROTOCOL.md). Both sides take their types from here.

/** The newest version of this protocol. */
export const VERSION = 1;

const text = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));
/** Of one start of the app: what was said to an earlier page in the same frame is not for this one. */
const session = z.string().check(z.regex(/^[\w-]{16,64}$/));
const head = { miniApp: z.literal(1), session };
const number = z.int().check(z.gte(1));

/** What the page can be asked for, with what it is given. */
export const ASKS = {
  /** Answered with the identity token. `silent`: no sheet may appear. */
  login: z.object({ nonce: text(200), audience: z.string(), silent: z.boolean() }),
  /** Answered with how the payment looks to the page; `request` is the same payment, signed by the shop for the partner's server. */
  pay: z.object({
    request: text(8000),
    reference: text(100),
    /** With two decimals. */
    amount: text(20),
    currency: text(3),
    note: z.string(),
    /** Epoch ms of this device. */
    expiresAt: z.number(),
  }),
  share: z.object({ title: text(200), text: z.optional(z.string()), url: text(2000) }),
  address: z.object({}),
  close: z.object({}),
} as const;
export type Ask = keyof typeof ASKS;

const line = z.nullish(z.string().check(z.maxLength(200)));
/** What the page answers. */
export const ANSWERS = {
  login: z.string().check(z.maxLength(8000), z.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)),
  /** Only what the page believes: an order is paid when the partner's server has told the shop's. */
  pay: z.object({
    status: z.string(),
    reference: z.optional(z.string()),
    amount: z.optional(z.union([z.string(), z.number()])),
    code: z.nullish(z.string().check(z.maxLength(100))),
  }),
  share: z.unknown(),
  address: z.object({
    name: line,
    mobile: line,
    line1: text(200),
    line2: line,
    area: line,
    city: line,
    state: line,
    pincode: z.nullish(z.union([z.string().check(z.maxLength(20)), z.number()])),
    latitude: z.nullish(z.number().check(z.gte(-90), z.lte(90))),
    longitude: z.nullish(z.number().check(z.gte(-180), z.lte(180))),
  }),
  close: z.unknown(),
} as const;

/** From the app to the page. */
const FromApp = z.discriminatedUnion('type', [
  z.object({ ...head, type: z.literal('hello'), versions: z.array(number) }),
  z.object({ ...head, type: z.literal('call'), id: number, method: text(40), args: z.record(z.string(), z.unknown()) }),
  /** The answer to `back`: whether the app had something open to close. */
  z.object({ ...head, type: z.literal('back'), id: number, handled: z.boolean() }),
  /** What the app's page takes, CSS pixels. */
  z.object({ ...head, type: z.literal('size'), height: z.number() }),
]);
export type FromApp = z.output<typeof FromApp>;

/** From the page to the app. */
export const FromPage = z.discriminatedUnion('type', [
  z.object({
    ...head,
    type: z.literal('welcome'),
    version: number,
    /** The asks that it answers, and 'size' where it wants to hear of it. */
    capabilities: z.array(text(40)).check(z.maxLength(40)),
  }),
  z.object({
    ...head,
    type: z.literal('reply'),
    id: number,
    result: z.optional(z.unknown()),
    /** CANCELLED, DENIED, UNSUPPORTED, or a code of the page's own. */
    error: z.nullish(z.object({ code: z.union([text(100), z.number()]), message: z.optional(z.string()) })),
  }),
  z.object({ ...head, type: z.literal('network'), networkType: text(20) }),
  z.object({ ...head, type: z.literal('back'), id: number }),
  z.object({ ...head, type: z.enum(['pause', 'resume']) }),
]);
export type FromPage = z.output<typeof FromPage>;
