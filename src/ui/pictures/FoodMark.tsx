import * as t from '#text/first.ts';
import css from './FoodMark.module.css';

/** The legal marks: a green filled circle or a brown filled triangle in a square of its colour (product.md 4.2). MIX shows both. */
export function FoodMark({ type }: { type: 'VEG' | 'NON_VEG' | 'MIX' }) {
  return (
    <span className={css.mark} role="img" aria-label={t.foodType({ type })}>
      {type !== 'NON_VEG' && (
        <svg className={css.veg} viewBox="0 0 16 16" aria-hidden>
          <circle cx="8" cy="8" r="4" />
        </svg>
      )}
      {type !== 'VEG' && (
        <svg className={css.meat} viewBox="0 0 16 16" aria-hidden>
          <path d="M8 3.5l4.7 8.4H3.3z" />
        </svg>
      )}
    </span>
  );
}
