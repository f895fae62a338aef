import { asked, DISHES, hasOf, read, type Asked, type Known, type Token } from './dishQuery.ts';
import { GRAMMAR, isDishWord, isKnown, RISKS, type Meaning } from './dishwords.ts';
import { forgiven, slips, wordsOf } from './slips.ts';
import { isIndian, isPlain, soundOf, type Sound } from './sound.ts';

export { isDishWord };

/** The fields of a dish that search needs; a MenuItem has them. */
export interface Findable {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly english?: string | undefined;
  readonly foodType: string;
  readonly kind: string;
  readonly categoryIds: readonly string[];
  readonly defaultToppings: readonly string[];
  readonly tags: readonly string[];
  readonly spice: number;
  readonly soldOut?: boolean | undefined;
  readonly sauce?: string | undefined;
  readonly crusts?: readonly string[] | undefined;
  /** By size, in minor units. */
  readonly prices?: Readonly<Partial<Record<string, number>>> | undefined;
  /** Declared ones of the usual build; undefined where they are not known. */
  readonly allergens?: readonly string[] | undefined;
  readonly jain?: boolean | undefined;
  readonly jainOnRequest?: boolean | undefined;
  readonly noOnionGarlic?: 'always' | 'onRequest' | 'unstated' | undefined;
}

/** What has to be said with what is found, because the menu does not know it or knows it of the usual build alone. */
export type Caution = 'amount' | 'allergens' | 'onRequest' | 'unstated' | 'jainOnRequest' | 'vegan' | 'halal';
/** What is found by a text that asks for nothing. */
const NOTHING_FOUND = { hits: [], near: [], cautions: [], unknown: [], missed: [] };

export interface Found<I> {
  /**
   * Best first. Each fits every word of the query. First what is so as it comes, before what is so on request; then what
   * is not sold out; then by the sum, over the typed words, of the place where a word stands (name 6, category and
   * ingredient 3, text 2, else 1) times how well it fits (as typed 1, its beginning 0.9, another word for it 0.8, by its
   * sound 0.7 or 0.6, a slip 0.6 to 0.45), with 0.3 for a bestseller; then as on the menu. Who asks for the cheapest has
   * the price of the smallest before that sum.
   */
  readonly hits: readonly I[];
  /** Only if there are no hits: dishes that match part of the query, or almost. Never one with what is excluded. */
  readonly near: readonly I[];
  readonly cautions: readonly Caution[];
  /** Excluded words of which the menu knows nothing. Nothing is found then: any dish might have it. */
  readonly unknown: readonly string[];
  /**
   * Words of which nothing is known, beside others that leave something out or name what makes somebody ill. Of the
   * latter nothing is shown then: "egg" with a word that may be a no.
   */
  readonly missed: readonly string[];
}

const SIZES = { regular: 'R', medium: 'M', large: 'L' } as const;
const CRUSTS: readonly (readonly [RegExp, string])[] = [
  [/thin|grain/, 'thin'],
  [/pan/, 'pan'],
  [/filled/, 'burst'],
];
const FOOD_WORDS: Readonly<Record<string, readonly string[]>> = {
  VEG: ['veg', 'vegetarian'],
  NON_VEG: ['nonveg', 'non'],
};
/** Allergens of the menu by what people call them. Cheese is milk. */
export const ALLERGENS: Readonly<Partial<Record<Meaning, string>>> = {
  gluten: 'gluten',
  milk: 'milk',
  cheese: 'milk',
  soya: 'soy',
  egg: 'egg',
  nuts: 'nuts',
  mustard: 'mustard',
  sesame: 'sesame',
  fish: 'fish',
  prawn: 'crustacean',
};
const ANIMALS: readonly Meaning[] = [
  ...(['chicken', 'beef', 'pork', 'mutton', 'minced', 'sausage', 'wings', 'egg', 'fish', 'prawn'] as const),
];
const MEATLESS = new Set(['DESSERT', 'BEVERAGE']);

