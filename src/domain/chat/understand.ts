import { latinDigits } from '../phone.ts';
import { isDishWord, slips, wordsOf } from '../search.ts';
import { withDenials, type Token } from './denials.ts';
import { INTENTS, type Intent } from './intents.ts';
import { fillers, MEANINGS, ordinary, type MeaningName } from './words.ts';

/** What was understood of a question. */
export interface Understood {
  /** Null: nothing of it, and so nothing is answered. */
  readonly intent: Intent | null;
  /** How much of the question says so: the sum of the weights of its meanings. */
  readonly score: number;
  /** Numbers in it, typed in any script, as 0-9: they may be an order's. */
  readonly numbers: readonly string[];
  /** What may name a dish: the words that say nothing else. */
  readonly rest: string;
}

const MOST_WORDS = 60;
const MOST_LETTERS = 500;

interface Vocabulary {
  readonly byWord: ReadonlyMap<string, ReadonlySet<MeaningName>>;
  readonly inMeaning: ReadonlyMap<MeaningName, readonly string[]>;
  readonly fillers: ReadonlySet<string>;
  readonly ordinary: ReadonlySet<string>;
}
let known: Vocabulary | undefined;
/** The words of the page's language, taken apart once. */
function vocabulary(): Vocabulary {
  if (known) return known;
  const byWord = new Map<string, Set<MeaningName>>();
  const inMeaning = new Map<MeaningName, string[]>();
  for (const [name, { words }] of Object.entries(MEANINGS) as [MeaningName, { words: () => string }][]) {
    const all = wordsOf(words());
    inMeaning.set(name, all);
    for (const word of all) byWord.set(word, (byWord.get(word) ?? new Set()).add(name));
  }
  known = { byWord, inMeaning, fillers: new Set(wordsOf(fillers())), ordinary: new Set(wordsOf(ordinary())) };
  return known;
}

/** How many typing mistakes are forgiven by length; short words are all taken as they are. */
const forgiven = (length: number) => (length < 4 ? 0 : length < 8 ? 1 : 2);
/** Whoever mistypes seldom mistypes how a word begins, but may swap its first two letters. */
const beginsAlike = (typed: string, word: string) =>
  typed[0] === word[0] || (typed[0] === word[1] && typed[1] === word[0]);

/** What a word may mean, and how surely, 0 to 1. */
function meaningsOf(typed: string, ours: ReadonlySet<string>): ReadonlyMap<MeaningName, number> {
  const words = vocabulary();
  const found = new Map<MeaningName, number>([...(words.byWord.get(typed) ?? [])].map((name) => [name, 1]));
  if (ours.has(typed) && !words.fillers.has(typed)) found.set('ours', 1);
  // A dish that is asked for by its everyday word is no mistyped question: cake is not "came".
  if (found.size === 0 && isDishWord(typed) && !words.fillers.has(typed)) found.set('ours', 0.7);
  const most = forgiven(typed.length);
  if (found.size > 0 || most === 0 || words.ordinary.has(typed) || words.fillers.has(typed)) return found;
  for (const [name, all] of words.inMeaning)
    for (const word of all) {
      if (!beginsAlike(typed, word)) continue;
      const wrong = slips(typed, word, most);
      // Two mistakes in a word that is short are another word, and one in a word of three letters.
      if (wrong > Math.min(most, forgiven(word.length))) continue;
      found.set(name, Math.max(found.get(name) ?? 0, 0.9 - 0.15 * wrong));
    }
  if (found.size === 0 && [...ours].some((word) => beginsAlike(typed, word) && slips(typed, word, 1) <= 1))
    found.set('ours', 0.7);
  return found;
}

/** What ends a part of a question: a "no" before it says nothing about what follows. */
const STOPS = /[.,;:!?\n\u0964]+/u;

/** Letters that are held down count twice at most: foooood, coldddd. */
function tokensOf(text: string, ours: ReadonlySet<string>): Token[] {
  const parts = text
    .slice(0, MOST_LETTERS)
    .replace(/(\p{L})\1{2,}/gu, '$1$1')
    .split(STOPS)
    .map((part) =>
      wordsOf(part).map((word) => {
        const isNumber = /^\p{Nd}+$/u.test(word);
        return { word, isNumber, isFiller: vocabulary().fillers.has(word), meanings: meaningsOf(word, ours) };
      }),
    );
  return parts.flatMap(withDenials).slice(0, MOST_WORDS);
}

/** Said alone or not at all: in a longer question they are something else. */
const ALONE: ReadonlySet<Intent> = new Set(['yes', 'no', 'hello', 'thanks', 'able']);
/** How much of a question has to be known at least: more if only one thing in it is, and all if that says little. */
const KNOWN_OF_ONE = 0.51;
const KNOWN_OF_MANY = 0.3;
const SAYS_MUCH = 3;
const shareNeeded = (id: Intent, rule: readonly MeaningName[]) => {
  if (rule.length > 1) return KNOWN_OF_MANY;
  return ALONE.has(id) || MEANINGS[rule[0]!].weight < SAYS_MUCH ? 1 : KNOWN_OF_ONE;
};

/**
 * What a customer asks, by the words of it, forgiving typing mistakes. Never throws. A question of which too little is
 * known is not understood: nothing is answered from a guess. `ours` are the words of the menu.
 */
export function understand(text: string, ours: ReadonlySet<string>): Understood {
  const tokens = tokensOf(text, ours);
  const numbers = tokens.filter((token) => token.isNumber).map((token) => latinDigits(token.word));
  const said = new Map<MeaningName, number>();
  for (const { meanings } of tokens)
    for (const [name, sure] of meanings) said.set(name, Math.max(said.get(name) ?? 0, sure));
  const content = tokens.filter((token) => !token.isNumber);
  const telling = content.filter((token) => !token.isFiller);
  const clear = telling.filter((token) => token.meanings.size > 0);
  let best: { intent: Intent; score: number } | null = null;
  for (const { id, means, unless = [] } of INTENTS) {
    if (unless.some((name) => said.get(name) === 1)) continue;
    for (const rule of means) {
      if (clear.length < shareNeeded(id, rule) * telling.length) continue;
      if (!hasOwnWords(rule, content)) continue;
      const score = rule.reduce((sum, name) => sum + MEANINGS[name].weight * said.get(name)!, 0);
      if (best === null || score > best.score) best = { intent: id, score };
    }
  }
  const rest = tokens
    .filter((token) => !token.isNumber && !token.isFiller && !isQuestionWord(token))
    .map((token) => token.word)
    .join(' ');
  return { intent: best?.intent ?? null, score: best?.score ?? 0, numbers, rest };
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
  return choose(0, tokens);
}

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
