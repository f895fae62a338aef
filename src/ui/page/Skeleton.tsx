import css from './Skeleton.module.css';

/**
 * Keeps the room of what is loading; sizes are CSS lengths. Screen readers skip it: the region that loads says
 * aria-busy.
 */
export function Skeleton({
  width = '100%',
  height = '1em',
  round,
}: {
  width?: string;
  height?: string;
  round?: boolean;
}) {
  return <span className={css.bone} style={{ width, height }} data-round={round} aria-hidden />;
}
