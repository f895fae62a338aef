import { useAtomValue, useStore } from 'jotai';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { loadChunk } from '../bridge/scripts.ts';
import type { SeoEntry } from '../domain/seo.ts';
import { countryAtom } from '../state/base/country.ts';
import { isSlowAtom } from '../state/base/network.ts';
import { itemsByIdAtom } from '../state/first/menu.ts';
import { aheadWatcher } from './loading/ahead.ts';
import { entryNow, isComingBack, isGoingOn } from './first/Scroll.tsx';
import { watchersAtom } from './first/watchers.tsx';

/**
 * The heading of the screen that is shown, or of its news if it has some: thank-you says more than an order's number.
 * React keeps a screen that waits for another one in the page, hidden.
 */
const headingOf = (main: Element) =>
  [...main.querySelectorAll('[data-news]'), ...main.querySelectorAll('h1')]
    .find((one) => !one.closest('[style*="none"]'))
    ?.closest<HTMLElement>('h1,h2');

/**
 * The link by which each entry of the history was left, and which one of those to its address: who comes back goes on
 * from there.
 */
const leftBy = new Map<unknown, { readonly href: string; readonly at: number }>();

/** Describes the page to whoever saves or shares it; what is one customer's own has no address for others. */
function describe(texts?: SeoEntry): void {
  for (const name of ['description', 'keywords'] as const) {
    // A page that is one customer's own, and was the first, has none.
    const meta = document.querySelector(`meta[name=${name}]`) ?? document.createElement('meta');
    meta.setAttribute('name', name);
    meta.setAttribute('content', texts?.[name] ?? '');
    document.head.append(meta);
  }
  const link = document.querySelector('link[rel=canonical]') ?? document.createElement('link');
  link.remove();
  if (!texts || texts.isPrivate) return;
  link.setAttribute('rel', 'canonical');
  link.setAttribute('href', new URL(`.${texts.canonical}`, document.baseURI).href);
  document.head.append(link);
}

/** The links of an address that are seen: a dish may stand in several lists. */
const linksTo = (main: Element, href: string) =>
  [...main.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    (link) => link.href === href && link.getClientRects().length > 0,
  );

/** That link, in the page as it stands now. */
function linkBack(main: Element, entry: unknown): HTMLElement | undefined {
  const left = leftBy.get(entry);
  return left && linksTo(main, left.href)[left.at];
}

/**
 * Says where one is: the document's title is the country's own for this path, else the screen's heading, and on a new
 * page the focus goes to the heading, so that a screen reader reads on from there; on the way back to the link that was
 * followed, as a dish in the menu. Another view of the same path, as the areas of a city, is a new page, too. The page
 * that was loaded keeps its focus, and so does a field that its screen has chosen. The heading may come late, and change
 * when its data comes.
 */
export default function Entered() {
  const [path] = useLocation();
  useSearch();
  // Another one with every view, but for a query that is only rewritten.
  const entry = entryNow();
  const country = useAtomValue(countryAtom);
  const store = useStore();
  // With this script, since nobody waits for either.
  useEffect(() => store.set(watchersAtom, [aheadWatcher]), [store]);
  // Somebody may have gone on before this was there.
  const place = useRef({ path, entry, isNew: isGoingOn(), isReturn: false });
  useEffect(() => {
    // From the page that was loaded, then.
    if (isGoingOn()) leftBy.set(undefined, { href: location.href, at: 0 });
    const onClick = ({ target }: MouseEvent) => {
      const link = (target as Element).closest<HTMLAnchorElement>('main a[href]');
      const at = link ? linksTo(link.closest('main')!, link.href).indexOf(link) : -1;
      if (link) leftBy.set(place.current.entry, { href: link.href, at });
    };
    document.addEventListener('click', onClick, true);
    return () => document.removeEventListener('click', onClick, true);
  }, []);
  useLayoutEffect(() => {
    if (place.current.path !== path || place.current.entry !== entry)
      place.current = { path, entry, isNew: true, isReturn: isComingBack() };
    const { isNew, isReturn } = place.current;
    const main = document.querySelector('main')!;
    let heading: HTMLElement | undefined;
    let texts: SeoEntry | undefined;
    // The page that was loaded says it already, and keeps the title that it came with until its words are there.
    if (isNew) describe();
    const isTitled = !isNew && !['', country.appName].includes(document.title);
    let isBack = false;
    const freePlaces = (): (Element | null | undefined)[] => [document.body, main, heading];
    const look = () => {
      const found = headingOf(main);
      if (!found) return;
      if (texts || !isTitled) document.title = texts?.title || `${found.textContent} | ${country.appName}`;
      // A long list is drawn from its top down: the link may come after the heading.
      const link = isReturn && !isBack ? linkBack(main, entry) : undefined;
      if (link && freePlaces().includes(document.activeElement)) {
        isBack = true;
        link.focus({ preventScroll: true });
      }
      if (found === heading) return;
      // Nobody has gone on meanwhile; the news may come after the heading that has the focus.
      const isFree = freePlaces().includes(document.activeElement);
      heading = found;
      found.tabIndex = -1;
      if (isNew && isFree) found.focus({ preventScroll: true });
    };
    if (isNew && !document.activeElement?.closest('input,textarea,select,dialog')) main.focus({ preventScroll: true });
    const observer = new MutationObserver(look);
    observer.observe(main, { childList: true, subtree: true, characterData: true });
    look();
    let isOver = false;
    // On a slow line a page is called as its heading, and the words for search engines are left out.
    if (!store.get(isSlowAtom))
      loadChunk(() => import('./found.ts')).then(
        ({ pageTold }) => {
          if (isOver) return;
          texts = pageTold(country, path, store.get(itemsByIdAtom));
          if (isNew) describe(texts);
          look();
        },
        () => undefined,
      );
    return () => {
      isOver = true;
      observer.disconnect();
    };
  }, [path, entry, country, store]);
  return null;
}