export interface Row<I> {
  readonly item: I;
  readonly words: readonly (readonly [word: string, weight: number])[];
  readonly nameWords: readonly string[];
  /** Places of the words of its name in the vocabulary. */
  readonly names: readonly number[];
  readonly meanings: ReadonlyMap<Meaning, number>;
  /** What it says that it is without. */
  readonly denied: ReadonlySet<Meaning>;
  /** What may be in it beside what it is found by: its sauce. */
  readonly hidden: ReadonlySet<Meaning>;
}

/** A dish, by its place on the menu, that has a word or a meaning, and how much that counts there. */
type Post = readonly [row: number, weight: number];
interface Word {
  readonly word: string;
  readonly letters: number;
  readonly sound: Sound;
  readonly posts: Post[];
}

export interface Index<I> {
  readonly rows: readonly Row<I>[];
  /** Every word of the menu once: what is typed is compared with each of them, not with each dish. */
  readonly vocabulary: readonly Word[];
  readonly place: ReadonlyMap<string, number>;
  readonly meant: ReadonlyMap<Meaning, readonly Post[]>;
  /** Whether the kitchen says which dishes it makes without onion and garlic. */
  readonly isOnionStated: boolean;
}

/** Which letters a word has: two words that differ in more of them than slips change are not compared further. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) % 32);
  return bits;
}
function differing(a: number, b: number): number {
  let bits = a ^ b;
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}

/** All that a dish is found by, with how much it counts. */
function textsOf(item: Findable, labelOf: (categoryId: string) => string): (readonly [text: string, weight: number])[] {
  const { kind, prices = {}, crusts = [] } = item;
  const sizes = Object.entries(SIZES).flatMap(([word, size]) => (prices[size] === undefined ? [] : [word]));
  const edges = CRUSTS.flatMap(([pattern, said]) => (crusts.some((one) => pattern.test(one)) ? [said, 'crust'] : []));
  return [
    [item.description, 2],
    [item.english ?? '', 2],
    ...item.categoryIds.map((id) => [labelOf(id), 3] as const),
    ...item.defaultToppings.map((topping) => [topping, 3] as const),
    ...item.tags.map((tag) => [tag, 2] as const),
    [kind === 'DEAL' ? 'combo' : kind === 'RICE_PASTA' ? '' : kind, 3],
    [item.spice >= 2 ? 'spicy' : '', 2],
    ...[...(FOOD_WORDS[item.foodType] ?? []), ...sizes, ...edges].map((word) => [word, 1] as const),
    [item.name, NAME],
  ];
}

/**
 * Prepares a menu for searching. `labelOf` returns a category's label, so that 'sides' finds the dishes of that
 * category.
 */
