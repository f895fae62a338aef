import * as contract from '../../contract/reorder.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { putAgain } from '../rules/checkout/reorder.ts';
import { ownOrder } from '../rules/order/rights.ts';

/** The value of the header `tip_variant` that takes over the order's tip. */
const SAME_TIP = 'same';

export const reorderRoutes: Route[] = [
  on(contract.reorder, async ({ orderId, body }, call) => {
    const order = await ownOrder(call, orderId);
    const keepsTip = call.header('tip_variant') === SAME_TIP;
    return { data: await putAgain(call, order, body, keepsTip) };
  }),
];
