import { isEmail } from './email.ts';
import * as errors from '#text/errors.ts';

export interface Profile {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}
export type ProfileProblems = Partial<Record<'firstName' | 'lastName' | 'email' | 'form', string>>;

/** All problems by field; `form` is set if nothing was changed (specification section 5). */
export function profileProblems(profile: Profile, before?: Profile): ProfileProblems {
  const problems: ProfileProblems = {};
  if (profile.firstName.trim() === '') problems.firstName = errors.firstNameMissing;
  if (profile.lastName.trim() === '') problems.lastName = errors.lastNameMissing;
  if (!isEmail(profile.email)) problems.email = errors.emailInvalid;
  const keys = ['firstName', 'lastName', 'email'] as const;
  if (before && keys.every((key) => profile[key].trim() === before[key].trim())) problems.form = errors.nothingChanged;
  return problems;
}
