import { atom } from 'jotai';
import * as z from 'zod/mini';
import { countryAtom } from '../base/country.ts';
import { kept } from '../first/lib/kept.ts';
import { isHomeAtom } from '../base/path.ts';

/** A customer who declined the chain's own app is not asked again on this device. */
export const isAppRefusedAtom = kept<boolean>({
  key: 'app-refused',
  schema: z.boolean(),
  initial: false,
  forget: 'never',
});

/** The chain's own app in the store of this phone; '' where there is none. */
export const appAddressAtom = atom((get): string => {
  const { android = '', ios = '' } = get(countryAtom).apps ?? {};
  const { userAgent } = navigator;
  return /Android/.test(userAgent) ? android : /iPhone|iPad/.test(userAgent) ? ios : '';
});
export const isAppOfferedAtom = atom((get) => get(isHomeAtom) && !get(isAppRefusedAtom) && get(appAddressAtom) !== '');
