import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { OrderCard } from './history.ts';
import { success } from './reply.ts';

// What is made of a customer's favourite orders and habits; keeping one is in contract/history.ts. Only outside payment
// apps: error FEATURE_BLOCKED.

const path = '/order-service/ve1/orders/favourites';

export const summary = endpoint({
  method: 'GET',
  path: `${path}/summary`,
  access: 'user',
  about: 'All favourite orders of this customer, the last saved first.',
  reply: success({ orderSummary: z.array(OrderCard) }),
});
/** Dishes that were ordered together at least twice, weighed by how lately, at which hour and on which kind of day. */
export const easy = endpoint({
  method: 'GET',
  path: `${path}/easy`,
  access: 'user',
  about: 'The order that this customer most likely wants now, or none.',
  reply: success({ favourite: z.nullable(OrderCard) }),
});
export const recommendations = endpoint({
  method: 'GET',
  path: `${path}/recommendations`,
  access: 'user',
  about: 'Orders that this customer repeats and has not kept as favourites, the likeliest first.',
  reply: success({ favourites: z.array(OrderCard) }),
});
