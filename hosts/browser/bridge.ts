import { createBridge } from '../../src/bridge/createBridge.ts';
import type { HostBridge } from '../../src/bridge/hostBridge.ts';
import { loadChunk } from '../../src/bridge/scripts.ts';
import { browser } from './host.ts';
import { profile } from './profile.ts';

export const createBrowser = createBridge(browser, () => loadChunk(() => import('./actions.ts')));

export const bridge: HostBridge = createBrowser({ window: globalThis.window, profile });
