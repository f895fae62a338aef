/**
 * An inline script in the head of every page of a bundle that has other languages. If the customer has chosen one of them
 * (state/base/language.ts), it replaces the page by the same path in that language. Not without a network: the service worker of the other
 * bundle may not be installed yet.
 */
/** The build fills in the storage key of the choice, and the other bundles by language, relative to <base>. */
declare const KEY: string;
declare const PLACES: Readonly<Record<string, string>>;

try {
  // Without a choice that is `null`, which is no language.
  const place = PLACES[JSON.parse(localStorage.getItem(KEY)!) as string];
  const { pathname, search, hash } = location;
  const base = new URL(document.baseURI);
  if (place && navigator.onLine)
    location.replace(new URL(place + pathname.slice(base.pathname.length) + search + hash, base));
} catch {
  // Without storage there is no choice.
}

export {};
