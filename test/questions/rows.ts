import { readFileSync } from 'node:fs';
import path from 'node:path';
import { countryConfig } from '../../country/index.ts';
import { foodOf, type Food } from '../../src/domain/chat/food.ts';
import { isAsking, understand, wordsOfMenu, type Understood } from '../../src/domain/chat/understand.ts';
import { isDishWord } from '../../src/domain/dishwords.ts';
import { indexOf, type Index } from '../../src/domain/search.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';

/**
 * A question as a customer types it. `wanted`: what a right answer is about, an intent or several of which each is right;
 * with a dish, what may be in it and what the menu says of that, or what shall not be in it, or the place that is meant.
 */
export interface Row {
  readonly language: string;
  readonly country: 'in' | 'lk' | 'bg';
  readonly question: string;
  readonly wanted: string;
  /** The intents of `wanted` alone. */
  readonly about: readonly string[];
}
const TEXTS = path.resolve(import.meta.dirname, '../../src/text');
const LANGUAGES = ['en', 'hi', 'bn', 'si', 'ta'];

/** Of a table of four columns: language, country, question, what is wanted. */
export const rowsIn = (file: string): Row[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [language = '', country = '', question = '', wanted = ''] = line.split('\t');
      const about = [...new Set(wanted.split('|').map((one) => one.split(':')[0]!))];
      return { language, country: country as Row['country'], question, wanted, about };
    });
/** What is learned from: the table of the assistant's own test, and what lies beside each language's words. */
export const learnedRows = (): Row[] => [
  ...rowsIn(path.resolve(import.meta.dirname, '../domain/chatquestions.tsv')),
  ...LANGUAGES.flatMap((language) => rowsIn(path.join(TEXTS, language, 'words/asked.tsv'))),
];

type Item = ReturnType<typeof defaultMenu>['items'][number];
export interface Shop {
  readonly index: Index<Item>;
  readonly ours: ReadonlySet<string>;
}
const shopOf = (name: string): Shop => {
  const menu = defaultMenu(countryConfig(name), 'en');
  const labels = new Map(menu.categories.map((one) => [one.id, one.label]));
  const index = indexOf(menu.items, (id) => labels.get(id) ?? '');
  return { index, ours: wordsOfMenu(index) };
};
export const SHOPS = {
  in: shopOf('india'),
  lk: shopOf('srilanka'),
  bg: shopOf('bangladesh'),
} satisfies Readonly<Record<Row['country'], Shop>>;
export const foodIn = ({ index }: Shop, question: string): Food<Item> => foodOf(index, question, isAsking);
export const understoodIn = ({ ours }: Shop, question: string, food: Food<Item>): Understood =>
  understand(question, { ours, isDishWord, food });
