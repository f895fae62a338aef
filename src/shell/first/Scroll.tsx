import { useLayoutEffect } from 'react';
import { useLocation, useSearch } from 'wouter';

const scrolls = new Map<string, number>();
let isReturning = false;

/** Whether the page that is being shown is one that somebody goes back to. True until `Scroll` has run for it. */
export const isComingBack = () => isReturning;

/**
 * Notes that the next page is one that somebody goes back to. To be called before wouter listens: React draws the page
 * between two listeners of one event.
 */
export const watchReturns = () =>
  addEventListener('popstate', () => {
    isReturning = true;
  });

/** A new page begins at its top; Back returns to where one was. Its title and its focus are in shell/Entered.tsx. */
export function Scroll() {
  const [path] = useLocation();
  const search = useSearch();
  const place = search ? `${path}?${search}` : path;
  // Before the browser draws: a shorter page moves the scroll, and that is not where somebody left the page before.
  useLayoutEffect(() => {
    const isBack = isReturning;
    isReturning = false;
    if (scrolls.size > 0) scrollTo({ top: isBack ? (scrolls.get(place) ?? 0) : 0, behavior: 'instant' });
    scrolls.set(place, scrollY);
    const remember = () => scrolls.set(place, scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [place]);
  return null;
}
