import * as contract from '../../contract/challenge.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { newChallenge } from '../rules/people/challenge.ts';
import { mayDo } from '../rules/people/limits.ts';

export const challengeRoutes: Route[] = [
  on(contract.ask, async ({ body }, call) => {
    await mayDo(call, 'challenges');
    return { challenge: await newChallenge(call, body.use) };
  }),
];
