import * as z from 'zod/mini';
import { Cart, Offer } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { DeliveryType, Flag, Id, Size } from './names.ts';
import { Price } from './price.ts';
import { ApiError, success } from './reply.ts';

const partner = z.object({ includePartnerOffer: z.optional(Flag) });

/**
 * One change that would help a coupon to apply. `message` is a whole sentence; which other fields are set depends on
 * the kind.
 */
export const Remedy = z.object({
  kind: z.enum(['ADD_AMOUNT', 'ADD_ITEMS', 'VEG_ONLY', 'PAYMENT_MODE', 'DELIVERY_TYPE', 'STORE', 'WAIT', 'REPLACE']),
  message: z.string(),
  /** ADD_AMOUNT: how much is missing. */
  amount: z.optional(Price),
  /** ADD_ITEMS: categories to choose from. */
  categoryIds: z.optional(z.array(z.string())),
  paymentModes: z.optional(z.array(z.string())),
  deliveryTypes: z.optional(z.array(DeliveryType)),
  storeIds: z.optional(z.array(z.string())),
  /** WAIT: when the coupon starts, epoch ms, if that is known. */
  at: z.optional(z.number()),
  /** REPLACE: coupons that would have to be taken off. */
  codes: z.optional(z.array(z.string())),
});
export type Remedy = z.output<typeof Remedy>;

/** Why an offer is not part of the best combination. */
export const OfferReason = z.object({
  /** RULE: a rule of the coupon is not met. BEATEN: other coupons save more. NO_GAIN: the total would not fall. */
  kind: z.enum(['RULE', 'BEATEN', 'NO_GAIN']),
  message: z.string(),
  /** All of these together would make it apply; empty if nothing the customer can do would. */
  remedies: z.array(Remedy),
});
export type OfferReason = z.output<typeof OfferReason>;

export const JudgedOffer = z.extend(Offer, {
  reason: z.optional(OfferReason),
  /** Where to get its text in plain words. */
  textHref: z.optional(z.string()),
});
export type JudgedOffer = z.output<typeof JudgedOffer>;

/** The best permitted combination: at most one coupon per stack group, and the payment modes it needs. */
export const BestOffer = z.object({
  codes: z.array(z.string()),
  /** Absent if any mode will do. */
  paymentModes: z.optional(z.array(z.string())),
  /** What the bill's discounts come to with it; taxes fall with them and are not counted. */
  saving: Price,
  /** Worth of what comes free of charge, not counted in `saving`. */
  gifts: Price,
  /** The total to pay with this combination. */
  total: Price,
  /** Whether the cart has exactly this combination now. */
  isOn: z.boolean(),
  message: z.string(),
});
export type BestOffer = z.output<typeof BestOffer>;

/** One more item that pays for itself: the total falls, or what comes free with it is worth more than it adds. */
export const ItemSuggestion = z.object({
  productId: z.string(),
  name: z.string(),
  size: z.optional(Size),
  /** The crust that the price is for, where the dish has one. */
  crust: z.optional(z.string()),
  price: Price,
  /** Coupons that would then apply. */
  codes: z.array(z.string()),
  total: Price,
  /** How much the best total falls; negative if the item is suggested for a gift. */
  saving: Price,
  gifts: Price,
  message: z.string(),
});
export type ItemSuggestion = z.output<typeof ItemSuggestion>;

const advice = { best: z.optional(BestOffer), suggestion: z.optional(ItemSuggestion) };

/** The coupon was applied or rejected: a rejection is a normal reply, not an error (specification section 4). */
export const CouponReply = z.object({
  status: z.enum(['SUCCESS', 'FAILED']),
  errors: z.optional(z.array(ApiError)),
  coupons: z.optional(z.array(Offer)),
  explicitPromo: z.optional(
    z.object({
      promoCode: z.string(),
      confettiMessage: z.optional(z.string()),
      confettiSubMessage: z.optional(z.string()),
    }),
  ),
  cart: z.optional(Cart),
});
export type CouponReply = z.output<typeof CouponReply>;

