import { useLayoutEffect } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Where each entry of the history was left: the same page may stand there twice. */
const scrolls = new Map<unknown, number>();
let lastMove = '';

/** Which entry of the history is shown; undefined for the page that was loaded. */
export const entryNow = () => (history.state as { readonly at?: unknown } | null)?.at;

/** Whether the page that is shown is one that somebody went back to, or forward. */
export const isComingBack = () => lastMove === 'popstate';

/** Whether the page that is shown is one that somebody has gone on to. */
export const isGoingOn = () => lastMove === 'pushState';

/** Notes how one came to a page. To be called before wouter listens: React draws the page between two listeners of one event. */
export const noteMove = ({ type }: Event) => {
  lastMove = type;
};

/** A new page begins at its top; Back returns to where one was. Its title and its focus are in shell/Entered.tsx. */
export function Scroll() {
  const [path] = useLocation();
  const search = useSearch();
  // Before the browser draws: a shorter page moves the scroll, and that is not where somebody left the page before.
  useLayoutEffect(() => {
    const entry = entryNow();
    if (scrolls.size > 0) scrollTo({ top: isComingBack() ? (scrolls.get(entry) ?? 0) : 0, behavior: 'instant' });
    const remember = () => scrolls.set(entry, scrollY);
    remember();
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, [path, search]);
  return null;
}
