import {
  begunMeanings,
  GRAMMAR,
  isGuess,
  isKnown,
  mistypedOf,
  nearlyDenying,
  nearlyMeant,
  nearRisks,
  phraseAt,
  RISKS,
  splitDenied,
  type Meaning,
} from './dishwords.ts';
import { numberAt } from './numberWords.ts';
import { wordsOf } from './slips.ts';
import { latinDigits } from './typedText.ts';

// Reads what is typed about dishes, and what their texts say of them: what is denied, and between what amounts a price is.

/** A word or phrase of a text. */
export interface Token {
  readonly words: readonly string[];
  readonly meanings: ReadonlySet<Meaning>;
  isDenied?: boolean;
  /** It says nothing more: the "no" that denies a food, and "red" in "no red onions". */
  isIdle?: boolean;
  /** A word of which nothing is known, before what is denied: it may make another food of it, such as "soy" of milk. */
  isMissed?: boolean;
  /** A small number in words: how many of a dish, or a part of its name. */
  readonly isCount?: boolean;
  /** Either this or what stands before it. */
  readonly isOr?: boolean;
  /** Of a "less" or "extra": how much of a food is wanted, which is chosen when the dish is made. */
  isAmount?: boolean;
}

/** The words of a menu. */
export interface Known {
  readonly isWord: (word: string) => boolean;
  /** Whether a dish's name has these words, one after the other. */
  readonly isNamed: (words: readonly string[]) => boolean;
}

const NONE: ReadonlySet<Meaning> = new Set();
const COMMA: Token = { words: [], meanings: NONE };
/** The end of a sentence. */
const STOP: Token = { words: [], meanings: NONE };
const sign = (...meanings: Meaning[]): Token => ({ words: [], meanings: new Set(meanings) });
const SIGNS: Readonly<Record<string, Token>> = {
  ',': COMMA,
  ';': COMMA,
  '&': sign('and'),
  '+': sign('and'),
  '/': sign('and'),
  '<': sign('under'),
  '≤': sign('under'),
  '>': sign('over'),
  '≥': sign('over'),
  '₹': sign('money'),
  '৳': sign('money'),
  '/-': sign('money'),
  '~': sign('filler'),
  '-': sign('no'),
  '!': sign('no'),
};
const DENYING: readonly Meaning[] = ['no', 'after', 'free'];
/** Food and animals that are drawn and stand in no row of `DRAWN`: nothing is known of them. */
const PICTURED = /[\u{1f32d}-\u{1f37f}\u{1f400}-\u{1f43f}\u{1f950}-\u{1f96f}\u{1f980}-\u{1f9cb}\u{1fad0}-\u{1fadf}]/u;
const SIGN = new RegExp(`(\\/-|[,;\\u0964&+<≤>≥₹৳~]|\\/(?=\\p{L}{2})|(?:^|\\s)[-!](?=\\p{L})|${PICTURED.source})`, 'u');
const signAt = (part: string): Token =>
  SIGNS[part.trim()] ?? (PICTURED.test(part) ? { words: [part], meanings: new Set(['unstated']) } : STOP);

export const hasOf = ({ meanings }: Token, some: readonly Meaning[]): boolean => some.some((one) => meanings.has(one));
/** What a word is, with what stands on it: eggless, nocheese. */
function tokensOfWord(word: string, known: Known | undefined): Token[] {
  const split = splitDenied(word);
  if (split) {
    const stem: Token = { words: [word], meanings: split.meanings };
    return split.isBefore ? [sign('no'), stem] : [stem, sign('free')];
  }
  const meanings = known && !known.isWord(word) ? nearlyMeant(word) : NONE;
  return [{ words: [word], meanings: known && meanings.size === 0 ? nearlyDenying(word, known.isWord) : meanings }];
}

/** A number that is typed in words, where one begins at a word: an amount in digits, or a small one as it stands. */
function numberOf(words: readonly string[], at: number, meanings: ReadonlySet<Meaning>, isPhrase: boolean) {
  const number = numberAt(words, at);
  if (!number) return undefined;
  if (number.value < LEAST_AMOUNT && number.length === 1)
    return isPhrase ? undefined : { tokens: [{ words: [words[at]!], meanings, isCount: true }], length: 1 };
  const amount: Token = { words: [String(number.value)], meanings: NONE };
  return { tokens: number.isWithin ? [amount, sign('within')] : [amount], length: number.length };
}
function tokensOfWords(words: readonly string[], known: Known | undefined): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < words.length;) {
    const phrase = phraseAt(words, at);
    const isLong = (phrase?.words.length ?? 1) > 1;
    const number = known && numberOf(words, at, phrase?.meanings ?? NONE, isLong);
    const left = [...(phrase?.meanings ?? [])].flatMap((one) => LEFT_OUT[one] ?? []);
    if (phrase && left.length > 0) tokens.push({ ...phrase, meanings: new Set(left) }, sign('free'));
    else tokens.push(...(number?.tokens ?? (phrase ? [phrase] : tokensOfWord(words[at]!, known))));
    at += number?.length ?? phrase?.words.length ?? 1;
  }
  return tokens;
}

