import type { RouteRow, ScreenModule } from './first/row.ts';

/** Loads a journey: all of its screens come as one script. */
type Journey<J> = () => Promise<J>;

const dishes = () => import('./journeys/dishes.ts');
const cart = () => import('./journeys/cart.ts');
const places = () => import('./journeys/places.ts');
const spots = () => import('./journeys/spots.ts');
const stores = () => import('./journeys/stores.ts');
const pay = () => import('./journeys/pay.ts');
const follow = () => import('./journeys/follow.ts');
const track = () => import('./journeys/track.ts');
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
  row('/search', dishes, 'search'),
  row('/customise/:productId', dishes, 'customise'),
  row('/combo/:dealId', dishes, 'combo'),
  row('/cart', cart, 'cart'),
  row('/group', group, 'start', 'groupOrder'),
  row('/group/:code', group, 'group', 'groupOrder'),
  row('/address', places, 'address'),
  row('/manualSelector', spots, 'manual'),
  row('/payment', pay, 'mode'),
  row('/payment/:orderId', pay, 'payment'),
  row('/order/:orderId', follow, 'order'),
  row('/track/:orderId', track, 'track'),
  row('/shared/:token', track, 'shared'),
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
  row('/postorder-ui/mapScreen', spots, 'map'),
  row('/postorder-ui/myAddresses', spots, 'addresses'),
  row('/postorder-ui/nearestStore', stores, 'stores'),
  row('/postorder-ui/selectRestaurant', stores, 'stores'),
  row('/postorder-ui/takeawayMapScreen', stores, 'stores'),
];
