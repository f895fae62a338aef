import bn from '../text/bn/words/dishes.json' with { type: 'json' };
import en from '../text/en/words/dishes.json' with { type: 'json' };
import hi from '../text/hi/words/dishes.json' with { type: 'json' };
import si from '../text/si/words/dishes.json' with { type: 'json' };
import ta from '../text/ta/words/dishes.json' with { type: 'json' };
import { forgiven, slips, wordsOf } from './slips.ts';
import { soundOf } from './sound.ts';

// The everyday words by which dishes are found, a catalogue for each language beside its sentences. Whatever the page speaks,
// people type the words of all of them, in their own letters and in Latin ones.

export type Meaning = keyof typeof en;
export const CATALOGUES: Readonly<Record<string, Readonly<Record<Meaning, string>>>> = { en, hi, bn, si, ta };
const ALL = Object.values(CATALOGUES);

interface Phrase {
  readonly words: readonly string[];
  readonly meanings: Set<Meaning>;
}

/** Phrases by their first word, the longest first. */
const PHRASES = new Map<string, Phrase[]>();
/** Single words, for slips; the longer ones also as the beginning of an inflected one. */
const SINGLE = new Map<string, Set<Meaning>>();
for (const catalogue of ALL)
  for (const [meaning, list] of Object.entries(catalogue) as [Meaning, string][])
    for (const phrase of list.split(',')) {
      const words = wordsOf(phrase);
      const [first] = words;
      if (first === undefined) continue;
      const all = PHRASES.get(first) ?? [];
      PHRASES.set(first, all);
      const same = all.find((one) => one.words.join(' ') === words.join(' '));
      if (same) same.meanings.add(meaning);
      else all.push({ words, meanings: new Set([meaning]) });
      if (words.length === 1) SINGLE.set(first, all.find((one) => one.words.length === 1)!.meanings);
    }
for (const all of PHRASES.values()) all.sort((a, b) => b.words.length - a.words.length);
/** Phrases without their blanks: hatake, baddiye. */
const JOINED = new Map(
  [...PHRASES.values()]
    .flat()
    .filter(({ words }) => words.length > 1)
    .map(({ words, meanings }) => [words.join(''), meanings] as const),
);

const NOTHING: ReadonlySet<Meaning> = new Set();
/** Words that order a sentence, and name nothing to eat. */
export const GRAMMAR: ReadonlySet<Meaning> = new Set([
  ...([
    'no',
    'after',
    'free',
    'and',
    'or',
    'with',
    'less',
    'extra',
    'filler',
    'under',
    'within',
    'over',
    'cheap',
    'money',
  ] as const),
]);
const isFood = (meanings: ReadonlySet<Meaning>) =>
  [...meanings].some((one) => !GRAMMAR.has(one) && one !== 'unstated' && one !== 'coeliac' && one !== 'diabetic');

/**
 * Single everyday words for food by their first two letters: who mistypes a word seldom mistypes how it begins, but may
 * swap those.
 */
const BY_START = new Map<string, string[]>();
for (const [word, meanings] of SINGLE)
  if (isFood(meanings) && word.length > (/[a-z]/.test(word) ? 3 : 2))
    for (const letter of new Set([word[0]!, word[1]!])) BY_START.set(letter, [...(BY_START.get(letter) ?? []), word]);

