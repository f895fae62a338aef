import css from './ItemPicture.module.css';

/** Filled in by the build: what the names of its drawings end in (build/pictures.ts). */
declare const PICTURES: string;

/** The file with the drawing of a dish in its default build, or of a combo; relative to the mount point. */
const pictureOf = (id: string): string => `food-${id}-${PICTURES}.svg`;

/** Decorative picture of any dish, as wide as its parent. Only pictures near the screen are loaded. */
export function ItemPicture({ item, size }: { item: { readonly id: string }; size?: string | undefined }) {
  return (
    <span className={css.picture} data-size={size}>
      <img
        src={pictureOf(item.id)}
        width="200"
        height="200"
        alt=""
        loading="lazy"
        decoding="async"
        fetchPriority="low"
      />
    </span>
  );
}
