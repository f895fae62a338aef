import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, text } from './names.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

/** What can be wrong with an order; the rules of each are in domain/help.ts. */
export const Issue = z.enum([
  'missing',
  'wrong',
  'cold',
  'damaged',
  'taste',
  'late',
  'notDelivered',
  'rider',
  'bill',
  'payment',
]);
export type Issue = z.output<typeof Issue>;

/**
 * Where money goes back to. SOURCE: the way it was paid. WALLET: the customer's wallet. VOUCHER: an e-voucher among the
 * customer's own. COUNTER: in cash at the store.
 */
export const MoneyWay = z.enum(['SOURCE', 'WALLET', 'VOUCHER', 'COUNTER']);
export type MoneyWay = z.output<typeof MoneyWay>;

/** A piece of an order: of a line, so many, and with `part` only a half of a pizza or one dish of a combo. */
const Piece = z.object({ lineId: Id, part: z.optional(Id), quantity: z.int().check(z.gte(1), z.lte(50)) });
export type Piece = z.output<typeof Piece>;

const Claim = z.object({
  orderId: Id,
  issue: Issue,
  /** Only for what is wrong with dishes. */
  items: z.optional(z.array(Piece).check(z.maxLength(60))),
  way: z.optional(MoneyWay),
  comment: z.optional(text(500)),
  /** The answer by rule is known and does not help: a person shall look. */
  person: z.optional(z.boolean()),
});
export type Claim = z.output<typeof Claim>;

const Category = z.object({ id: Issue, label: z.string(), about: z.enum(['items', 'order']) });
const OrderCategory = z.object({
  ...Category.shape,
  isOpen: z.boolean(),
  /** Why it is not open for this order. */
  reason: z.optional(z.string()),
});

export const Ticket = z.object({
  eventId: z.string(),
  orderId: z.string(),
  orderNumber: z.string(),
  issue: Issue,
  label: z.string(),
  /** PERSON: somebody looks at it. DONE: it is answered. */
  state: z.enum(['PERSON', 'DONE']),
  /** The answer in words, with money and date. */
  answer: z.string(),
  /** What was said about which dishes. */
  items: z.array(z.string()),
  comment: z.nullable(z.string()),
  money: z.nullable(
    z.object({
      amount: Price,
      way: MoneyWay,
      label: z.string(),
      state: z.enum(['STARTED', 'PAID']),
      /** When it is there at the latest, or since when it is (epoch ms). */
      by: z.number(),
    }),
  ),
  createdAt: z.number(),
  answeredAt: z.nullable(z.number()),
  /** PERSON: when an answer comes at the latest. */
  answerBy: z.nullable(z.number()),
  /** An answer by rule that a person may look at once more. */
  mayAskPerson: z.boolean(),
});
export type Ticket = z.output<typeof Ticket>;

const feature = 'support';

export const categories = endpoint({
  method: 'GET',
  path: '/ucr-api/api/v1/categories',
  feature,
  about: 'What help there is with an order.',
  reply: success({ categories: z.array(Category) }),
});
export const orderCategories = endpoint({
  method: 'GET',
  path: '/ucr-api/api/v2/categories',
  feature,
  about: 'The same for one order: what is open for it, and why something is not.',
  query: z.object({ orderId: Id }),
  reply: success({ categories: z.array(OrderCategory) }),
});
/** All that the guided help needs. */
export const guide = endpoint({
  method: 'GET',
  path: '/ucr-api/api/v3/categories',
  feature,
  about: 'The same with the dishes that can be named and what was asked before.',
  query: z.object({ orderId: Id }),
  reply: success({
    categories: z.array(OrderCategory),
    items: z.array(
      z.object({
        lineId: z.string(),
        /** How many have not been named before. */ left: z.int(),
        /** What the next of them cost, tax included: 0 for a free one, null when none is left. */
        paid: z.nullable(Price),
        /** Halves of a pizza or dishes of a combo; empty for what has no parts. */
        parts: z.array(z.object({ id: z.string(), label: z.string(), left: z.int() })),
      }),
    ),
    tickets: z.array(Ticket),
  }),
});
/** What a claim would bring. It changes nothing. */
export const quote = endpoint({
  method: 'POST',
  path: '/ucr-api/api/feedbacks/quote',
  feature,
  about: 'What would be answered, and where money may go back to; errors as of feedbacks.',
  body: Claim,
  reply: success({
    kind: z.enum(['PAY', 'PERSON', 'ANSWER']),
    amount: z.nullable(Price),
    /** What will be said, without the way that is still to choose. */
    answer: z.string(),
    ways: z.array(z.object({ id: MoneyWay, label: z.string(), detail: z.string() })),
  }),
});
export const claim = endpoint({
  method: 'POST',
  path: '/ucr-api/api/feedbacks',
  feature,
  idempotent: true,
  about: 'Asks for help; errors HELP_CLOSED, HELP_ITEMS, HELP_CLAIMED, HELP_WAY.',
  body: Claim,
  reply: success({ ticket: Ticket }),
});
export const tickets = endpoint({
  method: 'GET',
  path: '/ucr-api/api/feedbacks',
  feature,
  about: 'What this customer has asked, newest first.',
  reply: success({ tickets: z.array(Ticket) }),
});
export const status = endpoint({
  method: 'GET',
  path: '/ucr-api/api/tsgStatus/{eventId}',
  feature,
  about: 'One of them as it is now.',
  reply: success({ ticket: Ticket }),
});