/** What Indian words in Latin letters are spelled with in more ways than one: piyaz, pyaj and Sylheti's fiaz. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ...{ y: 'i', z: 'j', jh: 'j', bh: 'v', w: 'v', ph: 'p', f: 'p', th: 't', dh: 't', gh: 'g', kh: 'k', d: 't' },
};
const SPELLED = /jh|bh|ph|th|dh|gh|kh|[yzwfd]/g;
const DOUBLED = /a{2,}|[ei]{2,}|[ou]{2,}/g;
const heard = (word: string) =>
  word
    .replace(SPELLED, (one) => SPELLINGS[one]!)
    .replace(DOUBLED, ([one]) => (one === 'a' ? 'a' : one === 'e' || one === 'i' ? 'i' : 'u'))
    // "Till" is no sesame, which is til.
    .replace(/(.)\1/g, (pair, letter: string, at: number, whole: string) =>
      at > 0 && at + pair.length < whole.length ? letter : pair,
    );
const LEAST_HEARD = 3;
const HEARD = new Map<string, Set<Meaning>>();
const LIMITS: readonly Meaning[] = ['under', 'within', 'over', 'cheap', 'money'];
const isHeard = (meanings: ReadonlySet<Meaning>) => isFood(meanings) || LIMITS.some((one) => meanings.has(one));
for (const [word, meanings] of SINGLE) {
  const sound = isHeard(meanings) && /^[a-z]+$/.test(word) ? heard(word) : '';
  if (sound.length >= LEAST_HEARD) {
    const all = HEARD.get(sound) ?? new Set();
    // Fish is "meen" in Tamil, and no smallest amount.
    if (isFood(meanings)) for (const one of LIMITS) all.delete(one);
    for (const one of meanings) if (isFood(meanings) || !isFood(all)) all.add(one);
    HEARD.set(sound, all);
  }
}
/** What a word in Latin letters means that is spelled as it sounds, otherwise than in the catalogues. */
const meantHeard = (word: string): ReadonlySet<Meaning> =>
  (word.length > LEAST_HEARD && /^[a-z]+$/.test(word) ? HEARD.get(heard(word)) : undefined) ?? NOTHING;

/** Whether a word is in a catalogue, and so no mistyped other one. */
export const isKnown = (word: string): boolean => SINGLE.has(word);

/** Whether a word is an everyday one for a dish or what is on it. */
export function isDishWord(word: string): boolean {
  const meanings = SINGLE.get(word);
  return meanings !== undefined && isFood(meanings);
}

/** Letters that Sinhala, Tamil and Bengali put after the last word of a name for "and", "of" and "to". */
const MOST_SUFFIX = 2;
/** A phrase for food whose last word has such an ending: "sudu lunui", and garlic. */
function endedAt(words: readonly string[], at: number): Phrase | undefined {
  const phrase = PHRASES.get(words[at]!)?.find(
    (one) =>
      one.words.length > 1 &&
      isFood(one.meanings) &&
      one.words.every((word, step) => {
        const typed = words[at + step] ?? '';
        if (step < one.words.length - 1) return typed === word;
        return typed.startsWith(word) && typed.length - word.length <= MOST_SUFFIX;
      }),
  );
  return phrase && { words: words.slice(at, at + phrase.words.length), meanings: phrase.meanings };
}

/** The phrase that begins at a word, the longest one; also a word for food that is typed as two: sea food, mush rooms. */
export function phraseAt(words: readonly string[], at: number): Phrase | undefined {
  const exact = PHRASES.get(words[at]!)?.find((one) => one.words.every((word, step) => words[at + step] === word));
  const phrase = (exact?.words.length ?? 1) > 1 ? exact : (endedAt(words, at) ?? exact);
  const [one = '', two] = words.slice(at, at + 2);
  const whole = phrase || two === undefined || SINGLE.has(one) ? undefined : SINGLE.get(one + two);
  return whole && isFood(whole) ? { words: [one, two!], meanings: new Set(whole) } : phrase;
}

const LEAST_STEM = 4;
const severalOf = (word: string) => (word.endsWith('s') ? SINGLE.get(word.slice(0, -1)) : undefined);
const beginsAlike = (word: string, other: string) =>
  other[0] === word[0] || (other[0] === word[1] && other[1] === word[0]);
/** What the words mean that a word differs from by the slips that are forgiven; where it is `isAlike` alone. */
export function mistypedOf(
  word: string,
  isAlike: (word: string, other: string) => boolean = () => true,
): ReadonlySet<Meaning> {
  const several = severalOf(word);
  const most = several && isFood(several) ? 0 : forgiven(word.length);
  if (most === 0) return NOTHING;
  const near = (BY_START.get(word[0]!) ?? []).filter(
    (one) =>
      beginsAlike(word, one) &&
      slips(word, one, most) <= Math.min(most, Math.max(1, forgiven(one.length))) &&
      isAlike(word, one),
  );
  return new Set(near.flatMap((one) => [...SINGLE.get(one)!]));
}
const SHORT = 6;
const lettersIn = (word: string) => [...word].sort().join('');
const isSameWord = (word: string, other: string) =>
  word.length >= SHORT || soundOf(word).exact === soundOf(other).exact || lettersIn(word) === lettersIn(other);
/**
 * Whether a word is taken for another only because one letter of a few is another, and so may as well be a word that
 * nobody here knows: a mold is no malu.
 */
