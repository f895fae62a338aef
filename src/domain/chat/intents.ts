import type { Issue } from '../../contract/help.ts';
import type { MeaningName } from './words.ts';

/** What can be asked. What is wrong with an order is named as the help names it (contract/help.ts). */
export type Intent =
  | Issue
  | 'where'
  | 'note'
  | 'address'
  | 'cancel'
  | 'anew'
  | 'invoice'
  | 'refund'
  | 'offers'
  | 'hours'
  | 'allergens'
  | 'code'
  | 'again'
  | 'fees'
  | 'promise'
  | 'dish'
  | 'contains'
  | 'made'
  | 'free'
  | 'find'
  | 'cheap'
  | 'halal'
  | 'calories'
  | 'spicy'
  | 'serves'
  | 'place'
  | 'minimum'
  | 'tax'
  | 'pickup'
  | 'later'
  | 'receiver'
  | 'notices'
  | 'harm'
  | 'privacy'
  | 'savedCard'
  | 'gift'
  | 'history'
  | 'stolen'
  | 'rating'
  | 'recipe'
  | 'access'
  | 'party'
  | 'kitchen'
  | 'half'
  | 'popular'
  | 'group'
  | 'train'
  | 'pays'
  | 'payer'
  | 'wallet'
  | 'coupon'
  | 'points'
  | 'erase'
  | 'account'
  | 'phone'
  | 'login'
  | 'language'
  | 'law'
  | 'person'
  | 'hello'
  | 'thanks'
  | 'able'
  | 'yes'
  | 'no';

interface IntentRow {
  readonly id: Intent;
  /** Any of these: all meanings of one have to be in the question. */
  readonly means: readonly (readonly MeaningName[])[];
  /** Not with one of these, which make it another question. */
  readonly unless?: readonly MeaningName[];
}

/** What is asked of a delivery beside where it goes. */
const NO_PLACE: readonly MeaningName[] = [
  ...(['fee', 'minimum', 'work', 'train', 'pickup', 'note', 'cancel', 'late', 'refund', 'failed', 'offer'] as const),
  ...(['invoice', 'points', 'human', 'free', 'price', 'code', 'promise', 'again', 'missing', 'wrong', 'cold'] as const),
  ...(['denied', 'where', 'damaged', 'taste', 'rude', 'method', 'erase', 'law'] as const),
];

