import { atom } from 'jotai';
import type { LineInput } from '../contract/cart.ts';
import { usualLinesAtom } from './first/usual.ts';

const USUAL_LINES = 6;

/** Remembers an order; called for every order that was placed. */
export const rememberUsualAtom = atom(null, (_get, set, lines: readonly LineInput[]) => {
  set(
    usualLinesAtom,
    lines.slice(0, USUAL_LINES).map(({ lineId: _lineId, ...line }) => line),
  );
});
