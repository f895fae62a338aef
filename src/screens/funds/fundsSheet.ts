import { atom } from 'jotai';

/**
 * The open sheet of the payment page. The sheets stand beside the page's form, because a form must not contain a form.
 */
export const fundsSheetAtom = atom<'voucher' | 'pin' | { readonly link: string; readonly label: string } | null>(null);
