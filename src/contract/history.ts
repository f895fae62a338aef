import * as z from 'zod/mini';
import { AddressInput } from './addresses.ts';
import { CartLine } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { DeliveryType, Flag, Id, OrderStatus, text } from './names.ts';
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
    /** Kept as a favourite; absent where nobody asked. */
    isFavourite: z.optional(z.boolean()),
  },
);
export type OrderCard = z.output<typeof OrderCard>;

/** How many orders a page has. */
export const HISTORY_PAGE = 10;

/**
 * Newest first; favourites as they were saved. `after` is the `next` of the page before: with it no order is shown
 * twice, whatever was ordered meanwhile. `search` looks for dishes in all orders as the menu's own search does, and for
 * an order's number.
 */
export const list = endpoint({
  method: 'GET',
  path: '/order-service/ve1/orders',
  access: 'user',
  about: "The customer's orders, page by page from 1. Only outside payment apps: error FEATURE_BLOCKED.",
  query: z.object({
    pageNo: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
    after: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\w:-]{1,80}$/))),
    search: z.optional(text(60)),
    favourites: z.optional(Flag),
  }),
  reply: success({
    orders: z.array(OrderCard),
    /** Nothing fits what was searched for: these come near it. */
    isNear: z.optional(z.boolean()),
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
  about: 'An order in full, with all payments and refunds, of this user where one is named; error NOT_FOUND.',
  query: z.object({ userId: z.optional(Id) }),
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
    isFavourite: z.boolean(),
  }),
});
export type OrderRecord = z.output<typeof record.reply>;

const favourite = '/order-service/ve1/orders/favourites/{favOrderId}';
/** The id of a favourite is the order's own (product.md C41). The order is fetched again afterwards. */
export const saveFavourite = endpoint({
  method: 'POST',
  path: favourite,
  access: 'user',
  about: 'Keeps an order as a favourite; again changes nothing. Errors NOT_FOUND, FAVOURITES_FULL.',
  body: z.object({ data: z.object({ userId: Id }) }),
  reply: success({}),
});
export const removeFavourite = endpoint({
  method: 'DELETE',
  path: favourite,
  access: 'user',
  about: 'Keeps an order as a favourite no longer; one that is not kept is fine.',
  reply: success({}),
});

const year = z.string().check(z.regex(/^20\d\d$/));

/** Orders that were not made, and those whose payment is open, are not spent. Months as in the country's time zone. */
export const summary = endpoint({
  method: 'GET',
  path: '/order-service/ve1/orders/summary',
  access: 'user',
  about: 'What the customer has spent in a year, by month; without one, in the year of the last order.',
  query: z.object({ year: z.optional(year) }),
  reply: success({
    year: z.number(),
    /** The years with orders, the latest first. */
    years: z.array(z.number()),
    currencyCode: z.string(),
    total: Price,
    orders: z.number(),
    /** The latest first, for example '2026-11'; months without an order are left out. */
    months: z.array(z.object({ month: z.string(), orders: z.number(), total: Price })),
  }),
});

/** Newest first, whatever became of them. */
export const rows = endpoint({
  method: 'GET',
  path: '/order-service/ve1/orders/export',
  access: 'user',
  about: "All of the customer's orders of a year, a short row for each, to be saved as a table.",
  query: z.object({ year }),
  reply: success({
    currencyCode: z.string(),
    rows: z.array(
      z.object({
        orderNumber: z.string(),
        placedAt: z.number(),
        orderType: DeliveryType,
        orderStatus: OrderStatus,
        store: z.string(),
        address: z.string(),
        dishes: z.array(z.object({ name: z.string(), quantity: z.number() })),
        savings: Price,
        total: Price,
        payment: z.string(),
      }),
    ),
  }),
});
export type ExportRow = z.output<typeof rows.reply>['rows'][number];
