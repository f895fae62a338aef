import { atom } from 'jotai';

/** What the header says of the kitchen: words of state/shop/arrivalEstimate.ts. */
export interface Clock {
  readonly label: string;
  readonly time: string;
  /** Closed, or soon. */
  readonly isUrgent: boolean;
  /** Minutes of the promise that holds now for this store and this delivery type; null where there is none. */
  readonly promise: number | null;
}
/** Null until the chosen store has answered, and while it cannot: nothing is said then. */
export const clockAtom = atom<Clock | null>(null);
