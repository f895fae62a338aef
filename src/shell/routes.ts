import type { RouteRow, ScreenModule } from './first/row.ts';

/** Loads a journey: all of its screens come as one script. */
type Journey<J> = () => Promise<J>;

const order = () => import('./journeys/order.ts');
const places = () => import('./journeys/places.ts');
const pay = () => import('./journeys/pay.ts');
const follow = () => import('./journeys/follow.ts');
const group = () => import('./journeys/group.ts');
const rewards = () => import('./journeys/rewards.ts');
const account = () => import('./journeys/account.ts');

/**
 * A route: its path, its journey, and which of the journey's screens it shows. With `feature` it does not exist where
 * that is blocked.
 */
export function row<J extends Record<K, ScreenModule>, K extends string>(
  path: string,
  journey: Journey<J>,
  screen: K,
  feature?: string,
): RouteRow {
  const load = async () => (await journey())[screen];
  return feature === undefined ? { path, load } : { path, load, feature };
}

/**
 * The screens of every host beyond the first ones. They come with the second load, so that a new screen costs the first
 * load nothing. The first path that fits is taken, so the order matters.
 */
export const routes: readonly RouteRow[] = [
  row('/search', order, 'search'),
  row('/customise/:productId', order, 'customise'),
  row('/combo/:dealId', order, 'combo'),
  row('/cart', order, 'cart'),
  row('/group', group, 'start', 'groupOrder'),
  row('/group/:code', group, 'group', 'groupOrder'),
  row('/address', places, 'address'),
  row('/manualSelector', places, 'manual'),
  row('/payment', pay, 'mode'),
  row('/payment/:orderId', pay, 'payment'),
  row('/order/:orderId', follow, 'order'),
  row('/track/:orderId', follow, 'track'),
  row('/shared/:token', follow, 'shared'),
  row('/rewards', rewards, 'rewards', 'loyalty'),
  row('/phones', account, 'memory'),
  row('/delete-account', account, 'deleteAccount'),
  row('/consents', account, 'consents'),
  row('/experiments', account, 'experiments'),
  row('/my-data', account, 'data'),
  row('/terms', account, 'documents'),
  row('/privacy', account, 'documents'),
  row('/credits', account, 'documents'),
  row('/login', account, 'login'),
  row('/login-otp', account, 'otp'),
  row('/postorder-ui/profile', account, 'account'),
  row('/postorder-ui/profile/edit', account, 'profile'),
  row('/postorder-ui/login', account, 'login'),
  row('/postorder-ui/login-otp', account, 'otp'),
  row('/postorder-ui/searchAddress', places, 'location'),
  row('/postorder-ui/mapScreen', places, 'map'),
  row('/postorder-ui/myAddresses', places, 'addresses'),
  row('/postorder-ui/nearestStore', places, 'stores'),
  row('/postorder-ui/selectRestaurant', places, 'stores'),
  row('/postorder-ui/takeawayMapScreen', places, 'stores'),
];
