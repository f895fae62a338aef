import * as contract from '../../contract/consents.ts';
import { joinedConsents } from '../../domain/consents.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { keepConsents } from '../rules/people/consents.ts';
import { consentsOf } from '../store/consents.ts';

export const consentRoutes: Route[] = [
  on(contract.list, async (_input, call) => ({
    consents: joinedConsents(await consentsOf(call.db, userIdOf(call)), []),
  })),
  on(contract.say, async ({ body }, call) => ({ consents: await keepConsents(call, body.consents) })),
];
