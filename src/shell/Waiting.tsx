import { Skeleton } from '../ui/Skeleton.tsx';
import css from './Waiting.module.css';

/** Holds the room of a screen whose chunk is on its way. */
export function Waiting() {
  return (
    <div className={css.waiting} aria-busy="true">
      <Skeleton height="3.5rem" />
      <Skeleton height="9rem" />
      <Skeleton height="4rem" />
      <Skeleton height="4rem" />
    </div>
  );
}
