import * as usual from '../../contract/usual.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { additionOf } from '../rules/cart/cartChanges.ts';
import { priceUsual, putUsual } from '../rules/checkout/usual.ts';
import { transact } from '../store/db.ts';
import { optionsOf } from './payments.ts';

const SUCCESS = 'SUCCESS' as const;

export const usualRoutes: Route[] = [
  on(usual.price, async ({ body }, call) => {
    const catalogue = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
    return { status: SUCCESS, ...(await priceUsual(call, catalogue, body, await optionsOf(call))) };
  }),
  on(usual.put, async ({ cartId, body }, call) => {
    const { items, options, withOffers = true } = body;
    const cart = await transact(call.db, (tx) =>
      putUsual(tx, call, cartId, { operations: items.map(additionOf), options, withOffers }),
    );
    return { status: SUCCESS, cart };
  }),
];
