import { createBridge } from '../../../src/bridge/createBridge.ts';
import type { HostBridge } from '../../../src/bridge/hostBridge.ts';
import { tarnpay } from './host.ts';
import { profile } from './profile.ts';

export const createTarnpay = createBridge(tarnpay, () => import('./actions.ts'));

export const bridge: HostBridge = createTarnpay({ window: globalThis.window, profile });
