import { useAtomValue } from 'jotai';
import { firstSize } from '../../domain/sizes.ts';
import { itemsByIdAtom } from '../../state/first/menu.ts';
import { isSlowAtom } from '../../state/base/network.ts';
import { part } from '../../ui/time/loaded.tsx';
import { MenuPicture, type LinePictureProps } from './MenuPicture.tsx';

/** The code that draws dishes is loaded when a dish differs from the menu's; until then, and without it, the menu's picture stands. */
const MadePicture = part(() => import('./MadePicture.tsx'), MenuPicture);

/** Decorative picture of a dish as it was chosen. On a slow line it is the menu's, for which the page asks nobody. */
export function LinePicture({ line }: LinePictureProps) {
  const item = useAtomValue(itemsByIdAtom).get(line.productId);
  const isSlow = useAtomValue(isSlowAtom);
  const { slots = [], build, crust, size } = line;
  const isMade =
    !item ||
    slots.length > 0 ||
    build !== undefined ||
    crust !== undefined ||
    (size ?? firstSize(item)) !== firstSize(item);
  return isMade && !isSlow ? <MadePicture line={line} /> : <MenuPicture line={line} />;
}
