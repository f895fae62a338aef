import * as t from '#text/chatwords.ts';

interface Meaning {
  /** How much a word of it says about the question. */
  readonly weight: number;
  /** The words that are typed for it, with a space between. */
  readonly words: () => string;
}

/**
 * What customers mean by a word. The words themselves are in the catalogue: for India in English, Hindi, Tamil,
 * Telugu and Bengali, each in its own letters and in Latin ones, as both are typed there.
 */
export const MEANINGS = {
  where: { weight: 2, words: () => t.where },
  when: { weight: 1.5, words: () => t.when },
  order: { weight: 0.5, words: () => t.order },
  arrive: { weight: 1, words: () => t.arrive },
  not: { weight: 0.8, words: () => t.not },
  cancel: { weight: 3, words: () => t.cancel },
  change: { weight: 1.5, words: () => t.change },
  note: { weight: 2.5, words: () => t.note },
  address: { weight: 2.5, words: () => t.address },
  missing: { weight: 3, words: () => t.missing },
  wrong: { weight: 2, words: () => t.wrong },
  cold: { weight: 3, words: () => t.cold },
  damaged: { weight: 3, words: () => t.damaged },
  taste: { weight: 2.5, words: () => t.taste },
  late: { weight: 2.5, words: () => t.late },
  rider: { weight: 2, words: () => t.rider },
  train: { weight: 1, words: () => t.train },
  rude: { weight: 2.5, words: () => t.rude },
  bill: { weight: 2, words: () => t.bill },
  extra: { weight: 2, words: () => t.extra },
  payment: { weight: 2, words: () => t.payment },
  failed: { weight: 2, words: () => t.failed },
  money: { weight: 1.5, words: () => t.money },
  invoice: { weight: 4, words: () => t.invoice },
  refund: { weight: 4, words: () => t.refund },
  back: { weight: 1.5, words: () => t.back },
  offer: { weight: 3, words: () => t.offer },
  open: { weight: 2, words: () => t.open },
  hours: { weight: 3, words: () => t.hours },
  store: { weight: 1, words: () => t.store },
  today: { weight: 0.5, words: () => t.today },
  allergen: { weight: 3.5, words: () => t.allergen },
  substance: { weight: 1.5, words: () => t.substance },
  contain: { weight: 2, words: () => t.contain },
  human: { weight: 3, words: () => t.human },
  call: { weight: 2, words: () => t.call },
  someone: { weight: 1.5, words: () => t.someone },
  code: { weight: 2.5, words: () => t.code },
  handover: { weight: 2, words: () => t.handover },
  again: { weight: 2, words: () => t.again },
  last: { weight: 0.8, words: () => t.last },
  fee: { weight: 2, words: () => t.fee },
  promise: { weight: 2.5, words: () => t.promise },
  free: { weight: 1.5, words: () => t.free },
  minutes: { weight: 1, words: () => t.minutes },
  menu: { weight: 2, words: () => t.menu },
  price: { weight: 2, words: () => t.price },
  want: { weight: 0.5, words: () => t.want },
  hello: { weight: 2, words: () => t.hello },
  thanks: { weight: 2, words: () => t.thanks },
  able: { weight: 2, words: () => t.able },
  /** Words of the menu itself, which come with each question. */
  ours: { weight: 1, words: () => '' },
  yes: { weight: 2, words: () => t.yes },
  no: { weight: 2, words: () => t.no },
  /** What is said not to be so, and that nothing shall be cancelled (denials.ts): by no word of their own. */
  denied: { weight: 0, words: () => '' },
  keep: { weight: 1, words: () => '' },
} as const satisfies Readonly<Record<string, Meaning>>;

export type MeaningName = keyof typeof MEANINGS;

/**
 * What denies: phrases with a comma between. `dont` ask that something is not done, `isnt` say that it is not so; `Next`
 * stand before what they deny, `Last` after it. `unable` are words beside them by which it could not be done.
 */
export const denying = {
  dontNext: () => t.dontNext,
  isntNext: () => t.isntNext,
  dontLast: () => t.dontLast,
  isntLast: () => t.isntLast,
  unable: () => t.unable,
};
/** Words that say nothing about what is asked. */
export const fillers = () => t.fillers;
/** Ordinary words that look like a typing mistake of one above, and are none. */
export const ordinary = () => t.ordinary;
