import { useAtomValue, useStore } from 'jotai';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { loadChunk } from '../bridge/scripts.ts';
import type { MenuItem } from '../contract/menu.ts';
import type { SeoEntry } from '../domain/found.ts';
import { countryAtom } from '../state/country.ts';
import { itemsByIdAtom } from '../state/first/menu.ts';
import { isComingBack } from './first/Scroll.tsx';

/**
 * The heading of the screen that is shown, or of its news if it has some: thank-you says more than an order's number.
 * React keeps a screen that waits for another one in the page, hidden.
 */
const headingOf = (main: Element) =>
  [...main.querySelectorAll('[data-news]'), ...main.querySelectorAll('h1')]
    .find((one) => !one.closest('[style*="none"]'))
    ?.closest<HTMLElement>('h1,h2');

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

/** What a dish or a combo says of itself; its title is its heading. Undefined for a path of neither. */
function dishTold(path: string, items: ReadonlyMap<string, MenuItem>): SeoEntry | undefined {
  const item = items.get(/^\/(?:customise|combo)\/([^/]+)$/.exec(path)?.[1] ?? '');
  return item && { title: '', description: item.description, keywords: '', canonical: path };
}

/** The link of each page by which it was left, and which one of those to its address: who comes back goes on from there. */
const leftBy = new Map<string, { readonly href: string; readonly at: number }>();

/** The links of an address that are seen: a dish may stand in several lists. */
const linksTo = (main: Element, href: string) =>
  [...main.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(
    (link) => link.href === href && link.getClientRects().length > 0,
  );

/** That link, in the page as it stands now. */
function linkBack(main: Element, path: string): HTMLElement | undefined {
  const left = leftBy.get(path);
  return left && linksTo(main, left.href)[left.at];
}

/**
 * Says where one is: the document's title is the country's own for this path, else the screen's heading, and on a new
 * page the focus goes to the heading, so that a screen reader reads on from there; on the way back to the link that was
 * followed, as a dish in the menu. The page that was loaded keeps its focus, and so does a field that its screen has
 * chosen. The heading may come late, and change when its data comes.
 */
export function Entered() {
  const [path] = useLocation();
  const country = useAtomValue(countryAtom);
  const store = useStore();
  const place = useRef({ path, isNew: false, isReturn: false });
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const link = (target as Element).closest<HTMLAnchorElement>('main a[href]');
      const at = link ? linksTo(link.closest('main')!, link.href).indexOf(link) : -1;
      if (link) leftBy.set(place.current.path, { href: link.href, at });
    };
    document.addEventListener('click', onClick, true);
    return () => document.removeEventListener('click', onClick, true);
  }, []);
  useLayoutEffect(() => {
    if (place.current.path !== path) place.current = { path, isNew: true, isReturn: isComingBack() };
    const { isNew, isReturn } = place.current;
    const main = document.querySelector('main')!;
    let heading: HTMLElement | undefined;
    // '' if this path has none; undefined until that is known.
    let own: string | undefined;
    let isGone = false;
    let isBack = false;
    const look = () => {
      const found = headingOf(main);
      if (!found) return;
      if (own !== undefined) document.title = own || `${found.textContent} | ${country.appName}`;
      // A long list is drawn from its top down: the link may come after the heading.
      const link = isReturn && !isBack ? linkBack(main, path) : undefined;
      if (link && [document.body, main, heading].some((one) => one === document.activeElement)) {
        isBack = true;
        link.focus({ preventScroll: true });
      }
      if (found === heading) return;
      heading = found;
      // Nobody has gone on from there meanwhile.
      const isFree = document.activeElement === document.body || document.activeElement === main;
      found.tabIndex = -1;
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
    void loadChunk(() => import('./found.ts')).then(
      ({ pagesFound }) => know(pagesFound(country).paths[path] ?? dishTold(path, store.get(itemsByIdAtom))),
      () => know(),
    );
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [path, country, store]);
  return null;
}