export const isGuess = (word: string): boolean =>
  !SINGLE.has(word) &&
  meantHeard(word).size === 0 &&
  mistypedOf(word).size > 0 &&
  mistypedOf(word, isSameWord).size === 0;

/** What a word means that is in no catalogue as it is typed: several of it, with the slips that are forgiven, or with an ending that Indian languages add. */
export function nearlyMeant(word: string): ReadonlySet<Meaning> {
  const several = severalOf(word);
  if (several && isFood(several)) return several;
  if (forgiven(word.length) === 0) return NOTHING;
  const joined = JOINED.get(word);
  if (joined && isFood(joined)) return joined;
  const spelled = meantHeard(word);
  // Dairy with two letters swapped sounds like curd in Tamil; both may be meant.
  if (spelled.size > 0) return new Set([...spelled, ...mistypedOf(word, isSameWord)]);
  const near = mistypedOf(word);
  if (near.size > 0) return near;
  if (/[a-z]/.test(word)) return meantBare(word);
  for (const [ending, instead] of TOO) {
    const meanings = word.endsWith(ending) ? SINGLE.get(word.slice(0, -ending.length) + instead) : undefined;
    if (meanings && isFood(meanings)) return meanings;
  }
  for (let end = word.length - 1; end >= LEAST_STEM; end -= 1) {
    const stem = word.slice(0, end);
    // A Tamil word in -am has -att before an ending.
    const meanings =
      SINGLE.get(stem) ?? (word.startsWith('\u0ba4\u0bcd\u0ba4', end) ? SINGLE.get(`${stem}\u0bae\u0bcd`) : undefined);
    if (meanings && isFood(meanings)) return meanings;
  }
  return NOTHING;
}

/** The endings for "to", "of" and "too" as they are typed in Latin letters: mirisata, biththarawalata, dimer, poondukku, kirith, maluyi. */
const LATIN_ENDING = /(?:w?alata|w?ata|ta|te|er|ukku|kku|ku|yum|um|th|yi|o)$/;
/** What ends an Indian word for "too", and what stands without it: ডিমও, කිරිත්, முட்டையும், பாலும். */
const TOO: readonly (readonly [ending: string, instead: string])[] = [
  ['\u0993', ''],
  ['\u0dad\u0dca', ''],
  ['\u0baf\u0bc1\u0bae\u0bcd', ''],
  ['\u0bc1\u0bae\u0bcd', '\u0bcd'],
];
function meantBare(word: string): ReadonlySet<Meaning> {
  const stem = word.replace(LATIN_ENDING, '');
  const meanings = stem.length < LEAST_STEM || stem === word ? undefined : SINGLE.get(stem);
  return meanings && isFood(meanings) ? meanings : NOTHING;
}

/** What makes somebody ill who is allergic. */
export const RISKS: readonly Meaning[] = [
  ...(['gluten', 'milk', 'egg', 'nuts', 'mustard', 'sesame', 'soya', 'fish', 'prawn'] as const),
];
const LEAST_RISK = 4;
/** Single words for what makes somebody ill; cheese is milk. */
const RISK_WORDS = [...SINGLE].filter(
  ([word, all]) => word.length >= LEAST_RISK && (RISKS.some((one) => all.has(one)) || all.has('cheese')),
);
/**
 * What the words for allergens mean from which a word is one slip away, whatever letter that changes: of what must not be
 * in a dish all that may be meant is left out.
 */
export function nearRisks(word: string): ReadonlySet<Meaning> {
  return new Set(RISK_WORDS.flatMap(([other, all]) => (other !== word && slips(word, other, 1) === 1 ? [...all] : [])));
}

const LEAST_BEGUN = 3;
/** What the words for food mean that a word begins, as while one types: mushr. */
export function begunMeanings(word: string): ReadonlySet<Meaning> {
  if (word.length < LEAST_BEGUN) return NOTHING;
  const meanings = new Set<Meaning>();
  for (const [one, all] of SINGLE)
    if (one.startsWith(word) && isFood(all)) for (const meaning of all) meanings.add(meaning);
  return meanings;
}

