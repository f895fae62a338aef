import { asked, type Asked, type Token as FoodToken } from '../dishQuery.ts';
import { isDishWord, nearlyDenying, nearlyMeant, phraseAt, splitDenied, type Meaning } from '../dishwords.ts';
import { numberAt } from '../numberWords.ts';
import { withoutEnding } from './words.ts';
import { isChoosing, knownOf, NAME, scoresOf, type Findable, type Index, type Row } from '../search.ts';
import { allergenOf, type Thing } from './verdict.ts';
import { wordsOf } from '../slips.ts';
import { isIndian, soundOf, type Sound } from '../sound.ts';

/** One dish or a few are named, by several words; what may be in it and what shall not; see WEIGHTS of words.ts. */
type FoodFact =
  | 'dish'
  | 'named'
  | 'thing'
  | 'diet'
  | 'budget'
  | 'chooses'
  | 'mixed'
  | 'part'
  | 'kind'
  | 'forbidden'
  | 'untold'
  | 'sizes';

/** What a question says of food, as the search reads it. */
export interface Food<I> {
  /** Those dishes that its words name best: one, or several of which none is named better. */
  readonly dishes: readonly I[];
  /** What it names beside them that may be in a dish. */
  readonly things: readonly Thing[];
  /** What must not be in a dish, of which nothing is known. */
  readonly unknown: readonly string[];
  /** What finds the dishes that have none of that, and fit the diets it names. */
  readonly without: string;
  /** What else it says of food, as intents ask for it. */
  readonly facts: ReadonlySet<FoodFact>;
  /** Those that name an allergen which is no dish by itself: egg, and not fish. */
  readonly risks: ReadonlySet<string>;
  /** Those of its words that are known to name food. */
  readonly words: ReadonlySet<string>;
  /** Those that name a dish, if several do: they say nothing else, such as cold of a coffee. */
  readonly name: ReadonlySet<string>;
  /** Its words without those that the search does not know. */
  readonly query: string;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const THINGS: ReadonlySet<Meaning> = new Set<Meaning>([
  ...(['onion', 'garlic', 'potato', 'capsicum', 'pepper', 'tomato', 'mushroom', 'corn', 'chilli', 'paneer'] as const),
  ...(['cheese', 'egg', 'chicken', 'minced', 'sausage', 'prawn', 'fish', 'beef', 'pork', 'mutton', 'meat'] as const),
  ...(['soya', 'olive', 'spinach', 'pineapple', 'coriander', 'basil', 'milk', 'gluten', 'nuts', 'mustard'] as const),
  ...(['sesame', 'sugar', 'mint', 'ginger'] as const),
]);
/** Kinds of dishes, which name none of them. */
const KINDS: ReadonlySet<Meaning> = new Set<Meaning>([
  ...(['pizza', 'combo', 'drink', 'dessert', 'bread', 'pasta', 'rice', 'dip', 'soup', 'wings', 'small'] as const),
]);
/** Words for these stand in a name and mean any of its kind: something sweet is no sweet lassi. */
const VAGUE: readonly Meaning[] = ['dessert', 'drink'];
const RISKS: readonly Meaning[] = ['egg', 'milk', 'nuts', 'gluten', 'soya', 'mustard', 'sesame'];
const DIETS: readonly Meaning[] = ['jain', 'vegan', 'mild'];
const PARTS: readonly Meaning[] = [
  ...(['cola', 'drink', 'water', 'lassi', 'coffee', 'dip', 'bread', 'dessert', 'wings', 'soup', 'pasta'] as const),
];
const FORBIDDEN: readonly Meaning[] = ['pork', 'beef', 'mutton'];
const SIZES: readonly Meaning[] = ['small', 'regular', 'medium', 'large'];
const MEATS: readonly Meaning[] = ['nonveg', 'chicken', 'beef', 'meat', 'mutton'];

const NONE: ReadonlySet<Meaning> = new Set();
/** Above what a category or an ingredient counts: a word of a name as typed, with a slip or by its sound. */
const IS_NAME = NAME / 2 + 0.2;
/** The same of what a word means. */
const MEANS_NAME = NAME / 3;
/** A word that this many dishes have in their names, such as chicken, names none of them. */
const NAMED_BY_MOST = 4;
/** More dishes than these are no answer to which one is meant. */
const MOST_DISHES = 4;

interface Named<I> {
  readonly dishes: readonly I[];
  readonly used: ReadonlySet<FoodToken>;
  /** Those of its words that stand in its name, and do not only mean something of it. */
  readonly typed: ReadonlySet<FoodToken>;
}
const NOT_NAMED: Named<never> = { dishes: [], used: new Set(), typed: new Set() };

const heard = new Map<string, Sound>();
const MOST_HEARD = 1_000;
/** The sound of a word of the menu, which is asked for with every question. */
function heardOf(word: string): Sound {
  const held = heard.get(word) ?? soundOf(word);
  if (heard.size >= MOST_HEARD) heard.clear();
  heard.set(word, held);
  return held;
}
const LEAST_BEGUN_SOUND = 3;
const MOST_ENDING = 5;
/** What a word may be before what its language adds to it: চিকেনটা is চিকেন. */
const beginningsOf = (word: string) =>
  Array.from({ length: Math.min(MOST_ENDING, Math.max(0, word.length - MOST_ENDING)) }, (_, cut) =>
    word.slice(0, word.length - 1 - cut),
  ).filter((one) => soundOf(one).exact.length >= LEAST_BEGUN_SOUND);

const TAMIL = /[\u0b80-\u0bff]/;
const LEAST_PLAIN = 4;
/** Tells whether a word is one of a name as typed, as it begins, or as it sounds in another script. */
function likenessOf(word: string, isThing: boolean): (name: string) => boolean {
  // The same for every name of a menu.
  const sounds = isIndian(word) ? [word, withoutEnding(word), ...beginningsOf(word)].map(heardOf) : [];
  const isTamil = TAMIL.test(word);
  return (name) => {
    if (name === word || (word.length >= 4 && name.startsWith(word))) return true;
    if (sounds.length === 0) return false;
    // One of several: মিটবল of Meatballs.
    const names = (/...s$/.test(name) ? [name, name.slice(0, -1)] : [name]).map(heardOf);
    const isHeard = sounds.some(({ exact, plain }) =>
      names.some(
        (named, at) =>
          (exact.length >= 2 + at && exact === named.exact) ||
          // Tamil writes B and P, D and T, G and K with one letter.
          (plain.length >= LEAST_PLAIN && plain === named.plain && isTamil),
      ),
    );
    if (!isHeard) return false;
    // Hot in Hindi sounds like tikka.
    return !isThing || meansAlike(word, name);
  };
}
const meaningsOf = (word: string) => phraseAt([word], 0)?.meanings ?? NONE;
/** Whether two words mean the same thing that may be in a dish. */
const meansThing = (one: string, other: string) =>
  [...meaningsOf(one)].some((meaning) => THINGS.has(meaning) && meaningsOf(other).has(meaning));
const meansAlike = (one: string, other: string) =>
  [...meaningsOf(one)].some((meaning) => meaningsOf(other).has(meaning));

/** `diets` are words that also name a dish: Jain Garden. */
function namedIn<I extends Findable>(
  index: Index<I>,
  tokens: readonly FoodToken[],
  diets: readonly string[],
  isFit: (item: I) => boolean,
): Named<I> {
  const rows = index.rows.filter(({ item }) => isFit(item));
  const names = index.rows.map(({ nameWords }) => nameWords);
  // A name that only sounds a little like food is a name.
  const isInName = (words: readonly string[]) => names.some((name) => words.every((word) => name.includes(word)));
  const areThings = tokens.map(
    ({ words, meanings }) =>
      (words.length > 1 ? !isInName(words) : words.some(isDishWord)) && [...meanings].some((one) => THINGS.has(one)),
  );
  /** "Mushroom pizza" is the only one with mushrooms in its name. */
  const isOnlyPizza = (at: number, row: Row<I>) => {
    if (!areThings[at] || areThings[at - 1] || tokens[at + 1]?.meanings.has('pizza') !== true) return false;
    const isNamed = ({ item, nameWords }: Row<I>) =>
      item.kind === 'PIZZA' &&
      tokens[at]!.words.every((word) => nameWords.some((own) => own === word || meansThing(own, word)));
    return isNamed(row) && rows.filter(isNamed).length === 1;
  };
  /** For each word how surely it names each dish: as itself 2, by what it means or as what may be in any dish 1. */
  const matches = tokens.map((token, one) => {
    const isThing = areThings[one]!;
    const literal = scoresOf(index, { ...token, meanings: NONE });
    // By what it means only where it is nothing that may be in a dish: nuts name no walnut.
    const meant = scoresOf(index, {
      words: [],
      meanings: new Set([...token.meanings].filter((one) => !KINDS.has(one) && !THINGS.has(one))),
    });
    // "Pizza" names none.
    if (token.meanings.has('pizza')) return index.rows.map(() => 0);
    const likes = token.words.map((word) => likenessOf(word, isThing));
    return index.rows.map((row, at) => {
      if (isOnlyPizza(one, row)) return 1;
      if (literal[at]! > IS_NAME || likes.every((isLike) => names[at]!.some(isLike))) return isThing ? 1 : 2;
      return meant[at]! > MEANS_NAME ? 1 : 0;
    });
  });
  const howMany = matches.map((all) => all.filter((one) => one > 0).length);
  const areVague = tokens.map(({ meanings }) => VAGUE.some((one) => meanings.has(one)));
  const howManyAsTyped = matches.map((all, one) => (areVague[one]! ? 0 : all.filter((at) => at === 2).length));
  /** "Is there soya in the soya keema": what is said again is what is asked of it. */
  const isAsked = (one: number) =>
    areThings[one]! && tokens.slice(0, one).some(({ words }) => words.join(' ') === tokens[one]!.words.join(' '));
  const ranked = rows
    .map((row) => {
      const at = index.rows.indexOf(row);
      const used = tokens.filter((_, one) => matches[one]![at]! > 0 && !isAsked(one));
      const sure =
        matches.reduce((sum, all) => sum + all[at]!, 0) + diets.filter((diet) => names[at]!.includes(diet)).length;
      const isTelling =
        used.length > 1 ||
        tokens.some(
          (_, one) =>
            (!areThings[one]! && !areVague[one]! && matches[one]![at]! > 0 && howMany[one]! <= NAMED_BY_MOST) ||
            isOnlyPizza(one, row),
        );
      const isOnly = tokens.some(
        (_, one) => (matches[one]![at] === 2 && howManyAsTyped[one] === 1) || isOnlyPizza(one, row),
      );
      return {
        row,
        at,
        used,
        sure,
        isTelling,
        share: isOnly ? 1 : used.flatMap(({ words }) => words).length / names[at]!.length,
      };
    })
    .filter(({ used, isTelling, share }) => used.length > 0 && isTelling && share >= 0.5)
    .sort((a, b) => b.sure - a.sure || b.share - a.share);
  const [best] = ranked;
  const all = ranked.filter(({ sure, share }) => sure === best!.sure && share === best!.share);
  if (!best || all.length > MOST_DISHES) return NOT_NAMED;
  const isTyped = (token: FoodToken) =>
    matches[tokens.indexOf(token)]![best.at] === 2 || areThings[tokens.indexOf(token)];
  return {
    dishes: all.map(({ row }) => row.item),
    used: new Set(best.used),
    typed: new Set(best.used.filter(isTyped)),
  };
}

const phrasesIn = (words: readonly string[]) =>
  words.flatMap((_, at) => {
    const phrase = phraseAt(words, at);
    return phrase ? [phrase] : [];
  });

/** Whether a query with twoCounts words still leaves out all the food that the longer one does, and keeps its diets. */
const isAsStrict = (twoCounts: Asked, more: Asked): boolean =>
  [...more.diets].every((diet) => twoCounts.diets.has(diet)) &&
  more.excluded.every(
    ({ meanings }) =>
      meanings.size === 0 || twoCounts.excluded.some((other) => [...meanings].every((one) => other.meanings.has(one))),
  );

/** Reads a question as the search reads a query. `isAsking` knows the words of questions, which name no food. */
export function foodOf<I extends Findable>(
  index: Index<I>,
  text: string,
  isAsking: (word: string) => boolean,
): Food<I> {
  const named = new Set(index.rows.flatMap(({ nameWords }) => nameWords));
  const menu = knownOf(index);
  const whole = asked(text, menu);
  const bare = text.replace(WORD, (word) => {
    const words = wordsOf(word);
    return words.every((one) => isAsking(one) && !named.has(one) && !isDishWord(one) && !phraseAt([one], 0))
      ? ' '
      : word;
  });
  const shorter = bare === text ? whole : asked(bare, menu);
  // Nor may another word than the denied one come to stand beside a "no".
  const query = isAsStrict(shorter, whole) && isAsStrict(whole, shorter) ? bare : text;
  const read = query === text ? whole : shorter;
  const { wanted, excluded, diets, least, most } = read;
  const found = namedIn(
    index,
    wanted,
    [...diets],
    ({ foodType }) => foodType !== (diets.has('veg') ? 'NON_VEG' : diets.has('nonveg') ? 'VEG' : ''),
  );
  // "Garlic bread for Jains" asks for any of a kind.
  const isKind = [...found.used].every(
    (token) => token.words.length > 1 && [...token.meanings].some((one) => KINDS.has(one)),
  );
  const { dishes, used, typed: inName } = isKind && (diets.size > 0 || excluded.length > 0) ? NOT_NAMED : found;
  // Words are compared without some of their signs, and said with them.
  const typed = new Map((text.match(WORD) ?? []).map((word) => [wordsOf(word).join(' '), word]));
  const left = [...wanted, ...excluded].filter((token) => !used.has(token));
  const asTyped = (some: readonly string[]) => some.map((word) => typed.get(word) ?? word).join(' ');
  const all = left.flatMap(({ words, meanings }) => {
    const meant = [...meanings].filter((one) => THINGS.has(one));
    // How hot a dish is, is another question.
    return meant[0] === 'chilli' ? [] : meant.map((meaning) => ({ word: asTyped(words), meaning }));
  });
  // Of meat that may not be eaten the rest is not asked, but what makes somebody ill.
  const isRisk = ({ meaning }: Thing) => allergenOf(meaning) !== undefined;
  const isForbiddenThing = ({ meaning }: Thing) => FORBIDDEN.includes(meaning);
  const things = all.some(isForbiddenThing) ? all.filter((one) => isForbiddenThing(one) || isRisk(one)) : all;
  // "Any mustard free paneer pizza" wants the paneer; an allergen is left out however it is said.
  const isOther = !all.some(isRisk) && !excluded.some(({ meanings }) => [...meanings].some((one) => THINGS.has(one)));
  const isLeftOut = (thing: Thing) =>
    isRisk(thing) || isOther || excluded.some(({ meanings }) => meanings.has(thing.meaning));
  // "No paneer" may have cheese, and for who is ill from paneer all milk is left out.
  const isIllFrom = (word: string) =>
    excluded.some(({ words, meanings }) => asTyped(words) === word && meanings.has('milk') && meanings.size > 1);
  const unknown = [
    ...excluded.filter(({ meanings }) => meanings.size === 0),
    ...left.filter(({ meanings }) => meanings.has('unstated')),
  ].flatMap((token) => token.words);
  const isNameOf = (diet: Meaning) => dishes.some(({ name }) => wordsOf(name).includes(diet));
  const isDiet =
    excluded.some(({ meanings }) => [...meanings].some((one) => THINGS.has(one))) ||
    DIETS.some((diet) => diets.has(diet) && !isNameOf(diet));
  const isMeat = diets.has('nonveg') || wanted.some(({ meanings }) => MEATS.some((one) => meanings.has(one)));
  const phrases = phrasesIn(wordsOf(query));
  const words = new Set([...used, ...phrases].flatMap((one) => one.words));
  const has = (some: readonly Meaning[]) =>
    [...wanted, ...excluded].some(({ meanings }) => some.some((one) => meanings.has(one)));
  const facts: Readonly<Record<FoodFact, boolean>> = {
    dish: dishes.length > 0,
    named: used.size > 1,
    thing: things.length > 0 || left.some(({ meanings }) => meanings.has('unstated')),
    diet: isDiet,
    budget: least > 0 || most < Infinity,
    chooses: isChoosing(index, whole),
    mixed: diets.has('veg') && isMeat,
    part: has(PARTS),
    kind: dishes.length === 0 && has(PARTS.concat('combo')),
    forbidden: has(FORBIDDEN),
    sizes: SIZES.filter((one) => wanted.some(({ meanings }) => meanings.has(one))).length > 1,
    untold: excluded.some(({ meanings }) => meanings.size === 0),
  };
  // What must not be in a dish is never left out of what is looked for, known or not.
  const isExcluded = (word: string) => excluded.some((token) => token.words.includes(word));
  const short = query.replace(WORD, (word) => {
    const parts = wordsOf(word);
    const isFound = (one: string) =>
      words.has(one) ||
      isExcluded(one) ||
      read.missed.includes(one) ||
      index.place.has(one) ||
      isDishWord(one) ||
      /^\p{Nd}+$/u.test(one) ||
      numberAt([one], 0) !== undefined ||
      nearlyMeant(one).size > 0 ||
      nearlyDenying(one, menu.isWord).size > 0 ||
      splitDenied(one) !== undefined;
    return parts.every(isFound) ? word : ' ';
  });
  return {
    dishes,
    things,
    unknown,
    without: [
      ...new Set(things.filter(isLeftOut).map(({ word }) => `${isIllFrom(word) ? 'allergic to' : 'no'} ${word}`)),
      ...unknown.map((word) => `no ${word}`),
      ...phrases.filter(({ meanings }) => [...meanings].some((one) => diets.has(one))).map((one) => asTyped(one.words)),
    ].join(', '),
    facts: new Set((Object.keys(facts) as FoodFact[]).filter((fact) => facts[fact])),
    risks: new Set(left.filter(({ meanings }) => RISKS.some((one) => meanings.has(one))).flatMap((one) => one.words)),
    name: new Set(used.size > 1 ? [...inName].flatMap(({ words }) => words) : []),
    words,
    query: isAsStrict(asked(short, menu), read) ? short : query,
  };
}
