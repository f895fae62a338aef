import { atom } from 'jotai';
import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';

const Journal = z.nullable(
  z.object({
    /** Idempotency key of the order's submit. */
    key: z.string(),
    /** Known once the server has answered. */
    orderId: z.nullable(z.string()),
    /**
     * submitting: the answer has not come. paying: a payment sheet or page was opened. watching: placed, not finished.
     */
    step: z.enum(['submitting', 'paying', 'watching']),
    at: z.number(),
  }),
);
/**
 * The order under way, written before every step that touches money or stock (product.md 3.1). It survives a reload, a
 * killed webview and time without a network. The server knows the same key.
 */
export const journalAtom = kept<z.output<typeof Journal>>({
  key: 'journal',
  schema: Journal,
  initial: null,
  forget: 'never',
});

/** Whether an order is under way at all: only then do the strip and its code load. */
export const isOrderActiveAtom = atom((get) => get(journalAtom) !== null);
/** Whether the order under way has been placed. */
export const isPlacedAtom = atom((get) => get(journalAtom)?.step === 'watching');
