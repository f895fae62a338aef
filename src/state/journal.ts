import { atom } from 'jotai';
import * as z from 'zod/mini';
import { kept } from './lib/kept.ts';

/**
 * What is under way, written before every step that touches money or stock (product.md 3.1): survives a reload, a killed
 * webview and an offline spell. The server knows the same key.
 */
const Journal = z.nullable(z.object({
  /** Idempotency key of the submit. */
  key: z.string(),
  /** Known once the server has answered. */
  orderId: z.nullable(z.string()),
  /** submitted: the answer is open. paying: a payment sheet or page was opened. watching: placed, not finished. */
  step: z.enum(['submitting', 'paying', 'watching']),
  at: z.number(),
}));
export type Journal = z.output<typeof Journal>;

export const journalAtom = kept<Journal>({ key: 'journal', schema: Journal, initial: null, forget: 'never' });

/** Whether the page has to look after an order at all: the strip and its code load only then. */
export const activeOrderHintAtom = atom((get) => get(journalAtom) !== null);
