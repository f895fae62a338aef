import '../../../src/ui/tokens.css';
import '../../../src/ui/base.css';
import { first } from '#country/first.ts';
import { start } from '../../../src/shell/first/start.tsx';
import { profile } from './profile.ts';

const root = document.getElementById('app');
if (root)
  void start(root, {
    profile,
    bridge: async () => (await import('./bridge.ts')).bridge,
    country: first,
    later: async () => ({ ...(await import('#country/index.ts')), ...(await import('../../../src/shell/routes.ts')) }),
  });
