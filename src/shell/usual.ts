import { loadChunk } from '../bridge/scripts.ts';
import { UsualCard } from '../screens/usual/UsualCard.tsx';
import { usualCardAtom } from '../state/first/usual.ts';
import { isOfflineAtom } from '../state/base/network.ts';
import { isHomeAtom } from '../state/base/path.ts';
import { usualKeyAtom, usualState } from '../state/after/usualOrder.ts';
import type { Watcher } from './first/watchers.tsx';

/** For somebody who has ordered before: what they had is on home, priced now, and its sheet is there before the tap. */
export const usualWatchers: readonly Watcher[] = [
  { run: ({ set }) => set(usualCardAtom, { Card: UsualCard }) },
  { when: [isHomeAtom, usualKeyAtom], unless: [isOfflineAtom], run: ({ set }) => void set(usualState.load) },
  { run: () => void loadChunk(() => import('../screens/usual/UsualSheet.tsx')).catch(() => undefined) },
];
