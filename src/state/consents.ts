import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../contract/consents.ts';
import { type Purpose } from '../contract/consents.ts';
import { CONSENT_VERSIONS, consentTo, joinedConsents, mayI, type Consent } from '../domain/consents.ts';
import { clockAheadAtom } from './clock.ts';
import { kept } from './first/lib/kept.ts';
import { apiAtom } from './first/seams.ts';
import { isLoggedInAtom } from './session.ts';

/** What was agreed to and taken back on this device, and by this account: of each purpose the last word. */
const saidAtom = kept<readonly Consent[]>({
  key: 'consents',
  schema: z.array(contract.Consent),
  initial: [],
  forget: 'logout',
  optional: true,
});

/** Whether something may be stored or sent for a purpose. The one place that is asked before it is. */
export const mayIAtom = atom((get) => {
  const said = get(saidAtom);
  return (purpose: Purpose): boolean => mayI(purpose, said);
});
/** What was said of a purpose; undefined: nobody has asked, or the sentence has changed. */
export const consentToAtom = atom((get) => {
  const said = get(saidAtom);
  return (purpose: Purpose): Consent | undefined => consentTo(purpose, said);
});

/**
 * Tells the account what this device knows, and hears what was said elsewhere: of each purpose the last word holds, a
 * guest's, too. Never rejects; what could not be told is told the next time.
 */
export const syncConsentsAtom = atom(null, async (get, set): Promise<void> => {
  if (!get(isLoggedInAtom)) return;
  const now = get(saidAtom).filter(({ purpose, version }) => version === CONSENT_VERSIONS[purpose]);
  try {
    const { consents } = await get(apiAtom).call(contract.say, { body: { consents: [...now] } });
    // Something may have been said on this page meanwhile.
    set(saidAtom, (since) => joinedConsents(consents, since));
  } catch {
    // Nothing is lost: the device has it.
  }
});

/** Agrees to a purpose, or takes it back: one tap each. */
export const sayAtom = atom(null, async (get, set, purpose: Purpose, given: boolean): Promise<void> => {
  const at = Date.now() + get(clockAheadAtom);
  const word: Consent = { purpose, given, version: CONSENT_VERSIONS[purpose], at };
  set(saidAtom, (before) => [...before.filter((one) => one.purpose !== purpose), word]);
  await set(syncConsentsAtom);
});
