import { isIndian } from '../sound.ts';
import bn from '../../text/bn/words/questions.json' with { type: 'json' };
import en from '../../text/en/words/questions.json' with { type: 'json' };
import hi from '../../text/hi/words/questions.json' with { type: 'json' };
import si from '../../text/si/words/questions.json' with { type: 'json' };
import ta from '../../text/ta/words/questions.json' with { type: 'json' };

/**
 * What customers mean by a word or phrase, and how much one says about the question. The words themselves are in a
 * catalogue for each language beside its sentences, in its own letters and in Latin ones, as both are typed; English's
 * holds the everyday ones of India besides, Telugu's too. Whatever the page speaks, people type all of them.
 */
export const WEIGHTS = {
  where: 2,
  when: 1.5,
  order: 0.5,
  arrive: 1,
  not: 0.8,
  cancel: 3,
  change: 1.5,
  note: 2.5,
  address: 2.5,
  missing: 3,
  wrong: 2,
  cold: 3,
  damaged: 3,
  taste: 2.5,
  late: 2.5,
  rider: 2,
  train: 1,
  rude: 2.5,
  bill: 2,
  extra: 2,
  payment: 2,
  failed: 2,
  money: 1.5,
  invoice: 4,
  refund: 4,
  back: 1.5,
  offer: 3,
  open: 2,
  hours: 3,
  store: 1,
  today: 0.5,
  allergen: 3.5,
  substance: 1.5,
  contain: 2,
  eat: 1.5,
  human: 3,
  call: 2,
  someone: 1.5,
  code: 2.5,
  handover: 2,
  leave: 1,
  again: 2,
  last: 0.8,
  fee: 2,
  promise: 2.5,
  free: 1.5,
  minutes: 1,
  menu: 2,
  price: 2,
  want: 0.5,
  hello: 2,
  thanks: 2,
  able: 2,
  points: 3,
  erase: 2.5,
  account: 1.5,
  halal: 4,
  reach: 1.5,
  cheap: 3,
  calorie: 3,
  spicy: 2.5,
  serves: 2.5,
  made: 3,
  method: 3,
  broken: 2,
  language: 2.9,
  minimum: 3,
  tax: 3,
  pickup: 3,
  later: 3,
  login: 3,
  law: 3.5,
  work: 3.5,
  how: 0.5,
  instead: 2.5,
  group: 3,
  /** Somebody else shall pay: in so many words, or a relative, what may be done and a word for paying. */
  payer: 3,
  relative: 1.5,
  may: 0.8,
  wallet: 3,
  /** "Another one", which is no complaint before it came. */
  other: 2,
  /** "You said ...". */
  told: 1.5,
  /** "In the box". */
  pack: 2.5,
  /** Of what is ordered already, and what shall be with it or shall not, or of another size. */
  inOrder: 1.5,
  addTo: 2.5,
  takeOut: 2.5,
  resize: 3,
  /** A half of a pizza, and that both are meant. */
  halved: 1.5,
  half: 3,
  popular: 3,
  /** Somebody else gets it: in so many words, or a relative and a word for sending. */
  receiver: 3,
  sendTo: 2,
  notices: 3,
  /** Somebody is ill from food: nothing else counts then. */
  harm: 9,
  /** What is kept of a customer, and who sees it. */
  privacy: 3.5,
  savedCard: 3.5,
  gift: 3.5,
  history: 3.2,
  /** A phone is gone, or somebody else uses the account. */
  stolen: 4,
  rating: 3,
  /** How a dish is built: its crust, size, sauce and toppings. */
  recipe: 2.2,
  access: 4,
  /** Food for many. */
  party: 3,
  /** Whether meat is cooked apart. */
  kitchen: 4,
  birthday: 2.5,
  /** "At most". */
  most: 2,
  /** How far food is brought. */
  range: 2.6,
  cutlery: 2.5,
  why: 1,
  old: 1.5,
  whose: 2,
  /** So many "out of" so many. */
  outOf: 1.5,
  /** "If it is late", "in this rain", "to my bank", and a drink that was warm. */
  if: 2,
  weather: 2.5,
  bank: 2,
  warm: 1.5,
  /** It has gone out of the store. */
  left: 3,
  asked: 1.3,
  given: 1.3,
  yes: 2,
  no: 2,
  /** Words of the menu itself, which come with each question. */
  ours: 1,
  /** Of food (food.ts): one dish by its name, something that may be in it, a diet or a thing that shall not be in it. */
  dish: 1,
  thing: 1.5,
  diet: 3,
  /** Nothing else but a diet or a price. */
  chooses: 2.5,
  /** A dish by more than one word of its name. */
  named: 1,
  /** What a dish may cost. */
  budget: 2.5,
  /** Vegetarian and not, both. */
  mixed: 2,
  /** Two sizes: one was ordered, the other came. */
  sizes: 2.5,
  /** Something beside the pizza. */
  part: 1.5,
  /** Any of a kind, such as drinks. */
  kind: 1.6,
  /** Pork, beef, mutton. */
  forbidden: 2.5,
  /** What must not be in a dish, of which nothing is known: it may be no food. */
  untold: 1,
  /** Two numbers: so many were ordered, and so many came. */
  twoCounts: 1.5,
  /** The app says that an order has come. */
  claimed: 3,
  /** An amount of money, and two different ones. */
  sum: 1,
  twoSums: 2.6,
  /** A time of the day. */
  clock: 2,
  /** A word of which nothing is known, or a postcode: it may name a place. */
  unknown: 1,
  /** What is said not to be so, and that nothing shall be cancelled (denials.ts): by no word of their own. */
  denied: 0,
  keep: 1,
} as const;

export type MeaningName = keyof typeof WEIGHTS;

/** The words of a language, phrases with commas between; what a language lacks it takes from English. */
export type Catalogue = Readonly<Partial<Record<keyof typeof en, string>>>;
export const LANGUAGES: readonly Catalogue[] = [{}, hi, bn, si, ta];
/** The phrases of English and of one other language for a key. */
export const phrasesOf = (key: keyof typeof en, own: Catalogue): string[] =>
  [en[key], own[key] ?? ''].flatMap((list) => list.split(',')).filter((phrase) => phrase.trim() !== '');
export type WordKey = keyof typeof en;

const LEAST_NAME = 3;
/** What ends a name in any language, with what stands there without it. */
const ENDINGS = LANGUAGES.flatMap(({ endings = '' }) => endings.split(','))
  .map((one) => one.trim().split('='))
  .filter(([ending]) => ending !== '');
/** A name without what its language adds to it: යාපනයට is යාපනය. */
export function withoutEnding(word: string): string {
  if (!isIndian(word)) return word;
  for (const [ending = '', instead = ''] of ENDINGS)
    if (word.endsWith(ending) && word.length - ending.length >= LEAST_NAME)
      return word.slice(0, -ending.length) + instead;
  return word;
}
