import { useEffect } from 'react';
import { useAtomValue } from 'jotai';
import { navigateAtom } from '../../state/first/seams.ts';

/** Moves to `to`, with the fragment of the address, and without a history entry, so that Back does not return here. */
export function Moved({ to }: { to: string }) {
  const { go } = useAtomValue(navigateAtom);
  useEffect(() => go(to + location.hash, { replace: true }), [to, go]);
  return null;
}
