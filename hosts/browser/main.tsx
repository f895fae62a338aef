import '../../src/ui/tokens.css';
import '../../src/ui/base.css';
import { country } from '#country';
import { fullRoutes } from '../../src/shell/routes.full.ts';
import { routes } from '../../src/shell/routes.ts';
import { start } from '../../src/shell/start.tsx';
import { face } from './face.ts';
import { keepOffline } from './keepOffline.ts';

// Offered once and early; nothing is shown until somebody has ordered (src/state/share.ts).
addEventListener('beforeinstallprompt', (event) => { event.preventDefault(); Object.assign(window, { installOffer: event }); });

const root = document.getElementById('app');
if (root) void start(root, { face, bridge: async () => (await import('./bridge.ts')).bridge, country, routes: [...routes, ...fullRoutes] });
keepOffline();
