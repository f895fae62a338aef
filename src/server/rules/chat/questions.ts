import { readFileSync } from 'node:fs';
import type { Heard } from '../../../contract/chat.ts';
import type { MenuItem } from '../../../contract/menu.ts';
import { foodOf } from '../../../domain/chat/food.ts';
import { decided, readLearned, type Knowledge } from '../../../domain/chat/learned.ts';
import { isAsking, learn, understand, wordsOfMenu } from '../../../domain/chat/understand.ts';
import { LANGUAGES, WEIGHTS } from '../../../domain/chat/words.ts';
import { isDishWord } from '../../../domain/dishwords.ts';
import { indexOf, type Index } from '../../../domain/search.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { languageAsked } from '../../call/language.ts';
import { menuOf, searchedLabels } from '../catalogue/menu.ts';

let known: Knowledge | undefined;
/** What `npm run questions` has learned. */
function learned(): Knowledge {
  known ??= readLearned(readFileSync(new URL('learned.bin', import.meta.url)));
  return known;
}

/** Reads what was learned and the words of each language, with a pause after each in which waiting requests are served. */
export async function prepareQuestions(): Promise<void> {
  learned();
  for (const language of LANGUAGES) {
    learn(language);
    await new Promise((done) => {
      setImmediate(done);
    });
  }
}

interface Readable {
  readonly index: Index<MenuItem>;
  /** The words of the menu. */
  readonly ours: ReadonlySet<string>;
}
const read = new WeakMap<CountryCatalogue, Map<string, Readable>>();
/** The menu of a country as questions are compared with it, in the asker's language: made once for each of its versions. */
function readable(catalogue: CountryCatalogue): Readable {
  const language = languageAsked();
  const held = read.get(catalogue) ?? new Map<string, Readable>();
  read.set(catalogue, held);
  const known = held.get(language);
  if (known) return known;
  const { items } = menuOf(catalogue, catalogue.country.DEFAULT_STORE);
  const index = indexOf(items, searchedLabels(catalogue));
  const made = { index, ours: wordsOfMenu(index) };
  held.set(language, made);
  return made;
}

/** What a question asks, by its words, those of all languages and those of the menu. */
export function heardOf(catalogue: CountryCatalogue, text: string): Heard {
  const { index, ours } = readable(catalogue);
  const food = foodOf(index, text, isAsking);
  const understood = understand(text, { ours, isDishWord, food });
  const { score, rest, place } = understood;
  const { intent, likely } = decided(learned(), understood);
  const { things, unknown, without, query } = food;
  return {
    intent,
    likely: [...likely],
    isName: intent === 'dish' && understood.intent === 'dish' && score < WEIGHTS.price,
    rest,
    place,
    dishes: food.dishes.map(({ id }) => id),
    things: things.map(({ word, meaning }) => ({ word, meaning })),
    unknown: [...unknown],
    without,
    query,
    facts: [...food.facts],
  };
}
