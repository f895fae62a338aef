import { atom } from 'jotai';

/** Which sheet of the payment page is open. They stand beside its form, never inside: a form in a form is none. */
export const fundsSheetAtom = atom<'voucher' | 'pin' | { readonly link: string; readonly label: string } | null>(null);
