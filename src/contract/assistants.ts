import * as z from 'zod/mini';
import { Bill, CartLine, LineInput, Offer } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { DeliveryType, Id } from './names.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

/** An assistant that orders for somebody (the Model Context Protocol, http/assistantDoor.ts). No payment app has it. */
const feature = 'assistants';

/** A line as an assistant names it: a cart's own, without an id. */
const AssistantLine = z.omit(LineInput, { lineId: true });

/** Lines that a price is asked for at once. */
const LINES_AT_MOST = 30;

export const Lines = z.array(AssistantLine).check(z.minLength(1), z.maxLength(LINES_AT_MOST));

/** What dishes cost with the best offer that a new customer gets; nothing is kept, so no price is held. */
export const estimate = endpoint({
  method: 'POST',
  path: '/assistant-service/ve1/estimates',
  access: 'open',
  feature,
  about: 'What dishes would cost at a store with the best offer; keeps nothing, and holds no price.',
  body: z.object({
    storeId: Id,
    deliveryType: DeliveryType,
    lines: Lines,
    /** Codes to apply beside the best offer. */
    coupons: z.optional(z.array(Id).check(z.maxLength(5))),
  }),
  reply: success({
    lines: z.array(CartLine),
    /** What cannot be sold as it was asked for, and why. */
    unavailable: z.array(
      z.object({ productId: z.string(), name: z.string(), reason: z.string(), alternativeId: z.optional(z.string()) }),
    ),
    bill: Bill,
    offers: z.array(Offer),
    minimum: z.object({ required: Price, missing: Price }),
  }),
});
