import { atom } from 'jotai';
import { isFailure } from '../api/failure.ts';
import { CONNECTION_LOST, INTERNAL_SERVER_ERROR, LOGGED_OUT, LOGGED_OUT_IN_HOST, OK, OOPS, REFRESH_FAILED, REQUEST_TIMEOUT } from '../domain/messages.ts';
import { hostAtom } from './seams.ts';
import { popupAtom } from './toast.ts';

export { popupAtom, toastAtom, toastMessageAtom, type PopupButton, type PopupContent } from './toast.ts';

/** The sentence for whatever was thrown: the server's own first, else the catalogue's for its kind (section 8). */
export function sentenceOf(thrown: unknown, isMiniApp = false): string {
  if (!isFailure(thrown)) return INTERNAL_SERVER_ERROR;
  if (thrown.kind === 'expired') return isMiniApp ? LOGGED_OUT_IN_HOST : LOGGED_OUT;
  if (thrown.kind === 'unrefreshed') return REFRESH_FAILED;
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
