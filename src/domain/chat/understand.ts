import en from '../../text/en/words/questions.json' with { type: 'json' };
import { inLatinDigits, latinDigits } from '../typedText.ts';
import { forgiven, slips, wordsOf } from '../slips.ts';
import { numberAt } from '../numberWords.ts';
import { isIndian, soundOf } from '../sound.ts';
import type { Food } from './food.ts';
import { withDenials, type Token } from './denials.ts';
import { INTENTS, type Intent } from './intents.ts';
import {
  LANGUAGES,
  phrasesOf,
  WEIGHTS,
  withoutEnding,
  type Catalogue,
  type MeaningName,
  type WordKey,
} from './words.ts';

/** What was understood of a question. */
export interface Understood {
  /** Null: nothing of it, and so nothing is answered. */
  readonly intent: Intent | null;
  /** How much of the question says so: the sum of the weights of its meanings. */
  readonly score: number;
  /** What its words mean, and how surely, 0 to 1. */
  readonly said: ReadonlyMap<MeaningName, number>;
  /** The questions that those meanings may ask, and how much of each is said. */
  readonly fits: ReadonlyMap<Intent, number>;
  /** Its words as they are typed and as they are spelt. */
  readonly words: readonly string[];
  readonly spelt: readonly string[];
  /** Numbers in it, typed in any script, as 0-9: they may be an order's. */
  readonly numbers: readonly string[];
  /** What may name a dish: the words that say nothing else. */
  readonly rest: string;
  /** What may name a place: the words of which nothing is known, and numbers, as they were typed. */
  readonly place: string;
}

const MOST_WORDS = 60;
const MOST_LETTERS = 500;

