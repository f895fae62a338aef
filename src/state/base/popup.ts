import { atom } from 'jotai';
import { isFailure } from '../../api/failure.ts';
import * as errors from '#text/errors.ts';
import { hostAtom } from '../first/seams.ts';

/** Generic popup of the specification, section 2. */
interface PopupContent {
  readonly header?: string;
  readonly message: string;
  readonly second?: string;
  /** In small print: the id by which support finds the call. */
  readonly reference?: string;
  readonly left?: PopupButton;
  readonly right?: PopupButton;
  /** Neither answer is the better one: both look the same, as a question of consent has to. */
  readonly areEqual?: boolean;
}
interface PopupButton {
  readonly label: string;
  readonly act?: () => void;
  /** What it does cannot be undone: the other button is the prominent one and gets the focus. */
  readonly isDestructive?: boolean;
}
export const popupAtom = atom<PopupContent | null>(null);
export const hasPopupAtom = atom((get) => get(popupAtom) !== null);

/**
 * The sentence for a failure: the server's own if there is one, else the catalogue's for its kind (specification
 * section 8).
 */
export function sentenceOf(thrown: unknown, isMiniApp = false): string {
  if (!isFailure(thrown)) return errors.internalServerError;
  if (thrown.kind === 'expired') return isMiniApp ? errors.loggedOutInHost : errors.loggedOut;
  if (thrown.kind === 'unrefreshed') return errors.refreshFailed;
  if (thrown.errors[0]) return thrown.errors[0].displayMsg;
  if (thrown.kind === 'offline') return errors.connectionLost;
  if (thrown.kind === 'timeout') return errors.requestTimeout;
  if (thrown.kind === 'aborted') return errors.stopped;
  return errors.internalServerError;
}

/** What a try to pay that failed means for the money: an answer that was lost may be a payment that was not. */
export const moneySentence = (thrown: unknown): string =>
  isFailure(thrown) && ['refused', 'expired', 'unrefreshed'].includes(thrown.kind)
    ? errors.nothingTaken
    : errors.lookBeforePaying;

/** Shows a failure in a popup, and under it what it means for the customer; an aborted request shows nothing. */
export const showFailureAtom = atom(null, (get, set, thrown: unknown, second?: string) => {
  if (isFailure(thrown) && thrown.kind === 'aborted') return;
  // A customer whose login has ended has just been told so, with the way back in (state/base/session.ts).
  const open = get(popupAtom);
  if (isFailure(thrown) && thrown.kind === 'expired' && open !== null) {
    if (second) set(popupAtom, { ...open, second });
    return;
  }
  const first = isFailure(thrown) ? thrown.errors[0] : undefined;
  const isMiniApp = !get(hostAtom).fullMode;
  set(popupAtom, {
    header: first?.header ?? errors.oops,
    message: sentenceOf(thrown, isMiniApp),
    ...(second && { second }),
    right: { label: first?.btnMsg ?? errors.ok },
    ...(isFailure(thrown) && thrown.requestId ? { reference: thrown.requestId } : {}),
  });
});