export function indexOf<I extends Findable>(items: readonly I[], labelOf: (categoryId: string) => string): Index<I> {
  const place = new Map<string, number>();
  const vocabulary: Word[] = [];
  const placeOf = (word: string) => {
    const held = place.get(word);
    if (held !== undefined) return held;
    place.set(word, vocabulary.length);
    return vocabulary.push({ word, letters: lettersOf(word), sound: soundOf(word), posts: [] }) - 1;
  };
  const meant = new Map<Meaning, Post[]>();
  // Labels, toppings and tags are those of many dishes.
  const texts = new Map<string, Token[]>();
  const readOnce = (text: string) => {
    const held = texts.get(text) ?? read(text);
    texts.set(text, held);
    return held;
  };
  const rows = items.map((item, at): Row<I> => {
    const words = new Map<string, number>();
    const meanings = new Map<Meaning, number>();
    const denied = new Set<Meaning>();
    const mean = (all: Iterable<Meaning>, weight: number) => {
      for (const one of all)
        if (!GRAMMAR.has(one) && one !== 'elsewhere') meanings.set(one, Math.max(weight, meanings.get(one) ?? 0));
    };
    const take = (text: string, weight: number) => {
      for (const token of readOnce(text)) {
        if (token.isDenied) for (const one of token.meanings) denied.add(one);
        // "Zero Sugar" is a name by which it is found.
        if ((token.isDenied || token.isIdle) && weight < NAME) continue;
        if (!token.isDenied || isDishWord(token.words[0]!)) mean(token.meanings, weight);
        for (const word of token.words) words.set(word, Math.max(weight, words.get(word) ?? 0));
      }
    };
    for (const [text, weight] of textsOf(item, labelOf)) take(text, weight);
    // Sweet corn, a sweet pineapple and a sweet drink make no dessert, and pasta beside pizzas no pizza.
    if (item.kind === 'PIZZA' || item.kind === 'MINI' || item.kind === 'BEVERAGE') meanings.delete('dessert');
    if (item.kind === 'RICE_PASTA')
      for (const word of ['pizza', 'pizzas'])
        if (words.get(word) !== NAME && words.delete(word)) meanings.delete('pizza');
    for (const [meaning, allergen] of Object.entries(ALLERGENS) as [Meaning, string][])
      if (meaning !== 'cheese' && item.allergens?.includes(allergen)) mean([meaning], 1);
    const hidden = new Set(read(item.sauce ?? '').flatMap((token) => [...token.meanings]));
    const all = [...words];
    for (const [word, weight] of all) vocabulary[placeOf(word)]!.posts.push([at, weight]);
    for (const [meaning, weight] of meanings) {
      const posts = meant.get(meaning) ?? [];
      meant.set(meaning, posts);
      posts.push([at, weight]);
    }
    const names = all.flatMap(([word, weight]) => (weight >= NAME ? [placeOf(word)] : []));
    return { item, nameWords: wordsOf(item.name), words: all, names, meanings, denied, hidden };
  });
  const isOnionStated = items.some((item) => item.jain === true || item.noOnionGarlic === 'onRequest');
  return { rows, vocabulary, place, meant, isOnionStated };
}
/** How much a word of a dish's name counts. */
export const NAME = 6;

/** How surely a dish is so: as it comes, if it is made so, or as far as its recipe names what is in it. Null: it is not. */
type Sureness = 0 | 1 | 2 | null;

function withoutOnion({ item, meanings, denied }: Row<Findable>, meaning: Meaning, isStated: boolean): Sureness {
  if (item.noOnionGarlic === 'always' || item.jain === true) return 0;
  if (item.kind === 'DEAL' || (meanings.has(meaning) && !denied.has(meaning))) return null;
  if (item.noOnionGarlic === 'onRequest') return 1;
  return !isStated && item.noOnionGarlic === 'unstated' ? 2 : null;
}

/** Sizes and crusts: who has another one is without it. */
const CHOSEN: Readonly<Partial<Record<Meaning, (item: Findable) => number>>> = {
  ...Object.fromEntries(
    Object.keys(SIZES).map((size) => [size, ({ prices = {} }: Findable) => Object.keys(prices).length]),
  ),
  ...Object.fromEntries(['thin', 'pan', 'burst'].map((crust) => [crust, ({ crusts = [] }: Findable) => crusts.length])),
};

/** What says by itself whether a dish is without it. */
const SAID_OF_ITSELF: Readonly<Partial<Record<Meaning, (row: Row<Findable>) => boolean>>> = {
  meat: ({ item }) => item.foodType === 'VEG',
  nonveg: ({ item }) => item.foodType === 'VEG',
  veg: ({ item }) => item.foodType === 'NON_VEG',
  sugar: ({ denied }) => denied.has('sugar'),
};

/** Whether no animal of a kind is in a dish that does not name it: it is vegetarian, sweet, or names another one. */
const isOtherwise = ({ item, meanings }: Row<Findable>) =>
  item.foodType === 'VEG' ||
  (item.kind !== 'DEAL' && (MEATLESS.has(item.kind) || ANIMALS.some((one) => meanings.has(one))));