interface Phrase {
  readonly words: readonly string[];
  readonly name: MeaningName;
  /** Whether its last word may go on: `phone dhor*`. */
  readonly isOpen: boolean;
  /** Its last word as the catalogue has it: what goes on is not compared by its spelling. */
  readonly last: string;
  /** Whether it is the language's own, whose words are compared as they are spelt and may have a word between that says nothing. */
  readonly isOwn: boolean;
}
interface Vocabulary {
  readonly own: Catalogue;
  readonly byWord: ReadonlyMap<string, ReadonlySet<MeaningName>>;
  readonly inMeaning: ReadonlyMap<MeaningName, readonly string[]>;
  /** Phrases of several words, by the spelling of their first one. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Words of Indian scripts without the sign that their last letter loses before an ending, by what they begin with. */
  readonly stems: ReadonlyMap<string, ReadonlySet<MeaningName>>;
  /** What words begin with that have many endings: `anup*` of the catalogue. Without a meaning they are fillers. */
  readonly beginnings: ReadonlyMap<string, ReadonlySet<MeaningName>>;
  /** The language's own words in Latin letters, with what each means, by their spelling; without a meaning they are fillers. */
  readonly spellings: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<MeaningName>>>;
  readonly consonants: Consonants;
  readonly fillers: ReadonlySet<string>;
  /** How verbs end: one of which nothing else is known says nothing, and names no place. */
  readonly verbEndings: readonly string[];
  /** What joins two sentences. */
  readonly joins: ReadonlySet<string>;
  /** What makes a number before it so many people. */
  readonly people: ReadonlySet<string>;
  /** What makes a number before it a time of the day. */
  readonly clock: ReadonlySet<string>;
  /** The same of one after it: by 8. */
  readonly clockNext: ReadonlySet<string>;
  /** What stands after so many of something: 2ta. */
  readonly pieces: ReadonlySet<string>;
  readonly isEnglish: boolean;
  /** Words of English that nobody mixes into another language. */
  readonly grammar: ReadonlySet<string>;
  readonly ordinary: ReadonlySet<string>;
  /** Words that stand in its own catalogue. */
  readonly owned: ReadonlySet<string>;
}
const NOT_MEANT: ReadonlySet<string> = new Set<MeaningName>([
  ...([
    'ours',
    'dish',
    'thing',
    'diet',
    'budget',
    'chooses',
    'named',
    'mixed',
    'part',
    'kind',
    'forbidden',
    'sizes',
    'unknown',
    'denied',
    'keep',
    'clock',
    'untold',
    'twoCounts',
    'sum',
    'twoSums',
  ] as const),
]);
function vocabularyOf(own: Catalogue): Vocabulary {
  const byWord = new Map<string, Set<MeaningName>>();
  const inMeaning = new Map<MeaningName, string[]>();
  const phrases = new Map<string, Phrase[]>();
  const stems = new Map<string, Set<MeaningName>>();
  const beginnings = new Map<string, Set<MeaningName>>();
  const spellings = new Map<string, Map<string, Set<MeaningName>>>();
  const putSpelling = (spelling: string, word: string, name?: MeaningName) => {
    const held = spellings.get(spelling) ?? new Map<string, Set<MeaningName>>();
    spellings.set(spelling, held);
    put(held, word, name);
  };
  const put = (map: Map<string, Set<MeaningName>>, key: string, name?: MeaningName) => {
    const held = map.get(key) ?? new Set();
    map.set(key, name === undefined ? held : held.add(name));
  };
  const names = (Object.keys(WEIGHTS) as MeaningName[]).filter((name) => !NOT_MEANT.has(name));
  const wordsFor = (name: MeaningName, of: Catalogue) =>
    new Set((of[name as WordKey] ?? '').split(',').map((one) => one.trim()));
  const meant = new Set(names.flatMap((name) => [...wordsFor(name, own)]));
  for (const name of names) {
    const single: string[] = [];
    const mine = wordsFor(name, own);
    for (const phrase of phrasesOf(name as WordKey, own)) {
      // What a word of its own means there it does not mean by English: Bengali's "rate" is at night.
      if (meant.has(phrase.trim()) && !mine.has(phrase.trim())) continue;
      const words = wordsOf(phrase);
      const [first = '', second] = words;
      if (second !== undefined) {
        const one = phraseOf(phrase, name, mine.has(phrase.trim()));
        const begun = phrases.get(one.words[0]!) ?? [];
        begun.push(one);
        phrases.set(one.words[0]!, begun);
      } else if (isBeginning(phrase)) {
        put(beginnings, first, name);
        put(byWord, first, name);
      } else {
        if (!mine.has(phrase.trim()) || isIndian(first) || first.length >= LEAST_MISTYPED) single.push(first);
        put(byWord, first, name);
        for (const stem of stemsOf(first)) put(stems, stem, name);
        if (mine.has(phrase.trim())) for (const spelling of spellingsOf(first)) putSpelling(spelling, first, name);
      }
    }
    inMeaning.set(name, single);
  }
  const set = (key: WordKey) =>
    new Set(
      phrasesOf(key, own)
        .filter((one) => !isBeginning(one))
        .flatMap(wordsOf),
    );
  const fillers = set('fillers');
  for (const phrase of phrasesOf('fillers', own).filter(isBeginning)) put(beginnings, wordsOf(phrase)[0]!);
  for (const word of (own.fillers ?? '').split(',').flatMap(wordsOf))
    // A short one may be English with a slip: "mony".
    for (const spelling of spellingsOf(word).filter((one) => one.length >= LEAST_SPELLING && !spellings.has(one)))
      putSpelling(spelling, word);
  const owned = new Set(
    Object.values(own)
      .flatMap((list) => list.split(','))
      .flatMap(wordsOf),
  );
  return {
    own,
    byWord,
    inMeaning,
    phrases,
    stems,
    beginnings,
    spellings,
    consonants: byConsonants(owned),
    fillers,
    verbEndings: (own.verbEndings ?? '').split(',').flatMap(wordsOf),
    joins: set('joins'),
    people: set('people'),
    clock: set('clock'),
    clockNext: set('clockNext'),
    pieces: set('pieces'),
    isEnglish: owned.size === 0,
    grammar: set('grammar'),
    ordinary: set('ordinary'),
    owned,
  };
}
function phraseOf(phrase: string, name: MeaningName, isOwn: boolean): Phrase {
  const words = wordsOf(phrase);
  const isOpen = isBeginning(phrase) || words.some(isIndian);
  return {
    words: isOwn ? words.map(spelling) : words,
    name,
    isOpen,
    last: words[words.length - 1]!,
    isOwn,
  };
}
const LEAST_STEM = 3;
/** A shorter Indian word in Latin letters that is one letter off is another word; how it is spelt is known (spellingOf). */
const LEAST_MISTYPED = 6;
/** What stays of a word of an Indian script before an ending: கணக்கு is கணக்கை. Latin ones have none. */
function stemsOf(word: string): string[] {
  const stem = isIndian(word) ? word.replace(/\p{M}$/u, '') : '';
  // A vowel may be two signs.
  return stem.length >= LEAST_STEM && stem.replace(/\p{M}/gu, '').length > 1 ? [stem] : [];
}
const isBeginning = (phrase: string): boolean => phrase.trim().endsWith('*');
/** Letters that a language adds to a word at most. */
const MOST_ENDING = 10;
/** What a word begins with: the longest beginning that the catalogue has. */
function byBeginning(typed: string, { beginnings }: Vocabulary): ReadonlySet<MeaningName> | undefined {
  for (let end = typed.length; end >= Math.max(LEAST_STEM, typed.length - MOST_ENDING); end -= 1) {
    const found = beginnings.get(typed.slice(0, end));
    if (found) return found;
  }
  return undefined;
}
const SPELT: readonly (readonly [RegExp, string])[] = [
  [/(?:c?ch)+h?/g, 'C'],
  [/ee|ii|ea|y/g, 'i'],
  [/oo|uu|ou/g, 'u'],
  [/a[eiy]/g, 'e'],
  [/(.)\1+/g, '$1'],
  [/ck|q|(?!^)c/g, 'k'],
  [/zh/g, 'l'],
  [/ph/g, 'f'],
  [/([a-z])h/g, '$1'],
  [/z/g, 'j'],
  [/w/g, 'v'],
  [/x/g, 'ks'],
  [/e/g, 'i'],
  [/[ai]$/, ''],
];
const LEAST_SPELLING = 4;
/** How a word ends tells whether one or several are meant: nahi aaya, nahi aayi. */
const SPELT_WITHIN = SPELT.slice(0, -1);
const latinSpelling = (word: string, spelt = SPELT) => spelt.reduce((held, [from, to]) => held.replace(from, to), word);
/** How an Indian word is spelt in Latin letters, whichever of the usual ways: thanda, thandha and tanda are one. */
function spellingsOf(word: string): string[] {
  if (!/^[a-z]+$/.test(word) || word.length < LEAST_SPELLING) return [];
  const spelt = latinSpelling(word);
  return spelt.length < LEAST_SPELLING - 1 ? [] : [spelt];
}
/** Further from each other two words are not compared. */
const SPELLINGS_APART = 4;
/** What words mean that are spelt so: the likest ones, of several. */
function bySpelling(typed: string, { spellings }: Vocabulary): ReadonlySet<MeaningName> | undefined {
  const [all] = spellingsOf(typed).flatMap((spelling) => spellings.get(spelling) ?? []);
  if (!all) return undefined;
  const apart = [...all].map(([word, names]) => [slips(typed, word, SPELLINGS_APART), names] as const);
  const least = Math.min(...apart.map(([wrong]) => wrong));
  return new Set(apart.flatMap(([wrong, names]) => (wrong === least ? [...names] : [])));
}

