import { useAtomValue } from 'jotai';
import { changesAtom } from '../../../state/after/cartDiff.ts';
import { part } from '../../../ui/time/loaded.tsx';
import { Skeleton } from '../../../ui/page/Skeleton.tsx';

const ChangesCard = part(
  () => import('./ChangesCard.tsx'),
  () => <Skeleton height="9rem" />,
);

/** Changes since the customer last saw the cart; for most people none. */
export function Changes() {
  const hasSome = useAtomValue(changesAtom).length > 0;
  return (
    hasSome && (
      <div role="status">
        <ChangesCard />
      </div>
    )
  );
}