/** Whether nothing of a kind is in a dish, as far as it is known. What a combo is filled with is chosen later. */
function without(row: Row<Findable>, meaning: Meaning, isOnionStated: boolean): Sureness {
  const { item, meanings, hidden, denied } = row;
  const sure = (is: boolean): Sureness => (is ? 0 : null);
  const allergen = ALLERGENS[meaning];
  if (allergen !== undefined && item.allergens?.includes(allergen)) return null;
  if (meaning === 'onion' || meaning === 'garlic') return withoutOnion(row, meaning, isOnionStated);
  const ofItself = SAID_OF_ITSELF[meaning];
  if (ofItself) return sure(ofItself(row));
  if ((CHOSEN[meaning]?.(item) ?? 0) > 1) return 0;
  if ((meanings.has(meaning) && !denied.has(meaning)) || hidden.has(meaning)) return null;
  if (ANIMALS.includes(meaning) && (allergen === undefined || item.kind === 'DEAL')) return sure(isOtherwise(row));
  return sure(item.kind !== 'DEAL' && (meaning !== 'chilli' || item.spice === 0));
}

/** Of these the menu has facts; of all else a recipe names what it likes. */
const STATED: ReadonlySet<Meaning> = new Set([
  ...(Object.keys({ ...ALLERGENS, ...SAID_OF_ITSELF, ...CHOSEN }) as Meaning[]),
  ...ANIMALS,
  ...(['onion', 'garlic', 'pizza', 'pasta', 'rice', 'bread', 'combo', 'dessert', 'drink'] as const),
]);

export const knownOf = (index: Index<Findable>): Known => ({
  isWord: (word) => index.place.has(word),
  isNamed: (words) => {
    const places = words.map((word) => index.place.get(word));
    if (places.some((place) => place === undefined)) return false;
    return index.rows.some(
      ({ nameWords, names }) =>
        places.every((place) => names.includes(place!)) && ` ${nameWords.join(' ')} `.includes(` ${words.join(' ')} `),
    );
  },
});

/** Whether the menu says nothing of what is excluded, so that any dish might have it. */
const isUnknown = (index: Index<Findable>, token: Token): boolean =>
  token.meanings.has('unstated') || (token.meanings.size === 0 && token.words.some((word) => !index.place.has(word)));

const worst = (a: Sureness, b: Sureness): Sureness => (a === null || b === null ? null : a > b ? a : b);

function onDiet(row: Row<Findable>, diet: Meaning, isAlone: boolean): Sureness {
  const { item } = row;
  const isVeg = item.foodType === 'VEG';
  if (diet === 'veg') return isVeg ? 0 : null;
  if (diet === 'nonveg') return item.foodType === 'NON_VEG' ? 0 : null;
  if (diet === 'jain') return item.jain === true ? 0 : item.jainOnRequest === true ? 1 : null;
  if (diet === 'mild') return item.kind !== 'DEAL' && item.spice === 0 ? 0 : null;
  // The menu knows of no dish whether its meat is halal: without a word for meat those without meat are shown.
  if (diet === 'halal') return isVeg || !isAlone ? 0 : null;
  const isFree = (['milk', 'egg'] as const).every((one) => without(row, one, false) === 0);
  return isVeg && isFree ? 0 : null;
}

/** How surely each dish is what the query allows, before what it looks for; null for those that it excludes. */
function allowed(index: Index<Findable>, { excluded, diets, wanted, lessened }: Asked): Sureness[] {
  const meanings = new Set(excluded.flatMap((token) => [...token.meanings]));
  // Of a word of which nothing is known, whatever it could be a word of is excluded.
  const named = excluded.flatMap((token) => (token.meanings.size === 0 ? [scoresOf(index, token)] : []));
  return index.rows.map((row, at) => {
    let sureness: Sureness = 0;
    for (const meaning of meanings) sureness = worst(sureness, without(row, meaning, index.isOnionStated));
    for (const diet of diets) sureness = worst(sureness, onDiet(row, diet, wanted.length === 0));
    // How much there is of something is chosen on a pizza alone.
    const isFixed = row.item.kind !== 'PIZZA' && row.item.kind !== 'DEAL';
    if (isFixed && lessened.some((token) => [...token.meanings].some((one) => row.meanings.has(one)))) sureness = null;
    for (const scores of named) if (scores[at]! > 0 || row.item.kind === 'DEAL') sureness = null;
    return sureness;
  });
}

