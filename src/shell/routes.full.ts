import type { RouteRow } from './first/row.ts';
import { routes as everywhere, row } from './routes.ts';

const order = () => import('./journeys/order.ts');
const full = () => import('./journeys/full.ts');

/** Screens that only a standalone page has; a mini-app's bundle never contains them. */
export const fullRoutes: readonly RouteRow[] = [
  row('/postorder-ui/offers', order, 'coupons', 'offers'),
  row('/upiForm', full, 'upiForm', 'upiForm'),
  row('/paytmForm', full, 'appForm', 'paytmForm'),
  row('/pay/:token', full, 'payLink'),
];

export const routes: readonly RouteRow[] = [...everywhere, ...fullRoutes];
