import { useAtomValue, useSetAtom } from 'jotai';
import { offeredFiltersAtom, pressedFiltersAtom, toggleFilterAtom } from '../../state/filters.ts';
import { Chips } from '../../ui/Chips.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';

const LABELS: Readonly<Record<string, string>> = {
  veg: 'Veg only', bestseller: 'Bestsellers', jain: 'Jain', egg: 'Egg free', mild: 'Not spicy', spicy: 'Spicy',
};

/** `only` shows some of them: home has the remembered one alone. */
export function Filters({ only }: { only?: readonly string[] }) {
  const offered = useAtomValue(offeredFiltersAtom);
  const pressed = useAtomValue(pressedFiltersAtom);
  const toggle = useSetAtom(toggleFilterAtom);
  const chips = (only ?? offered).map((id) => ({ id, text: LABELS[id] ?? id, ...(id === 'veg' ? { icon: <FoodMark type="VEG" /> } : {}) }));
  return <Chips label="Show only" chips={chips} pressed={pressed} onToggle={toggle} />;
}