const SOUND_LEAST = 2;
const LATIN_SOUND_LEAST = 5;
/** How well a typed word fits a word of the menu, 0 to 1. One that is known is not taken for another: cake for coke. */
function fitting(index: Index<Findable>, typed: string, isStrict: boolean): (other: Word) => number {
  const isMeant = isKnown(typed);
  const most = isMeant || index.place.has(typed) ? 0 : forgiven(typed.length);
  const letters = lettersOf(typed);
  const isOther = isIndian(typed);
  const sound = !isMeant && (isOther || typed.length >= LATIN_SOUND_LEAST) ? soundOf(typed) : null;
  const isLatinHeard = !isOther && sound !== null;
  const byEar = isOther && sound ? earOf(typed, sound) : () => 0;
  const bySlips = ({ word, letters: own, sound: heard }: Word) => {
    const longer = word.length - typed.length;
    if (longer <= most && longer >= -most && differing(letters, own) <= 2 * most) {
      const wrong = slips(typed, word, most);
      // A slip in three letters is another word: noon is no "non".
      if (wrong <= most && forgiven(word.length) > 0) return 0.7 - wrong * 0.1;
    }
    // The beginning of a word with a mistake in it: 'capsc' for 'capsicum'.
    if (longer > 0 && word[0] === typed[0] && slips(typed, word.slice(0, typed.length), 1) <= 1) return 0.5;
    // Typed as it sounds: 'peproni'.
    return isLatinHeard && sound.exact === heard.exact && slips(typed, word, 2) <= 2 ? 0.45 : 0;
  };
  return (other) => {
    if (other.word === typed) return 1;
    if (other.word.startsWith(typed)) return 0.9;
    if (isStrict) return 0;
    const heard = byEar(other.sound);
    return heard > 0 || most === 0 ? heard : bySlips(other);
  };
}

/** How well the sound of a word fits that of one in another script. */
function earOf(typed: string, { exact, plain, weak }: Sound): (heard: Sound) => number {
  const isPlainScript = isPlain(typed);
  const isLong = [exact, plain, weak].map((one) => one.length >= SOUND_LEAST);
  return (heard) => {
    if (isLong[0] && exact === heard.exact) return 0.7;
    if (isPlainScript && isLong[1] && plain === heard.plain) return 0.6;
    return isPlainScript && isLong[2] && weak === heard.weak ? 0.55 : 0;
  };
}

/**
 * How much a word or phrase counts for each dish, 0 where it has none of it. `isStrict` takes no word for another that it
 * looks or sounds like: who must not eat pistachios is not told of dishes without pasta.
 */
export function scoresOf(index: Index<Findable>, { words, meanings }: Token, isStrict = false): Float32Array {
  const scores = new Float32Array(index.rows.length);
  const post = (posts: readonly Post[], fit: number) => {
    for (let at = 0; at < posts.length; at += 1) {
      const [row, weight] = posts[at]!;
      if (fit * weight > scores[row]!) scores[row] = fit * weight;
    }
  };
  const [word] = words;
  if (words.length === 1) {
    const fit = fitting(index, word!, isStrict);
    for (let at = 0; at < index.vocabulary.length; at += 1) {
      const other = index.vocabulary[at]!;
      const fits = fit(other);
      if (fits > 0) post(other.posts, fits);
    }
  }
  const byMeaning = words.length > 1 || isDishWord(word!) ? 0.8 : 0.45;
  for (const meaning of meanings) post(index.meant.get(meaning) ?? [], byMeaning);
  return scores;
}

const isSome = (score: number) => score > 0;
const NEAR_MOST = 6;

const SIZE_WORDS: readonly Meaning[] = ['small', 'regular', 'medium', 'large'];
const LEAST_SCORE = 0.01;
const isOneSize = ({ kind, prices = {} }: Findable) =>
  !['PIZZA', 'MINI', 'DEAL'].includes(kind) && Object.keys(prices).length === 1;

