import { part } from '../time/loaded.tsx';
import css from './Illustration.module.css';

/** Where nothing is empty the drawing does not come; its room is kept. */
export const EmptyPicture = part(
  () => import('./EmptyBox.tsx'),
  () => <svg className={css.picture} viewBox="0 0 200 150" aria-hidden />,
);
