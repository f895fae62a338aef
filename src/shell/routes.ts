import type { RouteRow } from './row.ts';

const home = () => import('../screens/home/HomeScreen.tsx');
const menu = () => import('../screens/menu/MenuScreen.tsx');
const login = () => import('../screens/login/LoginScreen.tsx');
const otp = () => import('../screens/login/OtpScreen.tsx');
const stores = () => import('../screens/location/StoresScreen.tsx');

/** Screens of every host. Path order matters: the first that fits is drawn. */
export const routes: readonly RouteRow[] = [
  { path: '/', load: home, page: 'home', title: 'Home' },
  { path: '/home', load: home, page: 'home', title: 'Home' },
  { path: '/landing', load: home, page: 'home', title: 'Home' },
  { path: '/menu', load: menu, page: 'menu', title: 'Menu' },
  { path: '/menu/:category', load: menu, page: 'menu', title: 'Menu' },
  { path: '/edv', load: menu, page: 'edv', title: 'Everyday value offers', feature: 'edv' },
  { path: '/search', load: () => import('../screens/search/SearchScreen.tsx'), page: 'search', title: 'Search' },
  { path: '/customise/:productId', load: () => import('../screens/customise/CustomiseScreen.tsx'), page: 'customise', title: 'Customise' },
  { path: '/combo/:dealId', load: () => import('../screens/customise/ComboScreen.tsx'), page: 'customise', title: 'Combo' },
  { path: '/cart', load: () => import('../screens/cart/CartScreen.tsx'), page: 'cart', title: 'Cart' },
  { path: '/offers', load: () => import('../screens/coupons/CouponsScreen.tsx'), page: 'offers', title: 'Coupons', feature: 'offers' },
  { path: '/address', load: () => import('../screens/location/AddressScreen.tsx'), page: 'address', title: 'Address' },
  { path: '/manualSelector', load: () => import('../screens/location/ManualScreen.tsx'), page: 'location selection', title: 'Choose a store' },
  { path: '/payment', load: () => import('../screens/payment/PaymentModeScreen.tsx'), page: 'payment', title: 'Payment' },
  { path: '/payment/:orderId', load: () => import('../screens/payment/PaymentScreen.tsx'), page: 'payment', title: 'Payment' },
  { path: '/order/:orderId', load: () => import('../screens/order/OrderScreen.tsx'), page: 'thank-you and tracking', title: 'Your order' },
  { path: '/track/:orderId', load: () => import('../screens/order/TrackScreen.tsx'), page: 'track', title: 'Track your order' },
  { path: '/login', load: login, page: 'login', title: 'Login' },
  { path: '/login-otp', load: otp, page: 'login-otp', title: 'Enter the code' },
  { path: '/postorder-ui/login', load: login, page: 'login', title: 'Login' },
  { path: '/postorder-ui/login-otp', load: otp, page: 'login-otp', title: 'Enter the code' },
  { path: '/postorder-ui/searchAddress', load: () => import('../screens/location/LocationScreen.tsx'), page: 'location selection', title: 'Where should we deliver?' },
  { path: '/postorder-ui/mapScreen', load: () => import('../screens/location/MapScreen.tsx'), page: 'map screen', title: 'Confirm the place' },
  { path: '/postorder-ui/myAddresses', load: () => import('../screens/location/AddressesScreen.tsx'), page: 'change address', title: 'My addresses' },
  { path: '/postorder-ui/nearestStore', load: stores, page: 'nearest store', title: 'Nearest stores' },
  { path: '/postorder-ui/selectRestaurant', load: stores, page: 'select restaurant', title: 'Choose a restaurant' },
  { path: '/postorder-ui/takeawayMapScreen', load: stores, page: 'takeaway map screen', title: 'Stores on the map' },
];
