import { atom } from 'jotai';
import { isFailure } from '../api/failure.ts';
import { CONNECTION_LOST, INTERNAL_SERVER_ERROR, LOGGED_OUT, LOGGED_OUT_IN_HOST, OK, OOPS, REQUEST_TIMEOUT } from '../domain/messages.ts';
import { hostAtom } from './seams.ts';

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

/** The sentence for whatever was thrown: the server's own first, else the catalogue's for its kind (section 8). */
export function sentenceOf(thrown: unknown, isMiniApp = false): string {
  if (!isFailure(thrown)) return INTERNAL_SERVER_ERROR;
  if (thrown.kind === 'expired') return isMiniApp ? LOGGED_OUT_IN_HOST : LOGGED_OUT;
  if (thrown.errors[0]) return thrown.errors[0].displayMsg;
  if (thrown.kind === 'offline') return CONNECTION_LOST;
  if (thrown.kind === 'timeout') return REQUEST_TIMEOUT;
  return INTERNAL_SERVER_ERROR;
}

/** Shows a failure as the alert of the catalogue; a stopped wait shows nothing. */
export const showFailureAtom = atom(null, (get, set, thrown: unknown) => {
  if (isFailure(thrown) && thrown.kind === 'aborted') return;
  const first = isFailure(thrown) ? thrown.errors[0] : undefined;
  const isMiniApp = !get(hostAtom).fullMode;
  set(popupAtom, {
    header: first?.header ?? OOPS,
    message: sentenceOf(thrown, isMiniApp),
    right: { label: first?.btnMsg ?? OK },
    ...(isFailure(thrown) && thrown.requestId ? { reference: thrown.requestId } : {}),
  });
});
