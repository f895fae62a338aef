import * as z from 'zod/mini';

/** Delivery types of the specification, section 1. */
export const DeliveryType = z.enum(['DELIVERY', 'PICKUP', 'CURB', 'DINEIN']);
export type DeliveryType = z.output<typeof DeliveryType>;

/**
 * Service-type codes of the specification, section 1: delivery, takeaway at the counter, pickup, trains, dine-in and
 * curbside.
 */
export const ServiceCode = z.enum(['D', 'T', 'P', 'IRCTC', 'DINEIN', 'CURB']);
export type ServiceCode = z.output<typeof ServiceCode>;

export const FoodType = z.enum(['VEG', 'NON_VEG']);
export type FoodType = z.output<typeof FoodType>;

/** A deal may hold both. */
export const DealFoodType = z.enum(['VEG', 'NON_VEG', 'MIX']);

/** Deal product types of the specification, section 3. */
export const ProductType = z.enum(['PIZZA', 'SIDES', 'SIDECOMBOS', 'PIZZA-MANIA']);
export type ProductType = z.output<typeof ProductType>;

export const Size = z.enum(['R', 'M', 'L', 'ONE']);
export type Size = z.output<typeof Size>;

export const Half = z.enum(['WHOLE', 'LEFT', 'RIGHT']);
export type Half = z.output<typeof Half>;

export const Amount = z.enum(['none', 'light', 'normal', 'extra']);
export type Amount = z.output<typeof Amount>;

/**
 * HOST: a host's own payment that has none of these names; its name is in the option. LINK: somebody else pays, in a
 * mode they choose.
 */
export const PaymentMode = z.enum([
  'UPI',
  'CARD',
  'NETBANKING',
  'PAYTM',
  'GPAY',
  'HOST',
  'WALLET',
  'EGV',
  'MFS',
  'COD',
  'LINK',
]);
export type PaymentMode = z.output<typeof PaymentMode>;

/** Statuses shown of an order (specification section 4; the allowed moves are in domain/orders.ts). */
export const OrderStatus = z.enum([
  'PENDING',
  'ORDER PLACED',
  'ADVANCE ORDER',
  'INPROCESS',
  'PICKED UP',
  'PICKED',
  'DELIVERED',
  'CANCELLED',
  'FAILED',
]);
export type OrderStatus = z.output<typeof OrderStatus>;

export const Position = z.object({
  latitude: z.number().check(z.gte(-90), z.lte(90)),
  longitude: z.number().check(z.gte(-180), z.lte(180)),
});
export type Position = z.output<typeof Position>;

/** Free text from a customer: trimmed, at most `max` characters, without control characters. */
export function text(max: number) {
  return z.string().check(z.trim(), z.maxLength(max), z.regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/));
}

/** Characters of an email: no longer one can be written to. */
export const LONGEST_EMAIL = 254;
/** An email as it was typed: one that is too long is told so by the sentence of any other that is none. */
export const TypedEmail = text(1000);

/** An id made by us or by a client: at most 80 plain characters. */
export const Id = z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,80}$/));

/**
 * Yes or no in an address. The server also takes it without a value (yes, as the specification writes
 * `?includePartnerOffer`), as 1 or 0, and in capitals.
 */
export const Flag = z.enum(['true', 'false']);
