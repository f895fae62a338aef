import { loadChunk } from '../../bridge/scripts.ts';
import { remote } from '../lib/remote.ts';
import { isSlowAtom } from '../base/network.ts';

/**
 * The map's script, loaded with the first screen that has a map. Without it every screen still says everything in
 * words, lists and buttons.
 */
export const mapPartState = remote(
  async (get) => {
    // A map is a picture that nothing depends on, so slow-network mode does without it.
    if (get(isSlowAtom)) throw new Error('no map on a slow network');
    return (await loadChunk(() => import('../../ui/pictures/TileMap.tsx'))).default;
  },
  { isCustomers: false },
);
