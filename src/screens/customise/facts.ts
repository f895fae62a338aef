import * as t from '#text/customise.ts';
import { useAtomValue } from 'jotai';
import type { MenuItem } from '../../contract/menu.ts';
import type { Size } from '../../contract/names.ts';
import { allergensTextAtom } from '../../state/first/menu.ts';
import { builderAtom } from '../../state/menu/priceList.ts';

/** Serving size, calories and allergens of a dish in one size, as the law wants them beside every dish. */
export function useFacts() {
  const sizes = useAtomValue(builderAtom)?.sizes ?? [];
  const allergensText = useAtomValue(allergensTextAtom);
  return (item: MenuItem, size: Size, kcal = item.kcal[size] ?? 0, allergens: readonly string[] = item.allergens) => {
    const people = sizes.find((one) => one.id === size)?.serves;
    return [
      item.serving ?? (people && t.serves({ people })),
      kcal > 0 && t.kcal({ kcal }),
      allergens.length > 0 && t.contains({ allergens: allergensText(allergens) }),
    ]
      .filter(Boolean)
      .join(' · ');
  };
}