/** Words that deny, with what they mean. */
const isDenying = (all: ReadonlySet<Meaning>) => (['no', 'after', 'free'] as const).some((one) => all.has(one));
const DENYING = [...SINGLE].filter(([, all]) => isDenying(all));
const LEAST_ENDING = 4;
/** Endings and beginnings that deny the rest of a word: eggless, வெங்காயமில்லாமல், pyaznahi; nocheese, withoutonion. */
const ENDINGS = DENYING.filter(([word, all]) => !all.has('no') && word.length >= LEAST_ENDING).map(([word]) => word);
const BEGINNINGS = DENYING.filter(([word, all]) => all.has('no') && /^[a-z]{2}/.test(word)).map(([word]) => word);
const LEAST_DENIED = 3;
const deniedWord = (stem: string) => (stem.length >= LEAST_DENIED && isDishWord(stem) ? SINGLE.get(stem) : undefined);
/** What a word means that has a "no" on it, and whether that stands before it. */
export function splitDenied(
  word: string,
): { readonly meanings: ReadonlySet<Meaning>; readonly isBefore: boolean } | undefined {
  if (SINGLE.has(word)) return undefined;
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    // A Tamil word loses the sign of its last consonant when it is joined.
    const meanings = deniedWord(stem) ?? deniedWord(`${stem}\u0bcd`) ?? deniedWord(`${stem}s`);
    if (meanings) return { meanings, isBefore: false };
  }
  for (const beginning of BEGINNINGS) {
    const meanings = word.startsWith(beginning) ? deniedWord(word.slice(beginning.length)) : undefined;
    if (meanings) return { meanings, isBefore: true };
  }
  return undefined;
}

const LEAST_DENYING = 5;
const DENYING_HEARD = new Map(DENYING.filter(([word]) => /^[a-z]/.test(word)).map(([word, all]) => [heard(word), all]));
/**
 * Verbs of a language, and the "not" that it puts behind them and that some write on them: খাইনা, parina, சாப்பிடமாட்டன்.
 * Hindi's short one asks politely there: karona.
 */
const LEAST_VERB = 3;
const VERBS = ALL.slice(1).map((catalogue) => {
  const wordsIn = (list: string) =>
    list.split(',').flatMap((phrase) => {
      const words = wordsOf(phrase);
      return words.length === 1 ? words : [];
    });
  const least = catalogue === hi ? LEAST_ENDING : 2;
  const nots = wordsIn(catalogue.after).filter((one) => one.length >= least);
  return { verbs: new Set(wordsIn(catalogue.filler).filter((one) => one.length >= LEAST_VERB)), nots };
});
const AFTER: ReadonlySet<Meaning> = new Set(['after']);
/** How verbs of Tamil and Bengali end that deny, whichever verb it is: சேராது, aagaadhu, தொடமாட்டன், লাগেনা. */
const DENYING_VERB =
  /(?:\u0bbe\u0ba4\u0bc1|\u0bbe\u0bae\u0bb2\u0bcd|aat?d?hu|aamal|maat+[aoe]+[nm]|(?:\u0987|\u09bf|\u09c7|\u09c7\u09a8|\u09ac|\u09ac\u09cb|\u09af)\u09a8\u09be)$/;
const TAMIL_WONT = '\u0bae\u0bbe\u0b9f\u0bcd\u0b9f';
const isVerbDenied = (word: string) =>
  (word.length >= LEAST_DENYING && (DENYING_VERB.test(word) || word.indexOf(TAMIL_WONT) > 1)) ||
  VERBS.some(({ verbs, nots }) => nots.some((not) => word.endsWith(not) && verbs.has(word.slice(0, -not.length))));

/** The meaning of a denying word with one slip or another spelling that is like no other word: withuot. */
export function nearlyDenying(word: string, isWord: (word: string) => boolean): ReadonlySet<Meaning> {
  if (isWord(word)) return NOTHING;
  const joined = JOINED.get(word);
  if (joined && isDenying(joined)) return joined;
  if (isVerbDenied(word)) return AFTER;
  if (word.length < LEAST_DENYING) return NOTHING;
  const like = (other: string) =>
    Math.abs(other.length - word.length) < 2 &&
    (other[0] === word[0] || other[1] === word[0]) &&
    slips(word, other, 1) < 2;
  const said = DENYING_HEARD.get(heard(word));
  if (said) return said;
  const [near] = DENYING.filter(([other]) => other.length >= LEAST_DENYING && like(other));
  return near &&
    ![...SINGLE].some(([other, all]) => all !== near[1] && !all.has('no') && !all.has('after') && like(other))
    ? near[1]
    : NOTHING;
}
