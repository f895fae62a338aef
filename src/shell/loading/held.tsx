import { useAtomValue } from 'jotai';
import { Suspense, type ComponentType } from 'react';
import { pathAtom } from '../../state/first/seams.ts';
import { useCounted } from '../../ui/money/counted.ts';
import { loaded } from '../../ui/time/loaded.tsx';

function Room() {
  useCounted('links');
  return null;
}

/**
 * A strip whose room the page keeps from the start, while its script is still on its way: so nothing moves when it is
 * there. `isSilentAt` says on which pages it shows nothing.
 */
export function held(
  isSilentAt: (place: string) => boolean,
  load: () => Promise<{ readonly default: ComponentType }>,
): ComponentType {
  const Strip = loaded(load);
  return function Held() {
    const place = useAtomValue(pathAtom);
    return (
      <Suspense fallback={isSilentAt(place) ? null : <Room />}>
        <Strip />
      </Suspense>
    );
  };
}
