import { atom } from 'jotai';
import { kept } from './lib/kept.ts';

/**
 * What is under way, written before every step that touches money or stock (product.md 3.1): survives a reload, a killed
 * webview and an offline spell. The server knows the same key.
 */
export type Journal = {
  /** Idempotency key of the submit. */
  readonly key: string;
  /** Known once the server has answered. */
  readonly orderId: string | null;
  /** submitting: the answer is open. paying: a payment sheet or page was opened. watching: placed, not finished. */
  readonly step: 'submitting' | 'paying' | 'watching';
  readonly at: number;
} | null;

export const journalAtom = kept<Journal>({ key: 'journal', initial: null, forget: 'never' });

/** This page is waiting for the answer to a submit: nobody else needs to ask what became of it. */
export const isSubmittingAtom = atom(false);

/** Whether the page has to look after an order at all: the strip and its code load only then. */
export const activeOrderHintAtom = atom((get) => get(journalAtom) !== null);
