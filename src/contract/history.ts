import * as z from 'zod/mini';
import { AddressInput } from './addresses.ts';
import { CartLine } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { OrderView } from './orders.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';
import { Store } from './stores.ts';

/** An order in a list: what it was, where it went, and what became of it and of the money. */
export const OrderCard = z.extend(
  z.pick(OrderView, {
    orderId: true,
    orderNumber: true,
    orderType: true,
    serviceCode: true,
    serviceLabel: true,
    orderStatus: true,
    stage: true,
    transactionId: true,
    transactionReferenceId: true,
    placedAt: true,
    scheduledFor: true,
    table: true,
    payment: true,
    parts: true,
    refund: true,
    retryAt: true,
  }),
  {
    /** The words of the step that it is at; absent once it is over. */
    step: z.optional(z.string()),
    /** While it is under way: when it is expected, epoch ms. */
    eta: z.nullable(z.object({ from: z.number(), to: z.number() })),
    store: z.pick(Store, { id: true, name: true, locality: true }),
    address: z.nullable(z.pick(AddressInput, { type: true, label: true, houseNo: true, address: true })),
    lines: z.array(
      z.pick(CartLine, {
        lineId: true,
        product: true,
        quantity: true,
        size: true,
        crust: true,
        build: true,
        slots: true,
      }),
    ),
    currencyCode: z.string(),
    total: Price,
    isGroup: z.boolean(),
  },
);
export type OrderCard = z.output<typeof OrderCard>;

/** How many orders a page has. */
export const HISTORY_PAGE = 10;

/**
 * Newest first. `after` is the `next` of the page before: with it no order is shown twice, whatever was ordered
 * meanwhile.
 */
export const list = endpoint({
  method: 'GET',
  path: '/order-service/ve1/orders',
  access: 'user',
  about: "The customer's orders, page by page from 1. Only outside payment apps: error FEATURE_BLOCKED.",
  query: z.object({
    pageNo: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
    after: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\w:-]{1,80}$/))),
  }),
  reply: success({
    orders: z.array(OrderCard),
    paging: z.object({ pageNo: z.number(), pageSize: z.number(), isLast: z.boolean(), next: z.nullable(z.string()) }),
  }),
});

const Movement = z.object({
  label: z.string(),
  amount: Price,
  /** Epoch ms. */
  at: z.number(),
});

/** What is known of an order beyond what its own page follows: every try to pay, every refund, who brought it. */
export const record = endpoint({
  method: 'GET',
  path: '/order-service/ve1/orders/{orderId}/record',
  about: 'An order in full, with all payments and refunds; error NOT_FOUND.',
  reply: success({
    order: OrderView,
    payments: z.array(
      z.extend(Movement, { transactionId: z.string(), state: z.enum(['PAID', 'DUE', 'OPEN', 'FAILED']) }),
    ),
    refunds: z.array(
      z.extend(Movement, {
        /** Whether it is a missed promise that was paid, and not the order. */
        isPromise: z.boolean(),
        state: z.enum(['STARTED', 'PAID']),
        expectedFrom: z.number(),
        expectedTo: z.number(),
        paidAt: z.nullable(z.number()),
      }),
    ),
    /** First name of who brought it, also when it is over; null where nobody rode. */
    riderName: z.nullable(z.string()),
  }),
});
export type OrderRecord = z.output<typeof record.reply>;