/** What is looked for, with how much of it each dish has. */
function lookedFor(index: Index<Findable>, { wanted, excluded, diets, isLimited, isSentence }: Asked) {
  const looked: { readonly token: Token; readonly scores: Float32Array }[] = [];
  for (const token of wanted) {
    const scores = scoresOf(index, token);
    // A big coke: what comes in one size alone is not hidden by the word for another.
    if (wanted.length > 1 && hasOf(token, SIZE_WORDS))
      for (const [at, { item }] of index.rows.entries()) if (isOneSize(item)) scores[at] ||= LEAST_SCORE;
    const either = token.isOr === true ? looked[looked.length - 1] : undefined;
    if (either) for (const [at, score] of scores.entries()) either.scores[at] = Math.max(score, either.scores[at]!);
    else looked.push({ token, scores });
  }
  const telling = looked.filter(({ scores }) => scores.some(isSome));
  const isChosen = excluded.length > 0 || diets.size > 0 || isLimited;
  // In a sentence what fits no dish says nothing, if something else does.
  const isTold = isChosen || telling.length > 0;
  const strange = looked.filter(({ token, scores }) => token.meanings.size === 0 && !scores.some(isSome));
  const isForeign = strange.some(({ token }) => !LATIN.test(token.words.join('')));
  const isRisk = telling.some(({ token }) => hasOf(token, UNSHOWN) || (isForeign && !hasOf(token, ORDERED)));
  const named = (some: typeof looked) => some.map(({ token }) => token.words.join(' '));
  return {
    looked: isSentence && isTold ? telling : looked,
    telling,
    isRisk: isRisk && strange.length > 0,
    missed: isRisk || isChosen ? named(strange) : [],
    // Some only sound like a word of the menu.
    guessed: isRisk
      ? named(looked.filter(({ token }) => token.meanings.size === 0 && !scoresOf(index, token, true).some(isSome)))
      : [],
  };
}
/** A word in another script is a language's and no name that somebody made up: what stands beside it may be denied. */
const LATIN = /^[\p{ASCII}\p{Script=Latin}]*$/u;
const ORDERED: readonly Meaning[] = [...DISHES, 'veg', ...SIZE_WORDS];
/** Dishes with these are not shown for a query that is only half understood: it may say that there shall be none. */
const UNSHOWN: readonly Meaning[] = [...RISKS, 'onion', 'garlic', 'beef', 'pork'];

/** The lowest price of a dish, and how far its prices are from the amounts that are asked for. */
function pricing({ isLimited, least, most }: Asked, wanted: readonly Token[]) {
  const sizes = wanted.flatMap(({ meanings }) =>
    Object.entries(SIZES).flatMap(([name, size]) => (meanings.has(name as Meaning) ? [size] : [])),
  );
  /** Of the sizes that are asked for, or of all. */
  const pricesOf = ({ prices = {} }: Findable) => {
    const asWanted = sizes.flatMap((size) => prices[size] ?? []);
    return asWanted.length > 0 ? asWanted : Object.values(prices).flatMap((price) => price ?? []);
  };
  return {
    lowest: (item: Findable) => Math.min(...pricesOf(item)),
    beyond: (item: Findable) =>
      isLimited ? Math.min(...pricesOf(item).map((price) => Math.max(least - price, price - most, 0))) : 0,
  };
}

const TYPED_WORD = /[\p{L}\p{M}\p{N}\p{Cf}]+/gu;
/** Words are compared without some of their signs, and told with them. */
function asTyped(query: string, words: readonly string[]): string[] {
  const typed = new Map((query.match(TYPED_WORD) ?? []).map((word) => [wordsOf(word).join(' '), word]));
  return words.map((all) =>
    all
      .split(' ')
      .map((word) => typed.get(word) ?? word)
      .join(' '),
  );
}

