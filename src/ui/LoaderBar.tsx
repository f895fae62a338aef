import css from './LoaderBar.module.css';

/** Says that something is being loaded, without moving anything; what is quick never shows it. */
export function LoaderBar() {
  return <div role="status"><div className={css.bar} role="progressbar" aria-label="Loading" /></div>;
}
