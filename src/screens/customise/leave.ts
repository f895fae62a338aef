interface Entries { readonly currentEntry: { readonly index: number } | null; entries(): readonly { readonly url: string | null }[] }

/** Back to the list one came from, where it was; a page opened by its link goes to `fallback`. */
export function leave(go: (path: string, options?: { replace?: boolean }) => void, fallback: string): void {
  const { navigation } = globalThis as { navigation?: Entries };
  const before = navigation?.currentEntry ? navigation.entries()[navigation.currentEntry.index - 1]?.url : null;
  if (before?.startsWith(document.baseURI)) history.back();
  else go(fallback, { replace: true });
}
