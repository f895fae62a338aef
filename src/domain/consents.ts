import { PURPOSES, type Purpose } from '../contract/consents.ts';

/** The version of the sentence that is agreed to; a changed sentence is a new version, and asks anew. */
export const CONSENT_VERSIONS: Readonly<Record<Purpose, string>> = {
  news: '2026-11-22',
  offers: '2026-11-22',
  usage: '2026-11-23',
  device: '2026-11-23',
  league: '2026-11-23',
};

/** What somebody said last of a purpose. */
export interface Consent {
  readonly purpose: Purpose;
  readonly given: boolean;
  readonly version: string;
  /** Epoch ms. */
  readonly at: number;
}

/** The last answer for a purpose to today's sentence; undefined: none, which counts as no. */
export function consentTo(purpose: Purpose, said: readonly Consent[]): Consent | undefined {
  const held = said.filter((one) => one.purpose === purpose);
  const last = held.sort((a, b) => b.at - a.at)[0];
  return last?.version === CONSENT_VERSIONS[purpose] ? last : undefined;
}

/** Whether something may be stored or sent for this purpose. To be asked before it is. */
export const mayI = (purpose: Purpose, said: readonly Consent[]): boolean => consentTo(purpose, said)?.given === true;

/** Two memories of one person, such as a device's and an account's: of each purpose what was said last holds. */
export function joinedConsents(one: readonly Consent[], other: readonly Consent[]): Consent[] {
  return PURPOSES.flatMap((purpose) => {
    const all = [...one, ...other].filter((consent) => consent.purpose === purpose);
    return all.sort((a, b) => b.at - a.at).slice(0, 1);
  });
}
