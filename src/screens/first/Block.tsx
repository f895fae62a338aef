import { startTransition, useCallback, useState, type ReactNode } from 'react';
import css from './Block.module.css';

/**
 * Dishes farther than this from the screen are taken out of the page: a list of a thousand stays as quick as one of
 * eighty.
 */
const NEAR = '1000px 0px';

const watched = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | null = null;

function watch(element: Element, tell: (isNear: boolean) => void): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    tell(true);
    return () => {};
  }
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) watched.get(entry.target)?.(entry.isIntersecting);
    },
    { rootMargin: NEAR },
  );
  watched.set(element, tell);
  observer.observe(element);
  return () => {
    watched.delete(element);
    observer?.unobserve(element);
  };
}

/** Dishes per block: fills whole rows in one column and in two. */
export const BLOCK = 6;

interface BlockProps {
  readonly count: number;
  readonly open: boolean;
  /** What is far from the screen stays in the page, as `children` draws it then. */
  readonly lasting?: boolean;
  readonly children: (isNear: boolean) => ReactNode;
}

/**
 * Up to six dishes, which are in the page only near the screen. Their height is kept, so that nothing moves. `open`
 * blocks are in the prerendered page.
 */
export function Block({ count, open, lasting, children }: BlockProps) {
  const [isNear, setNear] = useState(open);
  const ref = useCallback(
    (element: HTMLDivElement) =>
      watch(element, (near) => {
        // The empty block keeps the height that it had.
        if (!near && element.firstChild) element.style.minHeight = `${element.offsetHeight}px`;
        // A transition: the dishes are still far off, and a tap must not wait for them.
        startTransition(() => setNear(near));
      }),
    [],
  );
  return (
    <div ref={ref} className={css.block} data-count={count}>
      {(isNear || lasting) && <ul className={css.list}>{children(isNear)}</ul>}
    </div>
  );
}
