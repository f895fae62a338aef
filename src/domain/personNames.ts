import names from '../text/en/words/names.json' with { type: 'json' };
import { STREET_WORDS } from './houseNumber.ts';
import { HOUSE_WORDS } from './houseWords.ts';
import { isIndian, soundOf } from './sound.ts';
import { trimmedEnd } from './trimmedEnd.ts';
import { inLatinDigits } from './typedText.ts';

// The name of who gets an order, as people write it before a pasted address. It belongs into no field of the address.

const listOf = (words: string): readonly string[] => words.split(', ');
/** What is said behind a name to be polite. */
const BEHIND = new Set(listOf(names.behind));
const wordSet = (words: readonly string[]) => ({
  words: new Set(words),
  sounds: new Set(words.filter((word) => word.length > 3).map((word) => soundOf(word).exact)),
});
/** Given names and surnames that are frequent here, in other scripts by their sound. */
const SURNAME = wordSet(listOf(names.surnames));
const NAME = wordSet(listOf(`${names.given}, ${names.surnames}`));
const isIn = ({ words, sounds }: ReturnType<typeof wordSet>, word: string) =>
  words.has(word) ||
  (isIndian(word) && !/[a-z]/.test(word) && soundOf(word).exact.length > 1 && sounds.has(soundOf(word).exact));

/** What says that a person's name follows, whatever the name is. */
const MARK =
  /^(?:[csdwh][/.]o|care\s{1,3}of|(?:kind\s{1,3})?att(?:n|ention|entn)?|(?:my\s{1,3}|customer\s{1,3}|receiver'?s?\s{1,3}|contact\s{1,3})?name(?:\s{1,3}is)?|receiver|recipient|contact\s{1,3}person|to|नाम|मेरा\s{1,3}नाम|(?:আমার\s{1,3})?নাম|প্রাপক|பெயர்|(?:මගේ\s{1,3})?නම)(?![\p{L}\p{M}\p{N}/])[\s.:–-]*/iu;
/** A title: streets and houses have some of them, too. */
const TITLE =
  /^(?:mr|mrs|ms|miss|mst|dr|prof|md|mohd|smt|shri|shree|sri|kumari|master|madam|sir|श्री|श्रीमती|सुश्री|डॉ|মোঃ|মো|মোসাঃ|মোছাঃ|জনাব|জনাবা|ডাঃ|ডা|திரு|திருமதி|செல்வி|டாக்டர்|මහතා|මයා|මිය|ආචාර්ය)(?![\p{L}\p{M}\p{N}])[\s.:–-]*/iu;
/** Words of houses, shops and sights: a part that has one names no person. */
const PLACE = new Set([...HOUSE_WORDS, ...STREET_WORDS, ...listOf(names.places)]);

const WORD = /[\p{L}\p{M}]+/gu;
const wordsOf = (text: string) => (text.toLowerCase().normalize('NFC').match(WORD) ?? []) as readonly string[];
const isPlace = (text: string) => wordsOf(text).some((word) => PLACE.has(word));

/** Whether words are a person's name by themselves: Ravi Kumar, K. Sivakumar, Kavitha R, Sumon bhai. */
function isName(text: string): boolean {
  if (!/^[\p{L}\p{M}\s.'’]+$/u.test(text) || isPlace(text)) return false;
  const words = wordsOf(text);
  if (words.length === 0 || words.length > 4) return false;
  const last = words[words.length - 1]!;
  if (words.length > 1 && (BEHIND.has(last) || isIn(SURNAME, last))) return true;
  return words.some((word) => isIn(NAME, word)) && words.every((word) => [...word].length === 1 || isIn(NAME, word));
}

/** Where a number begins that may be a house's. */
const NUMBER =
  /(?:(?<![\p{L}\p{M}])(?:no|house|flat|plot|room|holding|h\.?no|मकान|घर|फ्लैट|नंबर|नं|বাসা|বাড়ি|ফ্ল্যাট|নং|අංක|නො|வீடு|இல|எண்)[\s.:#-]{0,4}){0,3}(?:#\s{0,2})?(?:\p{L}{1,2}-?)?\d/iu;

/** A part of an address without the person that it names; '' where it says nothing else. */
function nameless(part: string, isLeading: boolean): string {
  const own = part.replace(/\(\s{0,9}\)/g, ' ').trim();
  const { 0: mark = '' } = MARK.exec(own) ?? [];
  const named = own.slice(mark.length);
  const { 0: title = '' } = TITLE.exec(named) ?? [];
  const at = inLatinDigits(own).search(NUMBER);
  const end = at < 0 ? own.length : at;
  const rest = own.slice(end).trim();
  if (mark !== '') return rest;
  const person = own.slice(0, end);
  if (title !== '') return isPlace(person) ? own : rest;
  // 'Amit Patel c/o Hotel Sunrise'.
  const [first = ''] = person.split(/\s[csdw]\/o\s/i);
  return isLeading && isName(trimmedEnd(first.trim(), /[\s:–-]/)) && end > 0 ? rest : own;
}

/** The parts of an address without the persons that they name; one alone names no person. */
export function withoutPersons(parts: readonly string[]): string[] {
  const isNumbered = (part: string) => /\p{Nd}/u.test(part);
  const first = parts.findIndex(isNumbered);
  if (first < 0) return parts.map((part) => (MARK.test(part) ? nameless(part, false) : part)).filter(Boolean);
  return parts.map((part, at) => nameless(part, at <= first)).filter(Boolean);
}
