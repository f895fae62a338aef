import { atom, useAtomValue, useStore, type Atom } from 'jotai';
import { useEffect, useMemo } from 'react';
import { navigateAtom } from '../../state/first/seams.ts';
import { growing } from './growing.ts';
import { mountOf, pathBelow } from './mount.ts';
import { ScreenGuard } from './ScreenGuard.tsx';

export type Store = ReturnType<typeof useStore>;

/** An effect that lasts as long as the page, as data. */
export interface Watcher {
  /** It runs while all of these have a value (null, false and '' are none), and again when one changes. */
  readonly when?: readonly Atom<unknown>[];
  /** It does not run while one of these is true. */
  readonly unless?: readonly Atom<boolean>[];
  /** Returns what ends it: called before it runs again and when it must stop. */
  readonly run: (store: Store) => void | (() => void);
}

const hasNone = (value: unknown) => value === null || value === false || value === '';

function Watching({ watcher: { when = [], unless = [], run } }: { watcher: Watcher }) {
  const store = useStore();
  /** Null while it must not run; a new list whenever one of its atoms has changed. */
  const seenAtom = useMemo(
    () =>
      atom((get) => {
        const values = when.map((one) => get(one));
        return values.some(hasNone) || unless.some((one) => get(one)) ? null : values;
      }),
    // A row never changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [],
  );
  const seen = useAtomValue(seenAtom);
  useEffect(() => {
    if (seen) return run(store);
  }, [store, seen, run]);
  return null;
}

/**
 * Turns plain links to the app's pages into moves within the page: one listener instead of a component for each link.
 */
function followLinks(store: Store): () => void {
  const mount = mountOf(document.baseURI);
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element | null)?.closest?.<HTMLAnchorElement>('a[href]');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || event.defaultPrevented || !isPlain) return;
    const isLeaving = link.target || link.hasAttribute('download') || link.hasAttribute('data-leave');
    if (isLeaving || link.origin !== location.origin || !link.pathname.startsWith(`${mount}/`)) return;
    event.preventDefault();
    if (link.hash && link.getAttribute('href')?.startsWith('#')) {
      // Because of <base> the link '#main' would leave the page; it means this page.
      document.getElementById(link.hash.slice(1))?.focus();
      return;
    }
    store.get(navigateAtom).go(pathBelow(mount, link.pathname) + link.search);
  };
  document.addEventListener('click', onClick);
  return () => document.removeEventListener('click', onClick);
}

/** Writing adds rows. Those that need the server come with shell/watchers/watchers.ts. */
export const watchersAtom = growing<Watcher>({ run: followLinks });

export function Watchers() {
  return useAtomValue(watchersAtom).map((watcher, at) => (
    <ScreenGuard key={at}>
      <Watching watcher={watcher} />
    </ScreenGuard>
  ));
}
