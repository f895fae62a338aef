import { useAtomValue } from 'jotai';
import { olderAtom } from '../../../state/after/setAside.ts';
import { isSharedReceivedAtom } from '../../../state/group/sharedCart.ts';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';
import { part } from '../../../ui/time/loaded.tsx';

// Dishes that the customer decides about; for most people there are none.
const Bones = () => <Skeleton height="12rem" />;
const SharedDishes = part(() => import('./SharedDishes.tsx'), Bones);
const OlderDishes = part(() => import('./Older.tsx'), Bones);

/** Of a link that was followed. */
export const Received = () => useAtomValue(isSharedReceivedAtom) && <SharedDishes />;
/** Of an earlier cart of the account. */
export const Older = () => useAtomValue(olderAtom).length > 0 && <OlderDishes />;
