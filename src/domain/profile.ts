import { isEmail } from './email.ts';
import { EMAIL_INVALID, FIRST_NAME_MISSING, LAST_NAME_MISSING, NOTHING_CHANGED } from './messages.ts';

export interface Profile { readonly firstName: string; readonly lastName: string; readonly email: string }
export type ProfileProblems = Partial<Record<'firstName' | 'lastName' | 'email' | 'form', string>>;

/** All problems by field; `form` says that nothing was changed (specification section 5). */
export function profileProblems(profile: Profile, before?: Profile): ProfileProblems {
  const problems: ProfileProblems = {};
  if (profile.firstName.trim() === '') problems.firstName = FIRST_NAME_MISSING;
  if (profile.lastName.trim() === '') problems.lastName = LAST_NAME_MISSING;
  if (!isEmail(profile.email)) problems.email = EMAIL_INVALID;
  const keys = ['firstName', 'lastName', 'email'] as const;
  if (before && keys.every((key) => profile[key].trim() === before[key].trim())) problems.form = NOTHING_CHANGED;
  return problems;
}
