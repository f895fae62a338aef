import { loadChunk } from '../bridge/scripts.ts';
import { remote } from './lib/remote.ts';
import { isSlowAtom } from './slow.ts';

/** The map's own script, fetched with the first screen that has one; without it the screen is whole in words, lists and buttons. */
export const mapPartState = remote(async (get) => {
  // Pictures that nothing depends on (slow-network mode).
  if (get(isSlowAtom)) throw new Error('no map on a slow network');
  return (await loadChunk(() => import('../ui/TileMap.tsx'))).default;
}, { isCustomers: false });
