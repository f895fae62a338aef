import { catalogueHere } from '../call/call.ts';
import * as usual from '../../contract/usual.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { additionOf } from '../rules/cart/cartChanges.ts';
import { priceUsual, putUsual } from '../rules/checkout/usual.ts';
import { optionsOf } from '../rules/payment/modes.ts';

export const usualRoutes: Route[] = [
  on(usual.price, async ({ body }, call) => {
    const catalogue = await catalogueHere(call);
    return await priceUsual(call, catalogue, body, await optionsOf(call));
  }),
  on(usual.put, async ({ cartId, body }, call) => {
    const { items, options, withOffers = true } = body;
    const cart = await putUsual(call, cartId, { operations: items.map(additionOf), options, withOffers });
    return { cart };
  }),
];
