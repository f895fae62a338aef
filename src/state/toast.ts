import { atom } from 'jotai';

/** Generic popup of the specification, section 2. */
export interface PopupContent {
  readonly header?: string;
  readonly message: string;
  readonly second?: string;
  /** Small print: how support finds the call. */
  readonly reference?: string;
  readonly left?: PopupButton;
  readonly right?: PopupButton;
}
export interface PopupButton { readonly label: string; readonly act?: () => void }

export const popupAtom = atom<PopupContent | null>(null);

export interface ToastContent { readonly id: number; readonly message: string; readonly action?: PopupButton }
export const toastAtom = atom<ToastContent | null>(null);
let toasts = 0;
/** Says something that needs no answer; never the only place of an error. */
export const toastMessageAtom = atom(null, (_get, set, message: string, action?: PopupButton) => {
  toasts += 1;
  set(toastAtom, { id: toasts, message, ...(action ? { action } : {}) });
});