type Looked = ReturnType<typeof lookedFor>;
/** The dishes that are allowed, by how many of the words fit: all, all but for the price, or some. */
function ranked<I extends Findable>(index: Index<I>, all: Asked, sure: readonly Sureness[], asLooked: Looked) {
  const { looked, telling, missed } = asLooked;
  const { lowest, beyond } = pricing(all, all.wanted);
  const [full, dear, part]: [Ranked<I>[], Ranked<I>[], Ranked<I>[]] = [[], [], []];
  // Where only words that are not known say what is looked for, whatever is allowed comes close.
  const isAny = looked.length === 0 || (missed.length > 0 && telling.length === 0);
  for (let at = 0; at < index.rows.length; at += 1) {
    const sureness = sure[at]!;
    if (sureness === null) continue;
    const row = index.rows[at]!;
    let score = looked.length > 0 && row.item.tags.includes('bestseller') ? 0.3 : 0;
    let fits = 0;
    for (const { scores } of looked) {
      score += scores[at]!;
      if (scores[at]! > 0) fits += 1;
    }
    if (fits === 0 && !isAny) continue;
    const one = { row, score: all.isCheapest ? -lowest(row.item) : score, sureness, fits };
    if (fits < looked.length) part.push(one);
    else (beyond(row.item) === 0 ? full : dear).push(one);
  }
  return { full, dear, part, beyond };
}

/**
 * Finds dishes that match every word of the query and hold nothing that it excludes, forgiving typing mistakes and
 * knowing the everyday words of every language. If there are none, `near` holds the closest ones.
 */
export function find<I extends Findable>(index: Index<I>, query: string, limit = Infinity): Found<I> {
  const all = asked(query, knownOf(index));
  if (all.isEmpty) return NOTHING_FOUND;
  const unknown = all.excluded.filter((token) => isUnknown(index, token)).map(({ words }) => words.join(' '));
  if (unknown.length > 0) return { ...NOTHING_FOUND, unknown: asTyped(query, unknown) };
  const sure = allowed(index, all);
  const asLooked = lookedFor(index, all);
  const { looked, telling, isRisk, guessed } = asLooked;
  const missed = asTyped(query, [...all.missed, ...asLooked.missed]);
  if (isRisk) return { ...NOTHING_FOUND, missed };
  const { full, dear, part, beyond } = ranked(index, all, sure, asLooked);
  const found = (list: readonly Ranked<I>[], count: number) => list.slice(0, count).map(({ row }) => row.item);
  const hits = sorted(full).slice(0, limit);
  if (hits.length > 0) return { hits: found(hits, limit), near: [], cautions: cautionsOf(all, hits), unknown, missed };
  if (guessed.length > 0) return { ...NOTHING_FOUND, missed: asTyped(query, guessed) };
  const rest =
    asLooked.missed.length > 0 ? part.filter((one) => one.fits === telling.length && beyond(one.row.item) === 0) : [];
  const wanted = looked.map(({ token }) => token);
  const near = [
    () => sorted(rest),
    () => dear.sort((a, b) => beyond(a.row.item) - beyond(b.row.item)),
    () => sorted(part),
    () => closest(index, sure, wanted),
  ].reduce<Ranked<I>[]>((list, next) => (list.length > 0 ? list : next()), []);
  const some = near.slice(0, NEAR_MOST);
  return { hits: [], near: found(some, NEAR_MOST), cautions: cautionsOf(all, some), unknown, missed };
}

interface Ranked<I> {
  readonly row: Row<I>;
  readonly score: number;
  readonly sureness: Exclude<Sureness, null>;
  /** How many of the words it has. */
  readonly fits: number;
}
const sorted = <I extends Findable>(list: Ranked<I>[]): Ranked<I>[] =>
  list.sort(
    (a, b) =>
      a.sureness - b.sureness ||
      Number(a.row.item.soldOut ?? false) - Number(b.row.item.soldOut ?? false) ||
      b.score - a.score,
  );

