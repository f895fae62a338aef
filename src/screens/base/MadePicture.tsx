import { useAtomValue } from 'jotai';
import { itemsByIdAtom } from '../../state/first/menu.ts';
import { looksAtom, subjectsOf } from '../../state/menu/pizzaArt.ts';
import { DrawnPicture } from '../../ui/pictures/DrawnPicture.tsx';
import { MenuPicture, type LinePictureProps } from './MenuPicture.tsx';

/** A dish as it was chosen, drawn: its size, crust, halves and toppings, or the dishes of its combo. */
export default function MadePicture({ line }: LinePictureProps) {
  const items = useAtomValue(itemsByIdAtom);
  const looks = useAtomValue(looksAtom);
  const item = items.get(line.productId);
  // What the menu no longer has is drawn by what its name says.
  if (!item) return <DrawnPicture subjects={[{ dish: line.product }]} />;
  const subjects = looks && subjectsOf(items, looks, line);
  if (!subjects) return <MenuPicture line={line} />;
  return <DrawnPicture subjects={subjects} size={item.kind === 'PIZZA' ? (line.size ?? 'R') : undefined} />;
}
