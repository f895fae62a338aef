import { useAtomValue } from 'jotai';
import type { Chosen } from '../../state/menu/pizzaArt.ts';
import { itemsByIdAtom } from '../../state/first/menu.ts';
import type { Named } from '../../ui/food/dishes.ts';
import { ItemPicture, Plate } from '../../ui/ItemPicture.tsx';

export interface LinePictureProps {
  line: Chosen & { readonly product: Named };
}

/** The menu's picture of a dish in its size, however it was chosen; an empty plate for what the menu no longer has. */
export function MenuPicture({ line }: LinePictureProps) {
  const item = useAtomValue(itemsByIdAtom).get(line.productId);
  if (!item) return <Plate />;
  return <ItemPicture item={item} size={item.kind === 'PIZZA' ? (line.size ?? 'R') : undefined} />;
}
