import type * as sentences from '#text/errors.ts';
import type { SentencesOf } from '../text/spoken.ts';
import { isEmail } from './email.ts';
import { typedText } from './typedText.ts';

export interface Profile {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}
export type ProfileProblems = Partial<Record<keyof Profile | 'form', string>>;

const FIELDS = ['firstName', 'lastName', 'email'] as const;

/** The fields cleaned: as they are kept, compared and sent. */
export const trimmed = ({ firstName, lastName, email }: Profile): Profile => ({
  firstName: typedText(firstName),
  lastName: typedText(lastName),
  email: typedText(email),
});

export function isSameProfile(one: Profile, other: Profile): boolean {
  const [a, b] = [trimmed(one), trimmed(other)];
  return FIELDS.every((field) => a[field] === b[field]);
}

/** All problems by field; `form` is set if nothing was changed (specification section 5). */
export function profileProblems(t: SentencesOf<typeof sentences>, profile: Profile, before?: Profile): ProfileProblems {
  const { firstName, lastName, email } = trimmed(profile);
  const problems: ProfileProblems = {};
  if (firstName === '') problems.firstName = t.firstNameMissing;
  if (lastName === '') problems.lastName = t.lastNameMissing;
  if (!isEmail(email)) problems.email = t.emailInvalid;
  if (before && isSameProfile(profile, before)) problems.form = t.nothingChanged;
  return problems;
}
