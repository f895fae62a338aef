import * as errors from '#text/errors.ts';
import type { Getter } from 'jotai';
import { phoneNumber } from '../../domain/phone.ts';
import { typedText } from '../../domain/typedText.ts';
import { countryAtom } from './country.ts';

/** A typed number as the country writes it; null where it is none. */
export const mobileOf = (get: Getter, typed: string): string | null => phoneNumber(typed, get(countryAtom));

/** What is wrong with a typed number; '' for nothing. */
export function mobileProblem(get: Getter, typed: string): string {
  if (mobileOf(get, typed) !== null) return '';
  return typedText(typed) === '' ? errors.fieldEmpty : errors.mobileInvalid({ digits: get(countryAtom).PHONE_DIGIT });
}
