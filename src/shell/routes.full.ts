import type { RouteRow } from './row.ts';

/** Screens that only a standalone page has; a mini-app's graph never holds them. */
export const fullRoutes: readonly RouteRow[] = [
  { path: '/postorder-ui/offers', load: () => import('../screens/coupons/CouponsScreen.tsx'), feature: 'offers' },
  { path: '/upiForm', load: () => import('../full/payment/UpiFormScreen.tsx'), feature: 'upiForm' },
  { path: '/paytmForm', load: () => import('../full/payment/PaytmFormScreen.tsx'), feature: 'paytmForm' },
  { path: '/pay/:token', load: () => import('../screens/payment/PayLinkScreen.tsx') },
];