/** What is drawn instead of written: a food, or that there shall be none of it. */
const DRAWN: readonly (readonly [RegExp, string])[] = [
  [/[🚫⛔❌✖✗✘❎🙅👎🚯🈲🛑➖\u2212](?:[\u{1f3fb}-\u{1f3ff}]|\u200d[♀♂])*/gu, ' no '],
  [/[🥜🌰]/gu, ' nuts '],
  [/[🥚🍳]/gu, ' egg '],
  [/[🦐🍤🦀🦞]/gu, ' prawn '],
  [/[🐟🐠🍣]/gu, ' fish '],
  [/[🍗🐔🐓]/gu, ' chicken '],
  [/[🐄🐮🐂]/gu, ' beef '],
  [/[🐖🐷🥓]/gu, ' pork '],
  [/🥩/gu, ' meat '],
  [/🥛/gu, ' milk '],
  [/🧀/gu, ' cheese '],
  [/🧈/gu, ' butter '],
  [/[🌾🍞🥖🥐]/gu, ' wheat '],
  [/🧅/gu, ' onion '],
  [/🧄/gu, ' garlic '],
  [/🍄/gu, ' mushroom '],
  [/🌽/gu, ' corn '],
  [/🍅/gu, ' tomato '],
  [/🌶/gu, ' chilli '],
  [/🍍/gu, ' pineapple '],
  [/[🥔🍟]/gu, ' potato '],
  [/[🐑🐏🐐]/gu, ' mutton '],
  [/[🍖🦆🦃]/gu, ' meat '],
  [/🌭/gu, ' sausage '],
  [/🫒/gu, ' olive '],
  [/🫑/gu, ' capsicum '],
  [/🫚/gu, ' ginger '],
  [/🫘/gu, ' soya '],
  [/🍫/gu, ' chocolate '],
  [/[🍨🍦🍰🧁]/gu, ' dessert '],
  [/[🥤🧃]/gu, ' drink '],
  [/☕/gu, ' coffee '],
  [/🥭/gu, ' mango '],
  [/🍋/gu, ' lemon '],
  [/🍕/gu, ' pizza '],
];
const inWords = (text: string) => DRAWN.reduce((said, [drawn, word]) => said.replace(drawn, word), text);

/** Digits and signs that are typed for the letters that they look like, in a word that is known with those: n0 on1on, m!lk. */
const DIGIT_LOOKS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const unmasked = (word: string) => {
  if (!/\p{L}/u.test(word) || !/[\d@$!]/.test(word)) return word;
  const letters = word.replace(/[\d@$!]/g, (sign) => DIGIT_LOOKS[sign] ?? sign);
  return wordsOf(letters).every(isKnown) ? letters : word;
};

/** Who means Hindi's "that" by "wo" says more than this word in Hindi; else it is "w/o" without its stroke. */
const HINDI =
  /[^\p{ASCII}]|\b(w[ao]+l[aei]+|jo|jis\w*|ch?a+h\w*|d[eo]|dena|dikha\w*|hai|k[aei]|mein?|bhi|lao|mang\w*)\b/iu;

const withStroke = (text: string) => (HINDI.test(text) ? text : text.replace(/(^|\P{L})wo (?=\p{L})/giu, '$1without '));