/** POST applies a coupon; DELETE at the same path takes it off (product.md C24, C25). */
export const apply = endpoint({
  method: 'POST',
  path: '/agg/cart-service/ve1/cart/{cartId}/promo/{code}',
  about: 'Applies a coupon to a cart; errors CHALLENGE, TOO_MANY for whoever tries without end.',
  query: partner,
  reply: CouponReply,
});
export const remove = endpoint({
  method: 'DELETE',
  path: '/agg/cart-service/ve1/cart/{cartId}/promo/{code}',
  about: 'Takes a coupon off a cart.',
  reply: CouponReply,
});
/** A typed code is checked before it is applied. */
export const validate = endpoint({
  method: 'GET',
  path: '/promo-service/ve1/promo/{code}/validate',
  about: 'Says whether a typed code exists and may be used; errors CHALLENGE, TOO_MANY.',
  query: z.object({ cartId: z.string(), includePartnerOffer: z.optional(Flag) }),
  reply: CouponReply,
});
export const forCart = endpoint({
  method: 'GET',
  path: '/agg/cart-service/ve1/cart/{cartId}/offers',
  about: 'Offers for a cart, best saving first.',
  query: partner,
  reply: success({ offers: z.array(JudgedOffer), ...advice }),
});
/**
 * WAIT: `afterOperation` names a change to the cart that the caller has sent but the server has not carried out yet, so
 * offers now would be for an outdated cart. Ask again after that change is answered.
 */
export const combined = endpoint({
  method: 'GET',
  path: '/agg/cart-service/promo/{cartId}/combinedOffers',
  about:
    'Offers in groups for the coupons page, in each the best saving first: what `sortOn` asks for, and the default.',
  query: z.object({
    sortOn: z.optional(z.enum(['SAVINGS'])),
    forLeftNav: z.optional(Flag),
    includePartnerOffer: z.optional(Flag),
    afterOperation: z.optional(Id),
    /** Without the lists: the best combination and the suggestion, which are all that the cart shows. */
    adviceOnly: z.optional(Flag),
  }),
  reply: z.object({
    status: z.enum(['SUCCESS', 'FAILED', 'WAIT']),
    combinedOffers: z.optional(
      z.object({ coupons: z.array(z.object({ title: z.string(), list: z.array(JudgedOffer) })) }),
    ),
    ...advice,
    errors: z.optional(z.array(ApiError)),
  }),
});
export const terms = endpoint({
  method: 'GET',
  path: '/promo-service/ve1/promo/{code}/tnc',
  access: 'open',
  about: 'Terms of a coupon.',
  reply: success({ tncList: z.array(z.string()) }),
});
/** The left navigation is a page of offers; mini-apps do not have it (product.md C06). */
export const ofStore = endpoint({
  method: 'GET',
  path: '/agg/ve1/leftnav/store/{storeId}/offers',
  access: 'open',
  feature: 'offers',
  about: 'Offers that run at a store now, whatever is in a cart.',
  query: partner,
  reply: success({ offers: z.array(JudgedOffer) }),
});
export const ofStoreForCart = endpoint({
  method: 'GET',
  path: '/agg/ve1/leftnav/store/{storeId}/cart/offers',
  feature: 'offers',
  about: "Offers for the caller's cart if it were ordered from this store.",
  query: z.object({
    deliveryType: z.optional(DeliveryType),
    includePartnerOffer: z.optional(Flag),
  }),
  reply: success({ offers: z.array(JudgedOffer), ...advice }),
});
export const list = endpoint({
  method: 'GET',
  path: '/promo-service/ve1/promo',
  access: 'open',
  about: 'Coupons that run now, of the whole country or one store.',
  query: z.object({ storeId: z.optional(Id), includePartnerOffer: z.optional(Flag) }),
  reply: success({ coupons: z.array(JudgedOffer) }),
});
/** The text that an offer's `textHref` points to. */
export const textOf = endpoint({
  method: 'GET',
  path: '/content/ve1/promo/{code}/text',
  access: 'open',
  about: 'A coupon in plain words.',
  reply: success({ code: z.string(), title: z.string(), text: z.string() }),
});
export const milestone = endpoint({
  method: 'GET',
  path: '/promo-service/ve1/promo/milestone/{couponCode}/status',
  about: 'How far this customer is on the way to a reward.',
  reply: success({
    couponCode: z.string(),
    title: z.string(),
    steps: z.number(),
    stepsRequired: z.number(),
    isReady: z.boolean(),
    /** The offer has ended: nobody gets its reward any more. */
    isOver: z.optional(z.boolean()),
    message: z.string(),
    offerOptions: z.array(z.object({ step: z.number(), label: z.string(), reached: z.boolean() })),
  }),
});
/** Only the first six to eight digits. A whole card number is refused, and nothing of it is kept or logged. */
export const byBin = endpoint({
  method: 'GET',
  path: '/cart-service/ve2/cart/{cartId}/bin/{cardInitialDigits}',
  about: 'Offers of a cart for a card, by its first digits; error CARD_DIGITS.',
  query: partner,
  reply: success({
    brand: z.string(),
    /** Whether a card offer fits this card and this cart. */
    isEligible: z.boolean(),
    offers: z.array(JudgedOffer),
    /** Coupons of the cart that would stop applying with this card. */
    problems: z.array(ApiError),
    best: z.optional(BestOffer),
  }),
});
