import { useLayoutEffect } from 'react';

/**
 * Counts on the root element how many of a kind are on the page (`data-bars="1"`), for styles elsewhere that depend on
 * it: `:has()` is newer than our oldest browsers.
 */
export function useCounted(kind: 'bars' | 'docks' | 'links' | 'waits'): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const add = (step: number) => {
      const count = Number(dataset[kind] ?? 0) + step;
      if (count) dataset[kind] = `${count}`;
      else delete dataset[kind];
    };
    add(1);
    return () => add(-1);
  }, [kind]);
}
