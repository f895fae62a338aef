import css from './ItemPicture.module.css';

/** Filled in by the build: what the names of its drawings end in (build/pictures/pictures.ts). */
declare const PICTURES: string;

/** The file with the drawing of a dish in its default build, or of a combo; relative to the mount point. */
const pictureOf = (id: string): string => `food-${id}-${PICTURES}.svg`;

/** A picture that does not come leaves an empty plate. */
const fail = (image: HTMLImageElement): void => {
  image.parentElement!.dataset['empty'] = '';
};

/** Decorative picture of any dish, as wide as its parent. Only pictures near the screen are loaded. */
export function ItemPicture({
  item,
  src = pictureOf(item.id),
  size,
}: {
  item: { readonly id: string };
  /** Another picture than the dish's own. */
  src?: string | undefined;
  size?: string | undefined;
}) {
  return (
    <span className={css.picture} data-size={size}>
      <img
        src={src}
        // It may have failed before the page was alive.
        ref={(image) => {
          if (image?.complete && image.naturalWidth === 0) fail(image);
        }}
        onError={({ currentTarget }) => fail(currentTarget)}
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

/** The place of a picture that there is none of. */
export const Plate = () => <span className={css.picture} data-empty="" />;
