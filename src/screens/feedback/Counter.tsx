import * as t from '#text/feedback.ts';
import { characters } from '../../domain/feedback.ts';
import css from './Feedback.module.css';

/** How long the text is, as a person counts, and what is missing; said aloud only when it is asked for. */
export function Counter({ text, min = 0, max }: { text: string; min?: number; max: number }) {
  const used = characters(text);
  return (
    <span className={css.counter} data-off={used > max || undefined}>
      {used > 0 && used < min ? t.moreNeeded({ count: min - used }) : t.counter({ used, max })}
    </span>
  );
}
