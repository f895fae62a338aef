import { activityRoutes } from '../routes/activity.ts';
import { addressRoutes } from '../routes/addresses.ts';
import { assistantRoutes } from '../routes/assistants.ts';
import { bankRoutes } from '../vendors/bankInterface.ts';
import { railwayDevelopment, railwayRoutes } from '../vendors/railwayDesk.ts';
import { oidcRoutes } from '../vendors/oidc.ts';
import { cardRoutes } from '../routes/cards.ts';
import { cartRoutes } from '../routes/cart.ts';
import { chatRoutes } from '../routes/chat.ts';
import { challengeRoutes } from '../routes/challenge.ts';
import { configRoutes } from '../routes/config.ts';
import type { SiteConfig } from '../routes/config.ts';
import { consentRoutes } from '../routes/consents.ts';
import { copyRoutes } from '../routes/copy.ts';
import { couponRoutes } from '../routes/coupons.ts';
import { deletionRoutes } from '../routes/deletion.ts';
import { developmentRoutes } from '../vendors/development.ts';
import { experimentRoutes } from '../routes/experiments.ts';
import { favouriteRoutes } from '../routes/favourites.ts';
import { feedbackRoutes } from '../routes/feedback.ts';
import { groupRoutes } from '../routes/group.ts';
import { historyRoutes } from '../routes/history.ts';
import { helpRoutes } from '../routes/help.ts';
import { favouriteOrderRoutes } from '../routes/favouriteOrders.ts';
import { fingerprintRoutes } from '../routes/fingerprint.ts';
import { leagueRoutes } from '../routes/league.ts';
import { loginRoutes } from '../routes/login.ts';
import { linkedWalletRoutes } from '../routes/linkedWallets.ts';
import { menuRoutes } from '../routes/menu.ts';
import { pushRoutes } from '../routes/push.ts';
import { orderRoutes } from '../routes/orders.ts';
import { paymentHooks, paymentRoutes } from '../routes/payments.ts';
import { documentRoutes } from '../routes/documents.ts';
import { memoryRoutes } from '../routes/memory.ts';
import { payLinkRoutes } from '../routes/payLinks.ts';
import { pageErrorRoutes } from '../routes/pageErrors.ts';
import type { PlaceOf } from '../rules/reliability/pageErrors.ts';
import { profileRoutes } from '../routes/profile.ts';
import { promoRoutes } from '../routes/promos.ts';
import { placeRoutes } from '../routes/places.ts';
import { reorderRoutes } from '../routes/reorder.ts';
import { sessionRoutes } from '../routes/session.ts';
import { passwordRoutes } from '../routes/passwords.ts';
import { socialCallback, socialRoutes } from '../routes/social.ts';
import { storeRoutes } from '../routes/stores.ts';
import { trackingRoutes } from '../routes/tracking.ts';
import { trainRoutes } from '../routes/trains.ts';
import { usualRoutes } from '../routes/usual.ts';
import { vendorRoutes } from '../routes/vendors.ts';
import { voucherRoutes } from '../routes/vouchers.ts';
import { loyaltyRoutes } from '../routes/loyalty.ts';
import { walletRoutes } from '../routes/wallet.ts';
import { wheelRoutes } from '../routes/wheel.ts';
import type { Runner } from '../call/jobs.ts';
import { hostRoutes } from '../rules/hosts/hosts.ts';
import type { RawRoute, Route } from '../call/route.ts';

/** Every endpoint of the contract with its handler; a test fails when one is missing. */
export function allRoutes(site: SiteConfig, advance: Runner['advance'], placeOf: PlaceOf): Route[] {
  return [
    ...configRoutes(site),
    ...sessionRoutes,
    ...loginRoutes,
    ...profileRoutes,
    ...socialRoutes,
    ...passwordRoutes,
    ...challengeRoutes,
    ...deletionRoutes,
    ...consentRoutes,
    ...copyRoutes,
    ...vendorRoutes,
    ...addressRoutes,
    ...storeRoutes,
    ...placeRoutes,
    ...chatRoutes,
    ...menuRoutes,
    ...cartRoutes,
    ...groupRoutes,
    ...couponRoutes,
    ...wheelRoutes,
    ...favouriteRoutes,
    ...favouriteOrderRoutes,
    ...orderRoutes,
    ...historyRoutes,
    ...usualRoutes,
    ...reorderRoutes,
    ...paymentRoutes,
    ...promoRoutes,
    ...payLinkRoutes,
    ...documentRoutes,
    ...memoryRoutes,
    ...cardRoutes,
    ...walletRoutes,
    ...loyaltyRoutes,
    ...leagueRoutes,
    ...voucherRoutes,
    ...linkedWalletRoutes,
    ...trackingRoutes,
    ...trainRoutes,
    ...helpRoutes,
    ...feedbackRoutes,
    ...pushRoutes,
    ...activityRoutes(site),
    ...pageErrorRoutes(placeOf),
    ...experimentRoutes,
    ...assistantRoutes,
    ...fingerprintRoutes(site),
    ...developmentRoutes(advance),
    ...railwayDevelopment,
  ];
}

/** Routes outside the contract: those of the hosts, the bank's pages, and provider webhooks. */
export function rawRoutes(): RawRoute[] {
  return [...hostRoutes(), ...bankRoutes, ...railwayRoutes, ...oidcRoutes, socialCallback, ...paymentHooks()];
}
