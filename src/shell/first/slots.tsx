import { atom, useAtomValue, type Atom } from 'jotai';
import { Suspense, type ComponentType } from 'react';
import { isOpenAtom } from '../../state/first/config.ts';
import { growing } from './growing.ts';
import { ScreenGuard } from './ScreenGuard.tsx';

/** A part of the frame around the screen. App knows the slots, not what is in them. */
export interface SlotRow {
  /** At the top of the page and staying there, above the screen, or after it: at the foot of the page, or lying over it. */
  readonly slot: 'top' | 'above' | 'over';
  /** Shown while this is true; without it always. */
  readonly when?: Atom<boolean>;
  /** It is left out where this feature is blocked. */
  readonly feature?: string;
  readonly widget: ComponentType;
}

/** Set it to add rows. */
export const slotsAtom = growing<SlotRow>();

const alwaysAtom = atom(true);

function Filled({ row: { when = alwaysAtom, feature, widget: Widget } }: { row: SlotRow }) {
  const isOpen = useAtomValue(isOpenAtom);
  if (!useAtomValue(when) || (feature && !isOpen(feature))) return null;
  return (
    <ScreenGuard>
      <Suspense>
        <Widget />
      </Suspense>
    </ScreenGuard>
  );
}

export function Slot({ name }: { name: SlotRow['slot'] }) {
  // Rows are only ever added, so their index is a stable key.
  return useAtomValue(slotsAtom).map((row, at) => row.slot === name && <Filled key={at} row={row} />);
}
