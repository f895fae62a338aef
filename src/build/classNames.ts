import type { Edit } from './rewrite/edits.ts';
import { shortNames } from './shortNames.ts';

/**
 * What esbuild calls a class or an animation of a CSS module, by file and name ('Button_button'), in two letters: scripts,
 * stylesheets and pages of a bundle say it alike (src/decisions/2026-11-30-class-names.md). `npm run dev` keeps the long names.
 */
export type ClassNames = ReadonlyMap<string, string>;

const LONG = /\b[A-Za-z]\w*_[\w-]+/g;

/** Blockers of advertisements hide elements with such a class. */
const isBlocked = (short: string) => /^ad/i.test(short);

export const classNamesOf = (css: string): ClassNames => shortNames([...new Set(css.match(LONG))], isBlocked);

/** A stylesheet with the short names. */
export const withShortClasses = (css: string, names: ClassNames): string =>
  css.replace(LONG, (long) => names.get(long) ?? long);

/** Where a script of esbuild's, before names are shortened, names a class, and what it says instead. */
export const classEdits = (script: string, names: ClassNames): Edit[] =>
  [...script.matchAll(/"([A-Za-z]\w*_[\w-]+)"/g)].flatMap(({ 0: quoted, 1: long = '', index }) => {
    const short = names.get(long);
    return short === undefined ? [] : [{ start: index, end: index + quoted.length, by: `"${short}"` }];
  });
