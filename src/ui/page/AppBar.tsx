import type { MouseEvent, ReactNode } from 'react';
import css from './AppBar.module.css';
import { BackIcon } from '../pictures/icons.ts';
import { IconButton } from '../forms/IconButton.tsx';

interface AppBarProps {
  /** The page's only h1; takes focus after a route change, and from the skip link. */
  title: ReactNode;
  /** Null: it comes later, and its line is kept for it. Undefined: there is none, and the title stands beside the way back. */
  subtitle?: ReactNode;
  back?: { label: string; href?: string; onClick?: (event: MouseEvent<HTMLElement>) => void };
  /** At the right end of the bar. */
  children?: ReactNode;
}

export function AppBar({ title, subtitle, back, children }: AppBarProps) {
  return (
    <header className={css.bar}>
      <div className={css.row}>
        {back && (
          <IconButton {...back}>
            <BackIcon />
          </IconButton>
        )}
        <div className={css.words}>
          <h1 id="main" tabIndex={-1}>
            {title}
          </h1>
          {subtitle !== undefined && <div className={css.subtitle}>{subtitle ?? '\u00a0'}</div>}
        </div>
        {children}
      </div>
    </header>
  );
}
