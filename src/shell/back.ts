import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { hostAtom } from '../state/first/seams.ts';

/** While something lies over the page, the host's back button closes that and does nothing else. */
export function useHostBack(isOpen: boolean, close: () => void): void {
  const host = useAtomValue(hostAtom);
  useEffect(() => {
    if (!isOpen) return;
    return host.on('back', () => {
      close();
      return 'handled';
    });
  }, [host, isOpen, close]);
}
