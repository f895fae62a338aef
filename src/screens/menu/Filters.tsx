import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type ComponentType } from 'react';
import { loadChunk } from '../../bridge/scripts.ts';
import { filtersAtom, toggleFilterAtom, vegOnlyAtom } from '../../state/filters.ts';
import { toastMessageAtom } from '../../state/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import css from './Filters.module.css';

/** What is pressed, one tap from off; all there is to press is in a sheet. `vegOnly`: the remembered one alone. */
export function Filters({ vegOnly }: { vegOnly?: boolean }) {
  const [isVegOnly, setVegOnly] = useAtom(vegOnlyAtom);
  const filters = useAtomValue(filtersAtom);
  const toggle = useSetAtom(toggleFilterAtom);
  const say = useSetAtom(toastMessageAtom);
  const [Sheet, setSheet] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  const chips = [{ id: 'veg', text: 'Veg only', icon: <FoodMark type="VEG" /> }, ...vegOnly ? [] : filters];
  const pressed = filters.map((one) => one.id);
  const open = () => loadChunk(() => import('./FilterSheet.tsx')).then((loaded) => setSheet(() => loaded.FilterSheet), () => say('The filters did not arrive. Please try again.'));
  return (
    <div className={css.filters}>
      <Chips
        label="Show only" chips={chips} pressed={isVegOnly ? ['veg', ...pressed] : pressed}
        onToggle={(id) => { const filter = filters.find((one) => one.id === id); if (filter) toggle(filter); else setVegOnly((now) => !now); }}
      />
      {!vegOnly && <Button kind="quiet" small aria-haspopup="dialog" onClick={() => void open()}>All filters</Button>}
      {Sheet && <Sheet onClose={() => setSheet(null)} />}
    </div>
  );
}
