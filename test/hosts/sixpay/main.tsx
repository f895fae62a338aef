import '../../../src/ui/tokens.css';
import '../../../src/ui/base.css';
import { country } from '#country';
import { routes } from '../../../src/shell/routes.ts';
import { start } from '../../../src/shell/start.tsx';
import { face } from './face.ts';

const root = document.getElementById('app');
if (root) void start(root, { face, bridge: async () => (await import('./bridge.ts')).bridge, country, routes });
