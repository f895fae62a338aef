import { createBridge } from '../../src/bridge/createBridge.ts';
import type { HostBridge } from '../../src/bridge/hostBridge.ts';
import { loadChunk } from '../../src/bridge/scripts.ts';
import { paytm } from './host.ts';
import { profile } from './profile.ts';

export const createPaytm = createBridge(paytm, () => loadChunk(() => import('./actions.ts')));

export const bridge: HostBridge = createPaytm({ window: globalThis.window, profile });