/** One entry an intent. Where two say as much, the first one counts. */
export const INTENTS: readonly IntentRow[] = [
  // Whoever is ill from food needs help before an answer about the dish.
  { id: 'harm', means: [['harm']] },
  {
    id: 'kitchen',
    means: [['kitchen'], ['kitchen', 'diet'], ['kitchen', 'contain'], ['kitchen', 'made'], ['kitchen', 'mixed']],
    unless: ['allergen'],
  },
  { id: 'access', means: [['access'], ['access', 'order'], ['access', 'how'], ['access', 'open']] },
  {
    id: 'stolen',
    means: [
      ['stolen'],
      ['stolen', 'account'],
      ['stolen', 'login'],
      ['stolen', 'order'],
      ['stolen', 'call'],
      ['stolen', 'savedCard'],
      ['stolen', 'someone'],
    ],
  },
  {
    id: 'savedCard',
    means: [
      ['savedCard'],
      ['savedCard', 'erase'],
      ['savedCard', 'erase', 'account'],
      ['savedCard', 'account'],
      ['savedCard', 'privacy'],
      ['savedCard', 'how'],
    ],
    unless: ['failed', 'extra', 'offer', 'refund'],
  },
  {
    id: 'gift',
    means: [
      ['gift'],
      ['gift', 'want'],
      ['gift', 'receiver'],
      ['gift', 'relative', 'sendTo'],
      ['gift', 'wallet'],
      ['gift', 'method'],
    ],
    unless: ['refund', 'missing'],
  },
  {
    id: 'privacy',
    means: [
      ['privacy'],
      ['privacy', 'account'],
      ['privacy', 'call'],
      ['privacy', 'someone'],
      ['privacy', 'other'],
      ['privacy', 'given'],
      ['privacy', 'keep'],
      ['privacy', 'rider'],
      ['privacy', 'call', 'rider'],
      ['privacy', 'invoice'],
    ],
    unless: ['erase'],
  },
  {
    id: 'history',
    means: [['history'], ['history', 'where'], ['history', 'order'], ['history', 'last'], ['history', 'last', 'order']],
    unless: [
      ...([
        'again',
        'refund',
        'invoice',
        'erase',
        'bill',
        'missing',
        'wrong',
        'cold',
        'taste',
        'points',
        'money',
      ] as const),
    ],
  },
  {
    id: 'rating',
    means: [
      ['rating'],
      ['rating', 'rider'],
      ['rating', 'order'],
      ['rating', 'where'],
      ['rating', 'taste'],
      ['rating', 'store'],
    ],
    unless: ['points'],
  },
  {
    id: 'party',
    means: [
      ['party'],
      ['party', 'order'],
      ['party', 'serves'],
      ['party', 'group'],
      ['party', 'call'],
      ['party', 'birthday'],
      ['party', 'serves', 'order'],
    ],
    unless: ['work', 'allergen', 'thing', 'diet', 'late', 'missing', 'wrong', 'refund', 'cancel'],
  },
  // "What does extra cheese cost", "thin crust in all sizes", "mushrooms instead of corn".
  {
    id: 'recipe',
    means: [
      ['recipe'],
      ['recipe', 'price'],
      ['recipe', 'extra'],
      ['recipe', 'extra', 'price'],
      ['recipe', 'serves'],
      ['recipe', 'instead'],
      ['recipe', 'takeOut'],
      ['recipe', 'change'],
      ['recipe', 'addTo'],
      ['recipe', 'menu'],
      ['recipe', 'other'],
      ['recipe', 'want'],
      ['recipe', 'contain'],
      ['recipe', 'recipe'],
      ['recipe', 'how'],
      // "Mushrooms instead of corn?"
      ['instead', 'may'],
      ['instead', 'thing', 'may'],
    ],
    unless: [
      'asked',
      'half',
      ...([
        'missing',
        'given',
        'arrive',
        'wrong',
        'cold',
        'taste',
        'damaged',
        'allergen',
        'diet',
        'forbidden',
      ] as const),
      ...(['inOrder', 'refund', 'late', 'rude', 'payment'] as const),
    ],
  },
  {
    id: 'find',
    means: [
      ['kind', 'made'],
      ['kind', 'contain'],
      ['kind', 'menu'],
      ['kind', 'want'],
      ['kind', 'made', 'contain'],
      ['kind', 'price'],
    ],
    unless: [
      ...(['missing', 'given', 'arrive', 'wrong', 'cold', 'taste', 'damaged', 'allergen', 'not', 'inOrder'] as const),
      ...(['refund', 'late', 'recipe', 'extra', 'bill', 'free', 'offer', 'points', 'note', 'address', 'warm'] as const),
      ...(['train', 'reach', 'unknown'] as const),
    ],
  },
  {
    id: 'offers',
    means: [
      ['birthday', 'free'],
      ['birthday', 'given'],
      ['birthday', 'contain'],
    ],
    unless: ['party', 'later'],
  },
  { id: 'offers', means: [['birthday', 'offer']] },
  {
    id: 'refund',
    means: [
      ['refund'],
      ['refund', 'cancel'],
      ['refund', 'human'],
      ['money', 'back'],
      ['money', 'back', 'when'],
      ['money', 'back', 'not'],
      ['money', 'back', 'cancel'],
    ],
  },
  // An order that came twice by mistake is cancelled, and its money was taken.
  {
    id: 'refund',
    means: [
      ['cancel', 'money'],
      ['cancel', 'money', 'arrive'],
    ],
    unless: ['failed', 'extra'],
  },
  {
    id: 'refund',
    means: [
      ['money', 'bank', 'want'],
      ['money', 'bank', 'back'],
      ['wallet', 'bank'],
      ['wallet', 'bank', 'money'],
    ],
    unless: ['failed', 'extra', 'method', 'payment', 'rider', 'how'],
  },
  { id: 'refund', means: [['money', 'arrive', 'when']], unless: ['rider', 'extra', 'minimum', 'fee', 'method'] },
  {
    id: 'invoice',
    means: [
      ['invoice'],
      ['invoice', 'bill'],
      ['bill', 'want'],
      ['bill', 'order'],
      ['bill', 'last'],
      ['bill', 'last', 'order'],
      ['bill', 'how'],
      ['bill', 'tax', 'want'],
      ['bill', 'tax', 'account'],
      ['bill', 'tax', 'call'],
      ['bill', 'where'],
      ['bill'],
    ],
    unless: ['wrong', 'extra', 'failed'],
  },
  { id: 'invoice', means: [['bill', 'reach']], unless: ['wrong', 'extra', 'failed', 'fee', 'free', 'rider', 'arrive'] },
  { id: 'halal', means: [['halal'], ['halal', 'contain'], ['halal', 'ours']] },
  {
    id: 'contains',
    means: [
      ['dish', 'thing', 'contain'],
      ['dish', 'thing', 'allergen'],
      ['dish', 'thing', 'made'],
      ['dish', 'diet', 'contain'],
      ['dish', 'diet', 'eat'],
      ['dish', 'thing', 'eat'],
      ['dish', 'thing', 'substance'],
      ['named', 'dish', 'thing', 'diet'],
    ],
    unless: ['missing', 'wrong', 'damaged', 'late', 'denied', 'mixed', 'extra', 'price', 'cheap'],
  },
  {
    id: 'contains',
    means: [['named', 'dish', 'thing']],
    unless: [
      ...(['missing', 'wrong', 'damaged', 'late', 'denied', 'mixed', 'extra', 'price', 'cheap', 'want'] as const),
      ...(['cold', 'taste', 'instead', 'arrive', 'order', 'not', 'menu', 'budget', 'points', 'offer'] as const),
    ],
  },
  {
    id: 'made',
    means: [
      ['made', 'order'],
      ['made', 'ours'],
      ['made', 'made'],
    ],
    unless: [
      'serves',
      'price',
      'chooses',
      'allergen',
      'diet',
      'thing',
      'untold',
      'budget',
      'cheap',
      'missing',
      'wrong',
      'arrive',
      'group',
      'offer',
      'late',
      'taste',
      'damaged',
      'cold',
      'not',
    ],
  },
  {
    id: 'made',
    means: [
      ['dish', 'made'],
      ['dish', 'made', 'contain'],
    ],
    unless: ['missing', 'wrong', 'late', 'denied', 'price', 'offer', 'budget'],
  },
  {
    id: 'free',
    means: [
      ['thing', 'allergen'],
      ['thing', 'allergen', 'contain'],
      ['thing', 'allergen', 'diet'],
      ['allergen', 'diet'],
      ['thing', 'eat'],
      ['substance', 'thing', 'eat'],
      ['forbidden', 'contain'],
      ['forbidden', 'not'],
      ['substance', 'thing', 'contain'],
      ['substance', 'thing', 'diet'],
    ],
    unless: ['dish', 'missing', 'wrong', 'late', 'denied'],
  },
  // "Is pepperoni pork?"
  {
    id: 'free',
    means: [
      ['forbidden', 'ours'],
      ['forbidden', 'thing'],
    ],
    unless: [
      'instead',
      ...(['dish', 'want', 'menu', 'price', 'order', 'arrive', 'wrong', 'given', 'missing', 'kind', 'diet'] as const),
    ],
  },
  {
    id: 'free',
    means: [['allergen', 'untold']],
    unless: ['refund', 'back', 'dish', 'missing', 'wrong', 'late', 'denied', 'taste', 'failed', 'payment', 'method'],
  },
  {
    id: 'cheap',
    means: [['cheap'], ['cheap', 'order'], ['cheap', 'ours'], ['cheap', 'price'], ['cheap', 'diet']],
    unless: ['minimum', 'cancel', 'refund', 'missing', 'late', 'spicy'],
  },
  {
    id: 'find',
    means: [
      ['chooses'],
      ['chooses', 'ours'],
      ['diet'],
      ['diet', 'ours'],
      ['diet', 'want'],
      ['diet', 'menu'],
      ['diet', 'thing'],
    ],
    unless: [
      ...([
        'missing',
        'wrong',
        'damaged',
        'late',
        'denied',
        'bill',
        'refund',
        'work',
        'failed',
        'cancel',
        'keep',
        'instead',
      ] as const),
      ...(['taste', 'offer', 'points', 'code', 'rude', 'minimum', 'mixed', 'note', 'address', 'human'] as const),
      ...(['minutes', 'promise', 'cold'] as const),
    ],
  },
  {
    id: 'find',
    means: [
      ['diet', 'forbidden'],
      ['diet', 'forbidden', 'contain'],
    ],
    unless: ['missing', 'wrong', 'damaged', 'late', 'denied', 'mixed', 'refund', 'given'],
  },
  {
    id: 'find',
    means: [
      ['untold', 'want'],
      ['untold', 'ours'],
      ['untold', 'order'],
      ['untold', 'menu'],
      ['untold', 'contain'],
      ['untold', 'made'],
    ],
    unless: ['denied', 'arrive', 'late', 'rider', 'given', 'asked', 'call', 'account', 'money', 'note', 'handover'],
  },
  {
    id: 'find',
    means: [
      ['budget'],
      ['budget', 'want'],
      ['budget', 'ours'],
      ['budget', 'menu'],
      ['budget', 'order'],
      ['budget', 'cheap'],
    ],
    unless: [
      ...([
        'reach',
        'refund',
        'failed',
        'fee',
        'minimum',
        'arrive',
        'offer',
        'points',
        'late',
        'bill',
        'wrong',
      ] as const),
      ...(['minutes', 'promise', 'clock', 'hours'] as const),
    ],
  },
  { id: 'calories', means: [['calorie'], ['calorie', 'ours'], ['calorie', 'dish'], ['calorie', 'order']] },
  {
    id: 'spicy',
    means: [
      ['spicy'],
      ['spicy', 'want'],
      ['spicy', 'order'],
      ['spicy', 'part'],
      ['spicy', 'dish'],
      ['spicy', 'dish', 'ours'],
    ],
    unless: ['note', 'allergen', 'missing', 'wrong'],
  },
  {
    id: 'spicy',
    means: [
      ['spicy', 'ours'],
      ['spicy', 'contain'],
      ['spicy', 'ours', 'contain'],
    ],
    unless: ['allergen', 'missing', 'wrong', 'note', 'diet', 'chooses'],
  },
  {
    id: 'serves',
    means: [
      ['serves'],
      ['serves', 'order'],
      ['serves', 'ours'],
      ['serves', 'dish'],
      ['serves', 'eat'],
      ['serves', 'want'],
    ],
    unless: ['missing', 'offer', 'human'],
  },
  {
    id: 'allergens',
    means: [
      ['allergen'],
      ['allergen', 'menu'],
      ['substance', 'contain'],
      ['substance', 'allergen'],
      ['contain', 'allergen'],
      ['substance', 'ours'],
    ],
    unless: ['missing', 'halal', 'taste'],
  },
  {
    id: 'cancel',
    means: [['cancel'], ['cancel', 'order'], ['not', 'want', 'order'], ['erase', 'order']],
    unless: ['refund', 'diet', 'keep'],
  },
  // "Add a coke to my order": it is cancelled and begun again.
  {
    id: 'anew',
    means: [
      ['resize', 'order'],
      ['resize', 'asked'],
      ['inOrder', 'addTo'],
      ['inOrder', 'takeOut'],
      ['inOrder', 'change'],
      ['inOrder', 'resize'],
    ],
    unless: [
      'where',
      'address',
      'call',
      'note',
      'missing',
      'offer',
      'invoice',
      'refund',
      'allergen',
      'taste',
      'group',
      'method',
    ],
  },
  { id: 'anew', means: [['inOrder', 'instead']], unless: ['arrive', 'given', 'wrong', 'missing'] },
  {
    id: 'address',
    means: [
      ['address', 'change'],
      ['address', 'old'],
      ['address', 'other'],
      ['address', 'address'],
      ['address', 'address', 'change'],
      ['address', 'address', 'erase'],
      ['address', 'twoSums', 'not'],
      ['address', 'wrong'],
      ['address', 'order'],
      ['arrive', 'change', 'address'],
      ['arrive', 'address'],
    ],
  },
  {
    id: 'address',
    means: [
      ['address', 'addTo'],
      ['address', 'addTo', 'other'],
    ],
    unless: ['inOrder', 'order', 'note'],
  },
  {
    id: 'note',
    means: [
      ['note', 'change'],
      ['note', 'order'],
      ['note', 'rider'],
      ['note', 'store'],
      ['note', 'arrive'],
      ['note'],
      ['note', 'call'],
      ['note', 'not'],
      ['note', 'note'],
      ['cutlery'],
      ['cutlery', 'want'],
      ['cutlery', 'order'],
      ['cutlery', 'note'],
      ['cutlery', 'arrive'],
      ['rider', 'call', 'instead'],
      ['leave', 'handover'],
      ['leave', 'handover', 'order'],
      ['leave', 'note'],
    ],
    unless: ['wrong', 'code', 'rude'],
  },
  { id: 'note', means: [['rider', 'call', 'when']], unless: ['wrong', 'code', 'rude', 'human', 'where'] },
  { id: 'missing', means: [['not', 'arrive', 'extra']], unless: ['points', 'late'] },
  { id: 'missing', means: [['asked', 'not']], unless: ['arrive', 'refund', 'want', 'when', 'may', 'note', 'order'] },
  // "It came, but no garlic bread."
  {
    id: 'missing',
    means: [
      ['part', 'diet', 'arrive'],
      ['part', 'diet', 'arrive', 'order'],
    ],
    unless: ['allergen', 'when', 'want', 'reach', 'eat', 'price'],
  },
  {
    id: 'missing',
    means: [
      ['missing'],
      ['missing', 'order'],
      ['missing', 'substance'],
      ['pack', 'not'],
      ['pack', 'not', 'part'],
      ['pack', 'diet'],
      ['pack', 'untold'],
      ['part', 'not', 'arrive'],
      ['part', 'not', 'given'],
      ['part', 'missing'],
      ['part', 'twoCounts', 'given'],
      ['part', 'twoCounts', 'arrive'],
      ['twoCounts', 'outOf'],
      ['twoCounts', 'money', 'given'],
      ['cutlery', 'not', 'given'],
      ['cutlery', 'not', 'arrive'],
      ['cutlery', 'missing'],
      ['order', 'twoCounts', 'given'],
      ['asked', 'twoCounts', 'given'],
      ['asked', 'twoCounts', 'arrive'],
    ],
    unless: ['points', 'damaged', 'allergen'],
  },
  {
    id: 'cold',
    means: [['cold'], ['cold', 'order'], ['cold', 'arrive'], ['cold', 'arrive', 'order']],
    unless: ['want', 'work'],
  },
  { id: 'damaged', means: [['damaged'], ['damaged', 'order'], ['damaged', 'arrive']] },
  {
    id: 'taste',
    means: [['taste'], ['taste', 'taste'], ['taste', 'order'], ['taste', 'not']],
    unless: ['cold', 'forbidden', 'chooses'],
  },
  // "It cannot be eaten" is no diet.
  {
    id: 'taste',
    means: [
      ['taste', 'taste'],
      ['taste', 'not'],
    ],
    unless: ['cold', 'forbidden', 'thing', 'may', 'want', 'menu', 'allergen'],
  },
  // "The coke was warm."
  {
    id: 'taste',
    means: [
      ['warm', 'part'],
      ['warm', 'part', 'arrive'],
      ['warm', 'part', 'given'],
    ],
    unless: ['want', 'menu', 'price', 'allergen', 'diet', 'may', 'contain', 'not', 'spicy'],
  },
  {
    id: 'rider',
    means: [
      ['rider', 'money'],
      ['rider', 'extra'],
    ],
    unless: ['fee', 'price', 'method', 'refund', 'back', 'failed', 'reach'],
  },
  {
    id: 'rider',
    means: [['rider', 'sum', 'want']],
    unless: ['minutes', 'note', 'call', 'when', 'menu', 'code', 'address'],
  },
  {
    id: 'rider',
    means: [
      ['rider', 'rude'],
      ['human', 'rude'],
      ['rude'],
      ['rider', 'taste'],
      ['rider', 'money', 'extra'],
      ['rider', 'bill', 'extra'],
      ['rider', 'bill', 'money'],
    ],
  },
  {
    id: 'bill',
    means: [
      ['bill', 'wrong'],
      ['bill', 'extra'],
      ['twoCounts', 'bill'],
      ['bill', 'extra', 'money'],
      ['extra', 'money'],
      ['money', 'wrong'],
      ['fee', 'extra'],
      ['payment', 'extra', 'bill'],
    ],
  },
  {
    id: 'payment',
    means: [
      ['payment', 'failed'],
      ['payment', 'broken'],
      ['payment', 'broken', 'not'],
      ['sum', 'failed'],
      ['money', 'failed'],
      ['payment', 'not'],
      ['payment', 'extra'],
      ['payment', 'wrong'],
      ['method', 'failed'],
      ['method', 'broken'],
      ['money', 'failed', 'order', 'not'],
      ['money', 'extra', 'failed'],
      ['payment', 'extra', 'failed'],
    ],
    unless: ['offer', 'refund'],
  },
  {
    id: 'wrong',
    means: [
      ['wrong', 'order'],
      ['wrong', 'arrive'],
      ['wrong', 'menu'],
      ['wrong', 'arrive', 'order'],
      ['mixed', 'arrive'],
      ['mixed', 'contain', 'order'],
      ['mixed', 'order'],
      ['mixed', 'given'],
      ['mixed', 'asked'],
      ['mixed', 'asked', 'given'],
      ['recipe', 'asked'],
      ['wrong', 'given', 'human'],
      ['wrong', 'rider'],
      ['wrong', 'given'],
      ['sizes', 'given'],
      ['sizes', 'arrive'],
      ['sizes', 'asked'],
      ['whose', 'order'],
      ['whose', 'arrive'],
      ['whose', 'given'],
    ],
    unless: ['address', 'bill'],
  },
  {
    id: 'wrong',
    means: [
      ['instead', 'arrive'],
      ['instead', 'order'],
      ['instead', 'ours'],
      ['instead', 'diet'],
      ['instead', 'thing'],
    ],
    unless: ['address', 'bill', 'may', 'inOrder'],
  },
  {
    id: 'wrong',
    means: [['wrong', 'asked']],
    unless: ['cancel', 'pickup', 'address', 'payment', 'offer', 'code', 'bill', 'money'],
  },
  {
    id: 'wrong',
    means: [
      ['inOrder', 'instead', 'arrive'],
      ['inOrder', 'instead', 'given'],
    ],
  },
  // One too many.
  {
    id: 'wrong',
    means: [
      ['extra', 'arrive'],
      ['extra', 'arrive', 'order'],
    ],
    unless: [
      'money',
      'payment',
      'bill',
      'late',
      'missing',
      'fee',
      'sum',
      'rider',
      'price',
      'not',
      'want',
      'may',
      'part',
    ],
  },
  // "I said without onion."
  {
    id: 'wrong',
    means: [
      ['diet', 'told'],
      ['diet', 'told', 'arrive'],
      ['diet', 'told', 'contain'],
      ['forbidden', 'not', 'given'],
      ['forbidden', 'not', 'arrive'],
    ],
    unless: ['may', 'note', 'menu', 'want', 'allergen', 'when'],
  },
  {
    id: 'wrong',
    means: [
      ['other', 'given'],
      ['other', 'given', 'order'],
      ['other', 'asked'],
    ],
    unless: ['address', 'bill', 'allergen', 'want', 'again'],
  },
  {
    id: 'wrong',
    means: [
      ['address', 'other', 'given'],
      ['whose', 'bill'],
      ['whose', 'pack'],
    ],
  },
  // "I asked for one and you sent another."
  {
    id: 'wrong',
    means: [['asked', 'given']],
    unless: [
      'note',
      'address',
      'bill',
      'late',
      'not',
      'when',
      'where',
      'twoCounts',
      'rude',
      'money',
      'minutes',
      'promise',
      'clock',
    ],
  },
  {
    id: 'bill',
    means: [
      ['sum', 'why'],
      ['sum', 'why', 'bill'],
      ['sum', 'extra', 'why'],
      ['twoSums', 'failed'],
      ['twoSums', 'menu'],
      ['twoSums', 'bill'],
      ['twoSums', 'extra'],
      ['twoSums', 'failed', 'menu'],
    ],
    unless: ['diet', 'chooses', 'want', 'late', 'wrong'],
  },
  {
    id: 'notDelivered',
    means: [
      ['claimed'],
      ['claimed', 'not'],
      ['claimed', 'arrive'],
      ['claimed', 'given'],
      ['claimed', 'not', 'arrive'],
      ['claimed', 'late'],
      ['claimed', 'not', 'rider'],
    ],
    unless: ['wrong', 'cold', 'damaged', 'taste', 'part'],
  },
  {
    id: 'late',
    means: [
      ['late'],
      ['late', 'late'],
      ['late', 'not'],
      ['late', 'minutes'],
      ['late', 'order'],
      ['late', 'arrive', 'order'],
      ['late', 'store'],
    ],
    unless: ['work', 'train'],
  },
  // "You said half an hour."
  {
    id: 'late',
    means: [
      ['told', 'minutes'],
      ['told', 'clock'],
      ['told', 'minutes', 'late'],
      ['told', 'late'],
    ],
    unless: ['back', 'refund', 'money'],
  },
  {
    id: 'notDelivered',
    means: [
      ['not', 'arrive', 'order'],
      ['not', 'arrive'],
    ],
    unless: ['when', 'where', 'late', 'taste'],
  },
  {
    id: 'where',
    means: [
      ['where', 'train'],
      ['where', 'price', 'order'],
      ['when', 'train'],
      ['late', 'train'],
      ['late', 'train', 'if'],
      ['late', 'late', 'train'],
      ['late', 'when', 'train'],
      ['train', 'order', 'where'],
      ['where', 'order'],
      ['where'],
      ['when', 'order'],
      ['when', 'arrive'],
      // How much time, and no price.
      ['when', 'when', 'arrive'],
      // "How late will it be?"
      ['when', 'late', 'arrive'],
      ['where', 'arrive'],
      ['where', 'rider'],
      ['rider', 'call'],
      ['rider', 'human'],
      ['rider', 'not'],
      ['order', 'arrive'],
      ['when', 'arrive', 'order'],
      ['when', 'not', 'arrive', 'order'],
      ['minutes', 'arrive', 'order'],
      ['minutes', 'arrive'],
      ['minutes', 'when', 'arrive'],
      ['late', 'where', 'order'],
      ['late', 'late', 'where'],
      ['where', 'not', 'arrive', 'order'],
    ],
    unless: ['work', 'pickup', 'store', 'code', 'privacy', 'range'],
  },
  { id: 'where', means: [['left'], ['left', 'not'], ['left', 'order'], ['left', 'late'], ['left', 'not', 'late']] },
  { id: 'where', means: [['when', 'when']], unless: ['store', 'code', 'hours'] },
  { id: 'where', means: [['where', 'where']], unless: ['store', 'account', 'change', 'call', 'address', 'invoice'] },
  { id: 'where', means: [['reach', 'unknown', 'when', 'arrive']], unless: ['store', 'code', 'fee', 'refund'] },
  {
    id: 'code',
    means: [
      ['code', 'train'],
      ['code', 'handover'],
      ['code', 'order'],
      ['code', 'rider'],
      ['code', 'where'],
      ['code', 'handover', 'rider'],
    ],
    unless: ['offer'],
  },
  { id: 'offers', means: [['offer'], ['offer', 'today'], ['offer', 'order']], unless: ['notices', 'points'] },
  {
    id: 'offers',
    means: [
      ['twoCounts', 'free'],
      ['twoCounts', 'free', 'order'],
    ],
    unless: ['minutes', 'promise', 'late', 'points', 'reach', 'arrive', 'refund'],
  },
  {
    id: 'hours',
    means: [
      ['hours'],
      ['open', 'store'],
      ['open', 'today'],
      ['open', 'when'],
      ['open', 'hours'],
      ['open', 'contain'],
      ['open', 'clock'],
      ['when', 'open', 'store'],
      ['open', 'late'],
      ['store', 'when'],
    ],
    unless: ['damaged', 'account', 'erase', 'payment', 'refund', 'work'],
  },
  {
    id: 'hours',
    means: [
      ['weather', 'reach'],
      ['weather', 'arrive'],
      ['weather', 'open'],
      ['weather', 'order'],
    ],
    unless: ['late', 'where', 'given', 'cold', 'damaged', 'taste', 'when', 'cancel', 'fee', 'price', 'work'],
  },
  { id: 'hours', means: [['hours', 'order']], unless: ['late', 'taste', 'arrive', 'where', 'not', 'erase', 'refund'] },
  {
    id: 'promise',
    means: [
      ['promise'],
      ['promise', 'when'],
      ['promise', 'when', 'arrive'],
      ['promise', 'when', 'when', 'arrive'],
      ['promise', 'minutes', 'when', 'arrive'],
      ['promise', 'late'],
      ['minutes', 'free'],
      ['late', 'free'],
      ['late', 'if'],
      ['minutes', 'if', 'free'],
      ['minutes', 'promise'],
      ['minutes', 'free', 'late'],
    ],
  },
  {
    id: 'fees',
    means: [
      ['fee', 'arrive'],
      ['fee', 'reach'],
      ['fee', 'order'],
      ['arrive', 'free'],
      ['arrive', 'free', 'order'],
      ['arrive', 'free', 'price'],
      ['arrive', 'free', 'when'],
      ['fee', 'price'],
      ['fee', 'contain'],
      ['fee', 'how'],
      ['fee', 'why'],
      ['price', 'arrive'],
      ['price', 'arrive', 'money'],
    ],
    unless: ['refund', 'minimum'],
  },
  {
    id: 'fees',
    means: [
      ['fee', 'payment'],
      ['fee', 'money'],
    ],
    unless: ['refund', 'wrong', 'extra', 'bill', 'failed', 'back', 'why'],
  },
  {
    id: 'fees',
    means: [
      ['fee', 'extra', 'why'],
      ['fee', 'extra', 'contain'],
      ['fee', 'extra', 'reach'],
    ],
    unless: ['bill', 'wrong', 'refund', 'failed', 'rider'],
  },
  { id: 'fees', means: [['reach', 'free']], unless: ['refund', 'minutes', 'late', 'promise', 'points', 'offer'] },
  {
    id: 'again',
    means: [['again', 'order'], ['again', 'last', 'order'], ['last', 'order', 'want'], ['again'], ['again', 'reach']],
    unless: ['not'],
  },
  {
    id: 'again',
    means: [
      ['last', 'asked'],
      ['last', 'asked', 'want'],
      ['last', 'asked', 'again'],
    ],
    unless: [
      ...([
        'not',
        'wrong',
        'cold',
        'taste',
        'late',
        'missing',
        'refund',
        'bill',
        'invoice',
        'points',
        'money',
      ] as const),
      ...(['damaged', 'cancel', 'offer', 'rude', 'when', 'where', 'failed', 'payment', 'denied'] as const),
    ],
  },
  {
    id: 'dish',
    means: [['menu'], ['want', 'menu'], ['price', 'menu'], ['price', 'how'], ['ours'], ['want', 'ours']],
    unless: ['denied'],
  },
  {
    id: 'dish',
    means: [
      ['price', 'price'],
      ['price', 'ours'],
    ],
    unless: ['denied', 'why'],
  },
  // "Why do you not come to our area?"
  {
    id: 'place',
    means: [
      ['reach', 'not', 'why'],
      ['reach', 'reach', 'why'],
      ['reach', 'address', 'why'],
      ['reach', 'not', 'address'],
    ],
    unless: NO_PLACE.filter((name) => name !== 'denied'),
  },
  // "How far do you deliver?"
  {
    id: 'place',
    means: [['range'], ['range', 'reach'], ['range', 'arrive'], ['range', 'arrive', 'price'], ['range', 'want']],
    unless: ['order', 'rider', 'late', 'refund'],
  },
  {
    id: 'place',
    means: [
      ['reach', 'unknown'],
      ['reach', 'unknown', 'want'],
      ['reach', 'store', 'unknown'],
    ],
    unless: NO_PLACE,
  },
  { id: 'place', means: [['reach'], ['reach', 'want']], unless: [...NO_PLACE, 'no'] },
  {
    id: 'minimum',
    means: [
      ['minimum'],
      ['minimum', 'order'],
      ['minimum', 'price'],
      ['minimum', 'order', 'price'],
      ['minimum', 'money'],
      ['minimum', 'fee'],
    ],
  },
  {
    id: 'tax',
    means: [
      ['tax'],
      ['tax', 'tax'],
      ['tax', 'other'],
      ['tax', 'price'],
      ['tax', 'contain'],
      ['tax', 'money'],
      ['tax', 'contain', 'price'],
      // Nothing is added for paying with a card.
      ['fee', 'method'],
      ['fee', 'method', 'extra'],
    ],
    unless: ['refund', 'failed'],
  },
  { id: 'pickup', means: [['reach', 'store', 'where']], unless: ['order', 'open', 'hours', 'late', 'wrong'] },
  {
    id: 'pickup',
    means: [
      ['pickup'],
      ['pickup', 'order'],
      ['pickup', 'store'],
      ['pickup', 'how'],
      ['pickup', 'unknown'],
      ['pickup', 'when'],
    ],
    unless: ['points'],
  },
  {
    id: 'pickup',
    means: [
      ['store', 'where'],
      ['store', 'unknown'],
      ['store', 'unknown', 'contain'],
      ['store', 'unknown', 'where'],
    ],
    unless: [
      ...(['thing', 'diet', 'forbidden', 'untold', 'dish', 'later', 'clock', 'group'] as const),
      'order',
      'call',
      'open',
      'note',
      'rude',
      'late',
      'work',
      'reach',
      'hours',
      'when',
      'wrong',
      'taste',
      'human',
      'address',
      'not',
    ],
  },
  {
    id: 'later',
    means: [
      ...([['later'], ['later', 'order'], ['later', 'when'], ['later', 'order', 'when'], ['later', 'arrive']] as const),
      ['clock', 'later'],
      ['clock', 'today'],
      ['clock', 'today', 'order'],
    ],
    unless: [
      'note',
      'where',
      'address',
      'cancel',
      'change',
      'not',
      'hours',
      'open',
      'late',
      'refund',
      'wrong',
      'cold',
      'taste',
      'work',
    ],
  },
  {
    id: 'later',
    means: [
      ['clock', 'later'],
      ['later', 'today'],
    ],
    unless: ['address', 'cancel', 'hours', 'open', 'late', 'refund', 'wrong', 'work', 'change'],
  },
  // "After half an hour" is no complaint before it went by.
  {
    id: 'later',
    means: [
      ['later', 'late'],
      ['later', 'minutes'],
    ],
    unless: ['not', 'where', 'when', 'told', 'cancel', 'refund', 'promise', 'cold', 'given', 'wrong', 'bill'],
  },
  // "Colombo 7" is a place.
  {
    id: 'later',
    means: [
      ['clock', 'order'],
      ['clock', 'arrive'],
      ['clock', 'want'],
      ['clock', 'sendTo'],
    ],
    unless: [
      ...(['where', 'cancel', 'change', 'not', 'hours', 'open', 'late', 'refund', 'wrong', 'cold', 'taste'] as const),
      'reach',
    ],
  },
  {
    id: 'receiver',
    means: [
      ['receiver'],
      ['receiver', 'order'],
      ['relative', 'sendTo'],
      ['relative', 'sendTo', 'order'],
      ['receiver', 'relative'],
      ['receiver', 'relative', 'sendTo'],
    ],
    unless: ['payer', 'payment', 'method', 'refund', 'missing', 'late', 'note', 'wrong', 'offer', 'allergen'],
  },
  {
    id: 'half',
    means: [
      ['halved', 'halved', 'missing'],
      ['halved', 'halved', 'mixed'],
    ],
    unless: ['not', 'arrive', 'given'],
  },
  {
    id: 'popular',
    means: [
      ['popular'],
      ['popular', 'ours'],
      ['popular', 'order'],
      ['popular', 'menu'],
      ['popular', 'diet'],
      ['popular', 'serves'],
    ],
    unless: ['thing', 'budget', 'offer', 'cheap', 'thanks', 'given', 'allergen', 'spicy'],
  },
  {
    id: 'group',
    means: [
      ['group'],
      ['group', 'order'],
      ['group', 'order', 'want'],
      ['group', 'how'],
      ['group', 'serves'],
      ['group', 'serves', 'order'],
      ['group', 'group'],
      ['group', 'bill'],
      ['group', 'group', 'order'],
    ],
    unless: ['missing', 'late', 'offer', 'wrong', 'invoice'],
  },
  {
    id: 'notices',
    means: [['notices'], ['notices', 'change'], ['notices', 'cancel'], ['notices', 'not'], ['notices', 'how']],
  },
  {
    id: 'half',
    means: [
      ['half'],
      ['half', 'ours'],
      ['half', 'order'],
      ['half', 'want'],
      ['halved', 'halved'],
      ['halved', 'halved', 'ours'],
    ],
    unless: ['missing', 'late', 'minutes', 'wrong', 'cold', 'damaged', 'offer', 'method', 'payment'],
  },
  {
    id: 'train',
    means: [
      ['train', 'arrive'],
      ['train', 'reach'],
      ['train', 'reach', 'arrive'],
      ['train', 'train'],
      ['train', 'train', 'reach'],
      ['train', 'order'],
      ['train', 'want'],
      ['train', 'order', 'how'],
      ['train', 'order', 'want'],
    ],
    unless: ['late', 'when', 'where', 'code'],
  },
  {
    id: 'pays',
    means: [
      ['method'],
      ['method', 'want'],
      ['method', 'payment'],
      ['method', 'money'],
      ['method', 'arrive'],
      ['payment', 'how'],
      ['payment', 'money', 'how'],
      ['method', 'payment', 'money'],
      ['method', 'bill'],
      ['method', 'most'],
      ['method', 'most', 'order'],
      ['method', 'most', 'money'],
    ],
    unless: [
      'gift',
      'savedCard',
      'erase',
      'sizes',
      'menu',
      'fee',
      'refund',
      'failed',
      'extra',
      'wrong',
      'cancel',
      'late',
      'invoice',
      'points',
      'offer',
      'back',
    ],
  },
  {
    id: 'pays',
    means: [
      ['payment', 'when', 'arrive'],
      ['money', 'may', 'arrive'],
    ],
    unless: [
      'sizes',
      'asked',
      'refund',
      'failed',
      'extra',
      'wrong',
      'cancel',
      'late',
      'back',
      'not',
      'rider',
      'fee',
      'price',
      'claimed',
    ],
  },
  {
    id: 'payer',
    means: [
      ['payer'],
      ['relative', 'bill', 'may'],
      ['payer', 'payment'],
      ['payer', 'money'],
      ['payer', 'method'],
      ['payer', 'relative'],
      ['relative', 'payment'],
      ['relative', 'payment', 'may'],
      ['relative', 'payment', 'money'],
      ['relative', 'money', 'may'],
      ['relative', 'method', 'payment'],
      ['relative', 'money', 'call'],
    ],
    unless: ['refund', 'failed', 'extra', 'wrong', 'cancel', 'late', 'back', 'rider', 'missing', 'group', 'arrive'],
  },
  {
    id: 'wallet',
    means: [
      ['wallet'],
      ['wallet', 'money'],
      ['wallet', 'payment'],
      ['wallet', 'price'],
      ['wallet', 'where'],
      ['wallet', 'failed', 'money'],
      ['wallet', 'missing', 'money'],
    ],
    unless: ['refund', 'method', 'extra', 'wrong', 'cancel', 'late', 'back', 'points'],
  },
  {
    id: 'wallet',
    means: [['wallet', 'method']],
    unless: ['refund', 'extra', 'wrong', 'cancel', 'want', 'may', 'how', 'payment'],
  },
  {
    id: 'coupon',
    means: [
      ['offer', 'wrong'],
      ['offer', 'code', 'wrong'],
    ],
    unless: ['arrive', 'order'],
  },
  {
    id: 'coupon',
    means: [
      ['offer', 'bill'],
      ['offer', 'bill', 'where'],
    ],
    unless: ['want', 'invoice'],
  },
  { id: 'coupon', means: [['offer', 'not']], unless: ['taste', 'contain', 'want', 'today'] },
  {
    id: 'pays',
    means: [['method', 'method']],
    unless: [
      'gift',
      'savedCard',
      'erase',
      'fee',
      'offer',
      'menu',
      'refund',
      'failed',
      'extra',
      'wrong',
      'cancel',
      'late',
      'points',
    ],
  },
  {
    id: 'coupon',
    means: [
      ['offer', 'broken'],
      ['offer', 'failed'],
      ['offer', 'code', 'not'],
      ['offer', 'code', 'broken'],
    ],
  },
  { id: 'coupon', means: [['code', 'broken']], unless: ['login', 'rider', 'handover', 'arrive', 'account', 'train'] },
  {
    id: 'points',
    means: [
      ['points'],
      ['points', 'want'],
      ['points', 'when'],
      ['points', 'order'],
      ['points', 'offer'],
      ['points', 'free', 'order'],
      ['points', 'price'],
      ['points', 'missing'],
      ['points', 'not', 'arrive'],
      ['free', 'order', 'how'],
    ],
    unless: ['serves'],
  },
  { id: 'points', means: [['points', 'serves']] },
  {
    id: 'erase',
    means: [
      ['erase', 'account'],
      ['erase', 'privacy'],
      ['erase', 'history'],
      ['erase', 'account', 'how'],
      ['open', 'account'],
      ['account', 'cancel'],
      ['erase', 'call'],
    ],
  },
  {
    id: 'account',
    means: [
      ['account', 'change'],
      ['account', 'wrong'],
      ['account', 'how'],
      ['account', 'where'],
    ],
    unless: ['erase', 'not'],
  },
  {
    id: 'phone',
    means: [
      ['call', 'change'],
      ['call', 'call', 'change'],
      ['call', 'change', 'account'],
      ['call', 'how', 'account'],
      ['call', 'wrong', 'account'],
      ['call', 'change', 'order'],
      ['call', 'other'],
      ['call', 'other', 'order'],
    ],
    unless: ['address', 'note', 'rider', 'handover', 'cancel', 'human'],
  },
  {
    id: 'phone',
    means: [
      ['call', 'other', 'rider'],
      ['call', 'other', 'note'],
      ['call', 'other', 'broken'],
    ],
    unless: ['address', 'payer', 'payment', 'money', 'relative'],
  },
  { id: 'phone', means: [['call', 'wrong']], unless: ['rider', 'address', 'store'] },
  {
    id: 'login',
    means: [
      ['login'],
      ['login', 'not'],
      ['login', 'missing'],
      ['code', 'not'],
      ['code', 'not', 'arrive'],
      ['account', 'open', 'not'],
      ['login', 'code'],
    ],
    unless: ['rider', 'train', 'offer', 'order'],
  },
  {
    id: 'language',
    means: [['language'], ['language', 'change'], ['language', 'how'], ['language', 'call']],
    unless: ['rude', 'human', 'someone'],
  },
  // A mother-in-law is none.
  { id: 'law', means: [['law'], ['law', 'human']], unless: ['relative'] },
  {
    id: 'person',
    means: [
      ['human'],
      ['call', 'someone'],
      ['call', 'human'],
      ['human', 'someone'],
      ['call'],
      ['call', 'store'],
      ['able', 'someone'],
    ],
    unless: ['work'],
  },
  { id: 'person', means: [['call', 'call']], unless: ['change', 'wrong', 'rider'] },
  { id: 'yes', means: [['yes']], unless: ['where'] },
  {
    id: 'no',
    means: [['no']],
    unless: [
      ...([
        'arrive',
        'forbidden',
        'order',
        'store',
        'address',
        'contain',
        'substance',
        'thing',
        'dish',
        'part',
      ] as const),
      ...(['given', 'want', 'ours', 'kind', 'taste', 'allergen'] as const),
    ],
  },
  { id: 'no', means: [['keep'], ['keep', 'order'], ['no', 'keep'], ['no', 'keep', 'order']] },
  { id: 'able', means: [['able'], ['hello', 'able']] },
  { id: 'hello', means: [['hello'], ['hello', 'yes']], unless: ['where'] },
  { id: 'thanks', means: [['thanks'], ['thanks', 'yes']] },
  {
    id: 'thanks',
    means: [['thanks', 'order']],
    unless: [
      ...([
        'not',
        'cold',
        'wrong',
        'late',
        'missing',
        'damaged',
        'denied',
        'refund',
        'change',
        'cancel',
        'where',
      ] as const),
      ...(['want', 'when', 'menu', 'price', 'payment', 'offer', 'again', 'no', 'contain', 'ours'] as const),
    ],
  },
  {
    id: 'thanks',
    means: [['thanks', 'given']],
    unless: [
      'not',
      'cold',
      'wrong',
      'late',
      'missing',
      'damaged',
      'when',
      'where',
      'reach',
      'refund',
      'change',
      'cancel',
      'other',
    ],
  },
  // "Thank you, very tasty."
  {
    id: 'thanks',
    means: [['thanks', 'taste']],
    unless: ['not', 'cold', 'wrong', 'late', 'missing', 'damaged', 'denied', 'refund', 'change', 'address'],
  },
  // "Does the sauce have garlic?"
  {
    id: 'free',
    means: [['thing', 'contain']],
    unless: [
      ...(['damaged', 'pack', 'dish', 'open'] as const),
      ...([
        'allergen',
        'diet',
        'forbidden',
        'missing',
        'given',
        'arrive',
        'recipe',
        'kind',
        'chooses',
        'untold',
      ] as const),
      ...(['budget', 'cheap', 'price', 'want', 'menu', 'wrong', 'cold', 'taste', 'late', 'instead', 'asked'] as const),
    ],
  },
];
