import { useAtomValue } from 'jotai';
import { looksAtom, subjectsOf, type Chosen } from '../state/looks.ts';
import { itemsByIdAtom } from '../state/first/menu.ts';
import { DrawnPicture } from '../ui/DrawnPicture.tsx';
import type { Named } from '../ui/food/dishes.ts';
import { ItemPicture } from '../ui/ItemPicture.tsx';

/** Decorative picture of a dish as it was chosen: its size, crust, halves and toppings, or the dishes of its combo. */
export function LinePicture({ line }: { line: Chosen & { readonly product: Named } }) {
  const items = useAtomValue(itemsByIdAtom);
  const looks = useAtomValue(looksAtom);
  const item = items.get(line.productId);
  // What the menu no longer has is drawn by what its name says.
  if (!item) return <DrawnPicture subjects={[{ dish: line.product }]} />;
  const subjects = looks && subjectsOf(items, looks, line);
  const size = item.kind === 'PIZZA' ? (line.size ?? 'R') : undefined;
  if (subjects) return <DrawnPicture subjects={subjects} size={size} />;
  return <ItemPicture item={item} size={size} />;
}
