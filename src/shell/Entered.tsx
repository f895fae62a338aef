import { useAtomValue } from 'jotai';
import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { SeoEntry } from '../../country/shape.ts';
import { firstCountryAtom } from '../state/first/seams.ts';

/**
 * The heading of the screen that is shown, or of its news if it has some: thank-you says more than an order's number.
 * React keeps a screen that waits for another one in the page, hidden.
 */
const headingOf = (main: Element) =>
  [...main.querySelectorAll<HTMLElement>('h2[data-news]'), ...main.querySelectorAll('h1')].find(
    (one) => !one.closest('[style*="none"]'),
  );

/** Describes the page to whoever saves or shares it; what is one customer's own has no address for others. */
function describe(texts?: SeoEntry): void {
  for (const name of ['description', 'keywords'] as const)
    document.querySelector(`meta[name=${name}]`)?.setAttribute('content', texts?.[name] ?? '');
  const link = document.querySelector('link[rel=canonical]') ?? document.createElement('link');
  link.remove();
  if (!texts || texts.isPrivate) return;
  link.setAttribute('rel', 'canonical');
  link.setAttribute('href', new URL(`.${texts.canonical}`, document.baseURI).href);
  document.head.append(link);
}

/**
 * Says where one is: the document's title is the country's own for this path, else the screen's heading, and on a new
 * page the focus goes to the heading, so that a screen reader reads on from there. The page that was loaded keeps its
 * focus, and so does a field that its screen has chosen. The heading may come late, and change when its data comes.
 */
export function Entered() {
  const [path] = useLocation();
  const country = useAtomValue(firstCountryAtom);
  const place = useRef({ path, isNew: false });
  useLayoutEffect(() => {
    if (place.current.path !== path) place.current = { path, isNew: true };
    const { isNew } = place.current;
    const main = document.querySelector('main')!;
    let heading: HTMLElement | undefined;
    // '' if this path has none; undefined until that is known.
    let own: string | undefined;
    let isGone = false;
    const look = () => {
      const found = headingOf(main);
      if (!found) return;
      if (own !== undefined) document.title = own || `${found.textContent} | ${country.appName}`;
      if (found === heading) return;
      heading = found;
      // Nobody has gone on from there meanwhile.
      const isFree = document.activeElement === document.body || document.activeElement === main;
      if (isNew && isFree) found.focus({ preventScroll: true });
    };
    if (isNew && !document.activeElement?.closest('input,textarea,select,dialog')) main.focus({ preventScroll: true });
    const observer = new MutationObserver(look);
    observer.observe(main, { childList: true, subtree: true, characterData: true });
    look();
    const know = (texts?: SeoEntry) => {
      own = texts?.title ?? '';
      if (isGone) return;
      // The page that was loaded says it already.
      if (isNew) describe(texts);
      look();
    };
    void country.seo().then(
      ({ paths, fallback }) => know(paths[path] ?? { ...fallback, title: '', isPrivate: true }),
      () => know(),
    );
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [path, country]);
  return null;
}
