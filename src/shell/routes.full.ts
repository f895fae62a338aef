import type { RouteRow } from './row.ts';

/** Screens that only a standalone page has; a mini-app's graph never holds them. */
export const fullRoutes: readonly RouteRow[] = [
  { path: '/upiForm', load: () => import('../full/payment/UpiFormScreen.tsx'), page: 'payment', title: 'Pay with UPI', feature: 'upiForm' },
  { path: '/paytmForm', load: () => import('../full/payment/PaytmFormScreen.tsx'), page: 'payment', title: 'Pay with Paytm', feature: 'paytmForm' },
];
