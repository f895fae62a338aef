import { latinDigits, typedText } from './typedText.ts';

// A name that strangers read. It is kept in the one form that Unicode has for it (NFKC), in letters that people here
// write, and of one script: what only looks like another name is another script's, or a letter that nobody types.

const LENGTH = { min: 3, max: 20 } as const;
/** Scripts of the languages of these countries. A word of one has no letter of another. */
const SCRIPTS = [
  'Latin',
  'Devanagari',
  'Bengali',
  'Sinhala',
  'Tamil',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Malayalam',
  'Oriya',
  'Telugu',
  'Arabic',
] as const;
const ONE_SCRIPT = new RegExp(
  `^(?:${SCRIPTS.map((script) => `[\\p{Script_Extensions=${script}}0-9 .'_-]+`).join('|')})$`,
  'u',
);
/** Letters of Latin that European languages are written in, and none of phonetics, small capitals and the like. */
const STRANGE_LATIN = /(?![a-zA-Z\u00c0-\u017f\u1e00-\u1eff])\p{Script=Latin}/u;
/** A mark upon a Latin letter that Unicode has no letter for, more marks on a letter than any language puts there. */
const HEAPED = /[\p{Script=Latin}\p{Nd} .'_-]\p{M}|\p{M}{4}/u;
/** Joins or parts two letters of a conjunct, and is seen nowhere else. */
const JOINER = /(?<=(?!\p{Script=Latin})[\p{L}\p{M}])[\u200c\u200d](?=(?!\p{Script=Latin})[\p{L}\p{M}])/gu;
const SIGNS = /^[\p{L}\p{M}\p{Nd}][\p{L}\p{M}\p{Nd} .'_-]*$/u;

/** Latin letters that are not made of a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'p',
};

/** Without the marks of Latin letters; those of other scripts are letters. */
const unmarked = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin}\p{M}{0,8})\p{M}/gu, '')
    .replace(/[ıłøđðħŧŋĸßæœþ]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC');

/** As it is kept and shown: in one form, with single spaces. */
export const nicknameText = (typed: string): string => typedText(typed).replace(/\s+/g, ' ');

/** Its letters alone, without case and marks. */
export const nicknameLetters = (nickname: string): string =>
  unmarked(nickname.normalize('NFKC').toLowerCase()).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** A nickname reduced to how it looks: without case, marks and signs between letters, with l as I and 0 as O. */
export const nicknameKey = (nickname: string): string =>
  nicknameLetters(nickname).replace(/[l1]/g, 'i').replaceAll('0', 'o').replaceAll('rn', 'm').replaceAll('vv', 'w');

/**
 * What is wrong with a nickname, before anybody looks at its words: its length, its signs, or that it can be used to reach
 * somebody. Null: nothing.
 */
export function nicknameFault(nickname: string): 'length' | 'signs' | 'script' | 'contact' | null {
  const letters = nicknameLetters(nickname);
  const bare = nickname.replace(JOINER, '');
  if ([...bare].length > LENGTH.max || [...letters].length < LENGTH.min) return 'length';
  if (!SIGNS.test(bare)) return 'signs';
  if (!ONE_SCRIPT.test(bare) || STRANGE_LATIN.test(bare) || HEAPED.test(bare)) return 'script';
  return latinDigits(bare).length > 5 || /\bwww\b|http|\.\p{L}{2,}$/iu.test(bare) ? 'contact' : null;
}
