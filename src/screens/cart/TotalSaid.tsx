import * as t from '#text/cart.ts';
import { useAtomValue } from 'jotai';
import { cartAtom, isCartWaitingAtom } from '../../state/first/cart.ts';
import { AmountSaid } from '../../ui/money/AmountSaid.tsx';

/** Says a changed total, once, when it is known. The line that was changed has said its quantity before. */
export function TotalSaid() {
  const total = useAtomValue(cartAtom)?.bill.total;
  const isWaiting = useAtomValue(isCartWaitingAtom);
  return <AmountSaid amount={total} isWaiting={isWaiting} text={t.totalSaid} />;
}
