import type { RouteRow } from './first/row.ts';
import { routes as everywhere, row } from './routes.ts';

const offers = () => import('./journeys/offers.ts');
const history = () => import('./journeys/history.ts');
const help = () => import('./journeys/help.ts');
const chat = () => import('./journeys/chat.ts');
const wallet = () => import('./journeys/wallet.ts');
const full = () => import('./journeys/full.ts');
/** The import itself stands in the condition: a bundle without these must not hold their script. */
const league = LEAGUE ? () => import('./journeys/league.ts') : null;
const trains = TRAINS ? () => import('./journeys/trains.ts') : null;

/** Screens that only a standalone page has; a mini-app's bundle never contains them. */
export const fullRoutes: readonly RouteRow[] = [
  row('/offers', offers, 'coupons', 'offers'),
  row('/postorder-ui/offers', offers, 'coupons', 'offers'),
  row('/postorder-ui/orderHistory', history, 'history'),
  row('/postorder-ui/orderdetails', history, 'details'),
  row('/help', help, 'tickets', 'support'),
  row('/help/:orderId', help, 'help', 'support'),
  row('/ticket/:eventId', help, 'ticket', 'support'),
  row('/chatbot', chat, 'chat', 'chatbot'),
  row('/uf', help, 'feedback', 'feedback'),
  row('/feedback', help, 'visit', 'feedback'),
  // Also where it was switched off: who followed a link there is told why. A country's own blocked paths are gone.
  row('/wallet', wallet, 'wallet'),
  row('/postorder-ui/wallet', wallet, 'wallet'),
  row('/upiForm', full, 'upiForm', 'upiForm'),
  row('/paytmForm', full, 'appForm', 'paytmForm'),
  row('/postorder-ui/profile/number', full, 'number'),
  row('/postorder-ui/profile/devices', full, 'devices', 'logout'),
  row('/postorder-ui/profile/password', full, 'password'),
  row('/pay/:token', full, 'payLink'),
  row('/assistant/:what', full, 'assistant', 'assistants'),
  ...(league
    ? [
        row('/worldPizzaLeague', league, 'league', 'worldPizzaLeague'),
        row('/worldPizzaLeagueApp', league, 'leagueApp', 'worldPizzaLeagueApp'),
      ]
    : []),
  ...(trains
    ? [
        row('/deliverontrain', trains, 'landing', 'deliverontrain'),
        row('/irctc', trains, 'pnr', 'irctc'),
        row('/irctcStation', trains, 'station', 'irctcStation'),
        row('/irctcOrder', trains, 'orders', 'irctcOrder'),
        row('/irctcOrder/:orderId', trains, 'question', 'irctcOrder'),
      ]
    : []),
];

export const routes: readonly RouteRow[] = [...everywhere, ...fullRoutes];
