import { useCounted } from '../../ui/counted.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './Waiting.module.css';

/** Shown while the script of a screen is loading. */
export function Waiting() {
  useCounted('waits');
  return (
    <div className={css.waiting} aria-busy="true">
      <Skeleton height="3.5rem" />
      <Skeleton height="9rem" />
      <Skeleton height="4rem" />
      <Skeleton height="4rem" />
    </div>
  );
}
