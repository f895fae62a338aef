import { atom } from 'jotai';
import type { Country } from '../../country/shape.ts';
import { firstCountryAtom } from './first/seams.ts';

const wholeAtom = atom<Country | null>(null);

/** The complete country: set before any screen beyond the first ones is drawn. */
export const countryAtom = atom(
  (get): Country => {
    const country = get(wholeAtom);
    if (!country) throw new Error('a screen of the first load asks for more of its country than came with it');
    return country;
  },
  (get, set, country: Country) => {
    set(wholeAtom, country);
    // The first part is not replaced, so that what was drawn with it stays as it is.
    if ((get(firstCountryAtom) as unknown) === null) set(firstCountryAtom, country);
  },
);
