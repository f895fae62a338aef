import { useMemo } from 'react';
import { draw, pictureUrl, type Subject } from '../food/picture.ts';
import css from './ItemPicture.module.css';

/**
 * A picture that is drawn in the page, as wide as its parent: what the build cannot know, such as a pizza that is being
 * built. `subjects` are one dish, or those of a combo. Without `alt` it is decoration.
 */
export function DrawnPicture({
  subjects,
  alt = '',
  size,
}: {
  subjects: readonly Subject[];
  alt?: string;
  size?: string | undefined;
}) {
  // Every number of the drawing comes from the data: equal data is the same picture.
  const key = JSON.stringify(subjects);
  const src = useMemo(() => pictureUrl(draw(JSON.parse(key) as Subject[])), [key]);
  return (
    <span className={css.picture} data-size={size}>
      <img src={src} width="200" height="200" alt={alt} />
    </span>
  );
}
