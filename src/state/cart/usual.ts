import * as t from '#text/usual.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { LineInput } from '../../contract/cart.ts';
import { isSameDish } from '../../domain/madeOf.ts';
import { addLineAtom, cartLinesAtom } from '../first/cart.ts';
import { kept } from '../first/lib/kept.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { usualAtom, usualLinesAtom } from '../first/usual.ts';
import { customerAtom } from '../lib/forget.ts';
import { isHomeAtom } from '../base/path.ts';

const USUAL_LINES = 6;

/** What one piece of each of these dishes cost with the last order, in minor units, by the index of its line. */
export const usualPricesAtom = kept<readonly number[]>({
  key: 'usual-prices',
  schema: z.array(z.number()),
  initial: [],
  forget: 'logout',
  optional: true,
});

/** Remembers an order; called for every order that was placed, while its lines are still the cart's. */
export const rememberUsualAtom = atom(null, (get, set, lines: readonly LineInput[]) => {
  const priced = get(cartLinesAtom);
  const usual = lines.slice(0, USUAL_LINES);
  set(
    usualLinesAtom,
    usual.map(({ lineId: _lineId, ...line }) => line),
  );
  set(
    usualPricesAtom,
    usual.map((line) => priced.find((own) => isSameDish(own.input, line))?.priced?.product.price ?? 0),
  );
});

/** Somebody has ordered on this phone before. */
export const hasUsualAtom = atom((get) => get(usualLinesAtom).length > 0);

const isAskedAtom = customerAtom(false);
/** Whether the sheet that orders it again is open. It belongs to home. */
export const isUsualOpenAtom = atom(
  (get) => get(isAskedAtom) && get(isHomeAtom),
  (_get, set, isOpen: boolean) => set(isAskedAtom, isOpen),
);

/** Puts the dishes into the cart, beside what is there. */
export const addUsualAtom = atom(null, (get, set) => {
  for (const line of get(usualAtom)) set(addLineAtom, line);
  set(toastMessageAtom, t.added);
});
