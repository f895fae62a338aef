import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as activity from '../../contract/activity.ts';
import * as contract from '../../contract/consents.ts';
import { type Purpose } from '../../contract/consents.ts';
import { CONSENT_VERSIONS, consentTo, joinedConsents, mayI, type Consent } from '../../domain/consents.ts';
import { analyticsIdAtom } from './analyticsId.ts';
import { campaignAtom } from './campaign.ts';
import { clockAheadAtom } from '../base/clock.ts';
import { isFrugalAtom } from '../base/config.ts';
import { kept, OPTIONAL_MARK, safeStorage } from '../first/lib/kept.ts';
import { apiAtom } from '../first/seams.ts';
import { optionalNames } from '../lib/optional.ts';
import { isLoggedInAtom, userAtom } from '../base/session.ts';

/** Keys of messages that wait to be sent (delivery.ts) begin with it. */
export const WAITING_USAGE = `${OPTIONAL_MARK}waiting-usage-`;
/**
 * What is kept for the purpose, also by scripts that may not be loaded (experiments.ts, first/menu.ts) and by older
 * releases, whose values nothing reads any more.
 */
const KEPT_FOR_USAGE = ['ga-client', 'utm', 'experiment-rows', 'experiment-visitor', 'card-variant'].map(
  (key) => OPTIONAL_MARK + key,
);

/** What was agreed to and taken back on this device, and by this account: of each purpose the last word. */
const saidAtom = kept<readonly Consent[]>({
  key: 'consents',
  schema: z.array(contract.Consent),
  initial: [],
  forget: 'logout',
  optional: true,
});

/** The browser's own no to being followed (Global Privacy Control); it stands above a yes that was said here. */
export const isRefusedByBrowserAtom = atom(
  () => (globalThis.navigator as { globalPrivacyControl?: boolean } | undefined)?.globalPrivacyControl === true,
);
/** Whether something may be stored or sent for a purpose. The one place that is asked before it is. */
export const mayIAtom = atom((get) => {
  const said = get(saidAtom);
  const isRefused = get(isRefusedByBrowserAtom);
  return (purpose: Purpose): boolean => mayI(purpose, said) && !(purpose === 'usage' && isRefused);
});
/** Whether this visit may be measured: by the customer, by the browser, and by who runs the shop. */
export const isUsageAgreedAtom = atom((get) => get(mayIAtom)('usage') && !get(isFrugalAtom));
/** Somebody has said no, here or by the browser; nobody has where the question was not asked yet. */
export const isUsageRefusedAtom = atom(
  (get) => get(isRefusedByBrowserAtom) || consentTo('usage', get(saidAtom))?.given === false,
);
/** What was said of a purpose; undefined: nobody has asked, or the sentence has changed. */
export const consentToAtom = atom((get) => {
  const said = get(saidAtom);
  return (purpose: Purpose): Consent | undefined => consentTo(purpose, said);
});

/** The server has not heard yet that it is to forget this device's visits. */
const isForgettingAtom = kept<boolean>({ key: 'forgetting', schema: z.boolean(), initial: false, forget: 'never' });
/** Asks the server to forget, until it has heard it. Never rejects. */
export const finishForgettingAtom = atom(null, async (get, set): Promise<void> => {
  if (!get(isForgettingAtom)) return;
  await get(apiAtom)
    .call(activity.forget, {})
    .then(
      () => set(isForgettingAtom, false),
      () => undefined,
    );
});
/** Nothing of what was measured stays: not what waits on the device, not the id, not what the server has. */
const forgetUsageAtom = atom(null, async (get, set): Promise<void> => {
  const isKnown = get(analyticsIdAtom) !== '';
  set(analyticsIdAtom, '');
  set(campaignAtom, null);
  const waiting = optionalNames().filter((name) => name.startsWith(WAITING_USAGE));
  for (const name of [...waiting, ...KEPT_FOR_USAGE]) safeStorage.write(name, null);
  if (isKnown) set(isForgettingAtom, true);
  await set(finishForgettingAtom);
});

/**
 * Tells the account what this device knows, and hears what was said elsewhere: of each purpose the last word holds, a
 * guest's, too. Never rejects; what could not be told is told the next time.
 */
export const syncConsentsAtom = atom(null, async (get, set): Promise<void> => {
  if (!get(isLoggedInAtom)) return;
  const who = get(userAtom)?.userId;
  const now = get(saidAtom).filter(({ purpose, version }) => version === CONSENT_VERSIONS[purpose]);
  try {
    const { consents } = await get(apiAtom).call(contract.say, { body: { consents: [...now] } });
    // A customer who has logged in since has said nothing of it.
    if (get(userAtom)?.userId !== who) return;
    const wasAgreed = get(mayIAtom)('usage');
    // Something may have been said on this page meanwhile.
    set(saidAtom, (since) => joinedConsents(consents, since));
    // Taken back on another device, it is taken back here.
    if (wasAgreed && !get(mayIAtom)('usage')) await set(forgetUsageAtom);
  } catch {
    // Nothing is lost: the device has it.
  }
});

/** Agrees to a purpose, or takes it back: one tap each. */
export const sayAtom = atom(null, async (get, set, purpose: Purpose, given: boolean): Promise<void> => {
  const at = Date.now() + get(clockAheadAtom);
  const word: Consent = { purpose, given, version: CONSENT_VERSIONS[purpose], at };
  set(saidAtom, (before) => [...before.filter((one) => one.purpose !== purpose), word]);
  if (purpose === 'usage' && !given) await set(forgetUsageAtom);
  await set(syncConsentsAtom);
});
