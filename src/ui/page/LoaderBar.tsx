import * as t from '#text/alive.ts';
import css from './LoaderBar.module.css';

/**
 * Shows that something is loading, without moving the page. It appears only after half a second, so quick calls never
 * show it.
 */
export function LoaderBar() {
  return (
    <div role="status">
      <div className={css.bar} role="progressbar" aria-label={t.loading} />
    </div>
  );
}