function cautionsOf({ excluded, diets, isAmount }: Asked, shown: readonly Ranked<Findable>[]): Caution[] {
  const has = (sureness: Sureness) => shown.some((one) => one.sureness === sureness);
  const isAnyOf = (is: (meaning: Meaning) => boolean) => excluded.some(({ meanings }) => [...meanings].some(is));
  const isNamedOnly = excluded.some(({ meanings }) => meanings.size === 0) || isAnyOf((one) => !STATED.has(one));
  return [
    ...(isAmount && shown.some(({ row }) => row.item.kind === 'PIZZA') ? (['amount'] as const) : []),
    ...(isAnyOf((one) => ALLERGENS[one] !== undefined) ? (['allergens'] as const) : []),
    ...(has(1) ? [diets.has('jain') ? ('jainOnRequest' as const) : ('onRequest' as const)] : []),
    ...(has(2) || (isNamedOnly && shown.length > 0) ? (['unstated'] as const) : []),
    ...(diets.has('vegan') ? (['vegan'] as const) : []),
    ...(diets.has('halal') ? (['halal'] as const) : []),
  ];
}

/** The most slips by which a name may still look like a word. */
const LIKE_MOST = 4;
/** Allowed dishes whose names look most like the typed words, for a query that matches nothing. */
function closest<I extends Findable>(
  index: Index<I>,
  sure: readonly Sureness[],
  wanted: readonly Token[],
): Ranked<I>[] {
  const likest = new Float32Array(index.vocabulary.length).fill(1);
  for (const { words, meanings } of wanted)
    for (const typed of meanings.size > 0 ? [] : words) {
      if (typed.length < 3) continue;
      const letters = lettersOf(typed);
      for (let at = 0; at < index.vocabulary.length; at += 1) {
        const { word, letters: own } = index.vocabulary[at]!;
        const longest = Math.max(typed.length, word.length);
        const most = Math.min(LIKE_MOST, Math.ceil(longest / 2) - 1);
        if (Math.abs(typed.length - word.length) > most || differing(letters, own) > 2 * most) continue;
        const wrong = slips(typed, word, most);
        if (wrong <= most) likest[at] = Math.min(likest[at]!, wrong / longest);
      }
    }
  return index.rows
    .flatMap((row, at) => {
      const score = Math.min(1, ...row.names.map((name) => likest[name]!));
      return sure[at] === null || score >= 0.5 ? [] : [{ row, sureness: 0 as const, score, fits: 0 }];
    })
    .sort((a, b) => a.score - b.score);
}

/**
 * Whether a text chooses among dishes by what they are without, by a diet or by their price, and says nothing else. "I
 * did not get my coke" does not.
 */
export function isChoosing(
  index: Index<Findable>,
  { wanted, excluded, diets, isLimited }: Pick<Asked, 'wanted' | 'excluded' | 'diets' | 'isLimited'>,
): boolean {
  const isSaid = excluded.some((token) => !hasOf(token, DISHES)) || diets.size > 0 || isLimited;
  const isTold = (token: Token) => token.meanings.size > 0 || scoresOf(index, token).some(isSome);
  return isSaid && [...wanted, ...excluded].every(isTold);
}

/** A query as a filter of lists of dishes: what each of its words fits, and what it leaves. */
export function sift<I extends Findable>(
  index: Index<I>,
  query: string,
): {
  readonly wanted: readonly { readonly word: string; readonly fits: ReadonlySet<I> }[];
  readonly left: ReadonlySet<I>;
} {
  const { wanted, ...rest } = asked(query, knownOf(index));
  const isClear = rest.excluded.every((token) => !isUnknown(index, token));
  const sure = allowed(index, { wanted, ...rest });
  const itemsOf = (is: (at: number) => boolean) =>
    new Set(index.rows.flatMap(({ item }, at) => (is(at) ? [item] : [])));
  return {
    wanted: wanted.map((token) => {
      const scores = scoresOf(index, token);
      return { word: token.words.join(' '), fits: itemsOf((at) => scores[at]! > 0) };
    }),
    left: itemsOf((at) => isClear && sure[at] !== null),
  };
}
