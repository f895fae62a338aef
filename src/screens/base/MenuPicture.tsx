import { useAtomValue } from 'jotai';
import type { DishChoice } from '../../state/menu/pizzaArt.ts';
import { itemsByIdAtom } from '../../state/first/menu.ts';
import type { DishIdentity } from '../../ui/food/dishes.ts';
import { ItemPicture, Plate } from '../../ui/pictures/ItemPicture.tsx';

export interface LinePictureProps {
  line: DishChoice & { readonly product: DishIdentity };
}

/** The menu's picture of a dish in its size, however it was chosen; an empty plate for what the menu no longer has. */
export function MenuPicture({ line }: LinePictureProps) {
  const item = useAtomValue(itemsByIdAtom).get(line.productId);
  if (!item) return <Plate />;
  return <ItemPicture item={item} size={item.kind === 'PIZZA' ? (line.size ?? 'R') : undefined} />;
}
