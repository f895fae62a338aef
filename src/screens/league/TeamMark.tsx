import type { ReactNode } from 'react';
import css from './League.module.css';

/** What stands on the shield of each team. */
const MARKS: Readonly<Record<string, ReactNode>> = {
  tandoor: <path d="M20 11c5 5 7 8 7 12a7 7 0 0 1-14 0c0-3 2-5 3-7 1 2 2 3 3 3 0-3-1-5 1-8z" />,
  tide: (
    <path d="M9 19c4-5 7-5 11 0s7 5 11 0v4c-4 5-7 5-11 0s-7-5-11 0zm0 8c4-4 7-4 11 0s7 4 11 0v3c-4 4-7 4-11 0s-7-4-11 0z" />
  ),
  garden: <path d="M20 31V21C12 22 10 17 10 12c7 0 10 3 10 8 0-5 3-8 10-8 0 5-2 10-9 9.500V31z" />,
  pepper: <path d="M27 12c2 0 3-2 3-3l2 1c0 3-2 4-3 5 1 8-6 15-18 15 6-2 9-5 10-11 1-5 3-7 6-7z" />,
  pearl: (
    <path d="M20 12a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm-3 4a5 5 0 0 0-3 5h2.500a3 3 0 0 1 1.500-3z" fillRule="evenodd" />
  ),
  tiger: <path d="M10 12h5l2 9zm7 0h6l-3 13zm8 0h5l-7 9zM13 24l7 8 7-8-4 1-3 3-3-3z" />,
  mushroom: <path d="M9 21c0-6 5-10 11-10s11 4 11 10zm7 2h8l1 8h-10z" />,
  orange: (
    <path
      d="M20 11a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm1 3v6l5-4a7 7 0 0 0-5-2zm-2 0a7 7 0 0 0-5 2l5 4zm-6 4a7 7 0 0 0 0 6l5-3zm14 0-5 3 5 3a7 7 0 0 0 0-6zm-8 4-5 4a7 7 0 0 0 5 2zm2 0v6a7 7 0 0 0 5-2z"
      fillRule="evenodd"
    />
  ),
};

/** A team's shield. Its name stands beside it. */
export function TeamMark({ id }: { id: string }) {
  return (
    <svg className={css.shield} data-team={id} viewBox="0 0 40 44" aria-hidden>
      <path className={css.field} d="M20 2l17 5v14c0 11-8 17-17 21C11 38 3 32 3 21V7z" />
      <g className={css.mark}>{MARKS[id] ?? <path d="M20 10l3 8h8l-6.500 5 2.500 8-7-5-7 5 2.500-8L9 18h8z" />}</g>
    </svg>
  );
}
