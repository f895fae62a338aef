import * as z from 'zod/mini';
import { Cart } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { Flag, Id, text } from './names.ts';
import { success } from './reply.ts';

/** What entries are called, in the order of the summary. */
export const POINTS_TITLES = ['Promo Points', 'Refund Points', 'Pizza Pals Points'] as const;
export type PointsTitle = (typeof POINTS_TITLES)[number];
const Title = z.enum(POINTS_TITLES);

/** OPTED_OUT: was in the programme and left it, with all points. */
const LoyaltyInfo = z.object({
  loyaltyCardCode: z.string(),
  loyaltyProgramCode: z.string(),
  programName: z.string(),
  enrollmentStatus: z.enum(['ENROLLED', 'NOT_ENROLLED', 'OPTED_OUT']),
});

const LoyaltyBalance = z.object({
  /** How many free rewards the points pay for now. */
  burnable: z.object({ freeItems: z.number() }),
  overall: z.object({ points: z.number() }),
  programConfig: z.object({
    earnPointsPerOrder: z.number(),
    redeemPoints: z.number(),
    slices: z.number(),
    reward: z.string(),
  }),
});

/** Points that are on their way: an order has arrived, and they come at `dueAt`, epoch ms of the server's clock. */
const WaitingPoints = z.object({
  orderId: z.string(),
  orderNumber: z.string(),
  points: z.number(),
  dueAt: z.number(),
});

const LoyaltyUser = z.object({
  info: LoyaltyInfo,
  balance: LoyaltyBalance,
  /** The sums of all entries by title, in the order of the summary. */
  points: z.array(z.object({ title: Title, amount: z.number() })),
  waiting: z.array(WaitingPoints),
});
export type LoyaltyUser = z.output<typeof LoyaltyUser>;

/** One movement of points; `amount` is negative for points that went. */
export const PointsView = z.object({
  entryId: z.string(),
  title: Title,
  amount: z.number(),
  balanceAfter: z.number(),
  reason: z.string(),
  at: z.number(),
  orderId: z.optional(z.string()),
});
export type PointsView = z.output<typeof PointsView>;

const feature = 'loyalty';

/** `enroll` false only gets a card; it takes nobody out of the programme. Safe to repeat. */
export const register = endpoint({
  method: 'POST',
  path: '/customer-service/ve1/loyalty/register',
  access: 'user',
  feature,
  about: 'Joins the rewards programme (`enroll` true), or only gets a card (`enroll` false).',
  query: z.object({ enroll: Flag }),
  reply: success({ loyalty: LoyaltyUser }),
});
export const user = endpoint({
  method: 'GET',
  path: '/customer-service/ve1/loyalty/user',
  access: 'user',
  feature,
  about: "The caller's card, points, free rewards and points on their way.",
  reply: success({ loyalty: LoyaltyUser }),
});
/** A member who comes back begins at 0 points. Safe to repeat. */
export const optOut = endpoint({
  method: 'POST',
  path: '/customer-service/ve1/loyalty/user/opt-out',
  access: 'user',
  feature,
  about: 'Leaves the rewards programme; all points are lost.',
  reply: success({ lost: z.number(), loyalty: LoyaltyUser }),
});

export const POINTS_PAGE = 20;
/**
 * Newest first; the points' side of the wallet's statement, with the same query. `from` (epoch ms) limits the list to
 * movements since then. `loyaltyProgramCode`, if sent, must be the country's.
 */
export const transactions = endpoint({
  method: 'GET',
  path: '/wallet-service/ve3/loyalty/transactions',
  aliases: ['/wallet-service/ve2/loyalty/transactions'],
  access: 'user',
  feature,
  about: "The movements of the caller's points, page by page from 1.",
  query: z.object({
    pageNumber: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
    loyaltyProgramCode: z.optional(text(40)),
    from: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
  }),
  reply: success({ entries: z.array(PointsView), pageNumber: z.number(), pages: z.number(), total: z.number() }),
});

export const LoyaltyProgramme = z.object({
  loyaltyProgramCode: z.string(),
  programName: z.string(),
  info: z.array(z.object({ title: z.string(), text: z.string() })),
  faq: z.array(z.object({ q: z.string(), a: z.string() })),
  terms: z.array(z.string()),
});
export type LoyaltyProgramme = z.output<typeof LoyaltyProgramme>;

export const programme = endpoint({
  method: 'GET',
  path: '/content/ve1/loyalty/programme',
  access: 'open',
  feature,
  about: 'What the rewards programme is, its questions and answers, and its terms.',
  reply: success({ programme: LoyaltyProgramme }),
});

/** The points are spent when the order is placed. The cart says what the reward does, as one of its offers. */
export const useReward = endpoint({
  method: 'POST',
  path: '/agg/cart-service/ve1/cart/{cartId}/reward',
  access: 'user',
  feature,
  about: 'Has a free reward pay for a pizza of the cart; error REWARD_GONE without one.',
  reply: success({ cart: Cart }),
});
export const leaveReward = endpoint({
  method: 'DELETE',
  path: '/agg/cart-service/ve1/cart/{cartId}/reward',
  access: 'user',
  feature,
  about: 'Keeps the reward for another order.',
  reply: success({ cart: Cart }),
});

/** Development only: gives points to a member of the programme. */
export const grant = endpoint({
  method: 'POST',
  path: '/development/points',
  access: 'development',
  about: 'Gives points to a member; error NOT_FOUND without one of that number.',
  body: z.object({ mobile: text(24), points: z.int().check(z.gte(1), z.lte(100_000)), key: z.optional(Id) }),
  reply: success({ points: z.number() }),
});
