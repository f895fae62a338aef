import { useAtomValue, useSetAtom, type WritableAtom } from 'jotai';
import { isLoggedInAtom, userAtom } from '../../state/base/session.ts';
import { useChange } from '../../ui/time/change.ts';

/**
 * Enters a screen again when another customer is logged in under it, or nobody any more: by another tab, by a payment app
 * that answers late, or because the server ended the login. What it showed is forgotten then, and nobody else asks anew.
 */
export function useCustomerChange<A extends unknown[]>(enter: WritableAtom<null, A, unknown>, ...input: A): void {
  const userId = useAtomValue(userAtom)?.userId;
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const again = useSetAtom(enter);
  useChange(isLoggedIn ? userId : undefined, () => void again(...input));
}
