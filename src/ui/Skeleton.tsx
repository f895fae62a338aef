import css from './Skeleton.module.css';

/** Holds the room of what is coming, in CSS lengths; silent for screen readers (the region that loads says aria-busy). */
export function Skeleton({ width = '100%', height = '1em', round }: { width?: string; height?: string; round?: boolean }) {
  return <span className={css.bone} style={{ width, height }} data-round={round} aria-hidden />;
}
