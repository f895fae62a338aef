import * as t from '#text/customise.ts';
import { href } from '../../ui/href.ts';

interface Entries {
  readonly currentEntry: { readonly index: number } | null;
  entries(): readonly { readonly url: string | null }[];
}

type Go = (path: string, options?: { replace?: boolean }) => void;

/**
 * Goes back to the page before, which keeps its scroll position. If that was no page of the app, goes to `fallback`.
 */
export function leave(go: Go, fallback: string): void {
  const { navigation } = globalThis as { navigation?: Entries };
  const before = navigation?.currentEntry ? navigation.entries()[navigation.currentEntry.index - 1]?.url : null;
  if (before?.startsWith(document.baseURI)) history.back();
  else go(fallback, { replace: true });
}

/** The Back link at the top of a dish's page; it leaves as `leave` does. */
export function backToMenu(go: Go) {
  return {
    label: t.back,
    href: href('/menu'),
    onClick: (event: { preventDefault(): void }) => {
      event.preventDefault();
      leave(go, '/menu');
    },
  };
}
