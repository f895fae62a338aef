import { useAtomValue } from 'jotai';
import { changesAtom } from '../../state/after/cartDiff.ts';
import { part } from '../../ui/loaded.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const ChangesCard = part(
  () => import('./ChangesCard.tsx'),
  () => <Skeleton height="9rem" />,
);

/** What has changed since the customer last saw the cart, for most people nothing. */
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
