import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Category, Widget } from './menu.ts';
import { Flag, Size } from './names.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

/** The party menu: dishes to share, with how many people each feeds. */
export const party = endpoint({
  method: 'GET',
  path: '/catalog-service/ve1/stores/{storeId}/potp',
  aliases: ['/content/ve1/stores/{storeId}/potp'],
  access: 'open',
  about: 'Party menu of a store.',
  query: z.object({
    guests: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/))),
    /** Only what a vegetarian eats. */
    veg: z.optional(Flag),
  }),
  reply: success({
    version: z.string(),
    title: z.string(),
    groups: z.array(
      z.object({
        title: z.string(),
        items: z.array(
          z.object({ productId: z.string(), size: z.optional(Size), price: Price, serves: z.nullable(z.number()) }),
        ),
      }),
    ),
    /** If `guests` is given: what feeds them all most cheaply, at the store's current prices before taxes. */
    plan: z.optional(
      z.object({
        guests: z.number(),
        serves: z.number(),
        price: Price,
        lines: z.array(z.object({ productId: z.string(), size: z.optional(Size), quantity: z.number() })),
      }),
    ),
  }),
});
/** Everything the home page needs, in one answer. */
export const home = endpoint({
  method: 'GET',
  path: '/content/ve1/stores/{storeId}/home',
  access: 'open',
  about: 'Home page data of a store.',
  reply: success({
    storeId: z.string(),
    menuVersion: z.string(),
    categories: z.array(Category),
    widgets: z.array(Widget),
    alerts: z.array(z.object({ id: z.string(), message: z.string() })),
    promise: z.object({ minutes: z.number(), maxLiability: Price }),
  }),
});
