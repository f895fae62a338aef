import { atom } from 'jotai';

export interface ToastContent {
  readonly id: number;
  readonly message: string;
  readonly action?: ToastAction;
}
export interface ToastAction {
  readonly label: string;
  readonly act?: () => void;
}
export const toastAtom = atom<ToastContent | null>(null);
let toasts = 0;
/** Shows a short message that needs no answer. An error must never be shown here alone. */
export const toastMessageAtom = atom(null, (_get, set, message: string, action?: ToastAction) => {
  toasts += 1;
  set(toastAtom, { id: toasts, message, ...(action ? { action } : {}) });
});
