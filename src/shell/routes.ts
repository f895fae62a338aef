import type { RouteRow } from './row.ts';

const home = () => import('../screens/home/HomeScreen.tsx');
const menu = () => import('../screens/menu/MenuScreen.tsx');
const login = () => import('../screens/login/LoginScreen.tsx');
const otp = () => import('../screens/login/OtpScreen.tsx');
const stores = () => import('../screens/location/StoresScreen.tsx');

/** Screens of every host. Path order matters: the first that fits is drawn. */
export const routes: readonly RouteRow[] = [
  { path: '/', load: home, isFirst: true },
  { path: '/home', load: home, isFirst: true },
  { path: '/landing', load: home, isFirst: true },
  { path: '/menu', load: menu, isFirst: true },
  { path: '/menu/:category', load: menu, isFirst: true },
  { path: '/edv', load: menu, feature: 'edv', isFirst: true },
  { path: '/search', load: () => import('../screens/search/SearchScreen.tsx') },
  { path: '/customise/:productId', load: () => import('../screens/customise/CustomiseScreen.tsx') },
  { path: '/combo/:dealId', load: () => import('../screens/customise/ComboScreen.tsx') },
  { path: '/cart', load: () => import('../screens/cart/CartScreen.tsx') },
  { path: '/group', load: () => import('../screens/group/GroupStartScreen.tsx'), feature: 'groupOrder' },
  { path: '/group/:code', load: () => import('../screens/group/GroupScreen.tsx'), feature: 'groupOrder' },
  { path: '/offers', load: () => import('../screens/coupons/CouponsScreen.tsx'), feature: 'offers' },
  { path: '/address', load: () => import('../screens/location/AddressScreen.tsx') },
  { path: '/manualSelector', load: () => import('../screens/location/ManualScreen.tsx') },
  { path: '/payment', load: () => import('../screens/payment/PaymentModeScreen.tsx') },
  { path: '/payment/:orderId', load: () => import('../screens/payment/PaymentScreen.tsx') },
  { path: '/order/:orderId', load: () => import('../screens/order/OrderScreen.tsx') },
  { path: '/track/:orderId', load: () => import('../screens/order/TrackScreen.tsx') },
  { path: '/shared/:token', load: () => import('../screens/order/SharedScreen.tsx') },
  { path: '/phones', load: () => import('../screens/memory/MemoryScreen.tsx') },
  { path: '/login', load: login },
  { path: '/login-otp', load: otp },
  { path: '/postorder-ui/login', load: login },
  { path: '/postorder-ui/login-otp', load: otp },
  { path: '/postorder-ui/searchAddress', load: () => import('../screens/location/LocationScreen.tsx') },
  { path: '/postorder-ui/mapScreen', load: () => import('../screens/location/MapScreen.tsx') },
  { path: '/postorder-ui/myAddresses', load: () => import('../screens/location/AddressesScreen.tsx') },
  { path: '/postorder-ui/nearestStore', load: stores },
  { path: '/postorder-ui/selectRestaurant', load: stores },
  { path: '/postorder-ui/takeawayMapScreen', load: stores },
];
