import { addressRoutes } from '../routes/addresses.ts';
import { bankRoutes } from '../routes/bank.ts';
import { cartRoutes } from '../routes/cart.ts';
import { configRoutes } from '../routes/config.ts';
import type { SiteConfig } from '../routes/config.ts';
import { couponRoutes } from '../routes/coupons.ts';
import { developmentRoutes } from '../routes/development.ts';
import { favouriteRoutes } from '../routes/favourites.ts';
import { loginRoutes } from '../routes/login.ts';
import { menuRoutes } from '../routes/menu.ts';
import { orderRoutes } from '../routes/orders.ts';
import { paymentHooks, paymentRoutes } from '../routes/payments.ts';
import { placeRoutes } from '../routes/places.ts';
import { sessionRoutes } from '../routes/session.ts';
import { storeRoutes } from '../routes/stores.ts';
import { trackingRoutes } from '../routes/tracking.ts';
import { embeddedVendors, vendorRoutes } from '../routes/vendors.ts';
import { wheelRoutes } from '../routes/wheel.ts';
import type { Runner } from '../rules/jobs.ts';
import type { RawRoute, Route } from './route.ts';

/** Every endpoint of the contract with its handler; a test fails when one is missing. */
export function allRoutes(site: SiteConfig, runner: () => Runner): Route[] {
  return [
    ...configRoutes(site), ...sessionRoutes, ...loginRoutes, ...vendorRoutes, ...addressRoutes,
    ...storeRoutes, ...placeRoutes, ...menuRoutes, ...cartRoutes, ...couponRoutes, ...wheelRoutes, ...favouriteRoutes,
    ...orderRoutes, ...paymentRoutes, ...trackingRoutes,
    ...developmentRoutes(runner),
  ];
}

/** Paths outside the contract: embedded vendors, the bank's pages, providers' callbacks. */
export const rawRoutes: RawRoute[] = [
  ...embeddedVendors, ...bankRoutes, ...paymentHooks,
];
