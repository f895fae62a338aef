import type { RouteRow } from './row.ts';

const home = () => import('../../screens/first/HomeScreen.tsx');
const menu = () => import('../../screens/first/MenuScreen.tsx');

/**
 * The screens of the first load. All others come with their journey (shell/routes.ts). The first path that fits is
 * taken, so the order matters.
 */
export const firstRoutes: readonly RouteRow[] = [
  { path: '/', load: home, isFirst: true },
  { path: '/home', load: home, isFirst: true },
  { path: '/landing', load: home, isFirst: true },
  { path: '/menu', load: menu, isFirst: true },
  { path: '/menu/:category', load: menu, isFirst: true },
  { path: '/edv', load: menu, feature: 'edv', isFirst: true },
];