/** Words and phrases with what they mean; numbers are apart from the letters on them, and whole. */
function tokensOf(text: string, most: number, known?: Known): Token[] {
  const tokens: Token[] = [];
  const parts = inWords(withStroke(text))
    .replace(/\p{Nd}+/gu, latinDigits)
    .replace(/[^\s,;]+/g, unmasked)
    // "We're 7" is no price.
    .replace(/(\p{L})['\u2019](?:re|ve|ll)(?!\p{L})/giu, '$1')
    .replace(/\bw\/out\b/gi, 'without')
    // "No ,onion".
    .replace(/\b(no|without) +,(?=\p{L})/giu, '$1 ')
    .replace(/\b(no|non|not)\/(?=\p{L})/giu, '$1 ')
    .replace(/(^|[\s,;])0 (?=\p{L})/gu, '$1zero ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    // "~mushroom" takes it away; between numbers it is a range.
    .replace(/(^|\s)~(?=\p{L})/gu, '$1-')
    .replace(/(\d) ?- ?(?=\d)/g, '$1~')
    .replace(/(\d),(?=\d{2,3}(?!\d))/g, '$1')
    .replace(/(\d) (?=000(?!\d))/g, '$1')
    .replace(/(\d\d)\.\d{1,2}(?!\d)/g, '$1')
    .replace(/(\d)k(?![a-z])/gi, '$1000')
    .replace(/(\d)(?=[^\d\s])/g, '$1 ')
    .replace(/([^\d\s])(?=\d)/g, '$1 ')
    .split(SIGN);
  for (const [place, part] of parts.entries()) {
    if (place % 2 === 1) tokens.push(signAt(part));
    else
      for (const token of tokensOfWords(wordsOf(part), known))
        if (tokens.length < most && !isSameMeat(token, tokens[tokens.length - 1])) tokens.push(token);
  }
  return tokens;
}
/** Who has an illness or keeps a rule says so, and means what has to be left out. */
const LEFT_OUT: Readonly<Partial<Record<Meaning, readonly Meaning[]>>> = {
  coeliac: ['gluten'],
  satvik: ['onion', 'garlic'],
  diabetic: ['sugar'],
};

/** What is ordered, beside what is in it. */
export const DISHES: readonly Meaning[] = [
  ...(['pizza', 'pasta', 'rice', 'bread', 'combo', 'dessert', 'drink', 'soup', 'cola', 'coffee'] as const),
  ...(['lassi', 'water', 'wings', 'gulab', 'watalappan'] as const),
];
/** What is on or in a dish and nobody orders alone: a row of these is a list. */
const PARTS: readonly Meaning[] = [
  ...(['onion', 'garlic', 'potato', 'capsicum', 'pepper', 'tomato', 'mushroom', 'corn', 'chilli', 'olive'] as const),
  ...(['spinach', 'pineapple', 'coriander', 'basil', 'mint', 'ginger', 'nuts', 'mustard', 'sesame', 'soya'] as const),
  ...(['egg', 'milk', 'gluten', 'sugar', 'unstated'] as const),
];
const MEATS: readonly Meaning[] = ['chicken', 'beef', 'pork', 'mutton', 'meat', 'minced', 'sausage', 'fish', 'prawn'];
const PAIR: readonly Meaning[] = ['onion', 'garlic'];

/** "Gorur mangsho", the meat of cows, is beef. */
const isSameMeat = ({ meanings }: Token, last: Token | undefined) =>
  meanings.size === 1 && meanings.has('meat') && last !== undefined && hasOf(last, MEATS) && !hasOf(last, ['meat']);

const isEnd = (token: Token | undefined) => token === undefined || token === COMMA || token === STOP;
const isFood = (token: Token | undefined): token is Token =>
  !isEnd(token) && [...token!.meanings].every((one) => !GRAMMAR.has(one));
const means = (token: Token | undefined, some: readonly Meaning[]) => token !== undefined && hasOf(token, some);
const isNumber = (token: Token | undefined) => /^\d+$/.test(token?.words[0] ?? '');

/** How many words of which nothing is known may stand between a "no" and its food. */
const BETWEEN_MOST = 2;
/**
 * The next food from a place on, over words that say nothing: "no red onions". A word of which nothing is known is one
 * itself where no food follows, or a dish.
 */
function foodFrom(tokens: readonly Token[], from: number, step: 1 | -1): number | undefined {
  let unknown: number | undefined;
  let count = 0;
  for (let at = from; !isEnd(tokens[at]); at += step) {
    const token = tokens[at]!;
    if (hasOf(token, ['filler', 'less', 'extra']) || isNumber(token)) continue;
    if (unknown === undefined && hasOf(token, step === 1 ? ['with'] : ['and'])) continue;
    if (!isFood(token)) break;
    if (token.meanings.size > 0) return unknown !== undefined && hasOf(token, DISHES) ? unknown : at;
    unknown ??= at;
    count += 1;
    if (count > BETWEEN_MOST) break;
  }
  return unknown;
}
/** The food before a "no". Of "onion pizza" or "tomato sauce" it is what the dish is made of. */
function foodBefore(tokens: readonly Token[], from: number): number | undefined {
  const at = foodFrom(tokens, from, -1);
  const isMade = at !== undefined && means(tokens[at], [...DISHES, 'dip']) && !isEnd(tokens[at - 1]);
  const made = isMade ? foodFrom(tokens, at - 1, -1) : undefined;
  const isOf = made !== undefined && tokens[made]!.meanings.size > 0 && !means(tokens[made], DISHES);
  return isOf ? made : at;
}

/** Hindi's "of", by which a "without" belongs to what stands before it. */
const OF: ReadonlySet<string> = new Set(['ka', 'ki', 'ke', 'k', 'का', 'की', 'के']);
/** Hindi's "not", which stands before a verb. */
const isNot = ({ words }: Token) => /^(?:naa?|न|ना)$/.test(words[0] ?? '');
/** Whether two foods may stand in one list. */
const isAlike = (one: Token, other: Token) =>
  [PARTS, MEATS, RISKS].some((some) => hasOf(one, some) && hasOf(other, some));
/** Whether a word that may deny on both sides denies what stands after it. */
function deniesNext(tokens: readonly Token[], at: number, next: Token, last: Token | undefined): boolean {
  const { meanings } = tokens[at]!;
  // "Na pyaz na lehsun": what stands before is denied already.
  if (last === undefined || last.isDenied === true) return true;
  const isDish = hasOf(next, DISHES);
  // "Chicken na ho, paneer ho", and Bengali's "dim na chicken pizza".
  const isBehind = tokens[at - 1] === last && !hasOf(last, DISHES);
  if (isBehind && (tokens[at]!.words.length > 1 || (isNot(tokens[at]!) && !isAlike(last, next)))) return false;
  // "Pyaz ka bina pizza": what stands after is the dish; in "pizza chahiye bina pyaz" it is denied.
  const between = tokens[at - 1]?.meanings.has('filler') === true ? tokens[at - 1] : undefined;
  const isBound = between !== undefined && (isNot(tokens[at]!) || OF.has(between.words.join(' ')));
  if (meanings.has('no')) return !isDish && !isBound;
  return hasOf(last, DISHES) && !isDish && next.meanings.size > 0;
}

/** "No thanks, I want mushrooms" refuses what was offered; "no thanks mushrooms" refuses those. */
function isRefusal(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.words.length < 2 || !/^than|^th?[xy]$/.test(tokens[at]!.words[1]!)) return false;
  let next = at + 1;
  while (means(tokens[next], ['filler']) && !means(tokens[next], ['with'])) next += 1;
  return means(tokens[next], ['with']);
}
/** Where the food is that a "no" denies, and to which side of the "no". */
function denied(tokens: readonly Token[], at: number): readonly [food: number, step: 1 | -1] | undefined {
  const { meanings } = tokens[at]!;
  const isAfter = meanings.has('after');
  // "Sara" may be hot, too: it denies what stands before it alone.
  const isPlain = [...meanings].every((one) => GRAMMAR.has(one));
  const isNextToo = (meanings.has('no') || (isAfter && isPlain)) && !isRefusal(tokens, at);
  const next = isNextToo ? foodFrom(tokens, at + 1, 1) : undefined;
  const last = isAfter ? foodBefore(tokens, at - 1) : undefined;
  const isNext =
    next !== undefined &&
    (!isAfter || deniesNext(tokens, at, tokens[next]!, last === undefined ? undefined : tokens[last]));
  if (isNext) return [next, 1];
  if (last !== undefined) return [last, -1];
  // "Egg, no".
  const place = tokens[at - 1] === COMMA && isEnd(tokens[at + 1]) ? at - 2 : at - 1;
  const close = tokens[place];
  // "Sugar free", and not "coke free" or "buy one, get one free".
  const isOrdered = isFood(close) && hasOf(close, DISHES) && close.words.some(isKnown);
  const isClose = meanings.has('free') && isFood(close) && close.meanings.size > 0 && !isOrdered;
  return isClose ? [place, -1] : undefined;
}

/** How a food may be joined to a denied one. */
type Joint = 'and' | 'comma' | 'row';
/** Whether what stands before or after a denied food is denied, too. */
function isJoined(tokens: readonly Token[], one: number, other: number, joint: Joint): boolean {
  const [here, food] = [tokens[one]!, tokens[other]!];
  if (hasOf(here, PAIR) && hasOf(food, PAIR)) return true;
  // "No cold drinks".
  if (joint === 'row' && hasOf(food, [...here.meanings])) return true;
  const isOrdered = hasOf(food, DISHES) && !hasOf(here, DISHES);
  if (joint === 'and') return !isOrdered;
  const isBefore = other > one;
  if (joint === 'comma' && isBefore) return !isOrdered && !means(tokens[other + 1], DISHES);
  if (!isAlike(here, food)) return false;
  // "No onion tomato" is a list; in "no onion corn pizza" the corn is wanted.
  let end = other;
  while (isBefore && means(tokens[end], [...PARTS, ...MEATS])) end += 1;
  return !isBefore || !means(tokens[end], DISHES);
}

/** The food that is joined to a denied one: "no onion, garlic and mushrooms", "pyaz aur lehsun nahi". */
function joined(tokens: readonly Token[], one: number, step: 1 | -1, known: Known | undefined): number | undefined {
  let at = one + step;
  // "Allergic to nuts. Also milk."
  const isListed = tokens[at] === COMMA || (tokens[at] === STOP && step === 1 && means(tokens[at + 1], ['and']));
  if (isListed) at += step;
  let isAnd = false;
  // "Nuts and also milk".
  for (; means(tokens[at], ['and']); at += step) isAnd = true;
  // "No onion and extra cheese".
  if (means(tokens[at], ['with'])) return undefined;
  const other = isListed || isAnd ? foodFrom(tokens, at, step) : at;
  const food = other === undefined ? undefined : tokens[other];
  // "No cashews, vegan": nobody denies two diets.
  if (other === undefined || !isFood(food) || hasOf(food, DIETS)) return undefined;
  if (food.meanings.size === 0 && known && !food.words.some(known.isWord)) return undefined;
  return isJoined(tokens, one, other, isAnd ? 'and' : isListed ? 'comma' : 'row') ? other : undefined;
}

/** Who is ill from curd is ill from milk; who only wants none may have cheese. */
const DAIRY: readonly Meaning[] = ['paneer', 'yogurt', 'lassi'];
const ALLERGY = /^(?:ell?|all?)[ae]r[gj]|^intoler|^asat+h?mik|^ov+a+mai|^ot+h?uk+|एलर्ज|লার্জ|ඇල|සාත්මික|ஒவ்வா|ஒத்துக்கா|அலர்ஜ/;
const isAllergy = ({ words }: Token) => words.some((word) => ALLERGY.test(word));

/** A shorter word of a sentence is not taken for a mistyped allergen, nor one in a longer query. */
const LEAST_MISTAKEN = 3;
const MOST_MISTAKEN = 4;
const isFiller = (token: Token | undefined) => token?.meanings.has('filler') === true;
/** Whether a word only orders a sentence or counts. */
const isSaying = (token: Token) => token.isCount === true || (token.meanings.size > 0 && !isFood(token));
/** The place of the word that a "no" may belong to, after or before it; in "and se allergy hai" the one before "se". */
function besideOf(tokens: readonly Token[], at: number): readonly [place: number, step: 1 | -1] {
  const token = tokens[at]!;
  const next = tokens[at + 1];
  const isLast = hasOf(token, ['after']) && (isEnd(next) || isFiller(next));
  const step = hasOf(token, ['no']) && !isLast ? 1 : -1;
  return [isAllergy(token) && isFiller(tokens[at + step]) ? at + 2 * step : at + step, step];
}
/**
 * What a "no" denies that belongs to no food: the word before "free" of which nothing is known, and a word of a sentence
 * beside it that is one slip from an allergen: "no what" is no wheat. "Acha nahi laga" is no wish: the word stands after
 * its "no", or beside an allergy, and little else is said.
 */
function nearlyDenied(
  tokens: readonly Token[],
  at: number,
  known: Known,
): readonly [food: number, step: 1 | -1] | undefined {
  const token = tokens[at]!;
  const [place, step] = besideOf(tokens, at);
  const other = tokens[place];
  if (other?.words.length !== 1 || isNumber(other)) return undefined;
  const word = other.words[0]!;
  const isUnknown = other.meanings.size === 0 && other.isCount !== true && !known.isWord(word);
  if (isUnknown) return hasOf(token, ['free']) && !hasOf(token, ['no', 'after']) ? [at - 1, -1] : undefined;
  const isWish = (step === 1 || isAllergy(token) || !isFiller(other)) && tokens.length <= MOST_MISTAKEN;
  const risks = isWish && isSaying(other) && word.length >= LEAST_MISTAKEN ? nearRisks(word) : NONE;
  if (risks.size === 0) return undefined;
  Object.assign(other, { meanings: risks });
  return [place, step];
}
const deniedIn = (tokens: readonly Token[], at: number, known: Known | undefined) =>
  denied(tokens, at) ?? (known && nearlyDenied(tokens, at, known));

/** Whether a number after a "no" is one: "No. 1", "order no 4521"; in "no0 onion" and "no1 egg" a finger slipped. */
function isOrdinal(tokens: readonly Token[], at: number): boolean {
  const number = tokens[at]?.words[0] ?? '';
  const food = tokens[at + 1];
  const isSlip = /^0+$/.test(number) || (/^\d$/.test(number) && isFood(food) && hasOf(food, [...PARTS, ...MEATS]));
  return /^\d+$/.test(number) && !isSlip;
}

/** Denies what a "no" at a place belongs to, with what is joined to it. False where it belongs to nothing. */
function deny(tokens: readonly Token[], at: number, known: Known | undefined): boolean {
  if (tokens[at]!.meanings.has('no') && isOrdinal(tokens, at + 1)) {
    tokens[at + 1]!.isIdle = true;
    return true;
  }
  const [first, step] = deniedIn(tokens, at, known) ?? [];
  if (first === undefined || step === undefined) return false;
  // "Is there egg in watalappan, my daughter is allergic": nobody is ill from a dish who names what it is in it.
  if (isAllergy(tokens[at]!) && hasOf(tokens[first]!, DISHES) && tokens.some((one) => hasOf(one, RISKS))) return true;
  for (let between = at + step; between !== first; between += step) {
    const token = tokens[between];
    if (!isFood(token)) continue;
    idle(token);
    token.isMissed = token.meanings.size === 0 && hasOf(tokens[first]!, RISKS);
  }
  if (step === 1) denyBoth(tokens, at, tokens[first]!);
  for (let one: number | undefined = first; one !== undefined; one = joined(tokens, one, step, known)) {
    denyOne(tokens[one]!, isAllergy(tokens[at]!));
    // "No tomato sauce".
    const after = tokens[one + 1];
    if (after?.meanings.has('dip') && isFood(after) && !tokens[one]!.meanings.has('dip')) idle(after);
  }
  return true;
}
/** "Pyaz na lehsun" is neither. In Bengali only the first is meant, but no beef is shown for "beef na murgi" either. */
function denyBoth(tokens: readonly Token[], at: number, next: Token): void {
  const last = tokens[at - 1];
  if (isNot(tokens[at]!) && isFood(last) && isAlike(last, next)) denyOne(last, false);
}
function idle(token: Token) {
  token.isIdle = true;
}
const MAYO: ReadonlySet<Meaning> = new Set(['mayo', 'egg']);
function denyOne(token: Token, isIll: boolean) {
  token.isDenied = true;
  // Mayonnaise is made of eggs, whatever one wants it off for; another dip is none.
  if (hasOf(token, ['mayo'])) Object.assign(token, { meanings: MAYO });
  if (isIll && hasOf(token, DAIRY)) Object.assign(token, { meanings: new Set<Meaning>([...token.meanings, 'milk']) });
}

/** Denies all of it for who tells of an allergy, but in what is ordered: "nuts se allergy hai, egg se bhi". */
function denyRisks(tokens: readonly Token[], known: Known): void {
  if (!tokens.some((token) => token.isIdle && isAllergy(token))) return;
  for (const [at, token] of tokens.entries()) {
    const next = tokens[foodFrom(tokens, at + 1, 1) ?? -1];
    const isInName = [tokens[at - 1], tokens[at + 1]].some(
      (other, one) =>
        isFood(other) && known.isNamed(one === 0 ? [...other.words, ...token.words] : [...token.words, ...other.words]),
    );
    if (hasOf(token, RISKS) && !isInName && !means(tokens[at - 1], ['with']) && !means(next, DISHES))
      token.isDenied = true;
  }
}

/** What must not be in a dish for somebody: less of it is none of it. Of oil or salt the menu does not know how much it is. */
const UNSAFE: readonly Meaning[] = [...RISKS, 'sugar', 'unstated'];
const MILD: ReadonlySet<Meaning> = new Set(['mild']);
/** Reads "less onion", "onion kam" and "extra cheese" where nothing denies: one wants a dish with that much of it. */
function weigh(tokens: readonly Token[], at: number, known: Known): void {
  const isLess = tokens[at]!.meanings.has('less');
  if (tokens.slice(Math.max(0, at - 1), at + 2).some((one) => isNumber(one) || means(one, ['money']))) return;
  const isPart = (place: number | undefined) =>
    place !== undefined &&
    tokens[place]!.meanings.size > 0 &&
    !hasOf(tokens[place]!, DISHES) &&
    !tokens[place]!.isDenied;
  const [next, last] = [foodFrom(tokens, at + 1, 1), foodBefore(tokens, at - 1)];
  const food = [next, last].find(isPart);
  if (food === undefined) return;
  tokens[at]!.isIdle = true;
  weighOne(tokens[food]!, isLess);
  // "Jhal ar peyaj kom": less of both.
  const other = isLess ? joined(tokens, food, food === next ? 1 : -1, known) : undefined;
  if (other !== undefined && [food, other].every((one) => hasOf(tokens[one]!, PARTS))) weighOne(tokens[other]!, isLess);
}
function weighOne(token: Token, isLess: boolean): void {
  if (isLess && hasOf(token, ['chilli'])) Object.assign(token, { meanings: MILD });
  else if (!isLess) token.isAmount = true;
  else if (hasOf(token, UNSAFE)) token.isDenied = true;
  else Object.assign(token, { isAmount: true, isIdle: true });
}

/** Words that take one thing for another, and those that say for which. "Change" alone changes sizes and addresses, too. */
const SWAP = /^(?:replac|swap|substitut|exchang|trad)(?:e|ed|ing|ping|ped)?$/;
const CHANGE = /^(?:chang(?:e|ed|ing)|switch(?:ed|ing)?|convert(?:ed|ing)?|turn)$/;
const INTO: ReadonlySet<string> = new Set(['with', 'for', 'to', 'by', 'into']);
const CANCEL = /^(?:cancel|stop)$/;
/** "Chicken ko paneer se badlo". */
const BADLO = /^bada?l|^बदल/;
const SE = /^(?:se|से)$/;
const OVER: ReadonlySet<string> = new Set(['over', 'to']);
const PREFER = /^prefer(?:red|s)?$/;
/** "Leave the onions out", "take mushrooms off". */
const LEAVE = /^(?:leave|leaving|take|taking|keep|keeping|cut|pick|pull|strip|throw|kick)$/;
const OUT: ReadonlySet<string> = new Set(['out', 'off', 'away', 'aside']);
const MOST_APART = 4;
/** "Mushrooms x", "olives off" and "mushrooms out" at the end, and no "20 off". */
const CROSSED = /^(?:off|out|x|×)$/;
const isPart = (token: Token | undefined): token is Token =>
  token !== undefined && isFood(token) && hasOf(token, [...PARTS, ...MEATS, ...RISKS, 'cheese', 'paneer']);

/** What stands around a word that exchanges: the first food, its place, and what follows it in its sentence. */
interface Exchange {
  readonly first: number;
  readonly rest: readonly Token[];
  /** The food after a word that says for which the first one is taken. */
  readonly second: number | undefined;
  readonly into: string;
}
function exchangeAt(
  tokens: readonly Token[],
  from: number,
  known: Known,
  more: ReadonlySet<string>,
): Exchange | undefined {
  const first = foodFrom(tokens, from, 1);
  if (first === undefined || (tokens[first]!.meanings.size === 0 && !tokens[first]!.words.every(known.isWord)))
    return undefined;
  const end = tokens.slice(first).findIndex((token) => isEnd(token));
  const rest = tokens.slice(first + 1, end < 0 ? undefined : first + end);
  const into = placeOf(rest, more);
  const second = into < 0 ? undefined : foodFrom(tokens, first + 2 + into, 1);
  const isKnownToo = second !== undefined && tokens[second]!.meanings.size > 0;
  return { first, rest, second: isKnownToo ? second : undefined, into: rest[into]?.words[0] ?? '' };
}
const placeOf = (tokens: readonly Token[], some: ReadonlySet<string>) =>
  tokens.findIndex(({ words }) => words.length === 1 && some.has(words[0]!));

/** Which foods a word that exchanges refuses, and the places of the words that say so. */
function refusedBy(
  tokens: readonly Token[],
  word: string,
  { first, rest, second, into }: Exchange,
): readonly [foods: readonly number[], more: readonly number[]] {
  if (LEAVE.test(word)) {
    const away = placeOf(rest.slice(0, MOST_APART), OUT);
    return away < 0 ? [[], []] : [[first], [first + 1 + away]];
  }
  if (PREFER.test(word)) return [second === undefined ? [] : [second], []];
  const isSwap = SWAP.test(word);
  if (second !== undefined && (isSwap || (isPart(tokens[first]) && !means(tokens[second], SIZES)))) {
    // What is put for another is wanted, but who is ill from it may mean the other way round.
    const isTurned = word.startsWith('substitut') && into === 'for';
    return [[...(isTurned ? [second] : []), ...(isTurned && !hasOf(tokens[first]!, RISKS) ? [] : [first])], []];
  }
  const isAlone = isPart(tokens[first]) && !rest.some((one) => hasOf(one, DISHES));
  return [isAlone && (isSwap || CANCEL.test(word)) ? [first] : [], []];
}
const EXCHANGING: readonly RegExp[] = [SWAP, CANCEL, PREFER, CHANGE, LEAVE];

/** Denies what is to be taken for another, or off: "replace chicken with paneer", "substitute paneer for chicken". */
function exchange(tokens: readonly Token[], at: number, known: Known): void {
  const [word = '', longer] = tokens[at]!.words;
  if (longer !== undefined || tokens[at]!.isIdle === true || !EXCHANGING.some((one) => one.test(word))) return;
  const isOut = OUT.has(tokens[at + 1]?.words.join(' ') ?? '');
  const found = exchangeAt(tokens, at + (isOut ? 2 : 1), known, PREFER.test(word) ? OVER : INTO);
  const [foods, more] = found ? refusedBy(tokens, word, found) : [[], []];
  if (foods.length === 0) return;
  for (const food of foods)
    for (let one: number | undefined = food; one !== undefined; one = joined(tokens, one, 1, known))
      denyOne(tokens[one]!, false);
  for (const one of [at, ...(isOut ? [at + 1] : []), ...more]) idle(tokens[one]!);
}
/** Denies by what stands between two foods, or after them: "paneer over chicken", "mushrooms x", "chicken ko paneer se badlo". */
function exchangeBehind(tokens: readonly Token[], at: number): void {
  const [word = ''] = tokens[at]!.words;
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (isPart(before) && word === 'over' && isPart(after)) denyOne(after, false);
  if (isPart(before) && CROSSED.test(word) && isEnd(after) && tokens[at]!.isIdle !== true) {
    denyOne(before, false);
    idle(tokens[at]!);
  }
  if (!BADLO.test(word) || !SE.test(before?.words[0] ?? '')) return;
  const wanted = foodFrom(tokens, at - 2, -1);
  const refused = wanted === undefined ? undefined : foodFrom(tokens, wanted - 1, -1);
  if (refused === undefined) return;
  denyOne(tokens[refused]!, false);
  Object.assign(tokens[at]!, { isIdle: true, meanings: NONE });
}

/** Tokens of a text, with those denied that a "no" belongs to. `known` for what is typed: slips in it are forgiven. */
export function read(text: string, most = Infinity, known?: Known): Token[] {
  const tokens = tokensOf(text, most, known).map((token) => (isEnd(token) ? token : { ...token }));
  if (known) for (const at of tokens.keys()) exchange(tokens, at, known);
  if (known) for (const at of tokens.keys()) exchangeBehind(tokens, at);
  for (const [at, token] of tokens.entries())
    if (hasOf(token, DENYING) && deny(tokens, at, known)) {
      token.isIdle = true;
      const food = tokens[at + 1];
      // A name is a name: "No Name", "Guilt Free".
      if (food?.isDenied && food.meanings.size === 0 && known?.isNamed([...token.words, ...food.words]))
        for (const one of [token, food]) Object.assign(one, { isDenied: false, isIdle: false, meanings: NONE });
    }
  if (known) {
    denyRisks(tokens, known);
    for (const [at, token] of tokens.entries())
      if (token.isIdle !== true && hasOf(token, ['less', 'extra'])) weigh(tokens, at, known);
  }
  return tokens.filter((token) => !isEnd(token));
}

/** What a query asks for. */
export interface Asked {
  readonly wanted: readonly Token[];
  readonly excluded: readonly Token[];
  readonly diets: ReadonlySet<Meaning>;
  /** Between what amounts, in minor units, a price has to be. */
  readonly least: number;
  readonly most: number;
  /** Whether it says anything of prices. */
  readonly isLimited: boolean;
  /** The lowest price first. */
  readonly isCheapest: boolean;
  /** Whether it has words that only order a sentence; what fits no dish says nothing there. */
  readonly isSentence: boolean;
  /** Whether it says how much of something is to be on a dish, and of what less. */
  readonly isAmount: boolean;
  readonly lessened: readonly Token[];
  /** Words of which nothing is known, beside what is denied. */
  readonly missed: readonly string[];
  /** Whether it asks for nothing. */
  readonly isEmpty: boolean;
}
/** Nobody denies a size alone: "bada chara" may be without nuts, badam. */
const SIZES: readonly Meaning[] = ['small', 'regular', 'medium', 'large'];
const DIETS: readonly Meaning[] = ['veg', 'nonveg', 'jain', 'halal', 'vegan', 'mild'];
const OR: Pick<Token, 'isOr'> = { isOr: true };
const MOST_WORDS = 8;
/** As many as a question to the assistant may have: what must not be in a dish may be said last. */
const MOST_TOKENS = 150;
/** Two smaller numbers are not amounts, and one before a dish is how many of it. */
const LEAST_AMOUNT = 20;
const isQuantity = (token: Token) => isNumber(token) && Number(token.words[0]) < LEAST_AMOUNT;

/** Takes prices out of a query: "under 200", "₹300 tak", "200 taka", "between 100 and 200". */
function limitsIn(tokens: Token[]): Pick<Asked, 'least' | 'most'> {
  const LIMITS: readonly Meaning[] = ['under', 'within', 'over'];
  const skip = (from: number, step: 1 | -1, over: readonly Meaning[]) => {
    let at = from;
    while (means(tokens[at], over) && !means(tokens[at], LIMITS)) at += step;
    return at;
  };
  const valueOf = (at: number) => Number(tokens[at]!.words[0]);
  const isMoneyAt = (at: number) => means(tokens[at - 1], ['money']) || means(tokens[at + 1], ['money']);
  for (const [at, token] of tokens.entries()) {
    if (!isNumber(token)) continue;
    const other = skip(at + 1, 1, ['money', 'filler', 'and']);
    const isRange = other > at + 1 && isNumber(tokens[other]) && valueOf(other) > Math.max(valueOf(at), LEAST_AMOUNT);
    const end = isRange ? other : at;
    const [before, after] = [skip(at - 1, -1, ['money', 'filler']), skip(end + 1, 1, ['money', 'filler'])];
    const isMoney = isMoneyAt(at) || isMoneyAt(end);
    const isBefore = means(tokens[before], ['under', 'over']);
    const isAfter = means(tokens[after], LIMITS);
    if (!isMoney && !isBefore && !isAfter && !isRange) continue;
    const isOver = !isRange && (means(tokens[before], ['over']) || means(tokens[after], ['over']));
    const from = isBefore ? before : means(tokens[at - 1], ['money']) ? at - 1 : at;
    const to = isAfter ? after : means(tokens[end + 1], ['money']) ? end + 1 : end;
    // In minor units. What else reads amounts stands in the first load, where nothing else needs it.
    const amount = (one: number) => Number(`${tokens[one]!.words[0]}00`);
    const least = isOver || isRange ? amount(at) : 0;
    const most = isOver ? Infinity : amount(end);
    tokens.splice(from, to - from + 1);
    return { least, most };
  }
  return { least: 0, most: Infinity };
}

/** Marks the second of "cola or lassi". */
function markEither(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    const after = hasOf(token, ['or']) ? tokens[foodFrom(tokens, at + 1, 1) ?? -1] : undefined;
    const pair = [tokens[at - 1], after];
    if (pair.every((one) => isFood(one) && one.isDenied !== true && !hasOf(one, DIETS))) Object.assign(after!, OR);
  }
}

const CHOICES: readonly Meaning[] = [
  ...DISHES,
  ...DIETS,
  ...(['small', 'regular', 'medium', 'large', 'thin', 'pan', 'burst', 'crust', 'starter', 'dip'] as const),
];
/** What only looks like a word for another food is one that the menu does not know: "no pista" is no pasta. */
const isOnlyLike = (words: readonly string[], meanings: ReadonlySet<Meaning>): boolean =>
  words.length === 1 &&
  !isKnown(words[0]!) &&
  meanings.size > 0 &&
  (isGuess(words[0]!) || ([...meanings].every((one) => CHOICES.includes(one)) && mistypedOf(words[0]!).size > 0));

/** Reads a query for a menu with these words. */
export function asked(query: string, known: Known): Asked {
  const tokens = read(query, MOST_TOKENS, known);
  const isSentence = tokens.flatMap((token) => (hasOf(token, ['filler', 'with']) ? token.words : [])).length > 1;
  const limits = limitsIn(tokens);
  // "2 cokes", "two cokes", "coke dui ta", and not "Garden Four".
  const isNamed = (one: Token | undefined, other: Token | undefined) =>
    isFood(one) && isFood(other) && known.isNamed([...one.words, ...other.words]);
  for (const [at, token] of tokens.entries()) {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (isQuantity(token) && isFood(after) && after.meanings.size > 0) idle(token);
    const isBeside = [before, after].some((one) => isFood(one) && one.isCount !== true);
    if (token.isCount && isBeside && !isNamed(before, token) && !isNamed(token, after)) idle(token);
  }
  markEither(tokens);
  const amounts = tokens.filter((token) => token.isAmount);
  // Who says only how much of it wants it on a dish where that is chosen.
  const lessened = amounts.filter((token) => token.isIdle);
  if (lessened.length > 0 && !tokens.some((token) => token.isIdle !== true && hasOf(token, DISHES)))
    tokens.push(sign('pizza'));
  const meant = tokens
    .filter((token) => !token.isIdle)
    .map((token): Token => {
      const plain = new Set([...token.meanings].filter((one) => !GRAMMAR.has(one)));
      // A word that could deny or join and does not is what else it means: "sara" is hot, and "zero" in a name.
      if (plain.size > 0 && plain.size < token.meanings.size) return { ...token, meanings: plain };
      if (hasOf(token, DENYING) && token.words.length > 0 && known.isNamed(token.words))
        return { ...token, meanings: NONE };
      if (token.isDenied !== true) return token;
      // "Allergic to four".
      if (token.isCount === true) return { ...token, meanings: nearRisks(token.words[0]!) };
      const isVague = token.meanings.size === 0 && token.words.length === 1;
      const meanings = isVague ? nearlyMeant(token.words[0]!) : token.meanings;
      if (isOnlyLike(token.words, meanings)) return { ...token, meanings: NONE };
      // Only the last word is still being typed: "cash nai" speaks of no cashews.
      const isBegun =
        isVague && meanings.size === 0 && token === tokens[tokens.length - 1] && !known.isWord(token.words[0]!);
      const own = isBegun ? begunMeanings(token.words[0]!) : meanings;
      // A word that is none as it is typed may be another one than the likest: "aandu" egg, or crab.
      const isNone = token.words.every((word) => !isKnown(word) && !known.isWord(word));
      const isMistyped = own.size > 0 && (isNone || [...own].every((one) => SIZES.includes(one)));
      const others = isMistyped ? token.words.flatMap((word) => [...nearRisks(word)]) : [];
      return { ...token, meanings: new Set([...own, ...others]) };
    });
  const said = meant.filter(isFood);
  const isCheapest = meant.some((token) => token.meanings.has('cheap'));
  const isLimited = isCheapest || limits.least > 0 || limits.most < Infinity;
  // Of such words alone each means what it says: "the", and "te" while one types.
  const own = meant.filter((token) => token.words.some(known.isWord) || (meant.length === 1 && !hasOf(token, DENYING)));
  const rest = said.length > 0 || isLimited ? said : own;
  const diets = new Set(DIETS.filter((diet) => rest.some((one) => !one.isDenied && one.meanings.has(diet))));
  const wanted = rest.filter((token) => token.isDenied !== true && !hasOf(token, DIETS)).slice(0, MOST_WORDS);
  const excluded = rest.filter((token) => token.isDenied);
  const isEmpty = wanted.length === 0 && excluded.length === 0 && diets.size === 0 && !isLimited;
  const isAmount = amounts.length > 0;
  const missed = tokens.filter((token) => token.isMissed).flatMap(({ words }) => words);
  return { wanted, excluded, diets, ...limits, isLimited, isCheapest, isSentence, isAmount, lessened, missed, isEmpty };
}
