import { useEffect, useLayoutEffect } from 'react';
import { useLocation, useSearch } from 'wouter';

const scrolls = new Map<string, number>();
let isReturning = false;

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
  useEffect(() => {
    const onBack = () => {
      isReturning = true;
    };
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);
  return null;
}
