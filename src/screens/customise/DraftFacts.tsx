import * as t from '#text/customise.ts';
import { useAtomValue } from 'jotai';
import type { DraftResult } from '../../state/cart/builder.ts';
import { avoidedAtom } from '../../state/menu/household.ts';
import { allergensTextAtom } from '../../state/first/menu.ts';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { Tag } from '../../ui/Tag.tsx';
import css from './CustomiseScreen.module.css';

/** Diet, calories and allergens of what is being built. */
export function DraftFacts({ worked }: { worked: DraftResult }) {
  const { finished, item } = worked;
  const allergens = finished?.allergens ?? item.allergens;
  const avoided = useAtomValue(avoidedAtom)(allergens);
  const allergensText = useAtomValue(allergensTextAtom);
  return (
    <div className={css.facts}>
      <FoodMark type={finished?.foodType ?? item.foodType} />
      {finished?.jain && <Tag tone="lime">{t.jain}</Tag>}
      {finished && <span>{t.kcal({ kcal: finished.kcal })}</span>}
      <span>{allergens.length > 0 ? t.containsAllergens({ allergens: allergensText(allergens) }) : t.noAllergen}</span>
      {avoided.length > 0 && <Tag tone="red">{t.avoided({ allergens: allergensText(avoided) })}</Tag>}
    </div>
  );
}
