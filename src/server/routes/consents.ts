import * as contract from '../../contract/consents.ts';
import { CONSENT_VERSIONS, joinedConsents } from '../../domain/consents.ts';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { addConsents, consentsOf } from '../store/consents.ts';
import { transact } from '../store/db.ts';
import { lockUser } from '../store/sessions.ts';

const SUCCESS = 'SUCCESS' as const;

export const consentRoutes: Route[] = [
  on(contract.list, async (_input, call) => ({
    status: SUCCESS,
    consents: joinedConsents(await consentsOf(call.db, userIdOf(call)), []),
  })),
  on(contract.say, async ({ body }, call) => {
    const userId = userIdOf(call);
    if (body.consents.some(({ purpose, given, version }) => given && version !== CONSENT_VERSIONS[purpose]))
      refuse(422, 'CONSENT_TEXT', t.consentText, { field: 'consents' });
    const said = body.consents.map((one) => ({ ...one, at: Math.min(Math.round(one.at), call.now) }));
    const consents = await transact(call.db, async (tx) => {
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
    return { status: SUCCESS, consents };
  }),
];
