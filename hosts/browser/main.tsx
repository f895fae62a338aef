import '../../src/ui/tokens.css';
import '../../src/ui/base.css';
import { country } from '#country';
import { fullRoutes } from '../../src/shell/routes.full.ts';
import { routes } from '../../src/shell/routes.ts';
import { start } from '../../src/shell/start.tsx';
import { bridge } from './bridge.ts';
import { keepOffline } from './keepOffline.ts';

const root = document.getElementById('app');
if (root) void start(root, { host: bridge, country, routes: [...routes, ...fullRoutes] });
keepOffline();
