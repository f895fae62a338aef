import { useEffect } from 'react';
import { useAtomValue } from 'jotai';
import { navigateAtom } from '../state/seams.ts';

/** Leaves no entry behind, so that back does not come here again. */
export function Moved({ to }: { to: string }) {
  const { go } = useAtomValue(navigateAtom);
  useEffect(() => go(to, { replace: true }), [to, go]);
  return null;
}
