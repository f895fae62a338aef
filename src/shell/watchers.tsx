import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { countryAtom, navigateAtom } from '../state/seams.ts';
import { liveWatchersAtom } from './live.ts';
import { pathBelow } from './place.ts';

/** The long-lived effects of the page itself; those that need the server come with shell/alive.tsx. */
export function Watchers({ mount }: { mount: string }) {
  const Live = useAtomValue(liveWatchersAtom);
  return (
    <>
      <Links mount={mount} />
      <Place />
      {Live && <Live />}
    </>
  );
}

/** Plain links of ours become moves inside the page: one listener instead of a component per link. */
function Links({ mount }: { mount: string }) {
  const { go } = useAtomValue(navigateAtom);
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null;
      if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (link.target || link.hasAttribute('download') || link.hasAttribute('data-leave') || link.origin !== location.origin || !link.pathname.startsWith(`${mount}/`)) return;
      event.preventDefault();
      if (link.hash && link.getAttribute('href')?.startsWith('#')) {
        // With a <base>, '#main' would leave the page; it means this page.
        document.getElementById(link.hash.slice(1))?.focus();
        return;
      }
      go(pathBelow(mount, link.pathname) + link.search);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [go, mount]);
  return null;
}

const scrolls = new Map<string, number>();
let isReturning = false;

/** Title, scroll and focus of a new place; back returns to where one was. */
function Place() {
  const [path] = useLocation();
  const search = useSearch();
  const country = useAtomValue(countryAtom);
  const place = search ? `${path}?${search}` : path;
  useEffect(() => {
    const isBack = isReturning;
    isReturning = false;
    const isFirst = scrolls.size === 0;
    if (!isFirst) scrollTo({ top: isBack ? scrolls.get(place) ?? 0 : 0, behavior: 'instant' });
    if (!isFirst) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    scrolls.set(place, scrollY);
    const remember = () => scrolls.set(place, scrollY);
    addEventListener('scroll', remember, { passive: true });
    let isGone = false;
    void country.seo().then((seo) => {
      const entry = seo.paths[path] ?? seo.fallback;
      if (!isGone) document.title = entry.title;
    }, () => undefined);
    return () => { isGone = true; removeEventListener('scroll', remember); };
  }, [place, path, country]);
  useEffect(() => {
    const onBack = () => { isReturning = true; };
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);
  return null;
}
