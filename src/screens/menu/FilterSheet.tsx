import * as t from '#text/menu.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { clearFiltersAtom, filtersAtom, fitsAtom, toggleFilterAtom, vegOnlyAtom } from '../../state/first/filters.ts';
import { allergensAtom, householdAtom, toggleAvoidedAtom } from '../../state/menu/household.ts';
import { allergensTextAtom, menuAtom } from '../../state/first/menu.ts';
import { profileAtom } from '../../state/first/seams.ts';
import { filterGroupsAtom } from '../../state/menu/filters.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import css from './FilterSheet.module.css';

/** All filters of the menu, each with the number of dishes it would leave. */
export function FilterSheet({ onClose }: { onClose: () => void }) {
  const groups = useAtomValue(filterGroupsAtom);
  const filters = useAtomValue(filtersAtom);
  const [isVegOnly, setVegOnly] = useAtom(vegOnlyAtom);
  const fits = useAtomValue(fitsAtom);
  const { items } = useAtomValue(menuAtom);
  const profile = useAtomValue(profileAtom);
  const toggle = useSetAtom(toggleFilterAtom);
  const clear = useSetAtom(clearFiltersAtom);
  const allergens = useAtomValue(allergensAtom);
  const allergensText = useAtomValue(allergensTextAtom);
  const avoided = useAtomValue(householdAtom);
  const avoid = useSetAtom(toggleAvoidedAtom);
  const left = items.filter(fits).length;
  const pressed = filters.map((one) => one.id);
  return (
    <Sheet
      title={t.title}
      onClose={onClose}
      closeOnOutside={profile.fullMode}
      footer={
        <div className={css.foot}>
          <Button kind="quiet" onClick={() => clear()}>
            {t.clear}
          </Button>
          <Button onClick={onClose}>
            <span role="status">{left === 0 ? t.nothing : t.show({ count: left })}</span>
          </Button>
        </div>
      }
    >
      <div className={css.groups}>
        <section>
          <Chips
            label={t.vegetarian}
            chips={[{ id: 'veg', text: t.vegOnly, icon: <FoodMark type="VEG" /> }]}
            pressed={isVegOnly ? ['veg'] : []}
            onToggle={() => setVegOnly((now) => !now)}
          />
          <p>{t.vegOnlyText}</p>
        </section>
        <section>
          <h3>{t.household}</h3>
          <Chips
            label={t.household}
            chips={allergens.map((id) => ({ id, text: allergensText([id]) }))}
            pressed={avoided}
            onToggle={avoid}
          />
          <p>{t.householdText}</p>
        </section>
        {groups.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <Chips
              label={group.title}
              chips={group.filters}
              pressed={pressed}
              onToggle={(id) => toggle(group.filters.find((one) => one.id === id)!)}
            />
            {group.note && <p>{group.note}</p>}
          </section>
        ))}
      </div>
    </Sheet>
  );
}
