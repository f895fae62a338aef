import { activityRoutes } from '../routes/activity.ts';
import { addressRoutes } from '../routes/addresses.ts';
import { bankRoutes } from '../routes/bank.ts';
import { cardRoutes } from '../routes/cards.ts';
import { cartRoutes } from '../routes/cart.ts';
import { configRoutes } from '../routes/config.ts';
import type { SiteConfig } from '../routes/config.ts';
import { couponRoutes } from '../routes/coupons.ts';
import { developmentRoutes } from '../routes/development.ts';
import { favouriteRoutes } from '../routes/favourites.ts';
import { groupRoutes } from '../routes/group.ts';
import { fingerprintRoutes } from '../routes/fingerprint.ts';
import { loginRoutes } from '../routes/login.ts';
import { linkedWalletRoutes } from '../routes/linkedWallets.ts';
import { menuRoutes } from '../routes/menu.ts';
import { pushRoutes } from '../routes/push.ts';
import { orderRoutes } from '../routes/orders.ts';
import { paymentHooks, paymentRoutes } from '../routes/payments.ts';
import { memoryRoutes } from '../routes/memory.ts';
import { payLinkRoutes } from '../routes/payLinks.ts';
import { promoRoutes } from '../routes/promos.ts';
import { placeRoutes } from '../routes/places.ts';
import { sessionRoutes } from '../routes/session.ts';
import { storeRoutes } from '../routes/stores.ts';
import { trackingRoutes } from '../routes/tracking.ts';
import { vendorRoutes } from '../routes/vendors.ts';
import { voucherRoutes } from '../routes/vouchers.ts';
import { walletRoutes } from '../routes/wallet.ts';
import { walletVendor } from '../routes/walletVendor.ts';
import { wheelRoutes } from '../routes/wheel.ts';
import type { Runner } from '../rules/jobs.ts';
import { partners } from '../rules/partners.ts';
import type { RawRoute, Route } from './route.ts';

/** Every endpoint of the contract with its handler; a test fails when one is missing. */
export function allRoutes(site: SiteConfig, runner: () => Runner): Route[] {
  return [
    ...configRoutes(site), ...sessionRoutes, ...loginRoutes, ...vendorRoutes, ...addressRoutes,
    ...storeRoutes, ...placeRoutes, ...menuRoutes, ...cartRoutes, ...groupRoutes, ...couponRoutes, ...wheelRoutes, ...favouriteRoutes,
    ...orderRoutes, ...paymentRoutes, ...promoRoutes, ...payLinkRoutes, ...memoryRoutes, ...cardRoutes, ...walletRoutes, ...voucherRoutes, ...linkedWalletRoutes, ...trackingRoutes, ...pushRoutes,
    ...activityRoutes(site), ...fingerprintRoutes,
    ...developmentRoutes(runner),
  ];
}

/** Paths outside the contract: what hosts bring along, the bank's pages, providers' callbacks. */
export function rawRoutes(): RawRoute[] {
  return [...partners().flatMap(({ routes }) => routes ?? []), ...bankRoutes, ...walletVendor, ...paymentHooks()];
}
