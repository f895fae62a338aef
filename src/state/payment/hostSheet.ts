import * as t from '#text/payment.ts';
import { atom } from 'jotai';
import type { HostErrorCode } from '../../bridge/hostError.ts';
import type { PaymentMode } from '../../contract/names.ts';
import { hostAtom } from '../first/seams.ts';

/** Codes of a payment that the host did not open: nothing was paid, and the customer has to hear why. */
const NOT_OPENED: readonly HostErrorCode[] = ['NOT_READY', 'UNSUPPORTED', 'BLOCKED', 'UNAVAILABLE'];

/** Why the host's payment was not opened, as a sentence; null for an error that says nothing about that. */
export function sheetTrouble(thrown: unknown): string | null {
  const code = (thrown as { code?: HostErrorCode } | null)?.code;
  return code !== undefined && NOT_OPENED.includes(code) ? t.sheetTrouble({ why: code }) : null;
}

/**
 * Asks whether the host can open its payment for this mode, before there is an order for it. Waits for a bridge that is
 * still on its way. @returns why it cannot, as a sentence; null if it can, or if only the payment itself will tell
 */
export const askSheetAtom = atom(null, async (get, _set, mode: PaymentMode): Promise<string | null> => {
  const host = get(hostAtom);
  if (host.partner === '' || mode === 'COD') return null;
  try {
    await host.ready();
  } catch (thrown) {
    return sheetTrouble(thrown);
  }
  const support = host.supports('payment');
  if (support.state !== 'unavailable') return null;
  return t.sheetTrouble({ why: support.because === 'blocked-by-host' ? 'BLOCKED' : 'UNSUPPORTED' });
});
