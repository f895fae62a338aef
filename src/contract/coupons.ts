import * as z from 'zod/mini';
import { Cart, Offer } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { ApiError, success } from './reply.ts';

const Code = text(40);
const partner = z.object({ includePartnerOffer: z.optional(z.enum(['true', 'false'])) });

/** Applied or rejected: a rejected coupon is an answer, not an error (specification section 4). */
export const CouponReply = z.object({
  status: z.enum(['SUCCESS', 'FAILED']),
  errors: z.optional(z.array(ApiError)),
  coupons: z.optional(z.array(Offer)),
  explicitPromo: z.optional(z.object({
    promoCode: z.string(),
    confettiMessage: z.optional(z.string()),
    confettiSubMessage: z.optional(z.string()),
  })),
  cart: z.optional(Cart),
});
export type CouponReply = z.output<typeof CouponReply>;

/** Applying is POST; taking it off is DELETE at the same path (product.md C24, C25). */
export const apply = endpoint({
  method: 'POST', path: '/agg/cart-service/ve1/cart/{cartId}/promo/{code}', about: 'Applies a coupon to a cart.',
  query: partner, reply: CouponReply,
});
export const remove = endpoint({
  method: 'DELETE', path: '/agg/cart-service/ve1/cart/{cartId}/promo/{code}', about: 'Takes a coupon off a cart.',
  reply: CouponReply,
});
/** A typed code is validated before it is applied. */
export const validate = endpoint({
  method: 'GET', path: '/promo-service/ve1/promo/{code}/validate', about: 'Says whether a typed code exists and may be used.',
  query: z.object({ cartId: z.string(), includePartnerOffer: z.optional(z.enum(['true', 'false'])) }),
  reply: CouponReply,
});
export const forCart = endpoint({
  method: 'GET', path: '/agg/cart-service/ve1/cart/{cartId}/offers', about: 'Offers for a cart, best saving first.',
  query: partner, reply: success({ offers: z.array(Offer) }),
});
export const combined = endpoint({
  method: 'GET', path: '/agg/cart-service/promo/{cartId}/combinedOffers', about: 'Offers in groups for the coupons page.',
  query: z.object({
    sortOn: z.optional(z.enum(['SAVINGS'])), forLeftNav: z.optional(z.enum(['true', 'false'])),
    includePartnerOffer: z.optional(z.enum(['true', 'false'])),
  }),
  reply: z.object({
    status: z.enum(['SUCCESS', 'FAILED', 'WAIT']),
    combinedOffers: z.optional(z.object({ coupons: z.array(z.object({ title: z.string(), list: z.array(Offer) })) })),
    errors: z.optional(z.array(ApiError)),
  }),
});
export const terms = endpoint({
  method: 'GET', path: '/promo-service/ve1/promo/{code}/tnc', access: 'open', about: 'Terms of a coupon.',
  reply: success({ tncList: z.array(z.string()) }),
});
