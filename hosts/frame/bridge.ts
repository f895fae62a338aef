import { createBridge } from '../../src/bridge/createBridge.ts';
import type { HostBridge } from '../../src/bridge/hostBridge.ts';
import { loadChunk } from '../../src/bridge/scripts.ts';
import { frame } from './host.ts';
import { profile } from './profile.ts';

export const createFrame = createBridge(frame, () => loadChunk(() => import('./actions.ts')));

export const bridge: HostBridge = createFrame({ window: globalThis.window, profile });
