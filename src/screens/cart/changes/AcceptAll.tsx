import * as t from '#text/cart.ts';
import { useSetAtom } from 'jotai';
import { acceptAllAtom } from '../../../state/after/cartDiff.ts';
import { Button } from '../../../ui/forms/Button.tsx';

/** Takes the cart as it is now. */
export default function AcceptAll() {
  const acceptAll = useSetAtom(acceptAllAtom);
  return (
    <Button full onClick={() => acceptAll()}>
      {t.changesAcceptThese}
    </Button>
  );
}