const LATIN = /^[a-z]{3,}$/;
const VOWELS = /[aiou]/g;
const consonantsOf = (spelt: string): string => spelt.replace(VOWELS, '');
/** Words in Latin letters with how they are spelt, by their consonants. */
type Consonants = ReadonlyMap<string, readonly (readonly [word: string, spelt: string])[]>;
function byConsonants(words: ReadonlySet<string>): Consonants {
  const found = new Map<string, (readonly [string, string])[]>();
  for (const word of [...words].filter((one) => LATIN.test(one))) {
    const spelt = latinSpelling(word, SPELT_WITHIN);
    const key = consonantsOf(spelt);
    found.set(key, [...(found.get(key) ?? []), [word, spelt]]);
  }
  return found;
}
let english: Consonants | undefined;
const CLUSTER = /[^aiou]{2}/;
const LEAST_CONSONANTS = 2;
/** Whether a spelling is another one with vowels left out. */
function isAbridged(short: string, long: string): boolean {
  if (short.length >= long.length || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}
/** The word that is typed without vowels, as in a hurry: krnna is karanna. */
function unabridged(typed: string, words: Vocabulary): string | undefined {
  if (!LATIN.test(typed) || words.ordinary.has(typed) || ENGLISH.has(typed)) return undefined;
  const spelt = latinSpelling(typed, SPELT_WITHIN);
  const consonants = consonantsOf(spelt);
  if (consonants.length < LEAST_CONSONANTS || !CLUSTER.test(spelt)) return undefined;
  // Two consonants are too little for anything that means something, unless no vowel is among them.
  const isSure = consonants.length > LEAST_CONSONANTS || consonants === spelt;
  english ??= byConsonants(ENGLISH);
  const all = [...(words.consonants.get(consonants) ?? []), ...(english.get(consonants) ?? [])].filter(
    ([word, full]) => isAbridged(spelt, full) && (isSure || (words.fillers.has(word) && words.owned.has(word))),
  );
  const least = Math.min(...all.map(([, full]) => full.length));
  return all.find(([, full]) => full.length === least)?.[0];
}

function byStem(typed: string, { stems }: Vocabulary): ReadonlySet<MeaningName> | undefined {
  if (!isIndian(typed)) return undefined;
  for (let end = typed.length; end >= Math.max(LEAST_STEM, typed.length / 2); end -= 1) {
    const found = stems.get(typed.slice(0, end));
    if (found) return found;
  }
  return undefined;
}

const known = new Map<Catalogue, Vocabulary>();
/** Takes a language apart, together with English, once: that is a tenth of a second. */
export function learn(language: Catalogue): Vocabulary {
  const held = known.get(language) ?? vocabularyOf(language);
  known.set(language, held);
  return held;
}
/** English with each other language, taken apart once. */
const vocabularies = () => LANGUAGES.map(learn);
const LONG = 10;
const OWN_SHARE = 0.1;
/** What English's own grammar weighs against them. */
const TIE_SHARE = 0.3;
/** The language of which most words of a text are known; English where no other one knows more. */
function vocabularyFor(words: readonly string[]): Vocabulary {
  const [english] = vocabularies();
  const typed = typedOf(words);
  const knows = (one: Vocabulary) =>
    words.reduce((sum, word, at) => {
      const isKnown = one.byWord.has(word) || one.fillers.has(word);
      // Its own words tell a language.
      const isOwn = one.owned.has(word) && !english!.byWord.has(word) && !english!.fillers.has(word);
      return (
        sum +
        (isKnown
          ? 1
          : (byStem(word, one) ?? byBeginning(word, one))
            ? 0.9
            : isVerb(word, one, TELLING) ||
                (bySpelling(word, one) ?? unabridged(word, one)) ||
                // "Wehre" is as likely mistyped as it is another language's word.
                (one === english && LATIN.test(word) && mistyped(word, NO_WORDS, one).size > 0)
              ? 0.4
              : 0) +
        (phraseAt(one, typed, at).length > 0 ? 0.9 : 0) +
        (isOwn ? 0.1 : 0)
      );
    }, 0);
  // A word or two of its own make a long English sentence none of another language.
  const ties = words.filter((word) => english!.grammar.has(word)).length;
  const least = (words.length < LONG ? 0 : OWN_SHARE * words.length) + TIE_SHARE * ties;
  return vocabularies().reduce<readonly [Vocabulary, number]>(
    (best, one) => {
      const sum = knows(one) - (one === english ? 0 : least);
      return sum > best[1] ? [one, sum] : best;
    },
    [english!, 0],
  )[0];
}
/** Signs of Indian scripts that are typed for one another: long and short vowels, letters that sound alike. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/[\u0900-\u0902]/g, '\u0902'],
  [/\u0940/g, '\u093f'],
  [/\u0942/g, '\u0941'],
  [/\u09c0/g, '\u09bf'],
  [/\u09c2/g, '\u09c1'],
  [/\u0981/g, ''],
  [/\u09a3/g, '\u09a8'],
  [/[\u09b6\u09b7]/g, '\u09b8'],
  [/\u0dab/g, '\u0db1'],
  [/\u0dc5/g, '\u0dbd'],
  [/[\u0dc1\u0dc2]/g, '\u0dc3'],
  [/\u0dd3/g, '\u0dd2'],
  [/\u0dd6/g, '\u0dd4'],
  [/\u0ba8|\u0ba3/g, '\u0ba9'],
  [/\u0bb1/g, '\u0bb0'],
  [/[\u0bb3\u0bb4]/g, '\u0bb2'],
  [/\u0bc7/g, '\u0bc6'],
  [/\u0bcb/g, '\u0bca'],
];
const LEAST_PHRASED = 4;
/** An English word is spelt in one way: "where order" is no "vera order" of Tamil. */
const ENGLISH: ReadonlySet<string> = new Set(
  Object.values(en)
    .flatMap((list) => list.split(','))
    .flatMap(wordsOf),
);
/** The commonest words as they are typed in a hurry, and what they are short for: nhi=nahi. */
let shortened: ReadonlyMap<string, string> | undefined;
const shortenedIn = (own: Catalogue) =>
  (own.shortened ?? '').split(',').map((one) => one.trim().split('=') as [short: string, full: string]);
/** A word of a phrase, whichever of its usual spellings it has. */
function spelling(typed: string): string {
  shortened ??= new Map(LANGUAGES.flatMap(shortenedIn));
  const word = shortened.get(typed) ?? typed;
  if (isIndian(word)) return ALIKE.reduce((held, [from, to]) => held.replace(from, to), word);
  const isFolded = word.length >= LEAST_PHRASED && /^[a-z]+$/.test(word) && !ENGLISH.has(word);
  return isFolded ? latinSpelling(word, SPELT_WITHIN) : word;
}

/** The words of a text, as they are typed and as they are spelt. */
interface Typed {
  readonly words: readonly string[];
  readonly spelt: readonly string[];
}
const typedOf = (words: readonly string[]): Typed => ({ words, spelt: words.map(spelling) });

interface FoundPhrase {
  readonly name: MeaningName;
  /** The place after its last word. */
  readonly end: number;
}
/** The phrases that begin at a word; the last word of one may have an ending. */
function phraseAt(vocabulary: Vocabulary, typed: Typed, at: number): FoundPhrase[] {
  const { phrases } = vocabulary;
  const [word, spelt] = [typed.words[at]!, typed.spelt[at]!];
  const begun = [...(phrases.get(word) ?? []), ...(spelt === word ? [] : (phrases.get(spelt) ?? []))];
  const found = begun.flatMap((one) => {
    const end = endOf(one, typed, at, vocabulary);
    if (end === undefined) return [];
    const isWhole = one.last === typed.words[end - 1];
    return [{ name: one.name, end, isWhole }];
  });
  // A word that is known with its ending means nothing that it is the beginning of: the lowest price is no smallest order.
  return found.filter(({ end, isWhole }) => isWhole || !found.some((other) => other.isWhole && other.end === end));
}
/** Whether a word says nothing, whatever stands beside it. */
const isEmpty = (word: string, words: Vocabulary): boolean =>
  words.fillers.has(word) && !words.byWord.has(word) && (byBeginning(word, words)?.size ?? 0) === 0;
/** Where a phrase ends that begins at a word; undefined where it is not there. */
function endOf(phrase: Phrase, typed: Typed, from: number, vocabulary: Vocabulary): number | undefined {
  const { words: own, isOpen, last, isOwn } = phrase;
  const words = isOwn ? typed.spelt : typed.words;
  const goesOn = (place: number) =>
    words[place]?.startsWith(own[own.length - 1]!) === true || typed.words[place]?.startsWith(last) === true;
  let at = from;
  for (let step = 0; step < own.length; step += 1) {
    const word = own[step]!;
    const isLast = step === own.length - 1;
    const fits = () => words[at] === word || (isOpen && isLast && goesOn(at));
    // "Paise to kat gaye".
    if (step > 0 && isOwn && !fits() && isEmpty(typed.words[at] ?? '', vocabulary)) at += 1;
    if (!fits()) return undefined;
    at += 1;
  }
  return at;
}

/** Whether a word belongs to questions, in any language: it names no food. */
export const isAsking = (word: string): boolean =>
  vocabularies().some((one) => one.byWord.has(word) || one.fillers.has(word) || byBeginning(word, one) !== undefined);

/** One bill of several. */
const singular = (typed: string): string => (/^[a-z]{3,}s$/.test(typed) ? typed.slice(0, -1) : typed);

/** Whether a word is one that says nothing, with an ending or in another spelling. */
const isSpeltFiller = (typed: string, words: Vocabulary): boolean =>
  (byBeginning(typed, words) ?? bySpelling(typed, words))?.size === 0;

const LEAST_VERB = 2;
const isVerb = (word: string, { verbEndings }: Vocabulary, leastEnding = 1): boolean =>
  verbEndings.some(
    (ending) => ending.length >= leastEnding && word.endsWith(ending) && word.length >= ending.length + LEAST_VERB,
  );
/** Letters of an ending that tells a language: Koramangala ends as Tamil's verbs do. */
const TELLING = 6;

const isNumber = (word: string): boolean => /^\p{Nd}+$/u.test(word);
type IsDishWord = (word: string) => boolean;
/** Whoever mistypes seldom mistypes how a word begins, but may swap its first two letters. */
const beginsAlike = (typed: string, word: string) =>
  typed[0] === word[0] || (typed[0] === word[1] && typed[1] === word[0]);

/** How a coupon is called: SAVE20. */
let couponWords: ReadonlySet<string> | undefined;
function isCoupon(word: string): boolean {
  couponWords ??= new Set(phrasesOf('couponNames', {}).flatMap(wordsOf));
  return couponWords.has(/^([a-z]+)\d+$/.exec(word)?.[1] ?? '');
}
/** What a word may mean, and how surely, 0 to 1. */
function meaningsOf(
  typed: string,
  { ours, isDishWord, food }: MenuWords,
  words: Vocabulary,
): ReadonlyMap<MeaningName, number> {
  if (food?.name.has(typed)) return DISH;
  const found = new Map<MeaningName, number>([...(words.byWord.get(typed) ?? [])].map((name) => [name, 1]));
  if (words.fillers.has(typed)) return found;
  if (food?.risks.has(typed)) found.set('substance', 1);
  // A number in the name of a dish names none.
  if (ours.has(typed) && !isNumber(typed)) found.set('ours', 1);
  if (isCoupon(typed)) found.set('offer', 1);
  // A dish that is asked for by its everyday word is no mistyped question: cake is not "came".
  if (found.size === 0 && (isDishWord(typed) || food?.words.has(typed))) found.set('ours', 0.7);
  return found.size > 0 ? found : likened(typed, ours, words);
}
/** What a word means that stands in no catalogue as it is typed. */
function likened(typed: string, ours: ReadonlySet<string>, words: Vocabulary): ReadonlyMap<MeaningName, number> {
  const alike =
    byBeginning(typed, words) ?? byStem(typed, words) ?? bySpelling(typed, words) ?? words.byWord.get(singular(typed));
  const found = new Map<MeaningName, number>([...(alike ?? [])].map((name) => [name, 0.9]));
  if (found.size > 0 || words.ordinary.has(typed) || isSpeltFiller(typed, words)) return found;
  return mistyped(typed, ours, words);
}

/** In a short word one consonant for another makes another word: nagar is no nagad. */
const SHORT = 7;
/** A slip in a shorter word keeps its sound. */
const LEAST_SLIP = 5;
const isOtherSound = (typed: string, word: string): boolean => {
  if (typed.length !== word.length) return false;
  const at = [...typed].findIndex((letter, one) => letter !== word[one]);
  const [one = '', other = ''] = [typed[at], word[at]];
  return typed.slice(at + 1) === word.slice(at + 1) && /[^aeiouyq]/.test(one) && /[^aeiouyq]/.test(other);
};

/** What a word may be that is none as it is typed. */
function mistyped(typed: string, ours: ReadonlySet<string>, { inMeaning }: Vocabulary): Map<MeaningName, number> {
  const found = new Map<MeaningName, number>();
  const most = forgiven(typed.length);
  if (most === 0) return found;
  for (const [name, all] of inMeaning) {
    if (WEIGHTS[name] > UNMISTAKABLE) continue;
    for (const word of all) {
      if (!beginsAlike(typed, word)) continue;
      const wrong = slips(typed, word, most);
      if (wrong === 1 && typed.length <= SHORT && isOtherSound(typed, word)) continue;
      // "Haal", how one is, is not halal.
      if (wrong > 0 && typed.length < LEAST_SLIP && soundOf(typed).exact !== soundOf(word).exact) continue;
      // Two mistakes in a word that is short are another word, and one in a word of three letters.
      if (wrong > Math.min(most, forgiven(word.length))) continue;
      found.set(name, Math.max(found.get(name) ?? 0, 0.9 - 0.15 * wrong));
    }
  }
  if (found.size === 0 && [...ours].some((word) => beginsAlike(typed, word) && slips(typed, word, 1) <= 1))
    found.set('ours', 0.7);
  return found;
}

/** What ends a part of a question: a "no" before it says nothing about what follows. */
const STOPS = /[.,;:!?\n\u0964]+/u;

const NOTHING: ReadonlyMap<MeaningName, number> = new Map();
const NO_WORDS: ReadonlySet<string> = new Set();
const PEOPLE: ReadonlyMap<MeaningName, number> = new Map([['serves', 1]]);
const DISH: ReadonlyMap<MeaningName, number> = new Map([['ours', 1]]);
/** "Cold coffee" is a dish, and no complaint of a coffee. */
const isCoolDrink = ({ meanings }: Token, next: Token | undefined, isFood: (word: string) => boolean) =>
  meanings.has('cold') &&
  next !== undefined &&
  (next.meanings.size === 0 ? isFood(next.word) : next.meanings.size === 1 && next.meanings.has('ours'));

/** "20 min" is a time, and no smallest order. */
const isTime = ({ meanings }: Token, last: Token | undefined) => last?.isNumber === true && meanings.has('minutes');
const timeOf = ({ meanings }: Token) =>
  new Map([...meanings].filter(([name]) => name === 'minutes' || name === 'late'));

/** Who greets begins with it: Hindi's "hi" within a sentence stresses the word before it. */
const HELLO_WITHIN = 2;
function isLateHello({ meanings }: Token, at: number): boolean {
  return at >= HELLO_WITHIN && meanings.size === 1 && meanings.has('hello');
}

/** "Is it ready or not" denies nothing. */
let orNot: RegExp | undefined;
function withoutOrNot(text: string): string {
  orNot ??= new RegExp(
    `(?<!\\p{L}|\\p{M})(?:${LANGUAGES.flatMap((own) => phrasesOf('orNot', own))
      .map((phrase) => phrase.trim())
      .join('|')})(?!\\p{L}|\\p{M})`,
    'giu',
  );
  return text.replace(orNot, ' ');
}
/** Letters that are held down count twice at most: foooood, coldddd. */
function tokensOf(
  text: string,
  menu: MenuWords,
): {
  readonly tokens: readonly Token[];
  /** The same by its parts, which commas and words such as "but" end. */
  readonly parts: readonly (readonly Token[])[];
  readonly spoken: Vocabulary;
} {
  const parts = withoutOrNot(text.slice(0, MOST_LETTERS))
    .replace(/(\p{L})\1{2,}/gu, '$1$1')
    .split(STOPS)
    .map(wordsOf);
  const spoken = vocabularyFor(parts.flat());
  const isMenus = (word: string) => menu.ours.has(word) || menu.isDishWord(word) || menu.food?.words.has(word) === true;
  const isKnown = (word: string) =>
    [word, singular(word)].some((one) => spoken.byWord.has(one) || spoken.fillers.has(one)) ||
    (byBeginning(word, spoken) ?? bySpelling(word, spoken)) !== undefined;
  const full = (word: string) =>
    isMenus(word) || isKnown(word) || spoken.owned.has(word) ? word : (unabridged(word, spoken) ?? word);
  const tokenOf = (word: string, at: number, phrases: readonly (readonly FoundPhrase[])[]): Token => {
    const around = phrases.slice(0, at).flatMap((all) => all.map(({ end }) => end));
    // "Not hot" is within "was not hot", and says nothing besides.
    const begun = phrases[at]!.filter((one) => around.every((end) => end < one.end));
    const isInPhrase = around.some((end) => end > at);
    // What is in a phrase means the phrase, and nothing that it only looks like.
    const isWhole = begun.length > 0 || isInPhrase;
    const meanings = new Map([...meaningsOf(word, menu, spoken)].filter(([, sure]) => !isWhole || sure === 1));
    for (const { name } of begun) meanings.set(name, 1);
    return {
      word,
      isWithin: isInPhrase,
      isNumber: isNumber(word),
      isFiller:
        (spoken.fillers.has(word) && begun.length === 0) ||
        isOneClock(word, spoken.clock) ||
        (meanings.size === 0 && (numberAt([word], 0)?.value ?? 0) > MOST_PIECES) ||
        (meanings.size === 0 && (isInPhrase || isSpeltFiller(word, spoken) || isVerb(word, spoken))),
      meanings,
    };
  };
  const tokens = parts
    .map((some) => {
      const words = some.map(full);
      const typed = typedOf(words);
      const phrases = words.map((_, at) => phraseAt(spoken, typed, at));
      return words.map((word, at) => tokenOf(word, at, phrases));
    })
    .map((tokens, part) =>
      tokens.map((token, at) => {
        if (isLateHello(token, part * HELLO_WITHIN + at)) return { ...token, isFiller: true, meanings: NOTHING };
        if (isCoolDrink(token, tokens[at + 1], isMenus)) return { ...token, meanings: DISH };
        if (spoken.people.has(token.word) && isMany(tokens[at - 1]))
          return { ...token, isFiller: false, meanings: PEOPLE };
        return isTime(token, tokens[at - 1]) ? { ...token, meanings: timeOf(token) } : token;
      }),
    )
    .map((one) => withDenials(one, spoken.own));
  return {
    tokens: tokens.flat().slice(0, MOST_WORDS),
    parts: tokens.flatMap((one) => clausesOf(one, spoken)),
    spoken,
  };
}

/** The parts of a sentence, between words such as "but" and "because". */
function clausesOf(tokens: readonly Token[], { joins }: Vocabulary): Token[][] {
  const clauses: Token[][] = [[]];
  for (const token of tokens)
    if (joins.has(token.word)) clauses.push([]);
    else clauses[clauses.length - 1]!.push(token);
  return clauses;
}

/** Said alone or not at all: in a longer question they are something else. */
export const ALONE: ReadonlySet<Intent> = new Set(['yes', 'no', 'hello', 'thanks', 'able']);
/** How much of a question has to be known at least: more if only one thing in it is, and all if that says little. */
const KNOWN_OF_ONE = 0.51;
const KNOWN_OF_MANY = 0.3;
const KNOWN_OF_SURE = 0.5;
const SAYS_MUCH = 2.5;
const SURE = 3;
/** An invoice, a refund and halal food are nothing else. */
const UNMISTAKABLE = 4;
const shareNeeded = (id: Intent, rule: readonly MeaningName[]) => {
  if (rule.length > 1) return KNOWN_OF_MANY;
  const weight = WEIGHTS[rule[0]!];
  if (ALONE.has(id) || weight < SAYS_MUCH) return 1;
  if (weight >= UNMISTAKABLE) return KNOWN_OF_MANY;
  return weight < SURE ? KNOWN_OF_ONE : KNOWN_OF_SURE;
};

const LEAST_OF_ONE = 0.3;
/** What says as much may be one word of six. */
const LEAST_OF_SURE = 0.16;
/** Whether a word that says less than it might is one of many others: "ignore all instructions and give ..." is no note. */
const isThin = ([name, other]: readonly MeaningName[], content: readonly Token[], telling: readonly Token[]): boolean =>
  name !== undefined &&
  other === undefined &&
  WEIGHTS[name] >= SAYS_MUCH &&
  WEIGHTS[name] <= SURE &&
  content.filter(({ meanings }) => meanings.has(name)).length <
    (WEIGHTS[name] < SURE ? LEAST_OF_ONE : LEAST_OF_SURE) * telling.length;

/** What is known of the menu's words, and of the food in the question (food.ts). */
export interface MenuWords {
  /** The words of the menu. */
  readonly ours: ReadonlySet<string>;
  /** Knows the everyday words for its dishes. */
  readonly isDishWord: IsDishWord;
  readonly food?: Food<unknown>;
}

/** A postcode, and no count of pizzas. */
const isPostcode = ({ word, isNumber }: Token) => isNumber && word.length >= 4 && word.length <= 6;
/** An amount of money, and no order's number. */
const isSum = ({ word, isNumber }: Token) => isNumber && word.length >= 2 && word.length <= 4;
const isUnknown = (token: Token) =>
  !token.isNumber && !token.isFiller && token.meanings.size === 0 && token.word.length > 1;
/** More unknown words than these name no place. */
const PLACE_WORDS_MOST = 6;
/** How much beside a diet may be unknown. */
const UNKNOWN_MOST = 3;
/** "7.30pm", "at 7 pm" and "7 baje" are a time of the day, which is no name of a place. */
const HOUR = /(?:^|[^\d.:])(?:[01]?\d|2[0-3])[.:][0-5]\d(?![\d:]|\.\d)/;
const NUMBERED = /^\p{Nd}{1,2}(\P{Nd}+)$/u;
/** "7pm" and নয়টায়. */
const isOneClock = (word: string, clock: ReadonlySet<string>) =>
  clock.has(NUMBERED.exec(word)?.[1] ?? '') ||
  (isIndian(word) &&
    [...clock].some((end) => end.length > 1 && word.endsWith(end) && countOf(word.slice(0, -end.length)).length > 0));
const isClock = (token: Token, at: number, tokens: readonly Token[], { clock, clockNext }: Vocabulary) =>
  isOneClock(token.word, clock) ||
  (isCount(token) &&
    (!token.isNumber || token.word.length <= 2) &&
    (clockNext.has(tokens[at - 1]?.word ?? '') || tokens.slice(at + 1, at + 3).some(({ word }) => clock.has(word))));
/** How many are meant by a number, in digits or in words. */
const MOST_PIECES = 20;
/** "2ta" and "1k" are counts. */
const COUNTED = /^(\p{Nd}+)(\P{Nd}*)$/u;
const countOf = (word: string, pieces?: ReadonlySet<string>): number[] => {
  const [, many, piece = ''] = COUNTED.exec(word) ?? [];
  const digits = many !== undefined && (piece === '' || pieces?.has(piece) === true) ? many : undefined;
  const value = digits === undefined ? (numberAt([word], 0)?.value ?? 0) : Number(latinDigits(digits));
  return value > 0 && value <= MOST_PIECES && Number.isInteger(value) ? [value] : [];
};
/** "Oru aal", one person, is somebody. */
const isMany = (token: Token | undefined) =>
  token !== undefined && (token.isNumber || countOf(token.word).some((many) => many > 1));
const isCount = (token: Token | undefined): token is Token => token !== undefined && countOf(token.word).length > 0;
/** What a question says beside its single words. */
function factsOf(
  text: string,
  tokens: readonly Token[],
  { food }: MenuWords,
  spoken: Vocabulary,
): ReadonlySet<MeaningName> {
  const facts = new Set<MeaningName>(food?.facts);
  if (HOUR.test(inLatinDigits(text)) || tokens.some((token, at) => isClock(token, at, tokens, spoken)))
    facts.add('clock');
  // "Do" is two in Hindi.
  const counts = tokens.flatMap(({ word }) => (spoken.isEnglish && word === 'do' ? [] : countOf(word, spoken.pieces)));
  if (counts.length === 2 && counts[1] !== counts[0]) facts.add('twoCounts');
  const sums = new Set(tokens.filter(isSum).map(({ word }) => latinDigits(word)));
  if (sums.size > 0) facts.add('sum');
  if (sums.size === 2) facts.add('twoSums');
  const names = tokens.filter(isUnknown);
  if (tokens.some(isPostcode) || (names.length > 0 && names.length <= PLACE_WORDS_MOST)) facts.add('unknown');
  return facts;
}

const scoreOf = (rule: readonly MeaningName[], said: ReadonlyMap<MeaningName, number>): number =>
  rule.reduce((sum, name) => sum + WEIGHTS[name] * said.get(name)!, 0);
/** The question of which the most is said, of those of which enough is. */
function bestOf(
  said: ReadonlyMap<MeaningName, number>,
  facts: ReadonlySet<MeaningName>,
  content: readonly Token[],
): { readonly intent: Intent; readonly score: number } | null {
  const telling = content.filter((token) => !token.isFiller);
  const clear = telling.filter((token) => token.meanings.size > 0);
  const isEnough = (id: Intent, rule: readonly MeaningName[]) => {
    const isDiet = rule.includes('diet') || rule.includes('untold');
    // A place has any name, and who keeps a diet tells of it.
    if (rule.includes('unknown') || (isDiet && telling.length - clear.length <= UNKNOWN_MOST)) return true;
    return (
      clear.length >= shareNeeded(id, rule) * telling.length && (facts.has(rule[0]!) || !isThin(rule, content, telling))
    );
  };
  let best: { intent: Intent; score: number } | null = null;
  for (const { id, means, unless = [] } of INTENTS) {
    if (unless.some((name) => said.get(name) === 1)) continue;
    for (const rule of means) {
      const words = rule.filter((name) => !facts.has(name));
      if (!isEnough(id, rule) || !hasOwnWords(words, content)) continue;
      const score = scoreOf(rule, said);
      if (best === null || score > best.score) best = { intent: id, score };
    }
  }
  return best;
}

/** What the words of a question mean, and how surely. */
function saidIn(tokens: readonly Token[], facts: ReadonlySet<MeaningName>): Map<MeaningName, number> {
  const said = new Map<MeaningName, number>([...facts].map((name) => [name, 1]));
  for (const { meanings } of tokens)
    for (const [name, sure] of meanings) said.set(name, Math.max(said.get(name) ?? 0, sure));
  return said;
}
const contentOf = (tokens: readonly Token[]) =>
  tokens.filter((token) => token.meanings.size > 0 || (!token.isNumber && !isCount(token)));

/** A shorter part of a question says nothing by itself. */
const LEAST_PART = 2;
/**
 * What one part of a question asks, where the whole is not understood: who tells much beside it asks in one sentence. Not
 * so of food: what must not be in it may stand in another part.
 */
function bestPart(text: string, parts: readonly (readonly Token[])[], menu: MenuWords, spoken: Vocabulary) {
  if (parts.length < 2 || (menu.food?.facts.size ?? 0) > 0) return null;
  let best: ReturnType<typeof bestOf> = null;
  for (const part of parts) {
    if (part.filter(({ isFiller }) => !isFiller).length < LEAST_PART) continue;
    const facts = factsOf(text, part, menu, spoken);
    const found = bestOf(saidIn(part, facts), facts, contentOf(part));
    if (found && !ALONE.has(found.intent) && found.intent !== 'place' && found.score > (best?.score ?? 0)) best = found;
  }
  return best;
}

/**
 * What a customer asks, by the words of it, forgiving typing mistakes. Never throws. A question of which too little is
 * known is not understood: nothing is answered from a guess.
 */
export function understand(text: string, menu: MenuWords): Understood {
  const { tokens, parts, spoken } = tokensOf(text, menu);
  const heard = text.slice(0, MOST_LETTERS);
  const facts = factsOf(heard, tokens, menu, spoken);
  const numbers = tokens.filter((token) => token.isNumber).map((token) => latinDigits(token.word));
  const said = saidIn(tokens, facts);
  const best = bestOf(said, facts, contentOf(tokens)) ?? bestPart(heard, parts, menu, spoken);
  const typed = (some: readonly Token[]) => some.map((token) => token.word).join(' ');
  return {
    intent: best?.intent ?? null,
    score: best?.score ?? 0,
    said,
    fits: fitting(said),
    ...typedOf(tokens.map(({ word }) => word)),
    numbers,
    rest: typed(tokens.filter((token) => !token.isNumber && !token.isFiller && !isQuestionWord(token))),
    place: tokens
      .filter((token) => token.isNumber || isUnknown(token))
      .map(({ word }) => withoutEnding(word))
      .join(' '),
  };
}

/** Every meaning of a rule needs a word of its own: one word does not say two things at once. */
function hasOwnWords(rule: readonly MeaningName[], tokens: readonly Token[]): boolean {
  const choose = (at: number, free: readonly Token[]): boolean => {
    const name = rule[at];
    if (name === undefined) return true;
    return free.some(
      (token) =>
        token.meanings.has(name) &&
        choose(
          at + 1,
          free.filter((other) => other !== token),
        ),
    );
  };
  // Verbs of Indian languages have their "not" in them: it did not come is one word.
  return (
    choose(0, tokens) ||
    (rule.includes('not') &&
      hasOwnWords(
        rule.filter((name) => name !== 'not'),
        tokens,
      ) &&
      tokens.some(isNotDone))
  );
}

/** The questions whose meanings are all said, whatever else is. */
function fitting(said: ReadonlyMap<MeaningName, number>): Map<Intent, number> {
  const found = new Map<Intent, number>();
  for (const { id, means } of INTENTS)
    for (const rule of means)
      if (rule.every((name) => said.has(name))) found.set(id, Math.max(found.get(id) ?? 0, scoreOf(rule, said)));
  return found;
}

const isNotDone = ({ meanings }: Token) => meanings.has('not') && meanings.has('arrive');

const DISH_WORDS: ReadonlySet<MeaningName> = new Set(['ours', 'order', 'cold', 'fee', 'extra']);
/** A word of the question, and not of a dish. */
const isQuestionWord = ({ meanings }: Token) => [...meanings.keys()].some((name) => !DISH_WORDS.has(name));

/** The words by which a menu's dishes are found: of their names, their categories and what is on them. */
export function wordsOfMenu(index: {
  readonly rows: readonly { readonly words: readonly (readonly [string, number])[] }[];
}): ReadonlySet<string> {
  return new Set(index.rows.flatMap(({ words }) => words.flatMap(([word, weight]) => (weight >= NAMES ? [word] : []))));
}
/** The weight in domain/search.ts of a name, a category or a topping. */
const NAMES = 3;
