import { useAtomValue, type Atom } from 'jotai';

/**
 * Whether the first answer is still to come. What stands below something that has no known height waits with it: then
 * nothing on the page moves when the answer is there.
 */
export function useIsWaiting(of: Atom<{ readonly status: string; readonly data: unknown }>): boolean {
  const { status, data } = useAtomValue(of);
  return data === null && (status === 'idle' || status === 'loading');
}
