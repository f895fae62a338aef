import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { PaymentChoice, PaymentOption } from '../../contract/payments.ts';
import { kept } from '../first/lib/kept.ts';

/** The bank, service or app that was chosen for each mode; there again the next time. */
const choicesAtom = kept<Readonly<Record<string, string>>>({
  key: 'payment-choices',
  schema: z.record(z.string(), z.string()),
  initial: {},
  forget: 'logout',
});

/** What was chosen for a mode; null for nothing, or if it is not offered any more. */
export const choiceOfAtom = atom((get) => {
  const chosen = get(choicesAtom);
  return (option: PaymentOption | undefined): PaymentChoice | null =>
    option?.choices?.find((choice) => choice.id === chosen[option.id]) ?? null;
});
export const chooseWithinAtom = atom(null, (_get, set, mode: string, id: string): void =>
  set(choicesAtom, (before) => ({ ...before, [mode]: id })),
);

/** Whether one has to be chosen: banks and services, but not apps, since any app opens a UPI link. */
export const isChoiceNeeded = (option: PaymentOption | undefined): boolean =>
  option?.choices?.some((choice) => choice.link === undefined) ?? false;
