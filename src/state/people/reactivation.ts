import * as t from '#text/privacy.ts';
import { atom, type WritableAtom } from 'jotai';
import { codeOf, isFailure } from '../../api/failure.ts';
import { alertOf } from '../../domain/alerts.ts';
import { WAKE_HEADER } from '../../contract/deletion.ts';
import { customerAtom } from '../lib/forget.ts';
import { popupAtom } from '../base/popup.ts';

/** The customer has said that the account which sleeps is to be brought back: the next login does it. */
export const isWakingAtom = customerAtom(false);
/** Headers of every login. */
export const wakeHeadersAtom = atom((get): Readonly<Record<string, string>> =>
  get(isWakingAtom) ? { [WAKE_HEADER]: 'yes' } : {},
);

type Again = WritableAtom<unknown, [], Promise<unknown>>;

/**
 * Where a login was refused because its account sleeps: says until when, and offers to bring it back by one tap.
 * @param again logs in once more; an atom cannot set itself
 * @returns whether that was the reason
 */
export const askToWakeAtom = atom(null, (_get, set, thrown: unknown, again: Again): boolean => {
  if (codeOf(thrown) !== 'ACCOUNT_ASLEEP' || !isFailure(thrown)) return false;
  const { header, message, button } = alertOf(thrown.errors);
  set(popupAtom, {
    header,
    message,
    left: { label: t.staysAsleep },
    right: {
      label: button,
      act: () => {
        set(isWakingAtom, true);
        void set(again);
      },
    },
  });
  return true;
});
