import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { clearFiltersAtom, filtersAtom, fitsAtom, toggleFilterAtom, vegOnlyAtom } from '../../state/filters.ts';
import { allergensAtom, householdAtom, toggleAvoidedAtom } from '../../state/household.ts';
import { menuAtom } from '../../state/menu.ts';
import { faceAtom } from '../../state/seams.ts';
import { filterGroupsAtom } from '../../state/sieve.ts';
import { Button } from '../../ui/Button.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import css from './FilterSheet.module.css';

/** Every way of narrowing the menu, with how much is left. */
export function FilterSheet({ onClose }: { onClose: () => void }) {
  const groups = useAtomValue(filterGroupsAtom);
  const filters = useAtomValue(filtersAtom);
  const [isVegOnly, setVegOnly] = useAtom(vegOnlyAtom);
  const fits = useAtomValue(fitsAtom);
  const { items } = useAtomValue(menuAtom);
  const face = useAtomValue(faceAtom);
  const toggle = useSetAtom(toggleFilterAtom);
  const clear = useSetAtom(clearFiltersAtom);
  const allergens = useAtomValue(allergensAtom);
  const avoided = useAtomValue(householdAtom);
  const avoid = useSetAtom(toggleAvoidedAtom);
  const left = items.filter(fits).length;
  const pressed = filters.map((one) => one.id);
  return (
    <Sheet
      title="Filters" onClose={onClose} closeOnOutside={face.fullMode}
      footer={(
        <div className={css.foot}>
          <Button kind="quiet" onClick={() => clear()}>Clear all</Button>
          <Button onClick={onClose}><span role="status">{left === 0 ? 'Nothing fits' : `Show ${left} ${left === 1 ? 'dish' : 'dishes'}`}</span></Button>
        </div>
      )}
    >
      <div className={css.groups}>
        <section>
          <Chips label="Vegetarian" chips={[{ id: 'veg', text: 'Veg only', icon: <FoodMark type="VEG" /> }]} pressed={isVegOnly ? ['veg'] : []} onToggle={() => setVegOnly((now) => !now)} />
          <p>Stays on for your next visit.</p>
        </section>
        <section>
          <h3>Nobody at home may eat</h3>
          <Chips label="Nobody at home may eat" chips={allergens.map((id) => ({ id, text: id }))} pressed={avoided} onToggle={avoid} />
          <p>Stays on this phone. Dishes with it are left out, and the builder and the cart warn of it.</p>
        </section>
        {groups.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <Chips label={group.title} chips={group.filters} pressed={pressed} onToggle={(id) => toggle(group.filters.find((one) => one.id === id)!)} />
            {group.title === 'Diet' && <p>Jain, and without onion or garlic: some dishes are made so when you ask in the builder.</p>}
          </section>
        ))}
      </div>
    </Sheet>
  );
}
