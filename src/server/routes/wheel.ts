import * as contract from '../../contract/wheel.ts';
import { on, type Route } from '../call/route.ts';
import { spinWheel, wheelOf } from '../rules/cart/spin.ts';

export const wheelRoutes: Route[] = [
  on(contract.wheel, ({ query }, call) => wheelOf(call, query.cartId)),
  on(contract.spin, ({ body }, call) => spinWheel(call, body.cartId)),
];
