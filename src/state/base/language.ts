import { atom } from 'jotai';
import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';
import { firstCountryAtom, pathAtom } from '../first/seams.ts';
import { usualLinesAtom } from '../first/usual.ts';
import { isHomeAtom } from './path.ts';

/** Another language of this bundle, from the page's boot data (src/build/bundles.ts). */
interface OtherLanguage {
  readonly language: string;
  /** The language's own name for itself. */
  readonly name: string;
  /** Mount of its bundle, relative to <base>. */
  readonly place: string;
  /** The question whether the customer would rather read this language, in this language. */
  readonly offer: string;
}

/** The language that the customer chose, or ''. The script in the head of each page (shell/language.ts) reads it, too. */
export const languageAtom = kept({ key: 'language', schema: z.string(), initial: '', forget: 'never' });
/**
 * Where on a page the customer was, in pixels from its top, when they switched to another language; -1 when the page in that
 * language has scrolled there.
 */
export const languageScrollAtom = kept({ key: 'language-scroll', schema: z.number(), initial: -1, forget: 'never' });
/** Scrolls the page in the new language to where the customer was in the old one. */
export const languageArrivalAtom = atom(null, (get, set) => {
  const top = get(languageScrollAtom);
  if (top < 0) return;
  scrollTo({ top, behavior: 'instant' });
  set(languageScrollAtom, -1);
});

/** Links to the same path in the other languages. Empty where only one language is built. */
export const languageLinksAtom = atom((get) => {
  const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as {
    languages?: readonly OtherLanguage[];
  };
  const path = get(pathAtom).slice(1);
  return (boot.languages ?? []).map(({ place, ...other }) => ({ ...other, href: place + path }));
});

/** The language of the page, as links name it. */
export const pageLanguageAtom = atom((get) => get(firstCountryAtom).locale.split('-')[0]!);

/**
 * The language to offer on home: the first of the phone's languages that this country has, if it is not the page's own.
 * Undefined on other pages, and once the customer has chosen a language or has ordered: whoever could do that reads this one,
 * and the card would lie over the order and over its button to order again.
 */
export const languageOfferAtom = atom((get) => {
  if (get(languageAtom) !== '' || !get(isHomeAtom) || get(usualLinesAtom).length > 0) return undefined;
  const own = get(pageLanguageAtom);
  const links = get(languageLinksAtom);
  const wanted = navigator.languages.map((one) => one.split('-')[0]!);
  const best = wanted.find((one) => one === own || links.some(({ language }) => language === one));
  return links.find(({ language }) => language === best);
});
