import * as t from '#text/shop.ts';
import { atom } from 'jotai';
import type { Country, CountryData } from '../../../country/shape.ts';
import { firstCountryAtom } from '../first/seams.ts';

const wholeAtom = atom<Country | null>(null);

/** The complete country: set before any screen beyond the first ones is drawn. */
export const countryAtom = atom(
  (get): Country => {
    const country = get(wholeAtom);
    if (!country) throw new Error('the first load lacks this of its country');
    return country;
  },
  (get, set, country: CountryData) => {
    set(wholeAtom, { ...country, TNC: t.terms });
    // The first part is not replaced, so that what was drawn with it stays as it is.
    if ((get(firstCountryAtom) as unknown) === null) set(firstCountryAtom, country);
  },
);

/** What addresses look like in the country, in the language of the page. */
export const addressExamplesAtom = atom((get) => {
  const { addressExamples, languages, locale } = get(countryAtom);
  return addressExamples[locale.split('-')[0]!] ?? addressExamples[languages[0]!]!;
});
