import * as t from '#text/first.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type ComponentType } from 'react';
import { loadChunk } from '../../bridge/scripts.ts';
import { filtersAtom, toggleFilterAtom, vegOnlyAtom } from '../../state/first/filters.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import css from './Filters.module.css';

/**
 * The active filters, each off with one tap; all others are in a sheet. `vegOnly` shows the remembered vegetarian
 * filter alone.
 */
export function Filters({ vegOnly }: { vegOnly?: boolean }) {
  const [isVegOnly, setVegOnly] = useAtom(vegOnlyAtom);
  const filters = useAtomValue(filtersAtom);
  const toggle = useSetAtom(toggleFilterAtom);
  const say = useSetAtom(toastMessageAtom);
  const [Sheet, setSheet] = useState<ComponentType<{ onClose: () => void }> | null>(null);
  const chips = [{ id: 'veg', text: t.vegOnly, icon: <FoodMark type="VEG" /> }, ...(vegOnly ? [] : filters)];
  const pressed = filters.map((one) => one.id);
  const open = () =>
    loadChunk(() => import('../menu/FilterSheet.tsx')).then(
      (loaded) => setSheet(() => loaded.FilterSheet),
      () => say(t.filtersMissing),
    );
  return (
    <div className={css.filters}>
      <Chips
        label={t.showOnly}
        chips={chips}
        pressed={isVegOnly ? ['veg', ...pressed] : pressed}
        onToggle={(id) => {
          const filter = filters.find((one) => one.id === id);
          if (filter) toggle(filter);
          else setVegOnly((now) => !now);
        }}
      />
      {!vegOnly && (
        <Button kind="quiet" small aria-haspopup="dialog" onClick={() => void open()}>
          {t.allFilters}
        </Button>
      )}
      {Sheet && <Sheet onClose={() => setSheet(null)} />}
    </div>
  );
}
