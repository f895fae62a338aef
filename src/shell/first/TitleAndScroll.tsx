import { useAtomValue } from 'jotai';
import { useEffect, useLayoutEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { firstCountryAtom } from '../../state/first/seams.ts';

const scrolls = new Map<string, number>();
let isReturning = false;

/** Sets title, scroll position and focus on a new page; Back returns to where one was. */
export function TitleAndScroll() {
  const [path] = useLocation();
  const search = useSearch();
  const country = useAtomValue(firstCountryAtom);
  const place = search ? `${path}?${search}` : path;
  // Before the browser draws: a shorter page moves the scroll, and that is not where somebody left the page before.
  useLayoutEffect(() => {
    const isBack = isReturning;
    isReturning = false;
    const isFirst = scrolls.size === 0;
    if (!isFirst) scrollTo({ top: isBack ? (scrolls.get(place) ?? 0) : 0, behavior: 'instant' });
    if (!isFirst) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    scrolls.set(place, scrollY);
    const remember = () => scrolls.set(place, scrollY);
    addEventListener('scroll', remember, { passive: true });
    let isGone = false;
    void country.seo().then(
      (seo) => {
        const entry = seo.paths[path] ?? seo.fallback;
        if (!isGone) document.title = entry.title;
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      removeEventListener('scroll', remember);
    };
  }, [place, path, country]);
  useEffect(() => {
    const onBack = () => {
      isReturning = true;
    };
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);
  return null;
}
