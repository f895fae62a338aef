import * as t from '#text/reorder.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { reorderAtom, reorderTasks } from '../../state/after/reorder.ts';
import { Button, type ButtonProps } from '../../ui/forms/Button.tsx';

/** Puts the dishes of an order into the cart in one tap; what is not as it was then is told there. */
export default function OrderAgain({
  orderId,
  ...look
}: { orderId: string } & Partial<Pick<ButtonProps, 'kind' | 'full' | 'small'>>) {
  const again = useSetAtom(reorderAtom);
  const running = useAtomValue(reorderTasks.busyAtom);
  return (
    <Button {...look} busy={running === orderId} onClick={() => void again(orderId)}>
      {t.orderAgain}
    </Button>
  );
}
