import { CONSENT_VERSIONS, joinedConsents, type Consent } from '../../../domain/consents.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { addConsents, consentsOf } from '../../store/consents.ts';
import { transact } from '../../store/db.ts';
import { lockUser } from '../../store/sessions.ts';

/** @returns all that the account has said. @throws Refusal 422 CONSENT_TEXT for a yes to a text of another time */
export async function keepConsents(call: Call, consents: readonly Consent[]): Promise<Consent[]> {
  const userId = userIdOf(call);
  if (consents.some(({ purpose, given, version }) => given && version !== CONSENT_VERSIONS[purpose]))
    refuse(422, 'CONSENT_TEXT', t.consentText, { field: 'consents' });
  const said = consents.map((one) => ({ ...one, at: Math.min(Math.round(one.at), call.now) }));
  return await transact(call.db, async (tx) => {
    await lockUser(tx, userId);
    const before = joinedConsents(await consentsOf(tx, userId), []);
    // The account's own words come first: of two of the same moment the one that is kept stays.
    const joined = joinedConsents(before, said);
    await addConsents(
      tx,
      userId,
      joined.filter((one) => !before.includes(one)),
    );
    return joined;
  });
}
