import { atom } from 'jotai';
import * as z from 'zod/mini';
import { kept } from './first/lib/kept.ts';
import { pathAtom } from './first/seams.ts';

/** Another language of this bundle, from the page's boot data (src/build/bundles.ts). */
interface OtherLanguage {
  readonly language: string;
  /** The language's own name for itself. */
  readonly name: string;
  /** Mount of its bundle, relative to <base>. */
  readonly place: string;
}

/** The language that the customer chose, or ''. shell/language.ts reads it too. */
export const languageAtom = kept({ key: 'language', schema: z.string(), initial: '', forget: 'never' });

/** Links to the same path in the other languages. Empty where only one language is built. */
export const languageLinksAtom = atom((get) => {
  const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as {
    languages?: readonly OtherLanguage[];
  };
  const path = get(pathAtom).slice(1);
  return (boot.languages ?? []).map(({ language, name, place }) => ({ language, name, href: place + path }));
});
