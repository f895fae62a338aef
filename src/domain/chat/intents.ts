import type { Issue } from '../../contract/help.ts';
import type { MeaningName } from './words.ts';

/** What can be asked. What is wrong with an order is named as the help names it (contract/help.ts). */
export type Intent =
  | Issue
  | 'where'
  | 'note'
  | 'address'
  | 'cancel'
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

/** One entry an intent. Where two say as much, the first one counts. */
export const INTENTS: readonly IntentRow[] = [
  {
    id: 'refund',
    means: [
      ['refund'],
      ['refund', 'cancel'],
      ['money', 'back'],
      ['money', 'back', 'when'],
      ['money', 'back', 'cancel'],
    ],
  },
  { id: 'invoice', means: [['invoice'], ['invoice', 'bill'], ['bill', 'want']], unless: ['wrong', 'extra'] },
  {
    id: 'allergens',
    means: [
      ['allergen'],
      ['substance', 'contain'],
      ['substance', 'allergen'],
      ['contain', 'allergen'],
      ['substance', 'ours'],
    ],
    unless: ['missing'],
  },
  { id: 'cancel', means: [['cancel'], ['cancel', 'order'], ['not', 'want', 'order']], unless: ['refund'] },
  {
    id: 'address',
    means: [
      ['address', 'change'],
      ['address', 'wrong'],
      ['address', 'order'],
      ['arrive', 'change', 'address'],
      ['arrive', 'address'],
    ],
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
      ['rider', 'call', 'when'],
    ],
  },
  { id: 'missing', means: [['missing'], ['missing', 'order'], ['not', 'arrive', 'extra'], ['missing', 'substance']] },
  {
    id: 'cold',
    means: [['cold'], ['cold', 'order'], ['cold', 'arrive'], ['cold', 'arrive', 'order']],
    unless: ['want'],
  },
  { id: 'damaged', means: [['damaged'], ['damaged', 'order'], ['damaged', 'arrive']] },
  { id: 'taste', means: [['taste'], ['taste', 'order'], ['taste', 'not']] },
  { id: 'rider', means: [['rider', 'rude'], ['rude'], ['rider', 'taste']] },
  {
    id: 'bill',
    means: [
      ['bill', 'wrong'],
      ['bill', 'extra'],
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
      ['money', 'failed'],
      ['payment', 'not'],
      ['payment', 'extra'],
      ['payment', 'wrong'],
      ['money', 'failed', 'order', 'not'],
    ],
  },
  {
    id: 'wrong',
    means: [
      ['wrong', 'order'],
      ['wrong', 'arrive'],
      ['wrong', 'menu'],
      ['wrong', 'arrive', 'order'],
    ],
    unless: ['address', 'bill'],
  },
  { id: 'late', means: [['late'], ['late', 'order'], ['late', 'arrive', 'order']] },
  {
    id: 'notDelivered',
    means: [
      ['not', 'arrive', 'order'],
      ['not', 'arrive'],
    ],
    unless: ['when', 'where', 'late'],
  },
  {
    id: 'where',
    means: [
      ['where', 'train'],
      ['when', 'train'],
      ['late', 'train'],
      ['train', 'order', 'where'],
      ['where', 'order'],
      ['where'],
      ['when', 'order'],
      ['when', 'arrive'],
      ['where', 'arrive'],
      ['where', 'rider'],
      ['when', 'arrive', 'order'],
      ['when', 'not', 'arrive', 'order'],
      ['minutes', 'arrive', 'order'],
      ['late', 'where', 'order'],
      ['where', 'not', 'arrive', 'order'],
    ],
    unless: ['store', 'code'],
  },
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
  { id: 'offers', means: [['offer'], ['offer', 'today'], ['offer', 'order']] },
  {
    id: 'hours',
    means: [
      ['hours'],
      ['open', 'store'],
      ['open', 'today'],
      ['open', 'when'],
      ['open', 'hours'],
      ['when', 'open', 'store'],
      ['open', 'late'],
      ['store', 'when'],
    ],
    unless: ['damaged'],
  },
  {
    id: 'promise',
    means: [['promise'], ['minutes', 'free'], ['late', 'free'], ['minutes', 'promise'], ['minutes', 'free', 'late']],
  },
  {
    id: 'fees',
    means: [
      ['fee', 'arrive'],
      ['fee', 'order'],
      ['arrive', 'free'],
      ['fee', 'price'],
      ['price', 'arrive'],
    ],
  },
  {
    id: 'again',
    means: [['again', 'order'], ['again', 'last', 'order'], ['last', 'order', 'want'], ['again']],
    unless: ['not'],
  },
  {
    id: 'dish',
    means: [['menu'], ['want', 'menu'], ['price', 'menu'], ['ours'], ['want', 'ours'], ['price', 'ours']],
    unless: ['denied'],
  },
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
  },
  { id: 'yes', means: [['yes']] },
  { id: 'no', means: [['no']], unless: ['arrive'] },
  { id: 'no', means: [['keep'], ['keep', 'order'], ['no', 'keep'], ['no', 'keep', 'order']] },
  { id: 'able', means: [['able'], ['hello', 'able']] },
  { id: 'hello', means: [['hello']] },
  { id: 'thanks', means: [['thanks']] },
];
