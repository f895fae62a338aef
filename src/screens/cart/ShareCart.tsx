import * as t from '#text/cart.ts';
import { useSetAtom } from 'jotai';
import { shareCartAtom } from '../../state/group/sharedCart.ts';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { ShareIcon } from '../../ui/pictures/icons.ts';

/** The button that shares the cart. */
export function ShareCart() {
  const share = useSetAtom(shareCartAtom);
  return (
    <IconButton label={t.share} onClick={() => void share()}>
      <ShareIcon size={20} />
    </IconButton>
  );
}
