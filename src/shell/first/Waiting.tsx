import { useEffect } from 'react';
import { useCounted } from '../../ui/money/counted.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { wait } from './phases.ts';
import css from './Waiting.module.css';

/** Shown while the script of a screen is loading. Where that takes long the page's notice says so. */
export function Waiting() {
  useCounted('waits');
  useEffect(() => {
    wait(1);
    return () => wait(-1);
  }, []);
  return (
    <div className={css.waiting} aria-busy="true">
      <Skeleton height="3.5rem" />
      <Skeleton height="9rem" />
      <Skeleton height="4rem" />
      <Skeleton height="4rem" />
    </div>
  );
}
