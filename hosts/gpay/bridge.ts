import { createBridge } from '../../src/bridge/createBridge.ts';
import type { HostBridge } from '../../src/bridge/hostBridge.ts';
import { loadChunk } from '../../src/bridge/scripts.ts';
import { gpay } from './host.ts';
import { profile } from './profile.ts';

export const createGpay = createBridge(gpay, () => loadChunk(() => import('./actions.ts')));

export const bridge: HostBridge = createGpay({ window: globalThis.window, profile });
