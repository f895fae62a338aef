import { createBridge } from '../../../src/bridge/createBridge.ts';
import type { HostBridge } from '../../../src/bridge/hostBridge.ts';
import { sixpay } from './host.ts';
import { profile } from './profile.ts';

export const createSixpay = createBridge(sixpay, () => import('./actions.ts'));

export const bridge: HostBridge = createSixpay({ window: globalThis.window, profile });
