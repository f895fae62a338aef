// Joins several names into one phrase.
import { t } from '../../call/language.ts';

/** 'UPI or Card or Net banking'; empty without names. */
export const eitherOf = (names: readonly string[]): string =>
  names.length === 0 ? '' : names.reduce((before, next) => t.either({ before, next }));

/** '1 more Large from Veg pizza and 2 more from Drinks'; empty without names. */
export const allOf = (names: readonly string[]): string =>
  names.length === 0 ? '' : names.reduce((before, next) => t.both({ before, next }));
