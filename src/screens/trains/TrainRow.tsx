import { part } from '../../ui/time/loaded.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';

/** Where and when a cart for a train goes to, loaded when there is one; nothing in a bundle without trains. */
export const TrainRow = TRAINS
  ? part(
      () => import('./TrainPlace.tsx'),
      () => <Skeleton height="4.5rem" />,
    )
  : () => null;
