import { followedFiltersAtom, followFiltersAtom } from '../state/menu/filters.ts';
import type { Watcher } from './first/watchers.tsx';

/** While a filter is on: dishes are made, priced and drawn as it demands, and the next visit begins with it. */
export const filterWatchers: readonly Watcher[] = [
  { when: [followedFiltersAtom], run: ({ set }) => set(followFiltersAtom) },
];
